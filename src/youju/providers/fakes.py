"""Providers without a model: deterministic, instant, offline. Ordinary providers, so tests run the real path."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from itertools import cycle

import numpy as np

from youju.ports import EmbedderProfile, Piece, Prompt, Vectors
from youju.text.align import bigrams
from youju.types import Hit, Side


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


class FakeReranker:
    """Scores by the share of the query's character bigrams that a hit holds, in [0, 1]; for speed, not for quality."""

    def __repr__(self) -> str:
        return "fake-bigrams"

    async def score(self, query: str, hits: Sequence[Hit]) -> list[float]:
        wanted = bigrams(query)
        return [len(wanted & bigrams(hit.chunk.text)) / len(wanted) if wanted else 0.0 for hit in hits]

    async def aclose(self) -> None: ...


class FakeLLM:
    """Says what it was told to say, a few characters at a time.

    Args:
        says: the answers, one a call; after the last it begins again.
        piece_chars: characters in a piece.
    """

    def __init__(self, says: Sequence[str] = ("好的。",), *, piece_chars: int = 4) -> None:
        self._says = cycle(says)
        self._piece_chars = piece_chars

    def __repr__(self) -> str:
        return f"fake-llm/{self._piece_chars}"

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        answer = next(self._says)
        asked = sum(len(text) for _, text in prompt.messages)
        for at in range(0, len(answer), self._piece_chars):
            yield Piece(answer[at : at + self._piece_chars])
        yield Piece(finish_reason="stop", prompt_tokens=asked, completion_tokens=len(answer))

    async def aclose(self) -> None: ...
