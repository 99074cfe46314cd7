"""What a generated package runs on: httpx and jsonschema-rs, nothing of the generator."""
