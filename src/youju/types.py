"""The nouns of the product. Frozen, no behaviour; change with `dataclasses.replace`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Literal

Status = Literal["UPLOADED", "PARSING", "CHUNKING", "EMBEDDING", "READY", "FAILED", "DELETING"]
BlockKind = Literal["heading", "text", "list", "table", "code", "formula", "quote", "caption", "footnote"]
Level = Literal["HIGH", "AMBIGUOUS", "LOW"]
Support = Literal["supported", "partly", "unsupported", "contradicted", "not_checkable"]
RefusalReason = Literal["scope_empty", "no_candidates", "low_evidence", "model_refused"]
Side = Literal["query", "passage"]
EMPTY: Mapping[str, float] = MappingProxyType({})


# --- parsed material -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in points (1/72 inch), origin at the top left of the page as it is shown."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, table, list … in reading order.

    `level` is 1–6 for headings, else 0. `page` is physical, from 1, None where the format has none. `page_end` differs
    from `page` only for a block that runs over a page break. `boxes` may be empty.
    """

    kind: BlockKind
    text: str
    page: int | None = None
    page_end: int | None = None
    level: int = 0
    locator: str = ""
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A physical page. `label` is the number printed on it, "" where none was read; `text` in reading order."""

    n: int
    text: str
    label: str = ""
    width: float = 0.0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a parser returns. `pages` is empty for formats without pages; then `text` is the whole text."""

    blocks: tuple[Block, ...]
    pages: tuple[Page, ...] = ()
    title: str = ""
    text: str = ""
    warnings: tuple[str, ...] = ()
    quality: Mapping[str, float] = field(default_factory=lambda: EMPTY)


# --- the catalogue ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Failure:
    code: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a document's bytes. `engine` is the fingerprint of its vectors' embedder, "" if it has none.

    `strategy` is the way of chunking that was asked for, "" = as the collection says; `divided` says which was taken
    and why; `events` are (moment in ISO 8601, code, detail), oldest first.
    """

    id: int
    number: int
    status: Status
    sha256: str
    suffix: str
    size_bytes: int
    created_at: datetime
    engine: str = ""
    pages: int = 0
    chunks: int = 0
    failure: Failure | None = None
    quality: Mapping[str, float | str] = field(default_factory=lambda: EMPTY)
    warnings: tuple[str, ...] = ()
    timeline: tuple[tuple[str, float], ...] = ()
    strategy: str = ""
    divided: Mapping[str, object] = field(default_factory=dict)
    events: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A document as the catalogue knows it: `active` answers questions, `pending` is on its way or failed."""

    id: str
    collection: str
    title: str
    file_name: str
    enabled: bool
    created_at: datetime
    active: Version | None = None
    pending: Version | None = None

    @property
    def status(self) -> Status:
        """The status a person sees: of the active version, else of the pending one."""
        version = self.active or self.pending
        return version.status if version else "DELETING"


@dataclass(frozen=True, slots=True)
class Place:
    """A text stands at `locator` from the character `start` on."""

    start: int
    locator: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document. A child is searched; its parent (the section, bounded) can be given to the model.

    Pages are physical, from 1, None where the format has none; labels are the printed ones.
    `role` parent: never searched, only given to the model in the place of its children.
    `locator` is that of the whole text; `places` tells which part of it stands where, empty where all stands together.
    """

    id: str
    document_id: str
    version: int
    collection: str
    book: str
    section: tuple[str, ...]
    kind: BlockKind
    text: str
    ordinal: int
    page_start: int | None = None
    page_end: int | None = None
    label_start: str = ""
    label_end: str = ""
    locator: str = ""
    parent_id: str = ""
    role: Literal["child", "parent"] = "child"
    boxes: tuple[Box, ...] = ()
    places: tuple[Place, ...] = ()


# --- one question ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scope:
    """Which chunks a search may see: a predicate, not a list of chunks. None = no restriction on that side."""

    collections: tuple[str, ...] | None = None
    document_ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Exclusion:
    id: str
    status: str


@dataclass(frozen=True, slots=True)
class ScopeReport:
    """What the request asked for and what was eligible at that moment.

    `documents` are ids, in order of id; `stale` are those of them without vectors of the present embedder: they answer
    on the keyword channel only, until they are embedded again.
    """

    asked: Mapping[str, object]
    documents: tuple[str, ...]
    excluded: tuple[Exclusion, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a chunk's text, in characters."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found. `ranks` (from 1) and `scores` keep every stage's opinion; `score` is the last ranking stage's."""

    chunk: Chunk
    score: float
    ranks: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Grade:
    level: Level
    reasons: tuple[str, ...] = ()
    features: Mapping[str, float] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence or list item of an answer, without markers. `cites` are context numbers, from 1."""

    text: str
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` is what the person reads, markers included; `statements` are its sentences without markers."""

    text: str
    statements: tuple[Statement, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class ContextItem:
    """What the model sees under the number n: `text` may be wider than the chunk found (a parent, neighbours)."""

    n: int
    hit: Hit
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """Built from chunk metadata by the system. `quote` stands verbatim in the chunk."""

    n: int
    chunk_id: str
    document_id: str
    book: str
    section: tuple[str, ...]
    page_start: int | None
    page_end: int | None
    label_start: str
    label_end: str
    locator: str
    cited: bool
    quote: str


@dataclass(frozen=True, slots=True)
class Verdict:
    sentence: str
    verdict: Support
    n: int | None = None
    quote: str = ""
    by: str = ""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Confidence:
    value: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Degradation:
    part: str
    reason: str


@dataclass(frozen=True, slots=True)
class StepHit:
    chunk_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage did: enough to explain, diagnose and replay. `hits` is what it ranked or kept, best first."""

    stage: str
    seconds: float
    hits: tuple[StepHit, ...] = ()
    note: Mapping[str, object] = field(default_factory=dict)
    inner: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything known about one question so far. A stage takes one and returns a new one.

    `streamed`: somebody reads the answer while it is being written, so what is out cannot be taken back.
    """

    asked: str
    question: str = ""
    scope: Scope = Scope()
    scope_report: ScopeReport | None = None
    history: tuple[tuple[str, str], ...] = ()
    queries: tuple[str, ...] = ()
    rankings: Mapping[str, tuple[Hit, ...]] = field(default_factory=dict)
    hits: tuple[Hit, ...] = ()
    grade: Grade | None = None
    nearest: tuple[Hit, ...] = ()
    context: tuple[ContextItem, ...] = ()
    answer: Answer | None = None
    sources: tuple[Source, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    confidence: Confidence | None = None
    refusal: RefusalReason | None = None
    degradations: tuple[Degradation, ...] = ()
    removed_markers: tuple[str, ...] = ()
    persona: str = "assistant"
    streamed: bool = False
    trace_id: str = ""
    conversation_id: str = ""
    notes: Mapping[str, object] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
