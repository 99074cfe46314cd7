"""`python -m tests.conformance [--write]`: the score of the suite, and `docs/conformance.md`."""

import sys

from .report import PAGE, page
from .run import data, run
from .suite import SETUP, home

if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    folder = home()
    if folder is None:
        sys.exit(f"the suite is not there: run {SETUP}")
    verdicts = run(folder)
    for verdict in verdicts:
        if not verdict.passed:
            print(f"{verdict.scenario.name}: {verdict.outcome.said.splitlines()[0]}")
    print(f"{sum(verdict.passed for verdict in verdicts)} of {len(verdicts)}")
    if "--write" in sys.argv:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(verdicts, data()["reasons"]), "utf-8")
