"""The keywords of a schema that hold schemas, data or names: one reader each, and their order."""

from .data_keywords import (
    bound_of,
    data_of,
    mapping_of,
    read_description,
    read_enumeration,
    read_example,
    read_examples,
    read_format,
    read_pattern,
)
from .schema_keywords import (
    read_dependencies,
    read_dependent_required,
    read_dynamic_reference,
    read_items,
    read_pattern_properties,
    read_properties,
    read_required,
    schema_of,
    schemas_by_name,
    schemas_of,
)
from .structure import Structure

STRUCTURES: dict[str, Structure] = {
    "format": read_format,
    "pattern": read_pattern,
    "enum": read_enumeration,
    "const": data_of("const"),
    "exclusiveMinimum": bound_of("exclusiveMinimum", "minimum"),
    "exclusiveMaximum": bound_of("exclusiveMaximum", "maximum"),
    "items": read_items,
    "properties": read_properties,
    "required": read_required,
    "patternProperties": read_pattern_properties,
    "dependentRequired": read_dependent_required,
    "dependencies": read_dependencies,
    "$dynamicRef": read_dynamic_reference,
    "description": read_description,
    "default": data_of("default"),
    "example": read_example,
    "examples": read_examples,
    "xml": mapping_of("xml"),
    **{
        keyword: schema_of(keyword)
        for keyword in (
            *("contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"),
            *("unevaluatedItems", "unevaluatedProperties", "contentSchema"),
        )
    },
    **{keyword: schemas_of(keyword) for keyword in ("prefixItems", "allOf", "anyOf", "oneOf")},
    "dependentSchemas": schemas_by_name("dependentSchemas"),
}
"""Keyword → its reader; the keywords that are missing here hold plain values (`keywords`)."""

RANK: dict[str, int] = {
    keyword: rank
    for rank, keyword in enumerate(
        (
            *("$dynamicRef", "type", "format", "contentEncoding", "contentMediaType"),
            *("contentSchema", "enum", "const", "pattern", "minLength", "maxLength"),
            *("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
            *("prefixItems", "items", "unevaluatedItems", "contains", "minContains"),
            *("maxContains", "minItems", "maxItems", "uniqueItems", "properties", "required"),
            *("patternProperties", "additionalProperties", "unevaluatedProperties"),
            *("propertyNames", "minProperties", "maxProperties", "dependentRequired"),
            *("dependentSchemas", "dependencies", "allOf", "anyOf", "oneOf", "not", "if"),
            *("then", "else", "title", "description", "default", "examples", "example"),
            *("deprecated", "xml"),
        )
    )
}
"""The order in which keywords are read and come out; others mean nothing to a validator."""
