"""Providers without a model: deterministic, instant, offline. Ordinary providers, so tests run the real path."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from youju.ports import EmbedderProfile, Vectors
from youju.types import Side


class FakeEmbedder:
    """Vectors from a hashed bag of character bigrams: texts that share words are near, others are about orthogonal.

    The same in every process and on every machine; queries and passages are treated alike.
    """

    def __init__(self, *, dim: int = 256) -> None:
        # Unrelated texts meet with cosine 0 ± 1/sqrt(dim); a question that shares half of its words stands above .1.
        self._profile = EmbedderProfile("fake", f"fake/bigrams/{dim}", dim, threshold=0.1)

    def __repr__(self) -> str:
        return f"fake@{self._profile.dim}"

    @property
    def profile(self) -> EmbedderProfile:
        return self._profile

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:  # noqa: ARG002 - the port's signature
        rows = [_bigram_vector(text, self._profile.dim) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self._profile.dim)

    async def aclose(self) -> None: ...


def _bigram_vector(text: str, dim: int) -> Vectors:
    row = np.zeros(dim)
    folded = text.casefold()
    # One character has no bigram; it stands for itself, and so does the empty text.
    grams = Counter(folded[i : i + 2] for i in range(max(1, len(folded) - 1)))
    for gram, count in grams.items():
        digest = zlib.crc32(gram.encode("utf-8", "surrogatepass"))
        # The sign makes collisions cancel instead of adding up.
        row[(digest >> 1) % dim] += count if digest & 1 else -count
    if not row.any():
        row[zlib.crc32(folded.encode("utf-8", "surrogatepass")) % dim] = 1.0
    return (row / np.linalg.norm(row)).astype(np.float32)
