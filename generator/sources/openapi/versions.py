"""Which OpenAPI a document is, or why it is none."""

import re
from collections.abc import Collection

from ...load import Document

_VERSION = re.compile(r"\s*(3\.[0-2])(?:\.|\s*$|-)")


def openapi_version(document: Document) -> str:
    """`2.0`, `3.0`, `3.1` or `3.2`. Raises InputError for anything else."""
    swagger = document.data.get("swagger")
    if "openapi" not in document.data and str(swagger) in ("2.0", "2"):
        return "2.0"
    version = document.data.get("openapi")
    match = _VERSION.match(str(version)) if isinstance(version, (str, float, int)) else None
    if match is not None:
        return match[1]
    if version is not None:
        raise document.error(
            "/openapi", f"OpenAPI {version!r} is not known. Use a description of 2.0 or 3.0 to 3.2."
        )
    raise document.error("", _what_it_is(document.data.keys()))


def _what_it_is(keys: Collection[str]) -> str:
    if "swagger" in keys:
        return "Swagger of this version is not known. Use a description of 2.0 or 3.0 to 3.2."
    if "asyncapi" in keys:
        what = "is an AsyncAPI description"
    elif "__schema" in keys or "data" in keys:
        what = "looks like a GraphQL introspection"
    elif "item" in keys and "info" in keys:
        return "is a Postman collection, so it is no OpenAPI description. Export it as one."
    elif "$schema" in keys:
        what = "is a JSON Schema"
    else:
        what = "has neither `openapi` nor `swagger`"
    return f"{what}, so it is no OpenAPI description. Name the file that opens with `openapi`."
