"""`python -m tests.golden --write`: write all committed packages anew; review the diff.

They are the expected ones of `fixtures/`, those of `examples/`, and `pet_tools.txt`.
"""

import sys

from toolmint.generator import Options, compile, configurations, write

from .projects import EXAMPLES, PROJECTS, compiled
from .test_python_package import GOLDEN, printed

if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    for project in PROJECTS:
        done = write(compiled(project), project.config.output, force=True)
        print(f"{project.name}: {len(done.written)} written, {len(done.removed)} removed")
    for folder in EXAMPLES:
        for config in configurations(Options(), start=folder):
            done = write(compile(config), config.output, force=True)
            print(f"{config.name}: {len(done.written)} written, {len(done.removed)} removed")
    GOLDEN.write_text(printed(), "utf-8")
