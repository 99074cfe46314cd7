"""The text of a package's files, by templates that only print."""

from functools import cache

import jinja2

from ...model.catalogue import Catalogue
from .graphql import graphql_files
from .plan import Plan, Settings, plan
from .readme import readme
from .schemas import schema_files


def generate(catalogue: Catalogue, settings: Settings) -> dict[str, str]:
    """Path → text of every file of the package but its lock; lines end in `\\n`."""
    planned = plan(catalogue, settings)
    files = {
        "__init__.py": _print("init.py.jinja", planned),
        "toolset.py": _print("toolset.py.jinja", planned),
        "README.md": readme(catalogue, planned),
        ".gitattributes": _print("gitattributes.jinja", planned),
        "py.typed": "",
    }
    if planned.models is not None:
        files["models.py"] = _print("models.py.jinja", planned)
    group = _templates().get_template("group.py.jinja")
    for one in planned.groups:
        files[f"{one.module}.py"] = group.render(plan=planned, group=one)
    files.update(graphql_files(catalogue))
    files.update(schema_files(catalogue, {one.module: one.tools for one in planned.groups}))
    return dict(sorted(files.items()))


def _print(template: str, planned: Plan) -> str:
    return _templates().get_template(template).render(plan=planned)


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("toolmint.templates", "python"),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # what is printed is Python; the planner wrote every literal
    )
