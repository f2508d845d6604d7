"""What was asked → one standalone, clean question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from youju.stages.base import Emit
from youju.text.normal import clean
from youju.types import Turn


@dataclass(frozen=True)
class Condense:
    """Write the question the rest of the chain works on, and the queries to search with (the question itself)."""

    reads: ClassVar[frozenset[str]] = frozenset({"asked"})
    writes: ClassVar[frozenset[str]] = frozenset({"question", "queries"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        question = " ".join(clean(turn.asked).split())
        return replace(turn, question=question, queries=(question,))
