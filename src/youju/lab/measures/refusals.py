"""Whether a question is refused when it should be, and only then."""

from __future__ import annotations

from functools import partial
from typing import Literal

from youju.lab.measures.base import Computed, Measure
from youju.lab.results import Better, MeasureInfo
from youju.lab.score import Score, not_applicable, ok
from youju.lab.seen import Seen
from youju.stages.refusing import refuses

Refusal = Literal["refused", "answered", "undetermined"]
TOLD = {"refused": "拒答", "answered": "作答", "undetermined": "未定：没有拒答，但话里说资料不足或什么也没说"}


def outcome(seen: Seen) -> Refusal:
    """What became of the question.

    Returns:
        refused: openly, with a reason. undetermined: nothing was said, or a model hedges (资料中没有提到…) and no
        sentence of its answer that does not hedge cites a source. answered: everything else; a quotation never hedges.
    """
    if seen.refused:
        return "refused"
    answer = seen.turn.answer
    if answer is None or not answer.text.strip():
        return "undetermined"
    if answer.by == "extractive":
        return "answered"
    said = [one.text for one in answer.statements] or [answer.text]
    if not any(refuses(text) for text in said):
        return "answered"
    firm = any(one.cites and not refuses(one.text) for one in answer.statements)
    return "answered" if firm else "undetermined"


def happened(seen: Seen, what: Refusal, answerable: bool | None) -> Score:  # noqa: FBT001 - a case's own field
    """1 if this became of the question, else 0; n/a for cases of the other kind.

    correct_refusal: a question that the material does not answer is refused. over_refusal: one that it does answer is.
    false_confidence: one that it does not answer is answered. undetermined: neither, for any question.
    """
    if answerable is not None and seen.case.answerable != answerable:
        return not_applicable("题目是可以回答的" if seen.case.answerable else "题目是资料答不了的")
    found = outcome(seen)
    return ok(found == what, TOLD[found])


def refusal_correct(seen: Seen) -> Score:
    """1 if what can be answered is answered and what cannot is refused, else 0; undetermined is never correct."""
    found = outcome(seen)
    return ok(found == ("answered" if seen.case.answerable else "refused"), TOLD[found])


def measures() -> tuple[Measure, ...]:
    return (
        Computed(_info("refusal_correct", "拒答得当"), refusal_correct),
        Computed(_info("correct_refusal", "应拒答而拒答"), partial(happened, what="refused", answerable=False)),
        Computed(_info("over_refusal", "过度拒答", "lower"), partial(happened, what="refused", answerable=True)),
        Computed(
            _info("false_confidence", "应拒答而作答", "lower"), partial(happened, what="answered", answerable=False)
        ),
        Computed(_info("undetermined", "拒答未定", "lower"), partial(happened, what="undetermined", answerable=None)),
    )


def _info(name: str, title: str, better: Better = "higher") -> MeasureInfo:
    return MeasureInfo(name, title, "refusal", better, binary=True)
