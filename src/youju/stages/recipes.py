"""What happens to a question: parts + knobs → a pipeline. Served chains and the lab's arms are all made here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from youju.errors import KnobError
from youju.ports import LLM, Chunks, Embedder, KeywordIndex, Reranker, VectorIndex
from youju.stages.base import Beside, Pipeline, Stage, When
from youju.stages.budget import Budget
from youju.stages.by_vector import ByVector
from youju.stages.by_words import ByWords
from youju.stages.cite import Cite
from youju.stages.condense import Condense
from youju.stages.expand import Expand
from youju.stages.extract import Extract
from youju.stages.fuse import Fuse
from youju.stages.gate import Gate
from youju.stages.generate import Generate
from youju.stages.grade import GradeEvidence, Model
from youju.stages.prompt import DEFAULT, template
from youju.stages.reflect import Reflect
from youju.stages.rerank import Rerank
from youju.stages.verify import Verify
from youju.types import Turn


class Knobs(Protocol):
    """The figures a recipe needs; `settings.Knobs` has them all."""

    @property
    def vector_top_k(self) -> int: ...
    @property
    def keyword_top_k(self) -> int: ...
    @property
    def rrf_k(self) -> int: ...
    @property
    def rrf_top_k(self) -> int: ...
    @property
    def rerank_top_n(self) -> int: ...
    @property
    def context_top_k(self) -> int: ...
    @property
    def max_context_chars(self) -> int: ...
    @property
    def similarity_threshold(self) -> float | None: ...
    @property
    def expand(self) -> Literal["none", "neighbours", "parent"]: ...
    @property
    def max_answer_sentences(self) -> int: ...


@dataclass(frozen=True)
class Parts:
    """The collaborators of every recipe. `grader` is calibrated for this embedder, `words_grader` for words alone."""

    embedder: Embedder
    vectors: VectorIndex
    words: KeywordIndex
    chunks: Chunks
    grader: Model
    words_grader: Model
    reranker: Reranker | None = None
    llm: LLM | None = None
    parent_max_chars: int = 1800
    citation_style: Literal["n", "source_n"] = "n"
    refusal: str = "当前资料中没有找到明确依据。"
    temperature: float = 0.0
    max_tokens: int = 1024


def answerable(turn: Turn) -> bool:
    return bool(turn.hits)


def unanswered(turn: Turn) -> bool:
    return turn.answer is None and turn.refusal is None


def search(parts: Parts, knobs: Knobs) -> tuple[Stage, ...]:
    """Question → fused (and reranked) hits. A channel with a top_k of 0 is left out.

    Raises:
        KnobError: both are; a search of nothing would pass for a search that found nothing.
    """
    channels: list[Stage] = []
    if not knobs.vector_top_k and not knobs.keyword_top_k:
        raise KnobError(
            "vector_top_k 与 keyword_top_k 都是 0，两个检索通道都被关闭了", remedy="请至少把其中一个设为 1 以上"
        )
    if knobs.vector_top_k:
        channels.append(ByVector(parts.embedder, parts.vectors, knobs.vector_top_k, knobs.similarity_threshold))
    if knobs.keyword_top_k:
        channels.append(ByWords(parts.words, knobs.keyword_top_k))
    rerank: tuple[Stage, ...] = (Rerank(parts.reranker, knobs.rerank_top_n),) if parts.reranker else ()
    return (Condense(), Beside(tuple(channels)), Fuse(knobs.rrf_k, knobs.rrf_top_k), *rerank)


def retrieve(parts: Parts, knobs: Knobs) -> Pipeline:
    """Search and grade; ends before anything is dropped."""
    grade = GradeEvidence(parts.words, parts.grader, parts.words_grader)
    return Pipeline("retrieve", (*search(parts, knobs), grade))


def answer(parts: Parts, knobs: Knobs, persona: str) -> tuple[Stage, ...]:
    """Context → answer: by the language model where there is one, and by extraction where it wrote nothing."""
    extract = Extract(parts.embedder, parts.words, knobs.max_answer_sentences, parts.citation_style)
    if parts.llm is None:
        return (extract,)
    words, style = template(persona), parts.citation_style
    generate = Generate(parts.llm, words, parts.refusal, parts.temperature, parts.max_tokens, style)
    return (generate, When(unanswered, (extract,)))


def told(parts: Parts, knobs: Knobs, persona: str) -> tuple[Stage, ...]:
    """Hits → context, answer, sources, verdicts."""
    return (
        Expand(parts.chunks, knobs.expand, parts.parent_max_chars),
        Budget(knobs.context_top_k, knobs.max_context_chars),
        *answer(parts, knobs, persona),
        Cite(parts.chunks, parts.citation_style),
        Verify(),
    )


def chat(parts: Parts, knobs: Knobs, persona: str = DEFAULT) -> Pipeline:
    """The served chain: search, grade, gate, context, answer, sources, verdicts, confidence.

    Raises:
        InputError: no such persona.
        KnobError: see `search`.
    """
    answered = (*told(parts, knobs, persona), Reflect())
    return Pipeline("chat", (*retrieve(parts, knobs).stages, Gate(), When(answerable, answered)))
