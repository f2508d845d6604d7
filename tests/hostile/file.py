from __future__ import annotations

from pathlib import PurePosixPath
from typing import NamedTuple


class File(NamedTuple):
    """`may`: the statuses it may end in; a file that is only odd has to be read."""

    name: str
    data: bytes
    may: frozenset[str] = frozenset({"READY", "FAILED"})

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix.lower()


READY = frozenset({"READY"})
FAILED = frozenset({"FAILED"})
