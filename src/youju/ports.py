"""The seams, one page of Protocols: everything that talks to a model, an index or a server stands behind one of them.

Searching is async. Methods that take a `Write` (an open storage transaction) are plain functions: they are called in
the thread that holds the transaction, and an embedded index commits or rolls back with it; an external one ignores it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from sqlalchemy.engine import Connection

from youju.types import Box, Chunk, Hit, Page, ParsedDocument, Scope, Side, Span

Vectors = npt.NDArray[np.float32]
Write = Connection


@dataclass(frozen=True, slots=True)
class EmbedderProfile:
    """What the vectors of an embedder mean.

    `fingerprint` changes whenever vectors stop being comparable (model, dimension, engine, prefix). `threshold` is the
    cosine below which its neighbours are noise.
    """

    model: str
    fingerprint: str
    dim: int
    threshold: float


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """The vectors of one chunk: `rows[i]` stands for `spans[i]` of its text; usually one row for the whole chunk."""

    chunk_id: str
    spans: tuple[Span, ...]
    rows: Vectors


@runtime_checkable
class Embedder(Protocol):
    @property
    def profile(self) -> EmbedderProfile: ...

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        """Vectors of shape (len(texts), dim), float32, L2 norm 1, in the order of `texts`; (0, dim) for no texts.

        Any string is accepted: empty, NUL, lone surrogates, longer than the model's window.

        Raises:
            ProviderError: part "embedder": the model or server failed; nothing is returned in part.
        """
        ...

    async def aclose(self) -> None: ...


@runtime_checkable
class StepsBack(Protocol):
    """An embedder on our own processor, which questions and documents share."""

    def background(self) -> Embedder:
        """The same model, with the same vectors, for work that nobody waits for; closed with its owner."""
        ...


@runtime_checkable
class VectorIndex(Protocol):
    def add(self, tx: Write, vectors: Sequence[ChunkVectors], fingerprint: str) -> None:
        """Store vectors of chunks that `tx` has already written. Several vectors a chunk are allowed."""
        ...

    def drop(self, tx: Write, version_ids: Sequence[int]) -> None:
        """Remove every vector of these versions."""
        ...

    async def nearest(self, vector: Vectors, scope: Scope, k: int, fingerprint: str) -> list[Hit]:
        """The k chunks nearest to `vector` (shape (dim,)) inside the scope, best first, no chunk twice.

        Score = cosine in [−1, 1], of the chunk's best span; ties by chunk id. Only vectors with this fingerprint are
        compared. `hit.scores["vector"]` and `hit.ranks["vector"]` are set.
        """
        ...

    async def similarity(self, vector: Vectors, chunk_ids: Sequence[str], fingerprint: str) -> Mapping[str, float]:
        """Cosine of each chunk's best span; chunks without such a vector are absent."""
        ...


@dataclass(frozen=True, slots=True)
class IndexAudit:
    """How an index stands beside the chunk table.

    `stray` entries belong to no searchable chunk; `missing` searchable chunks have no entry, they belong to `versions`.
    """

    stray: int = 0
    missing: int = 0
    versions: tuple[int, ...] = ()


@runtime_checkable
class KeywordIndex(Protocol):
    def add(self, tx: Write, chunks: Sequence[Chunk]) -> None: ...

    def drop(self, tx: Write, version_ids: Sequence[int]) -> None: ...

    def tidy(self, tx: Write) -> None:
        """Remove entries whose chunk is gone."""
        ...

    def audit(self, tx: Write) -> IndexAudit:
        """What is too much in the index, and what is lacking; changes nothing."""
        ...

    async def scrub(self) -> None:
        """Sweep what `drop` left behind inside the index; writers may come in between."""
        ...

    async def matching(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """The k chunks with the highest BM25 inside the scope, best first; every score > 0; ties by chunk id.

        Terms are OR-ed. A query of function words and punctuation finds nothing. `hit.scores["keyword"]` is set.
        """
        ...

    async def df(self, terms: Sequence[str], scope: Scope) -> Mapping[str, int]:
        """In how many chunks of the scope each term stands; 0 for an unseen one. Terms as `text.tokens` makes them."""
        ...

    async def size(self, scope: Scope) -> int:
        """How many searchable chunks the scope holds."""
        ...


@runtime_checkable
class Chunks(Protocol):
    async def get(self, chunk_ids: Sequence[str], scope: Scope) -> list[Chunk]:
        """Those chunks of the scope, in the order asked; unknown or out of scope ones are absent."""
        ...

    async def parents(self, chunk_ids: Sequence[str], scope: Scope) -> Mapping[str, Chunk]:
        """The parent of each child that has one."""
        ...

    async def pages(self, chunk: Chunk) -> list[Page]:
        """The pages the chunk stands on, in order, with their stored text; none where the format has no pages."""
        ...

    async def neighbours(self, chunk_id: str, n: int, scope: Scope) -> list[Chunk]:
        """The chunk with up to n children before and after it in the same version, in reading order."""
        ...


@runtime_checkable
class Reranker(Protocol):
    async def score(self, query: str, hits: Sequence[Hit]) -> list[float]:
        """One finite score a hit, in the order given; larger is better; the scale is the reranker's own.

        Raises:
            ProviderError: part "reranker".
        """
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """`messages` are (role, text) pairs. `schema`, in JSON Schema, is asked for where the server can hold to one."""

    messages: tuple[tuple[str, str], ...]
    temperature: float = 0.0
    max_tokens: int = 1024
    schema: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a streamed answer; the last one carries usage and the finish reason."""

    text: str = ""
    finish_reason: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@runtime_checkable
class LLM(Protocol):
    def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        """The answer in pieces; the last one has the finish reason, and usage where the server tells it.

        Closing it, or cancelling whoever reads it, makes the model stop.

        Raises:
            ProviderError: part "llm".
        """
        ...

    async def aclose(self) -> None: ...


@runtime_checkable
class Parser(Protocol):
    @property
    def suffixes(self) -> frozenset[str]:
        """Lower case, with the dot."""
        ...

    def parse(self, path: Path) -> ParsedDocument:
        """Read a file; runs in a child process, so it is plain and must be importable by name.

        Raises:
            DocumentError: with code and remedy, when the file cannot be read well.
        """
        ...


@runtime_checkable
class Renderer(Protocol):
    def draw(self, path: Path, n: int, marks: Sequence[Box]) -> bytes:
        """Page `n`, from 1, as a PNG with these places highlighted; runs in a child process, as a parser does.

        `marks` are in shares of the page as it is shown, 0 to 1, from its top left; their `page` does not matter.

        Raises:
            DocumentError: the file has no such page, or it cannot be drawn.
        """
        ...
