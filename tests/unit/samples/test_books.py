"""The sample books: built from their sources, and read back whole."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

import pypdfium2
import pytest

from youju.ingest.chunkers import Identity, chunk, coverage, strategy
from youju.providers.parse_markdown import MarkdownParser
from youju.providers.parse_pdf import PdfParser
from youju.types import Chunk, ParsedDocument

ROOT = Path(__file__).parents[3]
SOURCE, BOOKS = ROOT / "samples" / "source", ROOT / "src" / "youju" / "samples" / "books"
PAGES = {"函数入门": 36, "青梧网关技术手册": 26, "云麓仪器员工管理规定": 18, "慢行集": 22}
STRATEGIES = {
    "函数入门": "textbook", "青梧网关技术手册": "manual", "云麓仪器员工管理规定": "law", "慢行集": "plain",
    "小满门锁客服问答": "qa",
}  # fmt: skip
NAMES = sorted(STRATEGIES)


@cache
def book(name: str) -> tuple[ParsedDocument, tuple[Chunk, ...]]:
    path = BOOKS / f"{name}.pdf"
    document = PdfParser().parse(path) if path.exists() else MarkdownParser().parse(BOOKS / f"{name}.md")
    return document, tuple(chunk(document, Identity("d1", 1, "c1", document.title)))


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_that_of_its_source(name):
    data = (SOURCE / f"{name}.md").read_bytes()
    if name not in PAGES:
        assert (BOOKS / f"{name}.md").read_bytes() == data
        return
    document = pypdfium2.PdfDocument(BOOKS / f"{name}.pdf")
    keywords = document.get_metadata_value("Keywords")
    document.close()
    assert keywords == f"source-sha256:{hashlib.sha256(data).hexdigest()}", "run samples/build.py"


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_read_whole_without_a_warning(name):
    document, chunks = book(name)
    assert document.title == name
    assert document.warnings == ()
    assert document.quality["garbage_ratio"] == 0
    assert coverage(document, chunks) >= 0.98
    assert strategy(document).name == STRATEGIES[name]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_printed_page_numbers_start_again_after_the_front_matter(name):
    document, _ = book(name)
    labels = [page.label for page in document.pages]
    assert len(labels) >= PAGES[name]
    front = labels.index("1")
    assert front >= 2
    assert labels[0] == ""
    assert labels[1:front] == ["i", "ii", "iii", "iv"][: front - 1]
    assert labels[front:] == [str(n) for n in range(1, len(labels) - front + 1)]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_headings_of_the_source_are_those_of_the_book_in_order(name):
    source = MarkdownParser().parse(SOURCE / f"{name}.md")
    wanted = [(squeezed(one.text), one.level) for one in source.blocks if one.level]
    document, _ = book(name)
    found = [(squeezed(one.text), one.level) for one in document.blocks if one.level]
    # A textbook's 练习 1.1 is a bold line in the source and a heading to the reader.
    assert [one for one in found if not one[0].startswith("练习")] == wanted


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_tables_of_the_source_come_back_cell_by_cell(name):
    source = MarkdownParser().parse(SOURCE / f"{name}.md")
    wanted = [squeezed(one.text) for one in source.blocks if one.kind == "table"]
    assert [squeezed(one.text) for one in book(name)[0].blocks if one.kind == "table"] == wanted


@pytest.mark.parametrize("name", sorted(PAGES))
def test_what_a_chunk_says_stands_on_its_pages(name):
    document, chunks = book(name)
    pages = {page.n: squeezed(page.text) for page in document.pages}
    for one in chunks:
        if one.role == "child" and one.kind == "text":
            there = "".join(pages[n] for n in range(one.page_start, one.page_end + 1))
            first = squeezed(one.text.split("\n")[0])[:20]
            assert first in there, one.id
            assert (one.label_start, one.label_end) == (
                document.pages[one.page_start - 1].label,
                document.pages[one.page_end - 1].label,
            )


@pytest.mark.parametrize("name", NAMES)
def test_chunks_are_neither_crumbs_nor_giants(name):
    _, chunks = book(name)
    sizes = sorted(len(one.text) for one in chunks if one.role == "child")
    assert sizes[-1] <= 450
    if name in {"函数入门", "慢行集", "青梧网关技术手册"}:
        assert sizes[len(sizes) // 2] >= 200


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)
