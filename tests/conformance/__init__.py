"""A public conformance suite for client generators, run against packages that toolmint generates."""
