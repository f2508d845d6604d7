"""Where sentences begin and end."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.sentences import split, windows

ANY = st.text(
    st.one_of(st.sampled_from("甲乙。！？!?.．；;”」）\"'\n 1a3A|-*（一）①"), st.characters(exclude_categories=())),
    max_size=80,
)


def texts(text):
    return [text[s.start : s.end] for s in split(text)]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("甲。乙！丙？", ["甲。", "乙！", "丙？"]),
        ("真的吗？！当然。", ["真的吗？！", "当然。"]),
        ("甲。\n乙", ["甲。", "乙"]),
        ("标题\n正文。", ["标题", "正文。"]),
        ("他说：“走吧。”然后走了。", ["他说：“走吧。”", "然后走了。"]),
        ("（见第3章。）下文。", ["（见第3章。）", "下文。"]),
        ('甲说"好。"乙说"不。"', ['甲说"好。"', '乙说"不。"']),
        ('甲。"乙"丙。', ["甲。", '"乙"丙。']),
        ("圆周率约为3.14。", ["圆周率约为3.14。"]),
        ("升级到v3.2.1后重启。完成。", ["升级到v3.2.1后重启。", "完成。"]),
        ("见3.2节。见3.2。", ["见3.2节。", "见3.2。"]),
        ("Use a cache, e.g. Redis. It helps.", ["Use a cache, e.g. Redis.", "It helps."]),
        ("Dr. Li agrees. 他同意。", ["Dr. Li agrees.", "他同意。"]),
        ("Set the flag. 然后重启。", ["Set the flag.", "然后重启。"]),
        ("Released in 2025. The end.", ["Released in 2025.", "The end."]),
        ("1. Introduction", ["1. Introduction"]),
        ("1. 总则\n2. 附则", ["1. 总则", "2. 附则"]),
        ("打开 https://a.com/b?c=1 查看。好。", ["打开 https://a.com/b?c=1 查看。", "好。"]),
        ("a != b 时重试。", ["a != b 时重试。"]),
        ("5!等于120。", ["5!等于120。"]),
        ("所以是增函数．又因为x>0，", ["所以是增函数．", "又因为x>0，"]),
        ("１．总则", ["１．总则"]),
        ("甲；乙；丙。", ["甲；乙；丙。"]),
        ("包括：①甲；②乙；③丙。", ["包括：①甲；", "②乙；", "③丙。"]),
        ("（一）甲；（二）乙。", ["（一）甲；", "（二）乙。"]),
        ("- 第一项\n- 第二项。补充。", ["- 第一项", "- 第二项。", "补充。"]),
        ("| 甲。 | 乙。 |\n| 丙 | 丁 |", ["| 甲。 | 乙。 |", "| 丙 | 丁 |"]),
        ("等等...然后", ["等等...然后"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_are_complete(text, expected):
    assert texts(text) == expected


def test_a_very_long_sentence_is_cut_at_its_semicolons():
    long = "甲" * 121
    assert texts(f"{long}；乙。") == [f"{long}；", "乙。"]


@given(ANY)
def test_spans_hold_every_character_that_is_not_white_space(text):
    spans = split(text)
    assert all(s.start < s.end <= len(text) for s in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert "".join("".join(text[s.start : s.end].split()) for s in spans) == "".join(text.split())


@pytest.mark.parametrize(
    "text", ["a." * 5000, "。" * 10000, '"。' * 5000, "1" * 10000, ". " * 5000, "甲" * 10000, ".A" * 5000]
)
def test_ten_thousand_characters_take_linear_time(text):
    begin = time.process_time()
    split(text)
    assert time.process_time() - begin < 2


def test_windows_are_runs_of_whole_sentences_up_to_a_length() -> None:
    text = "一二三四。五六七八。九十。一二三四五六七八九十。"
    assert [text[one.start : one.end] for one in windows(text, 10)] == [
        "一二三四。五六七八。",
        "九十。",
        "一二三四五六七八九十。",
    ]


@given(st.text(), st.integers(1, 60))
def test_windows_hold_every_sentence_once_and_in_order(text: str, most: int) -> None:
    runs = windows(text, most)
    ends = [(span.start, span.end) for span in split(text)]
    assert [span.start for span in runs] == sorted(span.start for span in runs)
    assert all(sum(run.start <= start and end <= run.end for run in runs) == 1 for start, end in ends)
