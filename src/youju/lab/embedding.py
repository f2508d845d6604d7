"""Vectors that are asked for once a run: arms compare a question with the same sentences again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from youju.ports import Embedder, EmbedderProfile, Vectors
from youju.types import Side


@dataclass(frozen=True, repr=False)
class EachOnce:
    """An `Embedder` that embeds a text once. Its `repr` is that of the one it stands for: nothing else is different."""

    embedder: Embedder
    known: dict[tuple[Side, str], npt.NDArray[np.float32]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return repr(self.embedder)

    @property
    def profile(self) -> EmbedderProfile:
        return self.embedder.profile

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if (kind, text) not in self.known]
        if new:
            self.known.update(zip([(kind, text) for text in new], await self.embedder.embed(new, kind), strict=True))
        rows = [self.known[kind, text] for text in texts]
        return np.stack(rows) if rows else await self.embedder.embed([], kind)

    async def aclose(self) -> None:
        await self.embedder.aclose()
