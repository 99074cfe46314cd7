"""Every check of the project: `nox` runs them all, `nox -s types` one of them."""

import nox

nox.options.default_venv_backend = "venv"
nox.options.reuse_existing_virtualenvs = True

PYTHONS = ["3.11", "3.12", "3.13"]


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The test suite; arguments go to pytest."""
    session.install("-e", ".[dev]")
    session.run("pytest", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """ruff, as linter and as formatter."""
    session.install("ruff")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """mypy and pyright, both strict, on the project."""
    session.install("-e", ".[dev]")
    session.run("mypy", "-p", "toolmint", "-p", "tests", "-p", "bench")
    session.run("pyright", "--pythonpath", f"{session.bin}/python")


@nox.session
def golden(session: nox.Session) -> None:
    """Write the expected packages of `fixtures/` and `examples/` anew; review the diff."""
    session.install("-e", ".[dev]")
    session.run("python", "-m", "tests.golden", "--write")
