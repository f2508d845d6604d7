"""Quotes and the sentences they rest on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.align import best_span, bigrams, locate
from youju.text.normal import fold
from youju.types import Span

ANY = st.text(st.one_of(st.sampled_from("甲乙丙。，的 \nAaＡ㎡½1"), st.characters(exclude_categories=())), max_size=40)


@pytest.mark.parametrize(
    "quote,text,expected",
    [
        ("三天", "应在三天内", "三天"),
        ("三天内退款", "应在三 天\n内退款。", "三 天\n内退款"),
        ("ABC12", "见ＡＢc１２号", "ＡＢc１２"),
        ("5m2", "面积5 ㎡以上", "5 ㎡"),
        ("café", "un cafe\u0301 noir", "cafe\u0301"),
    ],
)
def test_a_quote_is_found_in_the_original(quote, text, expected):
    span = locate(quote, text)
    assert span is not None
    assert text[span.start : span.end] == expected


@pytest.mark.parametrize("quote,text", [("四天", "三天"), ("", "三天"), (" ", "三 天"), ("三天", "")])
def test_what_is_not_there_is_not_found(quote, text):
    assert locate(quote, text) is None


def test_bigrams_leave_out_punctuation_and_function_characters():
    assert bigrams("函数的图象，是") == frozenset({"函数", "数图", "图象"})
    assert bigrams("锁，钟") == frozenset({"锁", "钟"})
    assert bigrams("的。") == frozenset()


def test_the_best_sentence_is_found_with_its_share():
    text = "押金不退。退款应在三天内完成。逾期另行处理。"
    span, score = best_span("退款三天内完成", text)
    assert text[span.start : span.end] == "退款应在三天内完成。"
    # 退款 款三 三天 天内 内完 完成; the text has 退款 款应 应三 三天 天内 内完 完成 (在 dropped): 5 of 6
    assert score == pytest.approx(5 / 6)


def test_two_sentences_are_taken_where_one_holds_only_half():
    text = "其他事项。甲方负责运输。乙方负责安装。附则。"
    span, score = best_span("甲方负责运输，乙方负责安装", text)
    assert text[span.start : span.end] == "甲方负责运输。乙方负责安装。"
    assert score == 1.0


def test_the_earliest_of_equals_wins():
    assert best_span("退款", "可退款。可退款。") == (Span(0, 4), 1.0)


def test_nothing_alike_scores_nothing():
    assert best_span("退款", "天气晴。") == (Span(0, 0), 0.0)
    assert best_span("", "天气晴。") == (Span(0, 0), 0.0)
    assert best_span("退款", "") == (Span(0, 0), 0.0)


@given(ANY, ANY, ANY)
def test_every_part_of_a_text_is_located(before, middle, after):
    text = f"{before}甲{middle}乙{after}"
    span = locate(f"甲{middle}乙", text)
    if span is not None:  # a combining mark of a neighbour may join the part's letters
        assert fold(f"甲{middle}乙") in fold(text[span.start : span.end])
    assert locate(text, text) is not None


@given(ANY, ANY)
def test_scores_are_shares_and_spans_lie_in_the_text(sentence, text):
    span, score = best_span(sentence, text)
    assert 0 <= score <= 1
    assert 0 <= span.start <= span.end <= len(text)
