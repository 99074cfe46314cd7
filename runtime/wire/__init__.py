"""The HTTP codec: arguments to request bytes, answer bytes to data, and the client between."""
