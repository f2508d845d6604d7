"""How many calls to a service are on their way at once: fewer when it says that they are too many."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

CALM = 16
"""Calls that must succeed in a row before one more is let through at a time."""


class Pace:
    """A gate of at most `width` calls; `calls` counts those that went through.

    Args:
        width: ≥ 1; it is halved when a call is refused as one too many, and grows back slowly.
    """

    def __init__(self, width: int = 4) -> None:
        if width < 1:
            raise ValueError("a gate through which nothing goes")
        self.width = width
        self.calls = 0
        self._most = width
        self._running = 0
        self._calm = 0
        self._freed = asyncio.Event()

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[int, None]:
        """Waits until a call may go; yields the width at that moment."""
        while self._running >= self.width:
            self._freed.clear()
            await self._freed.wait()
        self._running += 1
        self.calls += 1
        try:
            yield self.width
        finally:
            self._running -= 1
            self._freed.set()

    def refused(self, began: int) -> bool:
        """Whether a call that began at the width `began` and was one too many is worth another try, at a smaller one.

        Calls that were refused together narrow the gate once.
        """
        self._calm = 0
        if self.width >= began and self.width > 1:
            self.width //= 2
        return self.width < began

    def succeeded(self) -> None:
        self._calm += 1
        if self._calm >= CALM and self.width < self._most:
            self._calm = 0
            self.width += 1
            self._freed.set()
