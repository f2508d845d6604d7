"""Small builders for what a judge sees and says."""

from __future__ import annotations

from builders import context, turn
from youju.lab.dataset import Case
from youju.lab.judgement import Claim, FactCoverage, Judgement
from youju.lab.seen import Seen
from youju.types import Answer, Chunk


def case(**more: object) -> Case:
    fields = {"id": "q1", "category": "factual", "question": "婚假几天？", "answerable": True, **more}
    return Case.model_validate(fields)


def seen(of: Case | None = None, answer: str = "", *chunks: Chunk, **more: object) -> Seen:
    """An answer over these chunks; without an answer, a refusal."""
    told = {"answer": Answer(answer)} if answer else {"refusal": "low_evidence"}
    return Seen(of or case(), turn(context=context(*chunks), **told), **more)  # type: ignore[arg-type]


def claim(founded: str = "yes", right: str | None = None, *chunks: int, **more: object) -> Claim:
    fields: dict[str, object] = {"id": "c", "text": "论断", "founded": founded, "chunks": chunks, "right": right}
    return Claim(**(fields | more))  # type: ignore[arg-type]


def fact(covered: str = "covered", *chunks: int, weight: str = "vital", **more: object) -> FactCoverage:
    return FactCoverage("要点", weight, covered, chunks, **more)  # type: ignore[arg-type]


def judgement(*parts: Claim | FactCoverage, relevance: str = "relevant", **more: object) -> Judgement:
    claims = tuple(one for one in parts if isinstance(one, Claim))
    facts = tuple(one for one in parts if isinstance(one, FactCoverage))
    return Judgement(**({"claims": claims, "facts": facts, "relevance": relevance} | more))  # type: ignore[arg-type]
