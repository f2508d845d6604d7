from __future__ import annotations

from dataclasses import replace

import pytest

from library import Scores
from youju.providers.fakes import FakeLLM
from youju.settings import Knobs
from youju.stages.base import Pipeline, When
from youju.stages.recipes import chat
from youju.stages.variants import closed_book, open_book, searched

KNOBS = Knobs()
V1, V2 = frozenset[str](), frozenset({"words"})
V3, V4 = V2 | {"rerank"}, V2 | {"rerank", "reflect"}


def flat(stages):
    for stage in stages:
        yield from flat(stage.stages) if hasattr(stage, "stages") else [stage]


def names(pipeline: Pipeline) -> list[str]:
    return [type(one).__name__ for one in flat(pipeline.stages)]


def arm(library, with_):
    return open_book("arm", replace(library.parts, reranker=Scores()), KNOBS, "assistant", with_=with_)


def test_neighbours_differ_in_the_named_part_only(library):
    added = []
    for before, after in ((V1, V2), (V2, V3), (V3, V4)):
        one, other = names(arm(library, before)), names(arm(library, after))
        added.append([name for name in other if name not in one])
        assert [name for name in other if name in one] == one
    assert added == [["ByWords"], ["Rerank"], ["Reflect"]]


def test_no_arm_has_a_threshold(library):
    channels = [one for with_ in (V1, V2, V3, V4) for one in flat(arm(library, with_).stages)]
    assert {one.threshold for one in channels if type(one).__name__ == "ByVector"} == {-1.0}


def test_only_the_arm_that_names_the_gate_grades(library):
    assert not {"GradeEvidence", "Gate"} & set(names(arm(library, V4)))
    assert {"GradeEvidence", "Gate"} <= set(names(arm(library, V2 | {"gate"})))


def test_an_arm_answers_with_the_stages_of_the_served_chain(library):
    parts = replace(library.parts, llm=FakeLLM())
    served = [repr(one) for one in flat(chat(parts, KNOBS).stages)]
    mine = [repr(one) for one in flat(open_book("arm", parts, KNOBS, "assistant", with_=V2).stages)]
    tail = mine[mine.index(next(one for one in mine if one.startswith("Expand"))) :]
    assert len(tail) == 6  # Expand, Budget, Generate, Extract, Cite, Verify
    assert set(tail) <= set(served)


def test_an_arm_without_its_collaborator_is_a_mistake_in_the_code(library):
    with pytest.raises(ValueError, match="language model"):
        closed_book(library.parts)
    with pytest.raises(ValueError, match="reranker"):
        searched(library.parts, KNOBS, words=True, rerank=True)


def test_the_gate_stands_before_everything_that_answers(library):
    gated = arm(library, V2 | {"gate"}).stages
    assert type(gated[-1]) is When
    assert type(gated[-2]).__name__ == "Gate"
