"""Credentials: where secrets come from, how they are applied, which are chosen."""
