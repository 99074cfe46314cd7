"""What each provider's documentation demands of `tools`, checked from the outside.

One module a provider; each has `violations(payload, whole_request=…)`, which returns a line for
every rule that is broken. They know nothing of the code that makes the payload.
"""
