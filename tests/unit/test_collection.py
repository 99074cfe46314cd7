"""Circular garbage is put by while a package is compiled, and found when another one comes."""

import gc
from weakref import ref

import pytest

from toolmint.generator.cli.collection import uncollected


class Circle:
    def __init__(self) -> None:
        self.itself = self


def test_garbage_of_one_package_is_gone_when_the_next_is_compiled() -> None:
    with uncollected():
        assert not gc.isenabled()
        garbage = ref(Circle())
    assert (gc.isenabled(), garbage() is None) == (True, False)
    with uncollected():
        assert garbage() is None
    gc.unfreeze()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with pytest.raises(ValueError, match="wrong"), uncollected():
            raise ValueError("wrong")
        assert not gc.isenabled()
    finally:
        gc.enable()
