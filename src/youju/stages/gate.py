"""Evidence that is not good enough leaves the way to the answer, openly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from youju.stages.base import Emit
from youju.types import Turn


@dataclass(frozen=True)
class Gate:
    """On LOW, or when nothing was found, move all hits to `nearest` and say why."""

    reads: ClassVar[frozenset[str]] = frozenset({"hits", "grade"})
    writes: ClassVar[frozenset[str]] = frozenset({"hits", "nearest"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if not turn.hits:
            return replace(turn, refusal="no_candidates")
        if turn.grade is not None and turn.grade.level == "LOW":
            return replace(turn, hits=(), nearest=turn.hits, refusal="low_evidence")
        return turn
