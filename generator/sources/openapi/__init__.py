"""OpenAPI descriptions, lowered to the neutral model."""

from .lowering import LowerOptions, lower

__all__ = ["LowerOptions", "lower"]
