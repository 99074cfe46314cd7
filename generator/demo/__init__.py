"""`toolmint demo`: a bundled description, the API it describes on loopback, and the story."""
