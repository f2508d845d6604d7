from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import answer, chunk, context, turn
from library import quiet
from youju.stages.cite import ATTACHED, Cite, quote
from youju.text import markers
from youju.types import Answer, Page, Place, Source, Turn


class Pages:
    """A `Chunks` that knows the pages of a chunk, and nothing else."""

    def __init__(self, *pages: Page) -> None:
        self._pages = list(pages)

    async def pages(self, chunk: object) -> list[Page]:
        return self._pages


CHUNKS = (
    chunk("a", "试用期最长六个月。期满自动转正。", page_start=3, page_end=4, label_start="1", label_end="2"),
    chunk("b", "婚假为十三天。", document_id="d2", book="规定", section=("第五章", "休假"), locator="休假!3"),
    chunk("c", "函数的定义域为[1,2]，值域见 a[1]。参见〔2021〕5号与国办发[2021]5号[^1]。"),
)


async def cited(text: str, asked: str = "试用期多长？", *, by: str = "model") -> Turn:
    return await Cite(Pages())(turn(asked, context=context(*CHUNKS), answer=Answer(text, (), by)), quiet)


@pytest.mark.parametrize(
    "marker, numbers",
    [
        ("[1]", (1,)),
        ("[1,2]", (1, 2)),
        ("[1-3]", (1, 2, 3)),
        ("【1】", (1,)),
        ("［1］", (1,)),
        ("[来源1]", (1,)),
        ("[1][3]", (1, 3)),
        ("[2、3]", (2, 3)),
    ],
)
@pytest.mark.parametrize("pattern", ["试用期为半年{}。", "试用期为半年。{}"])
async def test_every_form_of_a_marker_is_resolved(marker, numbers, pattern):
    text = pattern.format(marker)
    after = await cited(text)
    assert after.answer.text == text
    assert [(one.text, one.cites) for one in after.answer.statements] == [("试用期为半年。", numbers)]
    assert [one.n for one in after.sources if one.cited] == list(numbers)
    assert after.removed_markers == ()


@pytest.mark.parametrize(
    "text",
    [
        "函数的定义域为[1,2]，它是闭区间。",
        "取 a[1] 的值。",
        "依据〔2021〕5号文件办理。",
        "依据国办发[2021]5号文件办理。",
        "该文件发布于[2021]。",
        "这句话有脚注[^1]。",
        "先写 `x[1]` 再运行。",
    ],
)
async def test_what_only_looks_like_a_marker_stays(text):
    after = await cited(text)
    # Nothing was cited, so what can be proven is put behind it; the text itself stays.
    assert after.answer.text.partition(f"\n\n{ATTACHED}")[0] == text
    assert after.removed_markers == ()


async def test_a_number_that_resolves_to_nothing_is_removed_and_reported():
    after = await cited("试用期为半年[99]。期满转正[1,7]。")
    assert after.answer.text == "试用期为半年。期满转正[1]。"
    assert after.removed_markers == ("[99]", "[7]")
    assert [one.cites for one in after.answer.statements] == [(), (1,)]


async def test_an_invented_marker_is_removed_and_reported():
    after = await cited("试用期为半年[doc_3]。")
    assert (after.answer.text, after.removed_markers) == ("试用期为半年。", ("[doc_3]",))


async def test_sources_are_the_chunks_metadata_whatever_the_prose_says():
    after = await cited("《红楼梦》第999页说试用期为半年[1]。婚假见[2]。")
    one, two, three = after.sources
    assert one == Source(1, "a", "d1", "函数入门", ("3.2 二次函数",), 3, 4, "1", "2", "", cited=True, quote=one.quote)
    assert two == Source(2, "b", "d2", "规定", ("第五章", "休假"), None, None, "", "", "休假!3", True, two.quote)
    assert (three.n, three.chunk_id, three.cited) == (3, "c", False)


async def test_the_quote_is_the_sentence_that_the_citing_statement_rests_on():
    after = await cited("期满以后自动转正[1]。", asked="试用期多长？")
    assert after.sources[0].quote == "期满自动转正。"


async def test_what_is_not_cited_is_quoted_by_the_question():
    after = await cited("没有引用。", asked="试用期最长几个月？")
    assert after.sources[0].quote == "试用期最长六个月。"
    assert not any(one.cited for one in after.sources)


async def test_an_extractive_answer_brings_its_citations_along():
    made = answer(("婚假为十三天。", (2,)))
    after = await Cite(Pages())(turn(context=context(*CHUNKS), answer=made), quiet)
    assert after.answer == made
    assert [(one.n, one.cited, one.quote) for one in after.sources][1] == (2, True, "婚假为十三天。")


async def test_brackets_in_a_verbatim_answer_are_never_taken_for_markers():
    text = "函数的定义域为[1,2]，值域见 a[1]。"
    after = await Cite(Pages())(turn(context=context(*CHUNKS), answer=answer((text, (3,)))), quiet)
    assert after.answer.text == f"{text}[3]"
    assert [one.n for one in after.sources if one.cited] == [3]


@pytest.mark.parametrize("more", [{"answer": None}, {"answer": answer(("甲。", (1,))), "refusal": "low_evidence"}])
async def test_a_refusal_has_no_sources(more):
    before = turn(context=context(*CHUNKS), **more)
    assert await Cite(Pages())(before, quiet) == before


async def test_the_model_may_write_either_style():
    before = turn(context=context(*CHUNKS), answer=Answer("半年[来源1]。十三天[2]。", (), "model"))
    after = await Cite(Pages())(before, quiet)
    assert [one.cites for one in after.answer.statements] == [(1,), (2,)]


HAN = st.text(alphabet="试用期最长六个月婚假转正通知公司", min_size=4, max_size=12)
MARKER = st.one_of(
    st.integers(1, 120).map("[{}]".format),
    st.tuples(st.integers(1, 9), st.integers(1, 9)).map(lambda pair: f"[{pair[0]},{pair[1]}]"),
    st.tuples(st.integers(1, 4), st.integers(1, 9)).map(lambda pair: f"[{pair[0]}-{pair[0] + pair[1]}]"),
    st.sampled_from(["【2】", "［5］", "[来源1]", "[来源8]", "[doc_7]", "[0]", "[2021]", "[^1]"]),
)
PIECE = st.tuples(HAN, st.lists(MARKER, max_size=3).map("".join), st.sampled_from(["before", "after"]))
BRACKET = re.compile(r"[\[【［][^\[\]【】［］]*[\]】］]")


@given(st.lists(PIECE, min_size=1, max_size=5))
async def test_no_marker_is_left_that_resolves_to_nothing_and_no_other_character_is_lost(pieces):
    written = "".join(f"{said}{m}。" if place == "before" else f"{said}。{m}" for said, m, place in pieces)
    after = await cited(written)
    material = "\n".join(one.text for one in CHUNKS)
    left = markers.find(after.answer.text, material=material)
    assert all(marker.numbers and set(marker.numbers) <= {1, 2, 3} for marker in left)
    assert BRACKET.sub("", after.answer.text) == BRACKET.sub("", written)
    assert {n for one in after.answer.statements for n in one.cites} == {n for one in left for n in one.numbers}
    assert [one.n for one in after.sources if one.cited] == sorted({n for one in left for n in one.numbers})
    assert "[2021]" not in written or "[2021]" in after.answer.text
    assert written.count("[^1]") == after.answer.text.count("[^1]")


@given(st.text(max_size=40), st.text(min_size=1, max_size=120).filter(lambda text: text.strip()))
def test_a_quote_is_never_empty_and_stands_in_the_chunk(sentence, text):
    found = quote(sentence, text)
    assert found.strip()
    assert found in text


def test_a_chunk_of_several_sentences_is_quoted_by_one():
    assert quote("婚假几天", "试用期六个月。婚假为十三天。") == "婚假为十三天。"
    assert quote("毫不相干", "试用期六个月。婚假为十三天。") == "试用期六个月。"
    assert quote("", replace(CHUNKS[1]).text) == "婚假为十三天。"


BOOK = (Page(4, "试用期为半年。", "1"), Page(5, "婚假十三天，须一次", "2"), Page(6, "休完。年假五天。", "3"))


@pytest.mark.parametrize(
    "said, pages, labels",
    [
        (["年假五天。"], (6, 6), ("3", "3")),
        (["婚假十三天，须一次休完。"], (5, 6), ("2", "3")),
        (["试用期为半年。", "年假五天。"], (4, 6), ("1", "3")),
    ],
)
async def test_the_pages_of_a_source_are_those_of_what_rests_on_it(said, pages, labels):
    text = "试用期为半年。婚假十三天，须一次休完。年假五天。"
    one = chunk("x", text, page_start=4, page_end=6, label_start="1", label_end="3")
    made = answer(*((sentence, (1,)) for sentence in said))
    after = await Cite(Pages(*BOOK))(turn(context=context(one), answer=made), quiet)
    source = after.sources[0]
    assert (source.page_start, source.page_end) == pages
    assert (source.label_start, source.label_end) == labels


async def test_a_quote_that_no_page_holds_keeps_the_pages_of_its_chunk():
    one = chunk("x", "年假五天。", page_start=4, page_end=6)
    after = await Cite(Pages(*BOOK[:1]))(turn(context=context(one), answer=answer(("年假五天。", (1,)))), quiet)
    assert (after.sources[0].page_start, after.sources[0].page_end) == (4, 6)


SHEET = "| 级别 | 上限 |\n| --- | --- |\n| 一级 | 300元 |\n| 二级 | 400元 |\n注：上限按每晚计算。"
PLACES = (Place(0, "费用!17-18"), Place(27, "费用!17"), Place(41, "费用!18"), Place(55, "费用!19"))


@pytest.mark.parametrize(
    "said, locator",
    [
        (["注：上限按每晚计算。"], "费用!19"),
        (["二级的上限是400元。"], "费用!18"),
        (["一级的上限是300元。", "上限按每晚计算。"], "费用!17、费用!19"),
        ([], "费用!19"),
    ],
)
async def test_the_locator_of_a_source_is_that_of_what_rests_on_it(said, locator):
    starts = [0, *(SHEET.index(line) for line in ("| 一级", "| 二级", "注："))]
    places = tuple(replace(place, start=start) for place, start in zip(PLACES, starts, strict=True))
    one = replace(chunk("x", SHEET, locator="费用!17-19"), places=places)
    made = answer(*((sentence, (1,)) for sentence in said))
    after = await Cite(Pages())(turn(context=context(one), answer=made, question="上限按什么计算？"), quiet)
    assert after.sources[0].locator == locator


async def test_what_a_model_left_unmarked_gets_the_numbers_that_can_be_proven_behind_it():
    after = await cited("婚假为十三天。这一点我再说明一下。")
    assert after.answer.text == "婚假为十三天。这一点我再说明一下。\n\n出处（系统核对）：[2]"
    assert [one.cites for one in after.answer.statements] == [(2,), ()]
    assert [one.n for one in after.sources if one.cited] == [2]
    assert after.notes == {"attached": [2]}


async def test_an_unmarked_answer_that_rests_on_nothing_gets_no_numbers():
    after = await cited("今天天气很好。")
    assert after.answer.text == "今天天气很好。"
    assert not any(one.cited for one in after.sources)


async def test_an_answer_with_one_marker_gets_no_others():
    after = await cited("婚假为十三天。试用期最长六个月。[1]")
    assert after.answer.text == "婚假为十三天。试用期最长六个月。[1]"
    assert [one.cites for one in after.answer.statements] == [(), (1,)]


async def test_a_number_that_contradicts_the_material_is_not_attached():
    after = await cited("婚假为十五天。")
    assert after.answer.text == "婚假为十五天。"
