"""The grammar of citations."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.markers import clean, find, render, statements, strip

ANY = st.text(
    st.one_of(st.sampled_from("甲乙。，[]【】1290来源, x`$\n-"), st.characters(exclude_categories=())), max_size=60
)
BUILT = st.lists(
    st.sampled_from(
        [
            "甲",
            "乙。",
            "，",
            "[1]",
            "[99]",
            "[1,99]",
            "【2】",
            "[来源3]",
            "[ref12]",
            " ",
            "\n",
            "区间",
            "[2021]",
            "a",
            "`[1]`",
            "。",
        ]
    ),
    max_size=14,
).map("".join)


def numbers(text, material=""):
    return [marker.numbers for marker in find(text, material=material)]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("退款需三天[1]。", [(1,)]),
        ("退款需三天。[1]", [(1,)]),
        ("退款需三天。[1]然后到账。", [(1,)]),
        ("退款需三天[1]，到账[2]。", [(1,), (2,)]),
        ("退款需三天[1][2]。", [(1,), (2,)]),
        ("退款需三天[1] [2]。", [(1,), (2,)]),
        ("退款需三天[1]、[2]。", [(1,), (2,)]),
        ("退款需三天[1,2]。", [(1, 2)]),
        ("退款需三天[1, 2]。", [(1, 2)]),
        ("退款需三天[1，2]。", [(1, 2)]),
        ("退款需三天[1-3]。", [(1, 2, 3)]),
        ("退款需三天【1】。", [(1,)]),
        ("退款需三天［１］。", [(1,)]),
        ("退款需三天[来源1]。", [(1,)]),
        ("退款需三天[来源 1，2]。", [(1, 2)]),
        ("退款需三天[来源1，来源2]。", [(1, 2)]),
        ("退款需三天 [1]", [(1,)]),
        ("- 第一项[1]\n- 第二项[2]", [(1,), (2,)]),
        ("他说“可以”[1]。", [(1,)]),
        ("他说“可以”[1]但要等。", [(1,)]),
        ("默认值为5[1]。", [(1,)]),
        ("超时为30ms[1]。", [(1,)]),
        ("使用HTTP[1]。", [(1,)]),
        ("见附录A[1]。", [(1,)]),
        ("禁止该行为[1,2]。", [(1, 2)]),
        ("The limit is five [1].", [(1,)]),
        ("退款需三天。\n[1]", [(1,)]),
        ("| 甲[1] | 乙[2] |", [(1,), (2,)]),
        ("**三天[1]**。", [(1,)]),
        ("定义域为[1,2][3]。", [(3,)]),
        ("见甲[1]和[2]。", [(1,), (2,)]),
        ("退款需三天[1]（第3页）。", [(1,)]),
        ("退款需三天[ref12]。", [()]),
        ("退款需三天【12†source】。", [()]),
    ],
)
def test_a_marker_counts_where_a_citation_can_stand(text, expected):
    assert numbers(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "定义域[1,2]。",
        "函数的定义域是[1,2]。",
        "在区间[1,2]上递增。",
        "在区间 [1, 2]。",
        "值域为[1,2]，",
        "x∈[1,2]。",
        "取a[1]。",
        "x[2]。",
        "f[0]。",
        "列表[0]。",
        "〔2021〕5号",
        "国办发[2021]5号。",
        "见[2021]。",
        "取[0.5]。",
        "区间[−1,3]。",
        "`x[1]`。",
        "```\n甲[1]。\n```",
        "$甲=[1]$ $x[1]$。",
        "脚注[^1]。",
        "[1] 张三，《书》。",
        "链接[1](http://a.b)。",
        "根据[1]第三条办理。",
        "[1,2]∪[3,4]。",
        "区间为[1,3]和[5,7]。",
        "[10,20]内",
        "甲[]。",
    ],
)
def test_the_same_characters_elsewhere_are_text(text):
    assert find(text) == []


def test_a_bracket_copied_from_the_material_is_text():
    material = "该方法由前人提出[3]。其后有改进。"
    assert numbers("该方法由前人提出[3]。[1]", material) == [(1,)]
    assert numbers("该方法由前人提出[3]。") == [(3,)]
    assert numbers("另一种做法[3]。", material) == [(3,)]


def test_copied_brackets_are_recognised_in_any_width():
    assert numbers("取值 ［1，2］。", "其取值[1,2]。") == []


def test_markers_know_where_they_stand():
    (marker,) = find("甲乙 [1]。")
    assert (marker.start, marker.end, marker.text) == (3, 6, "[1]")


@pytest.mark.parametrize(
    "text,expected,removed",
    [
        ("甲[1]。", "甲[1]。", ()),
        ("甲[99]。", "甲。", ("[99]",)),
        ("甲 [99]。", "甲。", ("[99]",)),
        ("甲[1,99]。", "甲[1]。", ("[99]",)),
        ("甲[1-5]。", "甲[1,2]。", ("[3,4,5]",)),
        ("甲[来源1，9]。", "甲[来源1]。", ("[来源9]",)),
        ("甲[1][99]。", "甲[1]。", ("[99]",)),
        ("ok. [99] Then.", "ok. Then.", ("[99]",)),
        ("甲 [99][98]。", "甲。", ("[99]", "[98]")),
        ("甲[ref12]。", "甲。", ("[ref12]",)),
        ("国办发[2021]5号[9]。", "国办发[2021]5号。", ("[9]",)),
        ("区间[8,9]。", "区间[8,9]。", ()),
    ],
)
def test_numbers_that_resolve_to_nothing_are_removed_and_reported(text, expected, removed):
    cleaned = clean(text, frozenset({1, 2}))
    assert cleaned.text == expected
    assert cleaned.removed == removed


def test_what_is_kept_is_where_it_says():
    cleaned = clean("甲[9]。乙[2]。", {2})
    assert cleaned.text == "甲。乙[2]。"
    assert [(m.numbers, m.start) for m in cleaned.kept] == [((2,), 3)]


def test_rendering_and_stripping():
    assert render([1, 2]) == "[1][2]"
    assert render([1, 2], "source_n") == "[来源1][来源2]"
    assert strip("甲[1]。乙 [来源2]，丙[2021]年。") == "甲。乙，丙[2021]年。"


def test_statements_carry_what_they_cite():
    text = "三天内退款[1]。到账需五天。[2][3]\n- 可以申诉[1][1]\n\n无依据。"
    assert statements(text) == [
        ("三天内退款。", (1,)),
        ("到账需五天。", (2, 3)),
        ("- 可以申诉", (1,)),
        ("无依据。", ()),
    ]


def test_a_marker_on_its_own_line_belongs_to_the_sentence_before():
    assert statements("甲。\n[1]\n乙。") == [("甲。", (1,)), ("乙。", ())]


def test_a_sentence_keeps_no_space_before_several_markers():
    assert statements("甲 [1][2]。") == [("甲。", (1, 2))]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("**三天**[1]。", [(1,)]),
        ("来源：[1]。", [(1,)]),
        ("三天[[1]]。", [(1,)]),
        ("三天[资料1，资料2]。", [(1, 2)]),
        ("三天【4:0†甲.pdf】。", [()]),
        ("价格 $5 一个[1]，$6 两个[2]。", [(1,), (2,)]),
        ("It costs $5 each [1], or $9 [2].", [(1,), (2,)]),
        ("三天。[1](https://a.b)", []),
        ("[1,[9]2]", []),
    ],
)
def test_forms_that_models_write_are_told_from_text(text, expected):
    assert numbers(text) == expected


def test_a_bracket_that_begins_a_line_of_the_material_is_known_on_another_line():
    assert numbers("好。\n提出[3]。", "方法如下：\n提出[3]。") == []


def test_text_without_sentences_has_no_statements():
    assert statements("") == []


@given(st.one_of(ANY, BUILT))
def test_cleaning_is_idempotent_and_loses_nothing_but_markers_and_spaces(text):
    once = clean(text, {1, 2})
    again = clean(once.text, {1, 2})
    assert again.text == once.text
    assert again.removed == ()
    assert all(set(m.numbers) <= {1, 2} and once.text[m.start : m.end] == m.text for m in once.kept)
    assert len(once.text) <= len(text)


@given(st.one_of(ANY, BUILT))
def test_statements_never_raise_and_hold_the_text(text):
    whole = "".join("".join(sentence.split()) for sentence, _ in statements(text))
    assert len(whole) <= len(text)


@pytest.mark.parametrize(
    "text", ["[1]" * 3300, "甲[9]。" * 2500, "[" * 10000, "`" * 10000, "$" * 10000, "\\(" * 5000, "[1,1" * 2500]
)
def test_ten_thousand_characters_take_linear_time(text):
    begin = time.process_time()
    clean(text, {1})
    assert time.process_time() - begin < 3
