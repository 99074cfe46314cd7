"""Which runtime this is: its version, and the generated packages it can run."""

VERSION = "0.1.0"

COMPATIBILITY = 1
"""What packages generated now ask for; it grows when generated code needs a newer runtime."""

OLDEST_COMPATIBILITY = 1
"""The oldest packages that this runtime still runs."""
