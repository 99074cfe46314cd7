"""Pausing the garbage collector while a package is compiled."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Generator[None]:
    """No search for circular garbage meanwhile: compiling makes hardly any, and it takes a tenth.

    The first search afterwards would look at all that compiling left, most often just before the
    process ends. So it is put by, and searched only when another package comes.
    """
    was_on = gc.isenabled()
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.freeze()
            gc.enable()
