"""Every store keeps the same promises."""

import os
import stat
import traceback
from collections.abc import Callable, Generator
from pathlib import Path
from threading import Thread

import pytest
from redis import Redis

from tests.services.redis import redis_server
from toolmint.auth import CredentialError, FileStore, KeyringStore, MemoryStore, RedisStore, Store
from toolmint.auth.store import Entry, Key

KEY = Key("https://id.example", "client", ("read",), "ann")


class KeyringInMemory:
    """A keyring backend that needs no desktop."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture(params=["memory", "file", "keyring", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Store]:
    folder = tmp_path / "tokens"
    match request.param:
        case "memory":
            yield MemoryStore()
        case "file":
            yield FileStore(folder)
        case "keyring":
            yield KeyringStore(KeyringInMemory(), FileStore(folder))
        case _:
            with redis_server(tmp_path) as url:
                yield RedisStore(url)


def test_an_entry_is_saved_only_over_the_one_that_was_seen(store: Store) -> None:
    first, second = Entry(1, "one"), Entry(2, "two")
    assert store.load(KEY) is None
    assert not store.save(KEY, second, 1)
    assert store.save(KEY, first, None)
    assert not store.save(KEY, second, None)
    assert not store.save(KEY, second, 7)
    assert store.load(KEY) == first
    assert store.save(KEY, second, 1)
    assert store.load(KEY) == second


def test_an_entry_is_deleted_only_when_it_is_of_the_generation_meant(store: Store) -> None:
    assert not store.delete(KEY)
    assert store.save(KEY, Entry(2, "two"), None)
    assert not store.delete(KEY, 1)
    assert store.load(KEY) == Entry(2, "two")
    assert store.delete(KEY, 2)
    assert store.load(KEY) is None
    assert store.save(KEY, Entry(1, "again"), None)
    assert store.delete(KEY)


def test_no_two_authorizations_share_an_entry(store: Store) -> None:
    others = [
        Key("https://other.example", "client", ("read",), "ann"),
        Key("https://id.example", "other", ("read",), "ann"),
        Key("https://id.example", "client", ("read", "write"), "ann"),
        Key("https://id.example", "client", ("read",), "bob"),
        Key("https://id.example", "client", ("read",), "ann", "https://api.example"),
        Key("https://id.example", "client", ("read",), ""),
    ]
    assert store.save(KEY, Entry(1, "one"), None)
    assert [store.load(other) for other in others] == [None] * len(others)


def test_a_lock_lets_one_in_at_a_time(store: Store) -> None:
    inside, most = [0], [0]

    def enter() -> None:
        for _ in range(20):
            with store.lock(KEY):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                assert store.load(KEY) is None
                inside[0] -= 1

    threads = [Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_what_a_store_shows_of_itself_holds_no_secret(store: Store) -> None:
    entry = Entry(1, "a secret text")
    store.save(KEY, entry, None)
    assert "secret" not in repr(store) + repr(entry)


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "tokens"
    store = FileStore(folder)
    with store.lock(KEY):
        store.save(KEY, Entry(1, "text"), None)
    modes = {path.suffix: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {".json": 0o600, ".renewing": 0o600, ".writing": 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not [path for path in folder.iterdir() if "ann" in path.name]


DAMAGED = [
    b"",
    b'{"generation": 1, "te',
    b"\xff\xfe",
    b"[]",
    b"null",
    b"[" * 100_000,
    b'{"generation": "1", "text": "text"}',
    b'{"generation": true, "text": "text"}',
    b'{"generation": 1, "text": 5}',
    b'{"text": "text"}',
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_counts_as_no_token(tmp_path: Path, content: bytes) -> None:
    store = FileStore(tmp_path)
    store.save(KEY, Entry(1, "text"), None)
    (path,) = tmp_path.glob("*.json")
    path.write_bytes(content)
    assert store.load(KEY) is None
    assert store.save(KEY, Entry(1, "new"), None)
    assert store.load(KEY) == Entry(1, "new")


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_keyring_entry_counts_as_no_token(tmp_path: Path, content: bytes) -> None:
    backend = KeyringInMemory()
    store = KeyringStore(backend, FileStore(tmp_path))
    backend.set_password(store.SERVICE, KEY.digest(), content.decode("utf-8", "replace"))
    assert store.load(KEY) is None
    assert store.save(KEY, Entry(1, "new"), None)
    assert store.load(KEY) == Entry(1, "new")


@pytest.mark.parametrize(
    "kept", [{"generation": "one", "text": "text"}, {"generation": "1"}, {"generation": ""}]
)
def test_damage_in_redis_counts_as_no_token(tmp_path: Path, kept: dict[str, str]) -> None:
    with redis_server(tmp_path) as url:
        store = RedisStore(url)
        with Redis(port=int(url.rpartition(":")[2].partition("/")[0])) as redis:
            for name, value in kept.items():
                redis.hset(f"toolmint:token:{KEY.digest()}", name, value)
        assert store.load(KEY) is None
        assert store.save(KEY, Entry(1, "new"), None)
        assert store.load(KEY) == Entry(1, "new")


@pytest.mark.parametrize("folder", ["file", "file/below", "nu\0l"])
def test_a_folder_that_cannot_be_used_is_an_error_that_names_it(
    tmp_path: Path, folder: str
) -> None:
    (tmp_path / "file").touch()
    store = FileStore(f"{tmp_path}/{folder}")
    attempts: list[Callable[[], object]] = [
        lambda: store.lock(KEY).__enter__(),
        lambda: store.save(KEY, Entry(1, "text"), None),
        lambda: store.delete(KEY),
    ]
    for attempt in attempts:
        with pytest.raises(CredentialError) as caught:
            attempt()
        assert str(caught.value).startswith(f"tokens cannot be kept in {tmp_path}/{folder}: ")


def test_a_folder_of_nobody_is_an_error() -> None:
    with pytest.raises(CredentialError, match="there is no folder for tokens"):
        FileStore("~nobody-of-this-name/tokens")


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are not listed here")
def test_a_lock_is_not_kept_by_a_process_that_was_forked_meanwhile(tmp_path: Path) -> None:
    """It has the same open files, and would hold what its parent gave back."""
    store = FileStore(tmp_path)
    with store.lock(KEY):
        (held,) = [
            int(name)
            for name in os.listdir("/proc/self/fd")
            if os.path.realpath(f"/proc/self/fd/{name}").endswith(".renewing")
        ]
        kept_by_a_child = os.dup(held)
    try:
        with store.lock(KEY):
            pass
    finally:
        os.close(kept_by_a_child)


class FullKeyring(KeyringInMemory):
    """Keeps nothing, and says what."""

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError(f"cannot keep {password}")


class LockedKeyring(KeyringInMemory):
    """Answers as one does whose owner said no."""

    def get_password(self, service: str, username: str) -> str | None:
        raise RuntimeError("locked")


def test_a_keyring_that_fails_is_an_error_without_what_it_was_to_keep(tmp_path: Path) -> None:
    locks, entry = FileStore(tmp_path), Entry(1, "a secret text")
    with pytest.raises(CredentialError, match=r"^the keyring cannot be used \(RuntimeError\)$"):
        KeyringStore(LockedKeyring(), locks).load(KEY)
    with pytest.raises(CredentialError) as caught:
        KeyringStore(FullKeyring(), locks).save(KEY, entry, None)
    assert "secret" not in "".join(traceback.format_exception(caught.value))
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "url",
    ["redis://:planted@127.0.0.1:port/0", "http://:planted@127.0.0.1/", "redis://:planted@[::1"],
)
def test_what_is_no_address_of_a_redis_is_an_error_without_it(url: str) -> None:
    with pytest.raises(CredentialError, match="is no Redis URL") as caught:
        RedisStore(url)
    assert "planted" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_redis_that_is_gone_is_an_error_without_its_address(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        store = RedisStore(url)
    gone = pytest.raises(CredentialError, match=r"^Redis did not answer \(ConnectionError\)$")
    with gone:
        store.load(KEY)
    with gone:
        store.save(KEY, Entry(1, ""), None)
