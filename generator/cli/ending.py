"""How a command ends when it is not simply fine."""

FINDING = 1
USAGE = 2
INTERRUPTED = 130


class Finding(Exception):
    """The command did its work and found something: exit status 1, and this line."""
