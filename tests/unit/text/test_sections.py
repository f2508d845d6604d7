"""References to chapters, articles, figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.sections import references


def names(text):
    return [reference.name for reference in references(text)]


@pytest.mark.parametrize("text", ["第三章", "第3章", "第 三 章", "Chapter 3", "chapter 3"])
def test_one_chapter_has_one_name(text):
    assert names(text) == ["第3章"]


def test_references_come_in_order_and_without_overlap():
    assert names("见第二部分第3.2节的定义3.1、例1和表 3-1,附录A") == [
        "第2部分",
        "§3.2",
        "定义3.1",
        "例1",
        "表3-1",
        "附录a",
    ]


@pytest.mark.parametrize(
    "text", ["第一条件", "第一节点", "第一次", "代表3个部门", "比例1:100", "例如", "公式化", "表一般", ""]
)
def test_other_words_are_no_references(text):
    assert names(text) == []


@given(
    st.text(
        st.one_of(st.sampled_from("第三章节之一 1.图表§Chapter"), st.characters(exclude_categories=())), max_size=40
    )
)
def test_spans_are_valid(text):
    assert all(0 <= r.start < r.end <= len(text) for r in references(text))
