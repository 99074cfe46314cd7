"""Strangers' text stays text: it reads back unaltered, and ruff has nothing to change."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.generator.targets.python.layout import call, mapping, render, sequence
from toolmint.generator.targets.python.literals import docstring, scalar, string, tidy_lines

HOSTILE = (
    'quotes """ and \'\'\' and "',
    "trailing backslash \\",
    'trailing quote "',
    '"leading quote',
    r"\N{BELL} \u0041 \x41 \d",
    "line\nend\r\nof\revery\x0ckind\u2028here\x85",
    "\x00\x07\x1b\x7f\ufeff\u200b\u202e\u2066",
    "lone \ud800 surrogate",
    "{{ 7*7 }} {% raw %} {0!r} %s ${process.env}",
    '"""\nraise SystemExit("pwned")\n"""',
    "    indented\n        more\n",
    "- a point that is long enough to be wrapped, because it goes on and on and on and on and on",
    "日本語 \N{SNAKE}",
)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ('say "hi"', "'say \"hi\"'"),
        ('it\'s "so"', "'it\\'s \"so\"'"),
        ("a\\b\n", '"a\\\\b\\n"'),
        ("\u202e", '"\\u202e"'),
        ("\U000e0001", '"\\U000e0001"'),
        ("\ud800", '"\\ud800"'),
        ("é", '"é"'),
    ],
)
def test_a_string_is_printed_as_ruff_would(text: str, literal: str) -> None:
    assert string(text) == literal


@given(st.text(alphabet=st.characters()))
def test_every_string_reads_back(text: str) -> None:
    assert ast.literal_eval(string(text)) == text


@pytest.mark.parametrize(
    ("value", "literal"),
    [(None, "None"), (True, "True"), (-1, "-1"), (0.5, "0.5"), (1e400, 'float("inf")')],
)
def test_a_scalar_is_a_literal(value: object, literal: str) -> None:
    assert scalar(value) == literal


def test_no_literal_stands_for_an_object() -> None:
    with pytest.raises(TypeError, match="no literal is printed for object"):
        scalar(object())


@given(st.text(alphabet=st.sampled_from('ab"\\\n\t \r\x00\u202e\ud800N{}'), min_size=1))
def test_a_docstring_reads_back_but_for_white_space(text: str) -> None:
    printed = docstring(text, 4)
    node = ast.parse(f"def f():\n    {printed}\n    return") if printed else None
    read = ast.get_docstring(cast(ast.FunctionDef, node.body[0])) if node else ""
    assert (read or "").split() == " ".join(tidy_lines(text)).split()


def test_a_docstring_without_hazards_is_plain_and_one_with_backslashes_is_raw() -> None:
    assert docstring("Say it.", 4) == '"""Say it."""'
    assert docstring(r"A \d pattern.", 4) == 'r"""A \\d pattern."""'
    assert docstring("One.\n\nTwo.", 4) == '"""One.\n\n    Two.\n    """'
    assert docstring(" \n ", 4) == ""


LONG = "and on and on and on and on and on and on and on and on and on and on"


@pytest.mark.parametrize(
    ("line", "hanging"),
    [
        ("`name` is a word", ""),
        ("[A link](https://a.example) i", ""),
        ("- a point it is", "  "),
        ("   - a point of a point", "     "),
        ("   a paragraph of a point", "   "),
        ("12. the twelfth", "    "),
    ],
)
def test_prose_is_wrapped_where_it_stands(line: str, hanging: str) -> None:
    text = f"Say it.\n\nx\n{line} {LONG}"
    first, second = docstring(text, 4).split("\n")[3:5]
    assert first.startswith(f"    {line} and on")
    assert len(first) <= 88
    assert re.match(rf"    {hanging}(?:and|on)", second)


@pytest.mark.parametrize(
    "line",
    ["    code", "| a | table |", "# A heading", "> a quotation", "[1]: https://a.example"],
)
def test_what_a_line_end_would_change_is_not_wrapped(line: str) -> None:
    text = f"Say it.\n\nx\n{line} {LONG} {LONG}"
    assert f"    {line} {LONG} {LONG}\n" in docstring(text, 4)


def test_code_between_fences_is_not_wrapped() -> None:
    text = f"Say it.\n\n```sh\ncurl {LONG} {LONG}\n```\nx {LONG} {LONG}"
    printed = docstring(text, 4).split("\n")
    assert printed[2:5] == ["    ```sh", f"    curl {LONG} {LONG}", "    ```"]
    assert max(map(len, printed[5:])) <= 88


def test_ruff_changes_no_literal_and_no_docstring(tmp_path: Path) -> None:
    functions = [f"def f{n}() -> None:\n    {docstring(t, 4)}\n" for n, t in enumerate(HOSTILE)]
    strings = "".join(f"    {string(text)},\n" for text in HOSTILE)
    file = tmp_path / "module.py"
    file.write_text('"""Texts."""\n\n' + f"TEXTS = [\n{strings}]\n\n\n" + "\n\n".join(functions))
    for command in (["format", "--check", "--diff"], ["check"]):
        ran = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", str(file)],
            check=False,
            capture_output=True,
            text=True,
        )
        assert (ran.returncode, ran.stdout.replace("All checks passed!\n", "")) == (0, "")


def test_what_does_not_fit_is_one_item_a_line() -> None:
    short = call("f", ["1"], {"x": sequence(["2"])})
    assert render(short, 0) == "f(1, x=(2,))"
    long = call("f", [], {"headers": mapping({"a": string("x" * 80)}, explode=False)})
    assert render(long, 0) == f'f(\n    headers={{\n        "a": "{"x" * 80}",\n    }},\n)'
