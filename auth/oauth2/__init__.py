"""OAuth 2 clients: every grant, discovery, and tokens that are refreshed right."""
