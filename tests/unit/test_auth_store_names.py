"""Where tokens are kept, by the words of an option or an environment variable."""

from pathlib import Path

import keyring
import pytest
from keyring.backends.null import Keyring

from toolmint.auth import CredentialError, FileStore, KeyringStore, MemoryStore, RedisStore
from toolmint.auth.store.named import store_named, store_of


def test_each_store_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring, "get_keyring", Keyring)
    assert isinstance(store_named("memory"), MemoryStore)
    assert isinstance(store_named("keyring"), KeyringStore)
    assert isinstance(store_named("redis://127.0.0.1:1/0"), RedisStore)
    assert repr(store_named(f"file:{tmp_path}")) == f"FileStore('{tmp_path}')"
    assert repr(store_named("")) == repr(store_named("file")) == repr(FileStore())


@pytest.mark.parametrize("text", ["disk", "keyring:x", "http://ann:planted@h", "memory:1"])
def test_another_word_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(CredentialError) as caught:
        store_of({"TOOLMINT_TOKEN_STORE": text})
    assert str(caught.value) == (
        "TOOLMINT_TOKEN_STORE: there is no such token store. Known: file, file:FOLDER, keyring, "
        "memory, redis://HOST:PORT/0"
    )
