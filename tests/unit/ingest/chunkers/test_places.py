"""Where chunks of formats without pages stand, and which part of them where."""

from __future__ import annotations

from youju.ingest.chunkers import Identity, Sizes, chunk
from youju.types import Block, Chunk, Page, ParsedDocument, Place

ME = Identity("d1", 1, "c1", "差旅费用")
HEAD = "| 级别 | 上限 |\n| --- | --- |"
S = "这一句话不多不少正好是二十个字的长度呢。"  # 20 characters


def children(*blocks: Block, sizes: Sizes | None = None, pages: tuple[Page, ...] = ()) -> list[Chunk]:
    made = chunk(ParsedDocument(blocks, pages), ME, sizes or Sizes(), "plain")
    return [one for one in made if one.role == "child"]


def table(first: int, *values: int, locator: str = "") -> Block:
    text = "\n".join([HEAD, *(f"| {at} 级 | {value} |" for at, value in enumerate(values))])
    return Block("table", text, locator=locator or f"费用!{first}-{first + len(values) - 1}")


def test_a_note_below_a_table_is_not_said_to_stand_in_the_table():
    note = Block("text", "注：上限按每晚计算。", locator="费用!19")
    (only,) = children(table(17, 300, 400), note)
    # The head is 11 + 1 + 13 = 25 characters; a row such as | 0 级 | 300 | is 13; each has a line break after it.
    assert only.locator == "费用!17-19"
    assert only.places == (
        Place(0, "费用!17-18"),
        Place(26, "费用!17"),
        Place(40, "费用!18"),
        Place(54, "费用!19"),
    )
    assert only.text[40:53] == "| 1 级 | 400 |"
    assert only.text[54:] == note.text


def test_a_chunk_that_stands_together_has_a_locator_and_no_places():
    (only,) = children(Block("text", S, locator="第一章"), Block("text", S, locator="第一章"))
    assert (only.locator, only.places) == ("第一章", ())


def test_a_chunk_over_two_chapters_names_both():
    (only,) = children(Block("text", S, locator="甲"), Block("text", S, locator="乙"))
    assert (only.locator, only.places) == ("甲 – 乙", (Place(0, "甲"), Place(21, "乙")))


def test_of_a_table_that_is_cut_each_piece_has_its_own_rows():
    # 25 + 14 + 14 = 53 fits into 60, a third row does not.
    chunks = children(table(5, 100, 200, 300, 400), sizes=Sizes(10, 60, 0, 1800))
    assert [one.locator for one in chunks] == ["费用!5-6", "费用!7-8"]
    assert chunks[1].places[1:] == (Place(26, "费用!7"), Place(40, "费用!8"))


def test_rows_that_were_left_out_make_the_others_uncertain():
    (only,) = children(table(5, 100, 200, locator="费用!5-9"))
    assert (only.locator, only.places) == ("费用!5-9", ())


def test_what_a_chunk_repeats_of_the_one_before_stands_where_it_stood():
    pages = (Page(1, S), Page(2, f"{S[:9]}第二页"))
    first, second = children(
        Block("text", S, 1, 1, locator="第 1 张"),
        Block("text", f"{S[:9]}第二页", 2, 2, locator="第 2 张"),
        sizes=Sizes(1, 45, 21, 1800),
        pages=pages,
    )
    assert second.text.startswith(S)
    assert (first.page_start, first.page_end) == (1, 1)
    assert (second.page_start, second.page_end, second.locator) == (1, 2, "第 1-2 张")
    assert second.places == (Place(0, "第 1 张"), Place(21, "第 2 张"))
