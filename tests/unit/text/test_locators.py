"""Locators of stretches of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.locators import listed, rows, spread, standing
from youju.types import Place, Span


@pytest.mark.parametrize(
    "locators, whole",
    [
        ([], ""),
        (["", "费用!3", ""], "费用!3"),
        (["费用!11-18", "费用!19"], "费用!11-19"),
        (["费用!19", "费用!11-18"], "费用!11-19"),
        (["第 3 张", "第 4 张"], "第 3-4 张"),
        (["第 12-40 行", "第 42 行"], "第 12-42 行"),
        (["甲!3-9", "甲!10", "乙!1-4"], "甲!3-10 – 乙!1-4"),
        (["a!b!2", "a!b!3"], "a!b!2-3"),
        (["引子", "引子"], "引子"),
        (["第一章", "第二章", "第三章"], "第一章 – 第三章"),
        (["3.2 函数", "3.3 函数"], "3.2 函数 – 3.3 函数"),
        (["甲!0", "甲!1"], "甲!0 – 甲!1"),
    ],
)
def test_one_locator_says_where_all_of_them_are(locators, whole):
    assert spread(locators) == whole


@given(st.lists(st.text(max_size=20), max_size=6))
def test_whatever_the_locators_are_one_comes_of_them(locators):
    assert bool(spread(locators)) == any(locators)


@pytest.mark.parametrize(
    "locators, whole",
    [
        (["费用!15", "费用!19"], "费用!15、费用!19"),
        (["费用!15", "费用!16", "费用!19-20"], "费用!15-16、费用!19-20"),
        (["费用!1", "费用!3", "费用!5", "费用!7"], "费用!1-7"),
        (["第一章", "第三章"], "第一章、第三章"),
        ([], ""),
    ],
)
def test_a_few_places_apart_are_each_named(locators, whole):
    assert listed(locators) == whole


def test_rows_that_follow_each_other_are_told_apart():
    assert rows("费用!12-14", 3) == ["费用!12", "费用!13", "费用!14"]


def test_where_rows_are_left_out_none_is_told_apart():
    assert rows("费用!12-15", 3) == ["费用!12-15"] * 3


def test_a_table_in_a_chapter_stands_in_the_chapter():
    assert rows("第一章", 2) == ["第一章", "第一章"]


PLACES = (Place(0, "费用!2-3"), Place(10, "费用!2"), Place(20, "费用!3"), Place(30, ""))


@pytest.mark.parametrize(
    "spans, there",
    [
        ([Span(12, 20)], "费用!2"),
        ([Span(12, 21)], "费用!2-3"),
        ([Span(10, 11), Span(29, 30)], "费用!2-3"),
        ([Span(20, 20)], "费用!3"),
        ([Span(31, 40)], ""),
        ([], ""),
    ],
)
def test_a_stretch_stands_where_its_characters_do(spans, there):
    assert standing(PLACES, spans) == there
