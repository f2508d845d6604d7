"""The questions a judge is asked about an answer, and the shapes of its verdicts: evidence first, verdict last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from youju.lab.dataset import Case
from youju.lab.relevance import groups
from youju.stages.judge import Question
from youju.stages.prompt import pages
from youju.stages.verdicts import Named, Numbers, Part, Verdict
from youju.types import ContextItem

Grounds = Literal["yes", "contradicted", "not_found", "unknown"]
Numbered = Sequence[tuple[int, str]]
ANSWER = "answer"


class Said(Verdict):
    """A claim as the judge took it from the answer."""

    text: Named


class Grounded(Verdict):
    """A claim against numbered texts."""

    chunks: Numbers
    quote: str
    verdict: Grounds


class Stated(Verdict):
    """A key fact against the answer; `chunks` are the context numbers that hold it."""

    chunks: Numbers
    quote: str
    verdict: Literal["covered", "partially_covered", "not_covered"]


class Relevant(Verdict):
    quote: str
    verdict: Literal["relevant", "partially_relevant", "not_relevant"]


class Weighed(Said):
    """A claim with both verdicts, for a judge that is asked all at once."""

    chunks: Numbers
    quote: str
    verdict: Grounds
    reference_chunks: Numbers
    reference_quote: str
    right: Grounds


CLAIMS = Part("claims", Said)
WEIGHED = Part("claims", Weighed)
RELEVANCE = Part("relevance", Relevant, (ANSWER,))


def grounded(ids: tuple[str, ...]) -> Part[Grounded]:
    return Part("claims", Grounded, ids)


def stated(case: Case) -> Part[Stated]:
    return Part("facts", Stated, tuple(fact["id"] for fact in _facts(case)))


def claims(question: str, answer: str) -> Question:
    """Which claims does the answer make?"""
    return Question("judge_claims@1", {"task": "claims", "question": question, "answer": answer}, (CLAIMS,))


def founded(said: Sequence[Said], context: Numbered) -> Question:
    """Which claims follow from the context?"""
    return _against("founded", "context", said, context)


def right(said: Sequence[Said], reference: Numbered) -> Question:
    """Which claims follow from what is known to be true?"""
    return _against("right", "reference", said, reference)


def facts(case: Case, answer: str, context: Numbered) -> Question:
    """Which key facts does the answer state, and which are in the context?"""
    payload = {"task": "facts", "answer": answer, "context": _listed(context), "facts": _facts(case)}
    return Question("judge_facts@1", payload, (stated(case),))


def relevance(question: str, answer: str) -> Question:
    """Does the answer answer the question?"""
    payload = {"task": "relevance", "question": question, "answer": answer}
    return Question("judge_relevance@1", payload, (RELEVANCE,))


def single(case: Case, answer: str, context: Numbered, reference: Numbered) -> Question:
    """All of it at once."""
    payload = {
        "task": "single",
        "question": case.question,
        "answer": answer,
        "context": _listed(context),
        "reference": _listed(reference),
        "facts": _facts(case),
    }
    return Question("judge_single@1", payload, (WEIGHED, stated(case), RELEVANCE))


def shown(context: Sequence[ContextItem]) -> list[tuple[int, str]]:
    """The context as the model saw it: each number with the place and the text."""
    return [(item.n, f"{_place(item)}\n{item.text}") for item in context]


def reference(case: Case) -> list[tuple[int, str]]:
    """What is known to be true for a case: answer, key facts and evidence, numbered from 1; empty if nothing is."""
    evidence = [one.text for group in groups(case) for one in group]
    known = [case.reference_answer, *(fact.text for fact in case.key_facts), *evidence]
    return list(enumerate((text for text in known if text.strip()), start=1))


def _against(task: str, name: str, said: Sequence[Said], texts: Numbered) -> Question:
    listed = [{"id": one.id, "text": one.text} for one in said]
    payload = {"task": task, name: _listed(texts), "claims": listed}
    return Question(f"judge_{task}@1", payload, (grounded(tuple(one.id for one in said)),))


def _listed(texts: Numbered) -> list[dict[str, object]]:
    return [{"n": n, "text": text} for n, text in texts]


def _facts(case: Case) -> list[dict[str, str]]:
    return [{"id": f"f{n}", "text": fact.text} for n, fact in enumerate(case.key_facts, start=1)]


def _place(item: ContextItem) -> str:
    chunk = item.hit.chunk
    return " ".join(part for part in (chunk.book, *chunk.section[-2:], pages(chunk)) if part)
