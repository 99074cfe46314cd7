"""The order of names in generated modules is the one that linters give them."""

from toolmint.generator.targets.python.imports import sorted_names


def test_names_stand_as_ruff_sorts_them() -> None:
    names = ["OrgsAdmins", "Orgs128T", "Orgs", "Orgs2", "find", "TOOLSET", "Options73", "Options"]
    assert sorted_names(names) == [
        "TOOLSET",
        "Options",
        "Options73",
        "Orgs",
        "Orgs2",
        "Orgs128T",
        "OrgsAdmins",
        "find",
    ]
