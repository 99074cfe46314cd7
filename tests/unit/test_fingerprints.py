"""A fingerprint moves when its side of a tool does, and never with the order of keys."""

from types import MappingProxyType

import pytest

from toolmint.generator.fingerprints import digest
from toolmint.generator.model.catalogue import Gate


def test_the_order_of_keys_never_counts_and_that_of_arrays_does() -> None:
    assert digest({"a": 1, "b": [1, 2]}) == digest({"b": [1, 2], "a": 1})
    assert digest({"b": [1, 2]}) != digest({"b": [2, 1]})


def test_model_nodes_and_frozen_data_count_as_what_they_hold() -> None:
    assert digest(Gate(approval="always", requires=("get_pet",))) == digest(
        {"approval": "always", "requires": ["get_pet"]}
    )
    assert digest(MappingProxyType({"a": (1, 2)})) == digest({"a": [1, 2]})


def test_what_is_no_data_has_none() -> None:
    with pytest.raises(TypeError, match="no digest is made of object"):
        digest(object())


def test_it_is_the_same_on_every_machine() -> None:
    assert digest({"é": None}) == "1bf725c382fc0122"
