"""What somebody waits for goes first: threads that step back, and a gate between two pieces of background work."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

NICE = 10
"""A tenth of a busy processor. With less, a thread that the interpreter waits for is itself kept waiting: on a loaded
machine, the idle class stalled questions for seconds."""
PATIENCE_S = 0.25
"""How long a piece of background work waits at most: a service that is never quiet still finishes its books."""


def step_back() -> None:
    """The calling thread lets others go before it, for good; only on Linux does a thread have a priority of its own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


class Precedence:
    """Counts the calls somebody waits for; background work asks between two pieces whether it may go on."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._changed = threading.Condition()
        self._waiting = 0

    @contextmanager
    def first(self) -> Iterator[None]:
        """While the block runs, background work holds still."""
        with self._changed:
            self._waiting += 1
        try:
            yield
        finally:
            with self._changed:
                self._waiting -= 1
                if not self._waiting:
                    self._changed.notify_all()

    def after_you(self) -> bool:
        """Whether nobody waits; returns at once then, else when the last is served or patience is over."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting, self._patience_s)
