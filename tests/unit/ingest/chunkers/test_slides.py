"""Presentations: a slide is a chunk, with its title and its notes."""

from __future__ import annotations

import pytest

from youju.ingest.chunkers import Identity, Sizes, chunk, coverage, strategy
from youju.types import Block, Chunk, ParsedDocument

ME = Identity("d1", 1, "c1", "年度总结")
S = "这一句话不多不少正好是二十个字的长度呢。"  # 20 characters
SMALL = Sizes(30, 100, 0, 300)


def slide(n: int, title: str, *lines: str, level: int = 1) -> list[Block]:
    where = {"page": n, "page_end": n, "locator": f"第 {n} 张"}
    return [Block("heading", title, level=level, **where), *(Block("text", line, **where) for line in lines)]


def part(n: int, name: str) -> Block:
    return Block("heading", name, n, n, level=1, locator=f"第 {n} 张")


def children(*blocks: Block, sizes: Sizes = SMALL) -> list[Chunk]:
    document = ParsedDocument(tuple(blocks))
    chunks = [one for one in chunk(document, ME, sizes) if one.role == "child"]
    assert coverage(document, chunks) == 1
    return chunks


def test_a_presentation_is_known_by_where_its_blocks_stand():
    found = strategy(ParsedDocument((*slide(1, "目标", S), *slide(2, "计划", S))))
    assert found == ("slides", ("有 2 张幻灯片",))


def test_pages_of_a_book_are_no_slides():
    assert strategy(ParsedDocument((Block("text", S, 1, 1),))).name == "plain"


def test_a_slide_is_a_chunk_with_its_notes_under_its_title():
    first, second = children(*slide(1, "目标", S, S, "备注：先讲第一点。"), *slide(2, "计划", S, S))
    assert (first.section, first.text, first.locator) == (("目标",), f"{S}\n{S}\n备注：先讲第一点。", "第 1 张")
    assert (second.section, second.page_start, second.locator) == (("计划",), 2, "第 2 张")


def test_small_neighbours_share_a_chunk_with_their_titles_in_the_text():
    (only,) = children(*slide(1, "目标", "增长一成"), *slide(2, "计划", S, "分三步走"))
    assert (only.section, only.text) == ((), f"目标\n增长一成\n计划\n{S}\n分三步走")
    assert (only.locator, only.page_start, only.page_end) == ("第 1-2 张", 1, 2)


def test_a_small_last_slide_goes_to_the_one_before():
    (only,) = children(*slide(1, "目标", S, S), *slide(2, "谢谢", "欢迎提问"))
    assert only.text == f"目标\n{S}\n{S}\n谢谢\n欢迎提问"


def test_small_slides_of_two_parts_do_not_share_a_chunk():
    blocks = [
        part(1, "上半年"), *slide(1, "目标", "增长一成", level=2), *slide(2, "结果", "已达成", level=2),
        part(3, "下半年"), *slide(3, "目标", "再增一成", level=2),
    ]  # fmt: skip
    first, second = children(*blocks)
    assert (first.section, first.text) == (("上半年",), "目标\n增长一成\n结果\n已达成")
    assert (second.section, second.text) == (("下半年", "目标"), "再增一成")


def test_slides_of_one_title_that_share_a_chunk_say_it_once():
    (only,) = children(*slide(1, "目标", "增长一成"), *slide(2, "目标", "降本一成"))
    assert (only.section, only.text) == (("目标",), "增长一成\n降本一成")


def test_a_slide_of_a_title_alone_names_what_follows():
    (only,) = children(*slide(1, "第一部分"), *slide(2, "目标", S, S))
    assert (only.section, only.text) == (("第一部分", "目标"), f"{S}\n{S}")


@pytest.mark.parametrize("lines, chunks", [(9, 1), (10, 3)])
def test_a_slide_is_cut_only_above_twice_the_size(lines, chunks):
    # n lines are 21n − 1: 188 and 209 against twice 100; pieces of at most 100 hold four lines (83).
    found = children(*slide(1, "目标", *[S] * lines))
    assert len(found) == chunks
    assert {one.section for one in found} == {("目标",)}


def test_pages_chosen_to_be_slides_are_chunks_whatever_their_headings():
    blocks = (Block("heading", "一", 1, 1, 1), Block("text", S * 2, 1, 1), Block("text", S * 2, 2, 2))
    found = chunk(ParsedDocument(blocks), ME, SMALL, "slides")
    assert [(one.section, one.page_start) for one in found] == [(("一",), 1), (("一",), 2)]
