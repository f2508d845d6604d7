"""Events and thoughts, however the bytes are cut."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from youju.providers.openai_stream import Events, Thoughts, Whole

STREAM = (
    "\ufeff: 你好\r\n\r\ndata: 婚假\u2028十三天\r\n\r\nevent: x\ndata:甲\ndata:  乙\n\nid: 1\r\rdata: 末\r\r".encode()
)
EVENTS = ["婚假\u2028十三天", "甲\n 乙", "末"]


def read(packets):
    events = Events()
    return [event for packet in packets for event in events.feed(packet)] + list(events.end())


def said(*texts):
    thoughts = Thoughts()
    return [*(thoughts.feed(text) for text in texts), thoughts.end()]


def test_comments_other_fields_and_all_three_line_ends_are_understood():
    assert read([STREAM]) == EVENTS


def test_one_byte_at_a_time_gives_the_same_events():
    assert read([bytes([byte]) for byte in STREAM]) == EVENTS


@given(st.lists(st.integers(0, len(STREAM))))
def test_it_does_not_matter_where_packets_are_cut(cuts):
    places = [0, *sorted(cuts), len(STREAM)]
    assert read([STREAM[a:b] for a, b in pairwise(places)]) == EVENTS


def test_an_event_comes_as_soon_as_it_is_complete():
    events = Events()
    assert list(events.feed(b"data: a\n")) == []
    assert list(events.feed(b"\ndata: b")) == ["a"]


def test_the_last_event_needs_no_empty_line():
    assert read([b"data: a\n\ndata: b"]) == ["a", "b"]


def test_a_whole_reply_is_one_event_at_the_end():
    whole = Whole()
    assert list(whole.feed("甲".encode()[:2])) == []
    assert list(whole.feed("甲".encode()[2:])) == []
    assert list(whole.end()) == ["甲"]


@pytest.mark.parametrize(
    "texts,expected",
    [
        (["婚假", "十三天"], "婚假十三天"),
        (["<think>想</think>\n\n答"], "答"),
        (["<th", "ink>想一", "想</thi", "nk>", "\n", "\n答", "案"], "答案"),
        (["\n<think></think>答"], "答"),
        (["\n 答"], "\n 答"),
        (["<thinking>是标签"], "<thinking>是标签"),
        (["<", "b>粗"], "<b>粗"),
        (["<thi"], "<thi"),
        (["<think>没有想完"], ""),
        (["答：<think>是一个标签</think>。"], "答：<think>是一个标签</think>。"),
        (["<think>甲</think>答</think>"], "答</think>"),
    ],
)
def test_only_thoughts_at_the_beginning_are_left_out(texts, expected):
    assert "".join(said(*texts)) == expected


def test_text_that_cannot_be_a_tag_is_not_held_back():
    assert said("婚", "假") == ["婚", "假", ""]


@given(st.lists(st.sampled_from(["<think>", "</think>", "<", "th", "ink>", "</", "\n", "甲"])))
@example(["<", "think>", "甲", "</", "think>", "\n", "甲"])
def test_cutting_does_not_change_what_is_said(texts):
    assert "".join(said(*texts)) == "".join(said("".join(texts)))
