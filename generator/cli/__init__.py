"""The command line. Each command is imported only when it is used."""

from .main import main, run

__all__ = ["main", "run"]
