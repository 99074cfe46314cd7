"""Chooses what a document asks for: by budget, by wish, never more than is valid."""
