"""Cleaning and folding."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.normal import clean, fold, fold_with_offsets

ANY = st.text(st.characters(exclude_categories=()), max_size=80)


@pytest.mark.parametrize(
    "dirty,expected",
    [
        ("a\x00b", "ab"),
        ("甲\t乙", "甲 乙"),
        ("甲\n乙", "甲\n乙"),
        ("甲\r\n乙\r丙", "甲\n乙\n丙"),
        ("甲\x0c乙", "甲\n乙"),
        ("\ufeff标题", "标题"),
        ("零\u200b宽", "零宽"),
        ("坏\ud800的", "坏的"),
        ("\x1b[31m", "[31m"),
        ("", ""),
        ("全角　空格", "全角　空格"),
    ],
)
def test_clean_keeps_what_can_be_read(dirty, expected):
    assert clean(dirty) == expected


def test_folding_ignores_width_case_and_white_space():
    assert fold("第１２ 条\nＡＢc") == "第12条abc"
    assert fold("ﬁ ㎡ ½") == "fim21⁄2"
    assert fold("e\u0301") == "é"


def test_an_expansion_points_to_the_character_it_comes_from():
    folded = fold_with_offsets("5 ㎡以上")
    assert folded.text == "5m2以上"
    assert folded.offsets == (0, 2, 2, 3, 4)


def test_a_combining_mark_belongs_to_its_letter():
    folded = fold_with_offsets("cafe\u0301 X")
    assert folded.text == "caféx"
    assert folded.offsets == (0, 1, 2, 3, 6)


@given(ANY)
def test_clean_never_raises_is_idempotent_and_can_be_encoded(text):
    once = clean(text)
    assert clean(once) == once
    once.encode("utf-8")


@given(ANY)
def test_offsets_are_valid_and_in_order(text):
    folded = fold_with_offsets(text)
    assert len(folded.offsets) == len(folded.text)
    assert list(folded.offsets) == sorted(folded.offsets)
    assert all(0 <= i < len(text) for i in folded.offsets)
    assert not any(c.isspace() for c in folded.text)


@given(ANY)
def test_a_text_with_marks_folds_like_one_without(text):
    plain, marked = fold_with_offsets(text), fold_with_offsets(f"{text}e\u0301")
    assert marked.text == plain.text + "é" == fold(f"{text}e\u0301") == fold(text) + "é"
    assert marked.offsets == (*plain.offsets, len(text))


def test_ten_thousand_characters_fold_quickly():
    text = "二次函数的图象是抛物线，Ａ㎡。" * 700
    begin = time.process_time()
    fold(text)
    assert time.process_time() - begin < 2
