"""How much may be done at once. What is over that is refused, not queued: a queue grows without end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from youju.errors import BusyError


@dataclass
class Slots:
    """`limit` holders at a time; used from one event loop only."""

    limit: int
    what: str
    taken: int = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """A place, given back at the end of the block.

        Raises:
            BusyError: none is free.
        """
        if self.taken >= self.limit:
            raise BusyError(f"同时进行的{self.what}已达上限 {self.limit}", remedy="请稍后再试")
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1
