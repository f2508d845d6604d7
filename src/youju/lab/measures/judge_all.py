"""All measures that a judge's verdicts are needed for, in the order of the table."""

from __future__ import annotations

from youju.lab.measures.judge_coverage import Coverage, Steps, Utilisation, VitalCoverage
from youju.lab.measures.judge_faithfulness import ClaimShare
from youju.lab.measures.judge_faithfulness import measures as faithfulness
from youju.lab.measures.judge_origins import FromChunks, FromNowhere
from youju.lab.measures.judge_origins import measures as origins
from youju.lab.measures.judge_relevance import AnswerRelevance

JudgeMeasure = ClaimShare | FromChunks | FromNowhere | Coverage | VitalCoverage | AnswerRelevance | Utilisation | Steps


def judge_measures() -> tuple[JudgeMeasure, ...]:
    """Each a function of what is seen, with its `info`; they read nothing of the judge but `seen.judgement`."""
    return (
        VitalCoverage(),
        Coverage(),
        *faithfulness(),
        AnswerRelevance(),
        Utilisation(),
        *origins(),
        Steps(),
    )
