"""`python -m tests.golden --write`: write every project's expected package anew; review the diff."""

import sys

from toolmint.generator import write

from .projects import PROJECTS, compiled

if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    for project in PROJECTS:
        done = write(compiled(project), project.config.output, force=True)
        print(f"{project.name}: {len(done.written)} written, {len(done.removed)} removed")
