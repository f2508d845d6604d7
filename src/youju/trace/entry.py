"""The nouns of the log: what is handed in for a question, and what is handed out again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from youju.errors import YoujuError
from youju.types import (
    EMPTY,
    Confidence,
    Degradation,
    Grade,
    RefusalReason,
    ScopeReport,
    Source,
    Statement,
    Step,
    Turn,
    Verdict,
)

Kind = Literal["ask", "retrieve"]
Rating = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A question that has ended, one way or another. `turn` is as far as it came; `error` is what ended it early.

    `knobs` are those of this request; `fingerprint` is the embedder's; `recipe` is the `repr` of the pipeline.
    """

    kind: Kind
    turn: Turn
    knobs: Mapping[str, object]
    seconds: float
    started_at: datetime
    model: str = ""
    temperature: float | None = None
    fingerprint: str = ""
    recipe: str = ""
    error: YoujuError | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a person thought of an answer, or of one of its sources."""

    rating: Rating
    source: int | None = None
    note: str = ""
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """A line of the log. `rating` is the last one given to the answer as a whole."""

    id: str
    created_at: datetime
    kind: Kind
    asked: str
    seconds: float
    status: Literal["ok", "error"]
    conversation_id: str = ""
    refusal: RefusalReason | None = None
    level: str = ""
    confidence: float | None = None
    degraded: bool = False
    error_code: str = ""
    rating: Rating | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A chunk as it was when the question met it.

    `n` is its number in the context, None if it did not get there. The text and everything that tells of it (id, book,
    section) is empty once its document was deleted; then `gone`. Where no texts are kept, only the text is empty.
    """

    chunk_id: str
    document_id: str
    book: str
    section: tuple[str, ...]
    page_start: int | None
    page_end: int | None
    label_start: str
    label_end: str
    locator: str
    text: str
    ranks: Mapping[str, int]
    scores: Mapping[str, float]
    n: int | None = None
    cited: bool = False
    nearest: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything that is known about a question that was asked.

    `texts` false: no texts were to be kept. `blanked_at`: when they went because a document was deleted. In both cases
    `answer`, `statements`, `sources`, `verdicts`, `removed_markers` and `widened` are empty. `widened` is the text that
    stood in the context under a number where it was more than the chunk.
    """

    summary: Summary
    question: str
    scope: ScopeReport | None
    grade: Grade | None
    confidence: Confidence | None
    steps: tuple[Step, ...]
    chunks: tuple[Recalled, ...]
    degradations: tuple[Degradation, ...]
    knobs: Mapping[str, object]
    model: str
    temperature: float | None
    persona: str
    fingerprint: str
    recipe: str
    texts: bool
    blanked_at: datetime | None = None
    error_message: str = ""
    answer: str = ""
    by: str = ""
    statements: tuple[Statement, ...] = ()
    sources: tuple[Source, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    removed_markers: tuple[str, ...] = ()
    widened: Mapping[int, str] = field(default_factory=dict)
    generation: Mapping[str, object] = field(default_factory=lambda: EMPTY)
    feedback: tuple[Feedback, ...] = ()
