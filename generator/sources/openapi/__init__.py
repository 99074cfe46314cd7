"""OpenAPI descriptions, lowered to the neutral model."""

from .lower import LowerOptions, lower

__all__ = ["LowerOptions", "lower"]
