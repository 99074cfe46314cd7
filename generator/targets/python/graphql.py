"""What a GraphQL package carries beside its tools: their documents, and the field map."""

import json
from collections.abc import Mapping
from typing import Any

from ...model.calls import GraphQLCall
from ...model.catalogue import Catalogue
from ...visible import visible


def graphql_files(catalogue: Catalogue) -> dict[str, str]:
    """Path → text: `operations/TOOL.graphql` as it is sent, and `schemas/graphql.json`."""
    files = {
        f"operations/{tool.name}.graphql": tool.operation.call.document
        for tool in catalogue.tools
        if isinstance(tool.operation.call, GraphQLCall)
    }
    if catalogue.api.graphql is not None:
        files["schemas/graphql.json"] = _field_map(catalogue.api.graphql.field_map)
    return files


def _field_map(field_map: Mapping[str, Any]) -> str:
    """One line a field, so that a diff shows the field that changed."""
    lines = ["{", f'  "roots": {_flat(field_map["roots"])},', '  "scalars": {']
    scalars = [f"    {_flat(key)}: {_flat(one)}" for key, one in field_map["scalars"].items()]
    lines += [*([",\n".join(scalars)] if scalars else []), "  },", '  "types": {']
    types = field_map["types"]
    for number, (name, entry) in enumerate(types.items(), 1):
        comma = "," if number < len(types) else ""
        lines += _entry(name, entry, comma)
    return visible("\n".join([*lines, "  }", "}", ""]))


def _entry(name: str, entry: Mapping[str, Any], comma: str) -> list[str]:
    fields: Mapping[str, Any] = entry.get("fields", {})
    possible = f'"possible": {_flat(entry["possible"])}' if "possible" in entry else ""
    if not fields:
        return [f"    {_flat(name)}: {{{possible}}}{comma}"]
    lines = [f"    {_flat(name)}: {{"]
    lines += [f"      {possible},"] if possible else []
    lines.append('      "fields": {')
    rows = [f"        {_flat(key)}: {_flat(value)}" for key, value in fields.items()]
    lines.append(",\n".join(rows))
    return [*lines, "      }", f"    }}{comma}"]


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
