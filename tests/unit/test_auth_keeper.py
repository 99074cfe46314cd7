"""What is kept, whose token is newer, and what may be deleted."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from threading import Event, Semaphore, Thread

import pytest

from toolmint.auth import CredentialError, MemoryStore, Secret, TokenRefused, Unreachable
from toolmint.auth.flow import perform, run
from toolmint.auth.oauth2.keeper import Keeper
from toolmint.auth.oauth2.token import CENTURY, Token, dump, parse, read_token, seconds
from toolmint.auth.store import Entry, Key

KEY = Key("https://id.example", "client")


def token(name: str, generation: int = 0, *, expires_at: float = 100.0) -> Token:
    return Token(
        access=Secret(f"access {name}"),
        refresh=Secret(f"refresh {name}"),
        scopes=frozenset({"read"}),
        issued_at=0.0,
        expires_at=expires_at,
        generation=generation,
    )


def keep(store: MemoryStore, kept: Token) -> None:
    entry = store.load(KEY)
    assert store.save(KEY, Entry(kept.generation, dump(kept)), entry.generation if entry else None)


def renew(keeper: Keeper, obtain: Callable[[Token | None], Token]) -> Token:
    return run(perform(keeper.renewal(KEY, None, obtain)))


def test_a_renewed_token_is_the_next_generation_and_keeps_an_omitted_refresh_token() -> None:
    store = MemoryStore()
    keep(store, token("old", 7))
    fresh = Token(Secret("access new"), frozenset({"read"}), 500.0, 900.0)
    renewed = renew(Keeper(store, lambda: 500.0), lambda kept: fresh)
    assert renewed == Token(
        Secret("access new"), frozenset({"read"}), 500.0, 900.0, Secret("refresh old"), 8
    )
    entry = store.load(KEY)
    assert entry and parse(entry.text) == renewed


def test_a_token_that_another_process_renewed_is_used() -> None:
    store = MemoryStore()
    keep(store, token("theirs", 2, expires_at=1000.0))

    def never(kept: Token | None) -> Token:
        raise AssertionError("nothing is to be sent")

    assert renew(Keeper(store, lambda: 500.0), never) == token("theirs", 2, expires_at=1000.0)


def test_invalid_grant_for_an_old_generation_deletes_nothing_newer() -> None:
    """Another process, whose lock had run out, renewed meanwhile."""
    store = MemoryStore()
    keep(store, token("old", 1))
    newer = token("newer", 2, expires_at=1000.0)

    def overtaken(kept: Token | None) -> Token:
        keep(store, newer)
        raise TokenRefused("invalid_grant")

    assert renew(Keeper(store, lambda: 500.0), overtaken) == newer
    entry = store.load(KEY)
    assert entry and parse(entry.text) == newer


def test_invalid_grant_for_the_kept_generation_deletes_it_and_starts_anew() -> None:
    store = MemoryStore()
    keep(store, token("old", 1))
    asked: list[Token | None] = []

    def obtain(kept: Token | None) -> Token:
        asked.append(kept)
        if kept:
            raise TokenRefused("invalid_grant")
        raise CredentialError("sign in")

    with pytest.raises(CredentialError, match="sign in"):
        renew(Keeper(store, lambda: 500.0), obtain)
    assert asked == [token("old", 1), None]
    assert store.load(KEY) is None


@pytest.mark.parametrize(
    "failure", [Unreachable("no answer"), TokenRefused("invalid_client"), TokenRefused("slow_down")]
)
def test_no_other_failure_deletes_anything(failure: CredentialError) -> None:
    store = MemoryStore()
    keep(store, token("old", 1))

    def fail(kept: Token | None) -> Token:
        raise failure

    with pytest.raises(CredentialError, match=str(failure).replace("(", r"\(")):
        renew(Keeper(store, lambda: 500.0), fail)
    entry = store.load(KEY)
    assert entry and parse(entry.text) == token("old", 1)


def test_a_newer_token_of_another_process_is_not_overwritten() -> None:
    store = MemoryStore()
    keep(store, token("old", 1))

    def overtaken(kept: Token | None) -> Token:
        keep(store, token("newer", 5, expires_at=1000.0))
        return token("ours", expires_at=900.0)

    assert renew(Keeper(store, lambda: 500.0), overtaken).access == Secret("access ours")
    entry = store.load(KEY)
    assert entry and parse(entry.text) == token("newer", 5, expires_at=1000.0)


def test_a_token_that_could_not_be_saved_is_still_the_one_that_is_renewed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Full(MemoryStore):
        full = True

        def save(self, key: Key, entry: Entry, expected: int | None) -> bool:
            if self.full:
                raise OSError("no space left")
            return super().save(key, entry, expected)

    store, now = Full(), [500.0]
    asked: list[Token | None] = []

    def obtain(kept: Token | None) -> Token:
        asked.append(kept)
        return token(f"number {len(asked)}", expires_at=now[0] + 100)

    keeper = Keeper(store, lambda: now[0])
    with caplog.at_level(logging.DEBUG):
        first = renew(keeper, obtain)
    assert "number" not in caplog.text
    assert "could not be saved" in caplog.text
    now[0], store.full = 1000.0, False
    second = renew(keeper, obtain)
    assert asked == [None, first]
    assert (first.generation, second.generation) == (1, 2)
    entry = store.load(KEY)
    assert entry and parse(entry.text) == second


FORKED = """
import os
from toolmint.auth import MemoryStore
from tests.unit.test_auth_keeper import Keeper, keep, renew, token

now = [500.0]
keeper = Keeper(MemoryStore(), lambda: now[0])
renew(keeper, lambda kept: token("of the parent", expires_at=600.0))
now[0] = 1000.0
if os.fork() == 0:
    renewed = renew(keeper, lambda kept: token("of the child", expires_at=1100.0))
    print(renewed.access.reveal(), flush=True)
    os._exit(0)
os.wait()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_process_that_was_forked_renews_for_itself() -> None:
    """As under a server that loads an application and then forks its workers."""
    done = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "access of the child\n"


def test_a_flight_waits_for_no_other() -> None:
    """However many principals wait for a server that is slow to them."""
    keeper = Keeper(MemoryStore(), lambda: 500.0)
    answered, flying = Event(), Semaphore(0)

    def slow(kept: Token | None) -> Token:
        flying.release()
        assert answered.wait(60)
        return token("slow", expires_at=1000.0)

    keys = [Key("https://id.example", "client", principal=str(number)) for number in range(40)]
    waiting = [Thread(target=keeper.renewal(key, None, slow).block) for key in keys]
    try:
        for thread in waiting:
            thread.start()
        for _ in keys:
            assert flying.acquire(timeout=60)
        quick = renew(keeper, lambda kept: token("quick", expires_at=1000.0))
    finally:
        answered.set()
        for thread in waiting:
            thread.join()
    assert quick.access == Secret("access quick")


def test_a_damaged_entry_is_replaced() -> None:
    store = MemoryStore()
    assert store.save(KEY, Entry(9, "{}"), None)
    fresh = token("fresh", expires_at=1000.0)
    assert renew(Keeper(store, lambda: 500.0), lambda kept: fresh).generation == 1
    entry = store.load(KEY)
    assert entry and parse(entry.text) == replace(fresh, generation=1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"access": 5},
        {"access": "\ud800"},
        {"refresh": ["a"]},
        {"scopes": None},
        {"issued_at": "now"},
        {"expires_at": "soon"},
        {"expires_at": 1e300},
        {"expires_at": 10**399},
        {"generation": "1"},
        {"generation": 2},  # of another generation than the entry
    ],
)
def test_an_entry_with_a_part_that_is_wrong_is_replaced(wrong: dict[str, object]) -> None:
    store = MemoryStore()
    text = json.dumps({**json.loads(dump(token("kept", 1))), **wrong})
    assert store.save(KEY, Entry(1, text), None)
    renewed = renew(Keeper(store, lambda: 500.0), lambda kept: token("new", expires_at=1000.0))
    assert renewed == token("new", 1, expires_at=1000.0)
    entry = store.load(KEY)
    assert entry and parse(entry.text) == renewed


@pytest.mark.parametrize(("life", "fresh_until"), [(3600.0, 3570.0), (60.0, 45.0), (4.0, 3.0)])
def test_a_token_expires_early_for_the_way_there_and_for_other_clocks(
    life: float, fresh_until: float
) -> None:
    one = token("one", expires_at=life)
    assert one.is_fresh(fresh_until - 0.1)
    assert not one.is_fresh(fresh_until)


@pytest.mark.parametrize(
    ("stated", "life"),
    [
        (60, 60.0),
        ("60", 60.0),
        (0, 0.0),
        (-5, 0.0),
        (1e308, CENTURY),
        (None, None),
        (True, None),
        ("soon", None),
        (10**399, None),
        ("9" * 400, None),
        (float("nan"), None),
        ([60], None),
    ],
)
def test_how_long_a_token_lives_is_a_number_of_seconds_or_not_stated(
    stated: object, life: float | None
) -> None:
    assert seconds(stated) == life
    read = read_token({"access_token": "a", "expires_in": stated}, frozenset(), 1000.0)
    assert read.expires_at == (None if life is None else 1000.0 + life)


def test_a_token_without_a_stated_life_is_good_until_it_is_refused() -> None:
    endless = Token(Secret("a"), frozenset(), 0.0)
    assert endless.is_fresh(1e12)


def test_a_sign_in_replaces_what_is_kept_and_a_sign_out_returns_it() -> None:
    store = MemoryStore()
    keeper = Keeper(store, lambda: 0.0)
    keep(store, token("old", 3))
    keeper.adopt(KEY, token("new"))
    kept = keeper.kept(KEY)
    assert kept == token("new", 4)
    assert keeper.at_hand(KEY, None) == kept
    assert keeper.forget(KEY) == kept
    assert (keeper.kept(KEY), keeper.at_hand(KEY, None)) == (None, None)
