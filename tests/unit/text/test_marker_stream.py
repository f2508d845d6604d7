"""Markers cleaned while the answer is being written."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.brackets import BRACKET, OPEN
from youju.text.marker_stream import Cleaner
from youju.text.markers import clean, find

KNOWN = (1, 2, 3)
PIECES = st.lists(
    st.sampled_from(
        [
            *re.findall(
                r"\S+",
                "甲 乙。 ， [1] [99] [1,99] 【2】 ［１］ [来源9] [ref12] 【3†source】 [3† [ ] [1 9] [[1]] [[99]]",
            ),
            *re.findall(
                r"\S+", r"[[ ]] ` `` ``` ~~~ $ $$ $5 \( \) \[ \] \ a x (http://x) ( . , 、 和 ** * _ 区间 为 [8,9]"
            ),
            *re.findall(r"\S+", "[2021] 📚 👨‍👩‍👧 [1-5] [0] ： - | 来源"),
            *(" ", "  ", "\n", "\n\n", "\r\n", " " * 7, " " * 9, "\u3000", "\x00"),
        ]
    ),
    max_size=24,
).map("".join)
ANY = st.text(
    st.one_of(st.sampled_from("甲。，[]【】1290来源, x`$\\(\n-*"), st.characters(exclude_categories=())), max_size=60
)


def streamed(pieces, material="", known=KNOWN):
    cleaner = Cleaner(known, material)
    out = [cleaner.feed(piece) for piece in pieces] + [cleaner.end()]
    assert cleaner.text == "".join(out)
    return cleaner.text, cleaner.removed


def outputs(text, material=""):
    """What comes out for each character."""
    cleaner = Cleaner(KNOWN, material)
    return [cleaner.feed(character) for character in text]


def cut(text, dice):
    at = 0
    while at < len(text):
        size = dice.randint(1, 6)
        yield text[at : at + size]
        at += size


@given(st.one_of(PIECES, ANY), st.one_of(st.just(""), PIECES), st.randoms(use_true_random=False))
def test_however_the_text_is_cut_the_same_comes_out_as_for_the_whole(text, material, dice):
    whole = clean(text, KNOWN, material)
    for pieces in ([text], text, cut(text, dice)):
        assert streamed(pieces, material) == (whole.text, whole.removed)


@given(st.one_of(PIECES, ANY))
def test_what_was_cleaned_is_clean(text):
    once = clean(text, KNOWN).text
    assert streamed(once) == (once, ())


@given(st.from_regex(BRACKET, fullmatch=True))
def test_whatever_begins_a_bracket_is_waited_for(text):
    assert all(OPEN.fullmatch(text[:end]) for end in range(1, len(text)))


@pytest.mark.parametrize(
    "text,after",
    [
        ("三天[1]。", [*"三天", "", "", "", "[1]。"]),
        ("三天[9]。", [*"三天", "", "", "", "。"]),
        ("三天。[1]到账", [*"三天。", "", "", "", "[1]到", "账"]),
        ("三天[1][9]。", [*"三天", "", "", "", "", "", "", "[1]。"]),
        ("In 3 days [9]. So", ["I", "n", "", " 3", "", " d", *"ays", "", "", "", "", "", ". "[:1], " S", "o"]),
        ("[张三]", ["", "[张", *"三]"]),
        ("[2021]号", ["", "", "", "", "", "[2021]", "号"]),
        ("价格 $5 一个[9]。", [*"价格", "", " ", "", "", "$5 一", "个", "", "", "", "。"]),
        ("`a[9]`。", ["", "`a", "", "", "", "[9]`", "。"]),
        ("`a[9]\n", ["", "`a", "", "", "", "[9]\n"]),
        ("```\n[9", ["", "", "```", "\n", "[", "9"]),
        ("$x$，", ["", "$x", "$", "，"]),
        ("a~b", [*"a", "", "~b"]),
    ],
)
def test_each_character_comes_out_as_soon_as_it_is_certain(text, after):
    assert outputs(text) == after


def test_ordinary_prose_comes_out_at_once():
    text = "退款需要三个工作日。到账时间以银行为准！\n\n- 第一项：可以申诉；\n- 第二项（见第3页）。📚\r\n"
    held = sent = 0
    for given_, out in zip(text, outputs(text), strict=True):
        sent += len(out) - len(given_)
        held = max(held, -sent)
    assert held == 1  # the space of a list item


def test_a_marker_is_out_two_characters_behind_it_or_three_where_a_comma_and_a_space_follow():
    text = "退款需三个工作日[1]。到账要五天。[2]可以申诉[1][3]，由专人处理 [2]。\nIt takes a day [1]. Then [2], or not."
    out = [len("".join(outputs(text[:end]))) for end in range(len(text) + 1)]
    ends = [match.end() for match in re.finditer(r"(\[\d\])+", text)]
    assert [out[end + 2] >= end for end in ends] == [True, True, True, True, True, False]
    assert out[ends[-1] + 3] >= ends[-1]


def test_numbers_of_any_width_are_read():
    assert streamed("三天［９９］。五天［１，９］。六天[２]。") == (
        "三天。五天［1］。六天[２]。",
        ("［99］", "［9］"),
    )


def test_a_list_too_long_for_one_bracket_becomes_several():
    text, removed = streamed("三天[1-40,99]。", known=range(1, 41))
    assert removed == ("[99]",)
    assert [n for marker in find(text) for n in marker.numbers] == list(range(1, 41))


def test_what_was_removed_is_in_order_of_the_text():
    removed = ("[9]", "[ref1]", "[8]")
    assert streamed("甲[9][1]。乙[ref1]。丙[2,8]。")[1] == removed
    assert clean("甲[9][1]。乙[ref1]。丙[2,8]。", KNOWN).removed == removed


LONG = 200_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "```" + "甲[9]。" * (LONG // 5),
        "$$" + "x[9]. " * (LONG // 6),
        "\\(" + "x[9]. " * (LONG // 6),
        "$a" + "x[9], " * (LONG // 6),
        "`" + "x[9]. " * (LONG // 6),
        "\\(" * (LONG // 2),
        "[" * LONG,
        "[1]" * (LONG // 3),
        "[9] ** " * (LONG // 7),
        "[1," * (LONG // 3),
        "[1" + "1" * LONG,
        "[3†" * (LONG // 3),
        " " * LONG,
        "`" + " " * LONG,
        "$" + "1" * LONG,
        "退款需三天[1]。" * (LONG // 9),
    ],
    ids=lambda text: text[:12],
)
def test_two_hundred_thousand_characters_one_by_one_take_two_seconds(text):
    cleaner = Cleaner(KNOWN, "甲乙丙[9]")
    begin = time.process_time()
    for character in text:
        cleaner.feed(character)
    cleaner.end()
    assert time.process_time() - begin < 2
