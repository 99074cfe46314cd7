"""The neutral model: what any API description means, free of its syntax and of Python.

A source lowers a description to an `Api`; shape adds the user's policy and makes a
`Catalogue`; a target plans and prints from that. Names are as the source spells them.
Every node is frozen and knows its `Location`.

Schemas are JSON Schema 2020-12 as plain data, already normalised: `nullable`, boolean
exclusive bounds and `type: file` are gone, and references point to `#/$defs/NAME`, a
key of `Definitions.input` (in requests) or `Definitions.output` (in results).
Nobody changes a schema in place.
"""
