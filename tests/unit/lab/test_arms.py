from __future__ import annotations

from dataclasses import replace

import pytest

from library import Scores
from youju.errors import InputError
from youju.lab.arms import KNOWN, LADDER, chosen, own
from youju.providers.fakes import FakeLLM
from youju.settings import Knobs


def arms(library, *names, knobs=None, mine=None, **parts):
    return chosen(names, replace(library.parts, **parts), knobs or Knobs(), "assistant", mine or {})


def test_what_cannot_work_is_told_before_anything_is_asked(library):
    found = {arm.info.name: arm.info.missing for arm in arms(library, *KNOWN)}
    able = {name for name, missing in found.items() if not missing}
    assert able == {"V1", "V2", "V2+gate", "chat"}
    assert "语言模型" in found["V0"]
    assert "重排" in found["V3"]


@pytest.mark.parametrize("name", ["V4-rewrite", "V4-before", "V3+decompose", "V5", "V6"])
def test_an_arm_whose_stage_is_not_built_is_not_faked(library, name):
    (arm,) = arms(library, name, reranker=Scores(), llm=FakeLLM())
    assert arm.pipeline is None
    assert arm.info.missing.startswith("还没有这一步")


def test_with_a_model_and_a_reranker_every_built_arm_works(library):
    found = arms(library, "V0", "V1", "V2", "V3", "V4", "V4+gate", "chat", reranker=Scores(), llm=FakeLLM())
    assert [arm.info.missing for arm in found] == [""] * 7
    assert [arm.info.retrieves for arm in found] == [False, *[True] * 6]


def test_what_an_arm_adds_is_told_by_the_identities_of_its_stages(library):
    _, v2, v3, v4 = arms(library, "V1", "V2", "V3", "V4", reranker=Scores())
    assert ([one.partition("(")[0] for one in v2.info.adds], v2.info.removes) == (["ByWords"], ())
    assert [one.partition("(")[0] for one in v3.info.adds] == ["Rerank"]
    assert (v4.info.adds, v4.info.removes) == (("Reflect()",), ())


def test_an_arm_of_one_s_own_has_other_knobs(library, tmp_path):
    file = tmp_path / "arms.toml"
    file.write_text('[wide]\nbase = "V2"\nset = {vector_top_k = 30}\n', encoding="utf-8")
    (wide,) = arms(library, "wide", mine=own(file))
    assert wide.knobs.vector_top_k == 30
    assert wide.info.base == "V2"
    assert wide.info.title == "V2，vector_top_k=30"
    assert [one.partition("(")[0] for one in wide.info.adds] == ["ByVector"]
    assert [one.partition("(")[0] for one in wide.info.removes] == ["ByVector"]


@pytest.mark.parametrize(
    "text, says",
    [
        ("[wide", "读不了"),
        ('[wide]\nbase = "V9"', "V9"),
        ('[V1]\nbase = "V2"', "同名"),
        ('[wide]\nbase = "V2"\nwith = 3', "with"),
        ("[wide]\nset = {}", "base"),
    ],
)
def test_a_bad_file_of_arms_says_what_is_wrong(tmp_path, text, says):
    file = tmp_path / "arms.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        own(file)


@pytest.mark.parametrize(
    "values, says", [("{vector_topk = 30}", "vector_topk"), ("{vector_top_k = -1}", "vector_top_k")]
)
def test_a_knob_that_is_none_or_out_of_range_is_an_error_of_the_file(library, tmp_path, values, says):
    file = tmp_path / "arms.toml"
    file.write_text(f'[wide]\nbase = "V2"\nset = {values}\n', encoding="utf-8")
    with pytest.raises(InputError, match=says):
        arms(library, "wide", mine=own(file))


def test_an_unknown_name_and_a_name_twice_are_errors(library):
    with pytest.raises(InputError, match="V9"):
        arms(library, "V9")
    with pytest.raises(InputError, match="重复"):
        arms(library, "V1", "V1")


def test_the_ladder_is_made_of_known_arms():
    assert set(LADDER) <= set(KNOWN)
