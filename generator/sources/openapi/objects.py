"""openapi-pydantic as the judge of odd objects: it says in words what is wrong with one.

Objects are read leniently as plain data. Only when one of them cannot be used as it stands
is this judge asked; importing it takes longer than reading most descriptions.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["info", "server", "parameter", "security scheme", "request body"]

_MODELS: dict[Kind, str] = {
    "info": "Info",
    "server": "Server",
    "parameter": "Parameter",
    "security scheme": "SecurityScheme",
    "request body": "RequestBody",
}


def complaint(kind: Kind, value: Mapping[str, Any]) -> str | None:
    """What is wrong with an object in a few words, or None when its model takes it."""
    import openapi_pydantic as models

    model: Any = getattr(models, _MODELS[kind])
    try:
        model.model_validate(value)
    except ValueError as error:  # pydantic's: a heading, then a place and a reason each
        told = str(error).splitlines()
        if len(told) < 3:
            return told[0]
        return f"`{told[1]}`: {told[2].partition(' [type=')[0].strip()}"
    return None
