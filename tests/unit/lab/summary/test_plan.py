from __future__ import annotations

import pytest

from tables import HIT, MRR, TOLD
from youju.errors import InputError
from youju.lab.results import ArmInfo
from youju.lab.summary.plan import pairs, primaries


def arm(name: str, base: str = "", missing: str = "") -> ArmInfo:
    return ArmInfo(name, name, base=base, missing=missing)


def named(*arms: ArmInfo) -> list[str]:
    return [f"{one.before}→{one.after} {one.kind}" for one in pairs(arms)]


def test_each_arm_is_compared_with_its_base_and_the_last_with_the_first():
    arms = arm("V1"), arm("V2", "V1"), arm("V3", "V2"), arm("own", "V2")
    assert named(*arms) == ["V1→V2 step", "V2→V3 step", "V2→own step", "V1→V3 overall"]


def test_where_the_base_did_not_run_it_is_the_base_of_the_base():
    arms = arm("V1"), arm("V2", "V1"), arm("V3", "V2", missing="no reranker"), arm("V4", "V3")
    assert named(*arms) == ["V1→V2 step", "V2→V4 step", "V1→V4 overall"]


def test_an_arm_that_names_no_base_follows_the_one_before_it():
    assert named(arm("V0"), arm("V1"), arm("V2"), arm("chat")) == [
        "V0→V1 step",
        "V1→V2 step",
        "V2→chat step",
    ]


def test_the_model_alone_is_not_the_first_of_the_overall_comparison():
    assert named(arm("V0"), arm("V1"), arm("V2", "V1"), arm("V3", "V2"))[-1] == "V1→V3 overall"


def test_a_single_arm_is_compared_with_nothing():
    assert named(arm("V1")) == []
    assert named(arm("V1", missing="no index")) == []


def test_bases_in_a_circle_end():
    assert named(arm("a", "b", "x"), arm("b", "a", "x"), arm("c", "a")) == []


def test_one_primary_a_family_and_a_name_alone_is_that_of_its_family():
    assert primaries("mrr", [HIT, MRR]) == {"retrieval": "mrr"}
    assert primaries({"retrieval": "hit@5", "judge": "faithfulness"}, [HIT, MRR]) == {"retrieval": "hit@5"}


def test_a_name_that_nobody_has_and_a_family_that_it_is_not_of_are_said():
    with pytest.raises(InputError, match="hit@7"):
        primaries("hit@7", [HIT])
    with pytest.raises(InputError, match="judge"):
        primaries({"retrieval": "faithfulness"}, [HIT, TOLD])
