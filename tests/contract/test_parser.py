"""What every parser owes its callers, and what a hostile file may do to the PDF one: be refused, in time."""

from __future__ import annotations

import importlib
import zlib
from importlib.util import find_spec
from pathlib import Path

import pytest

import ebooks
import office
import pictures
from pdfs import Text, assembled, lines, pdf, stream
from youju.errors import DocumentError
from youju.ingest.sandbox import parse_in_child
from youju.ports import Parser
from youju.types import ParsedDocument

PROSE = "春天的风从山谷里吹过来，带着青草和泥土的气味。"
BODY = [Text(45, 60, "第一章 风", 16, "bold"), *lines(45, 90, [PROSE, PROSE])]
GOOD = {
    "parse_markdown:MarkdownParser": f"# 第一章 风\n\n{PROSE}\n\n{PROSE}\n".encode(),
    "parse_text:TextParser": f"第一章 风\n\n{PROSE}\n\n{PROSE}\n".encode(),
    "parse_epub:EpubParser": ebooks.book({"1.xhtml": ebooks.page(f"<h1>第一章 风</h1><p>{PROSE}</p><p>{PROSE}</p>")}),
    "parse_html:HtmlParser": f"<title>风</title><h1>第一章 风</h1><p>{PROSE}</p><p>{PROSE}</p>".encode(),
    "parse_pdf:PdfParser": pdf([BODY, BODY]),
    "parse_docx:DocxParser": office.docx(office.p("第一章 风", "H1") + office.p(PROSE) + office.p(PROSE)),
    "parse_xlsx:XlsxParser": office.xlsx(
        {"风": office.cells(office.row(1, "章", "文"), office.row(2, "一", PROSE * 2))}
    ),
    "parse_csv:CsvParser": f"第一章 风\n章,文\n一,{PROSE}\n二,{PROSE}\n".encode(),
    "parse_pptx:PptxParser": office.pptx(office.sp("第一章 风", role="title") + office.sp(PROSE, PROSE)),
}
if find_spec("rapidocr"):
    GOOD["parse_image:ImageParser"] = pictures.heading_and_prose()
CATALOG, TREE = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
PAGE = (
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1"
    b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
)
HELLO = stream(zlib.compress(b"BT /F1 12 Tf 50 700 Td (Plain words stand here.) Tj ET"))


def parser(spec: str, **options: float) -> Parser:
    module, name = spec.split(":")
    made: Parser = getattr(importlib.import_module(f"youju.providers.{module}"), name)(**options)
    return made


@pytest.fixture(params=sorted(GOOD), scope="module")
def spec(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def good(spec, tmp_path_factory) -> ParsedDocument:
    path = tmp_path_factory.mktemp("good") / "blob-without-suffix"
    path.write_bytes(GOOD[spec])
    return parser(spec).parse(path)


def test_it_is_a_parser_with_suffixes_in_lower_case(spec):
    one = parser(spec)
    assert isinstance(one, Parser)
    assert one.suffixes
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in one.suffixes)


def test_blocks_come_in_reading_order_with_levels_on_headings_only(good):
    assert good.blocks[0].kind == "heading"
    assert all((block.level > 0) == (block.kind == "heading") for block in good.blocks)
    assert all(block.text.strip() for block in good.blocks)


def test_pages_are_physical_and_whole_or_there_are_none(good):
    assert [page.n for page in good.pages] == list(range(1, len(good.pages) + 1))
    for block in good.blocks:
        if good.pages:
            assert block.page is not None
            assert 1 <= block.page <= block.page_end <= len(good.pages)
            assert {box.page for box in block.boxes} >= {block.page, block.page_end}
        else:
            assert block.page is None
            assert good.text


def test_what_a_block_says_stands_in_the_raw_text(good):
    raw = "".join((good.text + "".join(page.text for page in good.pages)).split())
    assert all("".join(block.text.split()) in raw for block in good.blocks if block.kind == "text")


def test_quality_says_how_much_was_read_and_how_well(good):
    assert good.quality["characters"] >= 2 * len(PROSE)
    assert good.quality["garbage_ratio"] == 0


async def test_the_same_document_comes_out_of_the_child(spec, good, tmp_path):
    there = await child(spec, GOOD[spec], tmp_path, memory_mib=2048)
    assert there == good


def test_an_empty_file_is_refused_by_all(spec, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"")
    with pytest.raises(DocumentError) as caught:
        parser(spec).parse(path)
    assert caught.value.code == "empty"
    assert caught.value.remedy


async def child(
    spec: str, data: bytes, folder: Path, *, timeout_s: float = 60.0, memory_mib: int = 700
) -> ParsedDocument:
    path = folder / "file"
    path.write_bytes(data)
    return await parse_in_child(
        f"youju.providers.{spec}", path, timeout_s=timeout_s, memory_mib=memory_mib, kwargs={"max_garbage_ratio": 0.05}
    )


async def refused(data: bytes, folder: Path, **limits: float) -> str:
    with pytest.raises(DocumentError) as caught:
        await child("parse_pdf:PdfParser", data, folder, **limits)
    assert caught.value.remedy
    return caught.value.code


def encrypted() -> bytes:
    entry = b"<" + b"5a" * 32 + b">"
    lock = b"<</Filter/Standard/V 1/R 2/O %s/U %s/P -4>>" % (entry, entry)
    ids = b"[<%s><%s>]" % (b"00" * 16, b"00" * 16)
    return assembled([CATALOG, TREE, PAGE, HELLO, lock], b"/Encrypt 5 0 R/ID" + ids)


@pytest.mark.parametrize(
    "data, code",
    [
        (b"\x00\x81\xfe\x07" * 5000, "broken"),
        ("这不是 PDF，只是改了名字的文字。".encode() * 20, "broken"),
        (GOOD["parse_pdf:PdfParser"][: len(GOOD["parse_pdf:PdfParser"]) // 2], "broken"),
        (encrypted(), "encrypted"),
        (assembled([CATALOG, b"<</Type/Pages/Kids[2 0 R]/Count 1>>"]), "broken"),
    ],
    ids=["garbage", "renamed text", "cut in half", "password", "tree that is its own child"],
)
async def test_a_broken_pdf_is_refused_and_says_why(data, code, tmp_path):
    assert await refused(data, tmp_path) == code


async def outcome(data: bytes, folder: Path) -> str:
    """What a reader may make of a file that lies about its pages: the true ones, or a refusal."""
    try:
        document = await child("parse_pdf:PdfParser", data, folder, timeout_s=20.0)
    except DocumentError as error:
        return error.code
    return document.blocks[0].text


@pytest.mark.parametrize(
    "tree",
    [b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>", b"<</Type/Pages/Kids[3 0 R]/Count 1000000>>"],
    ids=["loop", "a million promised pages"],
)
async def test_a_lying_page_tree_gives_its_page_or_is_refused_in_time(tree, tmp_path):
    data = assembled([CATALOG, tree, PAGE, HELLO])
    assert await outcome(data, tmp_path) in {"broken", "Plain words stand here."}


@pytest.mark.slow
async def test_a_deflate_bomb_costs_the_child_its_life_and_nobody_else(tmp_path):
    spaces = zlib.compressobj(9)
    once = b"".join(spaces.compress(b" " * (1 << 20)) for _ in range(1200)) + spaces.flush()
    data = assembled([CATALOG, TREE, PAGE, stream(zlib.compress(once, 9), b"/FlateDecode/FlateDecode")])
    assert len(data) < 100_000
    assert await refused(data, tmp_path) in {"parse_memory", "parser_crashed", "broken", "no_text_layer"}


async def test_forms_that_draw_each_other_a_billion_times_end_at_the_time_limit(tmp_path):
    forms = [
        stream(zlib.compress(b"/X Do " * 10), b"/FlateDecode").replace(
            b"<<", b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>" % (6 + at), 1
        )
        for at in range(9)
    ]
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>"
    data = assembled([CATALOG, TREE, page, stream(zlib.compress(b"/X Do " * 10)), *forms, HELLO])
    code = await refused(data, tmp_path, timeout_s=2.0)
    assert code in {"parse_timeout", "parse_memory", "parser_crashed", "no_text_layer"}
