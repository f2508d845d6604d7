"""As much context as fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from youju.stages.base import Emit
from youju.types import ContextItem, Turn


def fit(items: Sequence[ContextItem], top_k: int, max_chars: int) -> list[ContextItem]:
    """The first items, in order, that fit; renumbered from 1.

    Args:
        items: best first.
        top_k: how many at most, ≥ 1.
        max_chars: sum of text lengths in characters. The first item stays even if it alone is longer; after it, an item
            that does not fit is passed over and a shorter one further down may still enter.
    """
    kept: list[ContextItem] = []
    used = 0
    for item in items:
        if len(kept) == top_k:
            break
        if kept and used + len(item.text) > max_chars:
            continue
        kept.append(replace(item, n=len(kept) + 1))
        used += len(item.text)
    return kept


@dataclass(frozen=True)
class Budget:
    top_k: int
    max_chars: int

    reads: ClassVar[frozenset[str]] = frozenset({"context"})
    writes: ClassVar[frozenset[str]] = frozenset({"context"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        kept = fit(turn.context, self.top_k, self.max_chars)
        stayed = {item.hit.chunk.id for item in kept}
        cut = [item.hit.chunk.id for item in turn.context if item.hit.chunk.id not in stayed]
        return replace(turn, context=tuple(kept), notes={"cut": cut, "chars": sum(len(i.text) for i in kept)})
