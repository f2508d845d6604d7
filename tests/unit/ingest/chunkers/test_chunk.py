"""What a chunk is, whatever the strategy."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from youju.ingest.chunkers import Identity, Sizes, chunk, coverage
from youju.text.sentences import split
from youju.types import Block, Box, Chunk, Page, ParsedDocument

NORMAL = Sizes()
ME = Identity("d1", 1, "c1", "函数入门")
S = "这一句话不多不少正好是二十个字的长度呢。"  # 20 characters


def text(words: str, page: int | None = None, page_end: int | None = None) -> Block:
    return Block("text", words, page, page_end or page)


def head(words: str, level: int = 1, page: int | None = None) -> Block:
    return Block("heading", words, page, page, level)


def made(*blocks: Block, pages: tuple[Page, ...] = (), sizes: Sizes = NORMAL, **more) -> list[Chunk]:
    return chunk(ParsedDocument(blocks, pages), ME, sizes, **more)


def children(*blocks: Block, **more) -> list[Chunk]:
    return [one for one in made(*blocks, **more) if one.role == "child"]


def test_a_child_holds_paragraphs_of_one_section_with_its_whole_path():
    first, second = children(head("第一章"), head("1.1 定义", 2), text(S), text(S), head("1.2 性质", 2), text(S))
    assert (first.section, first.text) == (("第一章", "1.1 定义"), f"{S}\n{S}")
    assert (second.section, second.text) == (("第一章", "1.2 性质"), S)


def test_a_heading_without_text_goes_into_the_path_of_what_follows_at_its_level_or_below():
    (only,) = children(head("第一章"), head("1.1 空", 2), head("1.2 有", 2), text(S))
    assert only.section == ("第一章", "1.1 空", "1.2 有")


def test_a_heading_without_text_before_a_higher_one_leaves_no_trace_in_the_next_chapter():
    chunks = children(head("第一章"), text(S), head("1.1 空", 2), head("第二章"), text(S))
    assert [one.section for one in chunks] == [("第一章",), ("第二章",)]


def test_headings_alone_make_no_chunk():
    assert made(head("第一章"), head("1.1", 2)) == []


def test_a_heading_that_says_the_title_again_is_not_in_the_path():
    (only,) = children(head("函数入门"), head("第一章", 2), text(S))
    assert only.section == ("第一章",)


def test_short_paragraphs_share_a_child_up_to_the_largest_size():
    # Paragraphs of 20; n of them are 21n − 1 long: 10 are 209, 11 would be 230.
    chunks = children(*[text(S)] * 20, sizes=Sizes(60, 210, 0, 1800))
    assert [len(one.text) for one in chunks] == [209, 209]


def test_a_crumb_at_the_end_is_fed_by_the_child_before_it():
    # 5 × 20 fit into 105; the sixth alone would be a crumb of 20 < 60, so it gets two from before.
    chunks = children(*[text(S)] * 6, sizes=Sizes(60, 105, 0, 1800))
    assert [len(one.text) for one in chunks] == [62, 62]


def test_a_long_paragraph_is_cut_between_sentences_into_even_parts():
    chunks = children(text(S * 6), sizes=Sizes(10, 100, 0, 1800))
    assert [one.text for one in chunks] == [S * 3, S * 3]


def test_a_sentence_longer_than_a_child_is_cut_at_its_commas():
    clause = "这里有九个字的分句，"  # 10
    chunks = children(text(clause * 7), sizes=Sizes(10, 30, 0, 1800))
    assert "".join(one.text for one in chunks) == clause * 7
    assert all(len(one.text) <= 30 and one.text.endswith("，") for one in chunks)


def test_a_table_above_the_size_is_cut_between_rows_and_its_head_repeated():
    head_rows = "| 名 | 值 |\n| --- | --- |"
    rows = [f"| 键{at} | 值{at} |" for at in range(4)]
    table = Block("table", "\n".join([head_rows, *rows]))
    # The head is 23 long, a row 11; 23 + 12 + 12 = 47 fits into 50, a third row does not.
    first, second = children(table, sizes=Sizes(10, 50, 0, 1800))
    assert first.text == "\n".join([head_rows, *rows[:2]])
    assert second.text == "\n".join([head_rows, *rows[2:]])
    assert {first.kind, second.kind} == {"table"}


def test_a_short_line_before_a_table_that_must_be_cut_goes_with_its_first_rows():
    head_rows = "| 名 | 值 |\n| --- | --- |"
    rows = [f"| 键{at} | 值{at} |" for at in range(4)]
    # 8 + 1 + 23 + 1 + 11 = 44 fits into 50 with one row; two rows would be 56.
    chunks = children(
        text("超时参数见下表。"), Block("table", "\n".join([head_rows, *rows])), sizes=Sizes(10, 50, 0, 1800)
    )
    assert [one.text for one in chunks] == [
        f"超时参数见下表。\n{head_rows}\n{rows[0]}",
        f"{head_rows}\n{rows[1]}\n{rows[2]}",
        f"{head_rows}\n{rows[3]}",
    ]


@pytest.mark.parametrize("kind", ["code", "formula"])
def test_code_and_formulas_stay_whole(kind):
    block = Block(kind, "\n".join(f"line {at}" for at in range(20)))
    (only,) = children(block, sizes=Sizes(10, 50, 0, 1800))
    assert (only.kind, only.text) == (kind, block.text)


def test_a_long_list_is_cut_between_items_never_inside_one():
    items = [f"{at}. {S}\n   {S}" for at in range(1, 5)]
    chunks = children(Block("list", "\n".join(items)), sizes=Sizes(10, 100, 0, 1800))
    assert [one.text for one in chunks] == ["\n".join(items[:2]), "\n".join(items[2:])]


def test_a_line_that_announces_a_list_goes_with_it():
    items = Block("list", f"1. {S}\n2. {S}")  # 47
    chunks = children(text(S), text(S), text("步骤如下："), items, sizes=Sizes(20, 70, 0, 1800))
    assert [one.text for one in chunks] == [f"{S}\n{S}", f"步骤如下：\n{items.text}"]


def test_children_of_a_long_section_know_a_parent_that_holds_their_text():
    chunks = made(head("一"), *[text(S)] * 12, sizes=Sizes(40, 62, 0, 130))
    kids = [one for one in chunks if one.role == "child"]
    parents = {one.id: one for one in chunks if one.role == "parent"}
    assert [len(one.text) for one in kids] == [62] * 4
    assert [parents[one.parent_id].text for one in kids] == [f"{kids[0].text}\n{kids[1].text}"] * 2 + [
        f"{kids[2].text}\n{kids[3].text}"
    ] * 2
    assert [one.ordinal for one in chunks] == list(range(6))


def test_a_section_that_is_one_child_has_no_parent():
    (only,) = made(head("一"), text(S))
    assert only.parent_id == ""


def test_pages_and_printed_labels_are_those_of_the_blocks_that_went_in():
    pages = tuple(Page(n, S, label) for n, label in ((1, "i"), (2, "1"), (3, "2")))
    first, second = children(head("一", page=1), text(S, 1), text(S, 2, 3), head("二", page=3), text(S, 3), pages=pages)
    assert (first.page_start, first.page_end, first.label_start, first.label_end) == (1, 3, "i", "2")
    assert (second.page_start, second.page_end, second.label_start, second.label_end) == (3, 3, "2", "2")


def test_a_piece_of_a_paragraph_over_a_page_break_has_the_page_it_stands_on():
    sentences = [f"这是写在纸上的第{n}个句子，它不长也不短。" for n in "一二三四"]
    pages = (Page(1, sentences[0] + sentences[1]), Page(2, sentences[2] + sentences[3]))
    boxes = (Box(1, 0, 0, 9, 9), Box(2, 0, 0, 9, 9))
    block = Block("text", "".join(sentences), 1, 2, boxes=boxes)
    first, second = children(block, pages=pages, sizes=Sizes(10, 50, 0, 1800))
    assert (first.page_start, first.page_end, first.boxes) == (1, 1, boxes[:1])
    assert (second.page_start, second.page_end, second.boxes) == (2, 2, boxes[1:])


def test_overlap_repeats_whole_sentences_of_the_child_before():
    first, second = children(*[text(S)] * 6, sizes=Sizes(60, 90, 25, 1800))
    assert second.text.startswith(f"{S}\n")
    assert len(first.text) <= 90
    assert len(second.text) <= 90


def test_an_id_is_readable_and_tells_copies_versions_and_repetitions_apart():
    document = ParsedDocument((head("3.2 二次函数", page=43), text(S, 43), head("3.2 二次函数", page=43), text(S, 43)))
    ids = [one.id for one in chunk(document, ME)]
    assert ids[0].startswith("函数入门::3.2二次函数::p43::child::1::")
    others = [
        one.id
        for me in (Identity("d2", 1, "c1", "函数入门"), Identity("d1", 2, "c1", "函数入门"))
        for one in chunk(document, me)
    ]
    assert len({*ids, *others}) == 6
    assert ids == [one.id for one in chunk(document, ME)]


def test_an_id_is_bounded_and_safe_whatever_the_title():
    identity = Identity("d1", 1, "c1", "../<b>书 名</b>::" + "长" * 500)
    (only,) = chunk(ParsedDocument((head("节" * 500), text(S))), identity)
    assert len(only.id) <= 120
    assert not set(only.id) & set("/<> \n")


def test_coverage_counts_what_children_hold():
    document = ParsedDocument((head("第一章"), text(S), text(S)))
    chunks = chunk(document, ME)
    assert coverage(document, chunks) == 1
    # 3 of the heading and 40 of the text; without chunks all is missing.
    assert coverage(document, []) == 0
    assert (
        coverage(
            ParsedDocument((head("甲乙"), text("丙丁"), head("戊"))),
            chunk(ParsedDocument((head("甲乙"), text("丙丁"))), ME),
        )
        == 0.8
    )


# --- for any document ------------------------------------------------------------------------------------------------

LETTERS = st.text("甲乙丙丁，。；！？：ab 1.\n", min_size=1, max_size=300).filter(str.strip)
SMALL = Sizes(20, 60, 0, 200)


@st.composite
def documents(draw) -> ParsedDocument:
    blocks: list[Block] = []
    page = 1
    for _ in range(draw(st.integers(0, 12))):
        end = page + draw(st.integers(0, 1))
        kind = draw(st.sampled_from(["heading", "text", "text", "text", "list", "code", "table", "footnote"]))
        if kind == "heading":
            blocks.append(
                Block(
                    "heading", draw(st.sampled_from(["一", "1.1 二", "第三条 三"])), page, page, draw(st.integers(1, 3))
                )
            )
            continue
        words = draw(LETTERS)
        if kind == "table":
            words = "\n".join(["| 头 |", "| --- |", *(f"| {row} |" for row in words.split("\n"))])
        blocks.append(Block(kind, words, page, end))
        page = end
    pages = tuple(Page(n, "甲乙丙丁") for n in range(1, page + 1))
    return ParsedDocument(tuple(blocks), pages)


ANY = st.sampled_from(["textbook", "law", "manual", "qa", "table", "plain", None])
# Slides put their titles into the text where they share a chunk, and are cut only above twice the size.
WITH_SLIDES = ANY | st.just("slides")


def solid(words: str) -> str:
    return "".join(words.split())


@given(documents(), ANY)
@settings(max_examples=150, deadline=None)
def test_every_character_of_the_body_is_in_a_child_in_its_order_but_for_children_of_signs_alone(document, chosen):
    kids = [one for one in chunk(document, ME, SMALL, chosen) if one.role == "child"]
    held = said("".join(one.text for one in kids))
    body = [block for block in document.blocks if block.kind != "heading"]
    assert Counter(said("".join(block.text for block in body))) <= Counter(held)
    if not any(block.kind == "table" for block in body):  # a table's head is repeated
        assert held == said("".join(block.text for block in body))
    assert all(said(one.text) for one in kids)


def said(words: str) -> str:
    return "".join(char for char in words if char.isalnum())


@pytest.mark.parametrize("words", ["。。。！！！？？？", " " * 5000, "—— * * * ——", "…" * 2000])
def test_points_and_spaces_alone_make_no_chunk(words):
    assert made(head("第一章"), text(words)) == []
    assert [one.text for one in made(head("第一章"), text(words), head("第二章"), text(S))] == [S]


def test_of_a_block_with_a_sea_of_spaces_only_what_is_said_becomes_a_chunk():
    (only,) = children(Block("code", " " * 50_000 + "x"))
    assert only.text.strip() == "x"


def test_signs_beside_words_stay():
    (only,) = children(text(S), text("……"), text(S))
    assert only.text == f"{S}\n……\n{S}"


@given(documents(), ANY)
@settings(max_examples=150, deadline=None)
def test_no_child_is_too_large_unless_it_is_one_block_that_cannot_be_cut(document, chosen):
    for one in chunk(document, ME, SMALL, chosen):
        if one.role == "child" and len(one.text) > SMALL.child_max:
            assert one.kind in {"code", "table"}
            assert any(solid(one.text) in solid(block.text) for block in document.blocks)
        if one.role == "parent":
            assert len(one.text) <= SMALL.parent_max


@given(documents(), WITH_SLIDES)
@settings(max_examples=150, deadline=None)
def test_ids_are_unique_ordinals_count_and_parents_exist(document, chosen):
    chunks = chunk(document, ME, SMALL, chosen)
    ids = {one.id: one for one in chunks}
    assert len(ids) == len(chunks)
    assert [one.ordinal for one in chunks] == list(range(len(chunks)))
    assert all(ids[one.parent_id].role == "parent" for one in chunks if one.parent_id)


@given(documents(), WITH_SLIDES)
@settings(max_examples=150, deadline=None)
def test_pages_of_a_child_are_pages_of_its_blocks_and_never_go_back(document, chosen):
    kids = [one for one in chunk(document, ME, SMALL, chosen) if one.role == "child"]
    body = [block for block in document.blocks if block.kind != "heading"]
    spans = {(block.page, block.page_end) for block in body}
    for one in kids:
        assert one.page_start <= one.page_end
        assert min(start for start, _ in spans) <= one.page_start
        assert one.page_end <= max(end for _, end in spans)
    assert all(before.page_start <= after.page_start for before, after in pairwise(kids))


@given(documents())
@settings(max_examples=80, deadline=None)
def test_children_begin_and_end_where_sentences_do_unless_one_sentence_is_larger(document):
    kids = [one for one in chunk(document, ME, SMALL, "plain") if one.role == "child"]
    body = solid("".join(block.text for block in document.blocks if block.kind != "heading"))
    if any(block.kind in {"table", "code", "list"} for block in document.blocks):
        return
    if any(block.kind != "heading" and not any(map(str.isalnum, block.text)) for block in document.blocks):
        # What is nothing but signs may be no chunk at all.
        return
    sentences = [
        solid(block.text[span.start : span.end])
        for block in document.blocks
        if block.kind != "heading"
        for span in split(block.text)
    ]
    if max(map(len, sentences), default=0) > SMALL.child_max // 2:
        return
    ends = {0}
    for sentence in sentences:
        ends.add(max(ends) + len(sentence))
    place = 0
    for one in kids:
        place += len(solid(one.text))
        assert place in ends or place == len(body)
