"""UNSET is one value, falsy, and survives copying and pickling as itself."""

import copy
import pickle

from toolmint.runtime.unset import UNSET, Unset


def test_unset_is_falsy_and_says_its_name() -> None:
    assert not UNSET
    assert (repr(UNSET), str(UNSET)) == ("UNSET", "UNSET")


def test_unset_is_one_value_through_copies_and_pickles() -> None:
    assert copy.copy(UNSET) is UNSET
    assert copy.deepcopy({"a": UNSET})["a"] is UNSET
    assert pickle.loads(pickle.dumps(UNSET)) is UNSET


def test_type_checkers_narrow_it_by_identity() -> None:
    def length(text: str | Unset) -> int:
        return 0 if text is UNSET else len(text)

    assert (length(UNSET), length("abc")) == (0, 3)
