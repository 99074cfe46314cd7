"""The steps of one call, each a small module; `runtime/execute.py` puts them in their order."""
