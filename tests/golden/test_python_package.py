"""A small package, byte for byte: what people read and review is what these texts show."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.unit.catalogues import CHANGES, NOWHERE, catalogue, member, path, query, tool
from toolmint.generator.model.api import Definitions, Tag
from toolmint.generator.model.calls import Body
from toolmint.generator.model.catalogue import Catalogue
from toolmint.generator.model.security import SecurityScheme
from toolmint.generator.targets.python import Settings, generate

PET: dict[str, Any] = {
    "type": "object",
    "description": "An animal.",
    "properties": {
        "tag": {"type": ["string", "null"], "description": "A free label. Rarely used."},
        "name": {"type": "string"},
    },
    "required": ["name"],
}
TEXT = {"type": "string", "description": "What the pet is called."}


def petstore() -> Catalogue:
    return catalogue(
        tool(
            "create_pet",
            query("notify", {"type": "boolean"}),
            member("name", TEXT, required=True),
            member("tag", {"type": ["string", "null"]}),
            method="POST",
            body=Body(kind="json", media_type="application/json", required=True),
            output={"$ref": "#/$defs/Pet"},
            description="Create a pet.\n\nIt is fed at once.",
            effects=CHANGES,
        ),
        tool(
            "list",
            query("class", {"type": "array", "items": {"enum": ["cat", "dog"]}}, explode=False),
            output={"type": "array", "items": {"$ref": "#/$defs/Pet"}},
            credentials=("key",),
        ),
        tool(
            "delete_pet",
            path("petId", {"type": "integer"}),
            method="DELETE",
            path="/pets/{petId}",
            tags=(),
            security=(),
        ),
        input={"Pet": PET, "Unused": {"type": "object"}},
        schemes={
            "bearerAuth": SecurityScheme(
                name="bearerAuth", kind="http", scheme="bearer", location=NOWHERE
            ),
            "key": SecurityScheme(
                name="key", kind="apiKey", parameter="key", place="query", location=NOWHERE
            ),
        },
        security=({"bearerAuth": ()},),
        tags=(Tag(name="pets", description="Everything about pets."),),
    )


GOLDEN = Path(__file__).with_name("pet_tools.txt")
SETTINGS = Settings(package="pet_tools", source="pets.yaml")


def printed() -> str:
    """All files of the package, one after the other."""
    files = generate(petstore(), SETTINGS)
    return "".join(f"=== {path}\n{text}" for path, text in files.items())


def test_a_package_is_exactly_this() -> None:
    assert printed() == GOLDEN.read_text("utf-8")


def backwards(given: Mapping[str, Any]) -> dict[str, Any]:
    """The same members in the opposite order."""
    return dict(reversed(list(given.items())))


def test_the_same_input_gives_the_same_bytes_whatever_the_order_of_tools_and_keys() -> None:
    given = petstore()
    pet = backwards(PET)
    definitions = Definitions(
        input=backwards(given.api.definitions.input),
        output={"Pet": {**pet, "properties": backwards(PET["properties"])}},
    )
    shuffled = replace(
        given,
        tools=given.tools[::-1],
        api=replace(
            given.api,
            definitions=replace(definitions, input={**definitions.input, **definitions.output}),
            security_schemes=backwards(given.api.security_schemes),
        ),
    )
    assert generate(shuffled, SETTINGS) == generate(given, SETTINGS)


if (
    __name__ == "__main__"
):  # after a change that was meant: python -m tests.golden.test_python_package
    GOLDEN.write_text(printed(), "utf-8")
