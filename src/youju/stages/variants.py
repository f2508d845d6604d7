"""The lab's recipes V0 … V6: the served stages, added one part at a time. Nothing here is served.

Neighbours differ in the named part only; the prompt, the model and the persona are the same. V1 to V5 have no
threshold, no Grade and no Gate: a refusal there is the model's own.
"""

from __future__ import annotations

from youju.stages.base import Beside, Pipeline, Stage, When
from youju.stages.by_vector import ByVector
from youju.stages.by_words import ByWords
from youju.stages.closed_book import ClosedBook
from youju.stages.condense import Condense
from youju.stages.fuse import Fuse
from youju.stages.gate import Gate
from youju.stages.grade import GradeEvidence
from youju.stages.recipes import Knobs, Parts, answerable, told
from youju.stages.reflect import Reflect
from youju.stages.rerank import Rerank

EVERYTHING = -1.0
"""A similarity threshold that every chunk passes."""


def closed_book(parts: Parts) -> Pipeline:
    """The model alone.

    Raises:
        ValueError: there is no model.
    """
    if parts.llm is None:
        raise ValueError("V0 needs a language model")
    return Pipeline("V0", (Condense(), ClosedBook(parts.llm, parts.refusal, parts.temperature, parts.max_tokens)))


def searched(parts: Parts, knobs: Knobs, *, words: bool, rerank: bool) -> tuple[Stage, ...]:
    """The vector channel, with or without the keyword channel beside it; fused; reranked or not.

    Raises:
        ValueError: reranked without a reranker.
    """
    vector = ByVector(parts.embedder, parts.vectors, knobs.vector_top_k, EVERYTHING)
    channels: tuple[Stage, ...] = (vector, ByWords(parts.words, knobs.keyword_top_k)) if words else (vector,)
    found = (Condense(), Beside(channels), Fuse(knobs.rrf_k, knobs.rrf_top_k))
    if not rerank:
        return found
    if parts.reranker is None:
        raise ValueError("this arm needs a reranker")
    return (*found, Rerank(parts.reranker, knobs.rerank_top_n))


def open_book(name: str, parts: Parts, knobs: Knobs, persona: str, *, with_: frozenset[str]) -> Pipeline:
    """Search and answer, with the named parts.

    Args:
        name: of the recipe.
        parts: the collaborators.
        knobs: the figures.
        persona: who answers.
        with_: of "words", "rerank", "reflect" and "gate".
    """
    found = searched(parts, knobs, words="words" in with_, rerank="rerank" in with_)
    reflect = (Reflect(),) if "reflect" in with_ else ()
    answered = (*told(parts, knobs, persona), *reflect)
    if "gate" not in with_:
        return Pipeline(name, (*found, *answered))
    grade = GradeEvidence(parts.words, parts.grader, parts.words_grader)
    return Pipeline(name, (*found, grade, Gate(), When(answerable, answered)))
