"""What belongs together in a textbook stays together."""

from __future__ import annotations

from youju.ingest.chunkers import Identity, Sizes, chunk, covered
from youju.types import Block, Chunk, Page, ParsedDocument

ME = Identity("d1", 1, "c1", "函数入门")
SIZES = Sizes(child_min=20, child_max=100, parent_max=400)
S = "这一句话不多不少正好是二十个字的长度呢。"  # 20 characters


def children(*texts: str) -> list[Chunk]:
    blocks = tuple(Block("text", text) for text in texts)
    return [one for one in chunk(ParsedDocument(blocks), ME, SIZES) if one.role == "child"]


def test_an_example_goes_with_its_solution_where_both_fit():
    first, second = children(S * 3, f"例 1 {S}", f"解：{S}{S}")
    assert first.text == S * 3
    assert second.text == f"例 1 {S}\n解：{S}{S}"


def test_an_example_is_not_taken_from_its_solution_to_feed_a_crumb():
    chunks = children(S, f"例 1 {S}", f"解：{S}", "末尾一句。")
    assert [one for one in chunks if "例 1" in one.text and "解：" in one.text]


def test_a_theorem_is_not_cut_where_other_text_would_be():
    theorem = f"定理 1 {S * 6}"
    assert [one.text for one in children(theorem)] == [theorem]
    assert len(children(S * 6)) > 1


def test_a_theorem_of_more_than_twice_the_size_is_cut():
    assert len(children(f"定理 1 {S * 12}")) > 1


def test_short_lines_before_a_table_that_must_be_cut_go_with_its_first_rows():
    rows = "\n".join(f"| 参数{n} | 说明这个参数的一句话 |" for n in range(9))
    table = Block("table", f"| 名称 | 说明 |\n| --- | --- |\n{rows}")
    before = (Block("text", "依照下表："), Block("caption", "表 1"))
    first = chunk(ParsedDocument((*before, table)), ME, SIZES)[0]
    assert first.text.startswith("依照下表：\n表 1\n| 名称 | 说明 |\n| --- | --- |\n| 参数0")


def test_a_page_whose_text_is_in_no_chunk_is_named():
    blocks = (Block("text", S, 1), Block("text", S, 2))
    document = ParsedDocument(blocks, (Page(1, S), Page(2, S)))
    only_first = [one for one in chunk(ParsedDocument(blocks[:1], document.pages), ME, SIZES) if one.role == "child"]
    found = covered(document, only_first)
    assert (found.share, dict(found.pages), found.low) == (0.5, {1: 1.0, 2: 0.0}, (2,))
    assert found.figures == {"coverage": 0.5, "coverage_worst": 0.0, "coverage_worst_page": 2.0}
    assert found.warnings == ("有 1 页的部分文字没有进入片段，检索不到：第 2 页",)
