"""Real, public descriptions, whole: from the file to typed calls against a server on loopback."""
