"""A wrong call of a generated method is a type error before it is anything else."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from ..golden.projects import PROJECTS
from .checkers import Complaint, mypy, pyright

Checker: TypeAlias = Callable[[Sequence[Path], Path, Sequence[Path]], list[Complaint]]

CALLS = """\
from typing import assert_type

from composed_tools import Composed
from nulls_tools import Nulls
from toolmint.runtime import Call

composed = Composed(credentials={})
nulls = Nulls(credentials={})

assert_type(composed.default.edit_profile(pid="p", name="n"), Call[None])
composed.default.edit_profile(pid="p", name="n", email="e@x.example")
nulls.default.edit_task(task_id="t", priority=None)
composed.default.pay(body={"kind": "bank", "iban": "NO93"})

composed.default.edit_profile(pid=1, name="n")  # wrong type
composed.default.edit_profile(pid="p")  # missing
composed.default.edit_profile(pid="p", name="n", email=None)  # null where none is allowed
composed.default.edit_profile(pid="p", name="n", mail="e@x.example")  # unknown
composed.default.edit_profile("p", "n")  # positional
composed.default.pay(body={"kind": "bank"})  # a member of the body is missing
nulls.default.edit_task(task_id="t", priority="urgent")  # not in the enum
nulls.default.edit_task(task_id="t", title=None)  # null where none is allowed
"""
WRONG = [number for number, line in enumerate(CALLS.splitlines(), 1) if "  # " in line]
PARENTS = [project.package.parent for project in PROJECTS]


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_each_wrong_call_is_an_error_and_no_right_one_is(checker: Checker, tmp_path: Path) -> None:
    script = tmp_path / "calls.py"
    script.write_text(CALLS)
    assert sorted({one.line for one in checker([script], tmp_path, PARENTS)}) == WRONG
