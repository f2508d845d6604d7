"""Whether the answer answers the question."""

from __future__ import annotations

from collections.abc import Mapping

from youju.lab.judgement import Relevance
from youju.lab.measures.judge_parts import relevance_of
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, ok
from youju.lab.seen import Seen

WORTH: Mapping[Relevance, float] = {"relevant": 1.0, "partially_relevant": 0.5, "not_relevant": 0.0}


class AnswerRelevance:
    """Relevant 1, partially .5, not 0; a refusal is worth 1 where the material holds no answer, 0 elsewhere."""

    info = MeasureInfo("relevance", "切题", "judge")

    def __call__(self, seen: Seen) -> Score:
        said = relevance_of(seen)
        return said if isinstance(said, Score) else ok(WORTH[said], said)
