from __future__ import annotations

import pytest

from builders import answer, turn
from library import quiet
from youju.stages.reflect import Reflect
from youju.types import Degradation, Grade, Turn, Verdict

SAID = answer(("甲。", (1,)))


async def reflected(*verdicts: str, **more: object) -> Turn:
    fields = {
        "answer": SAID,
        "grade": Grade("HIGH", features={"probability": 0.8}),
        "verdicts": tuple(Verdict("甲。", one) for one in verdicts),
    }
    return await Reflect()(turn(**(fields | more)), quiet)


@pytest.mark.parametrize(
    "verdicts, value",
    [
        (("supported",), 0.8),
        (("supported", "partly"), 0.6),  # .8 · (1 + .5) / 2
        (("supported", "contradicted"), 0.4),
        (("unsupported", "contradicted"), 0.0),
        (("not_checkable",), 0.32),  # .8 · .4
        ((), 0.0),
    ],
)
async def test_confidence_is_the_evidence_times_the_mean_worth_of_the_sentences(verdicts, value):
    assert (await reflected(*verdicts)).confidence.value == pytest.approx(value)


async def test_evidence_that_was_not_judged_counts_half():
    assert (await reflected("supported", grade=Grade("AMBIGUOUS"))).confidence.value == 0.5


async def test_the_reasons_name_the_grade_the_check_and_what_failed():
    after = await reflected("supported", degradations=(Degradation("embedder", "embedder_down"),))
    assert after.confidence.reasons == (
        "证据评级 HIGH（0.80）",
        "句子核对 1.00（1 句）",
        "embedder 已降级：embedder_down",
    )


@pytest.mark.parametrize("more", [{"answer": None}, {"refusal": "low_evidence"}])
async def test_where_nothing_was_answered_or_judged_there_is_no_confidence(more):
    assert (await reflected("supported", **more)).confidence is None


async def test_without_a_grade_the_verdicts_alone_decide():
    """Where the evidence was not judged, two sentences worth 1.0 and 0.5 are worth .75."""
    assert (await reflected("supported", "partly", grade=None)).confidence.value == 0.75
