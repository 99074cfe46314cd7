"""Judges of what calls do and bring, and of what had better come first."""
