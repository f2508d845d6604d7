from __future__ import annotations

import pytest

from youju.text.everyday import LEAST, weight


@pytest.mark.parametrize("common, rare", [("开始", "离心机"), ("最高", "转速"), ("意思", "虹膜"), ("处理", "废液")])
def test_a_word_of_everyday_speech_weighs_less_than_one_that_names_a_topic(common: str, rare: str) -> None:
    assert LEAST <= weight(common) < 0.5 < weight(rare) <= 1


@pytest.mark.parametrize("word", ["m7", "qw-4031", "第28条", "30秒", "", "\ud800", "🙂"])
def test_what_is_no_chinese_word_weighs_fully(word: str) -> None:
    assert weight(word) == 1.0
