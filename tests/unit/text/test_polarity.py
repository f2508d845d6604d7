"""What turns a sentence round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.polarity import polarity, same_polarity


@pytest.mark.parametrize(
    "text,expected",
    [
        ("不得转让", {"forbidden"}),
        ("禁止吸烟", {"forbidden"}),
        ("无需审批", {"unneeded"}),
        ("不必审批", {"unneeded"}),
        ("免于处罚", {"unneeded"}),
        ("未经同意", {"without"}),
        ("节假日除外", {"except"}),
        ("除周末外", {"except"}),
        ("没有规定", {"not"}),
        ("非本单位人员", {"not"}),
        ("不超过三天", {"at_most"}),
        ("不得超过三天", {"at_most"}),
        ("至少三天", {"at_least"}),
        ("超过三天", {"over"}),
        ("must not be used", {"forbidden"}),
        ("it isn't needed", {"not"}),
        ("可以转让", set()),
        ("不同的部门", set()),
        ("不仅如此", set()),
        ("非常重要", set()),
        ("是否可以", set()),
        ("不得不停止", set()),
        ("未来计划", set()),
        ("无论如何", set()),
        ("避免错误", set()),
        ("消除隐患", set()),
        ("notable", set()),
        ("", set()),
    ],
)
def test_words_have_classes(text, expected):
    assert polarity(text) == expected


@pytest.mark.parametrize(
    "a,b",
    [
        ("不得转让", "禁止转让"),
        ("无需审批", "不必审批"),
        ("不能转让", "不可以转让"),
        ("三天以内", "三天"),
        ("至多三天", "不超过三天"),
        ("甲", "乙"),
    ],
)
def test_sentences_that_agree(a, b):
    assert same_polarity(a, b)
    assert same_polarity(b, a)


@pytest.mark.parametrize(
    "a,b",
    [
        ("可以转让", "不得转让"),
        ("需要审批", "无需审批"),
        ("经同意", "未经同意"),
        ("至少三天", "至多三天"),
        ("超过三天", "不超过三天"),
        ("全部适用", "除节假日外全部适用"),
    ],
)
def test_sentences_that_contradict(a, b):
    assert not same_polarity(a, b)
    assert not same_polarity(b, a)


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_no_text_is_too_odd_and_each_agrees_with_itself(text):
    assert same_polarity(text, text)
