"""Benchmarks: each module is one command that prints its figures; none is part of the tests."""
