"""Hits → the text the model will see for each of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from youju.ports import Chunks
from youju.stages.base import Emit
from youju.types import ContextItem, Hit, Turn


@dataclass(frozen=True)
class Expand:
    """Write one context item a hit: the child itself, its neighbours, or its parent.

    One number a parent: hits of the same parent share the item of the best one. A parent longer than `parent_max` falls
    back to its child. The quoted chunk stays the child, so a source's pages are those of the quote.
    """

    chunks: Chunks
    how: Literal["none", "neighbours", "parent"]
    parent_max: int = 1800
    reach: int = 1

    reads: ClassVar[frozenset[str]] = frozenset({"hits", "scope"})
    writes: ClassVar[frozenset[str]] = frozenset({"context"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if self.how == "parent":
            items = await self._parents(turn)
        elif self.how == "neighbours":
            items = await self._neighbours(turn)
        else:
            items = [(hit, hit.chunk.text) for hit in turn.hits]
        context = tuple(ContextItem(n, hit, text) for n, (hit, text) in enumerate(items, start=1))
        return replace(turn, context=context)

    async def _parents(self, turn: Turn) -> list[tuple[Hit, str]]:
        parents = await self.chunks.parents([hit.chunk.id for hit in turn.hits], turn.scope)
        items: list[tuple[Hit, str]] = []
        taken: set[str] = set()
        for hit in turn.hits:
            parent = parents.get(hit.chunk.id)
            fits = parent is not None and len(parent.text) <= self.parent_max
            if fits and parent is not None:
                if parent.id not in taken:
                    taken.add(parent.id)
                    items.append((hit, parent.text))
            else:
                items.append((hit, hit.chunk.text))
        return items

    async def _neighbours(self, turn: Turn) -> list[tuple[Hit, str]]:
        items: list[tuple[Hit, str]] = []
        shown: set[str] = set()
        for hit in turn.hits:
            if hit.chunk.id in shown:
                continue
            around = await self.chunks.neighbours(hit.chunk.id, self.reach, turn.scope)
            fresh = [chunk for chunk in around if chunk.id not in shown]
            shown.update(chunk.id for chunk in fresh)
            items.append((hit, "\n".join(chunk.text for chunk in fresh) or hit.chunk.text))
        return items
