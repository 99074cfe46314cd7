"""The agent: its loop, the tools it offers, what is said, and runs that pause and go on."""
