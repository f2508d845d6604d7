"""Electronic books: order, titles, pages; what is locked, broken or no book."""

from __future__ import annotations

import io
import zipfile

import pytest

import ebooks
from damage import damaged
from ebooks import page
from youju.errors import DocumentError
from youju.providers.parse_epub import EpubParser
from youju.types import ParsedDocument

DAWN = "<p>天亮时才停。</p>"
WIND, RAIN, SNOW = "<p>风从山谷里吹来。</p>", "<p>雨下了一夜。</p>", "<p>雪盖住了路。</p>"


@pytest.fixture
def parsed(tmp_path):
    def parse(data: bytes) -> ParsedDocument:
        path = tmp_path / "blob"
        path.write_bytes(data)
        return EpubParser().parse(path)

    return parse


def said(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in document.blocks]


def test_chapters_come_in_the_order_of_the_spine_not_of_their_names(parsed):
    one = parsed(ebooks.book({"9.xhtml": page(WIND), "10.xhtml": page(RAIN), "1.xhtml": page(SNOW)}))
    assert [text for _, text in said(one)] == ["风从山谷里吹来。", "雨下了一夜。", "雪盖住了路。"]
    assert one.title == "山谷的风"


def test_a_file_without_a_title_takes_it_from_the_contents_and_others_keep_theirs(parsed):
    files = {
        "1.xhtml": page(f"<h2>第一章 风</h2>{WIND}"),
        "2.xhtml": page(RAIN),
        "3.xhtml": page(f"<p>第三章　雪</p>{SNOW}"),
    }
    one = parsed(ebooks.book(files, [("第一章 风", "1.xhtml"), ("第二章 雨", "2.xhtml"), ("第三章 雪", "3.xhtml")]))
    assert [(block.level, block.text) for block in one.blocks if block.level] == [
        (2, "第一章 风"), (2, "第二章 雨"), (2, "第三章　雪")
    ]  # fmt: skip
    assert [block.locator for block in one.blocks if not block.level] == ["第一章 风", "第二章 雨", "第三章 雪"]


def test_a_title_that_leads_into_the_middle_of_a_file_stands_there(parsed):
    files = {"1.xhtml": page(f'{WIND}<div id="b">{RAIN}</div>')}
    one = parsed(ebooks.book(files, [("风", "1.xhtml"), ("雨", "1.xhtml#b")]))
    assert [text for _, text in said(one)] == ["风", "风从山谷里吹来。", "雨", "雨下了一夜。"]


def test_a_chapter_in_several_files_keeps_its_name(parsed):
    one = parsed(ebooks.book({"1.xhtml": page(WIND), "1b.xhtml": page(RAIN)}, [("风", "1.xhtml")]))
    assert {block.locator for block in one.blocks} == {"风"}


def test_an_older_book_has_its_titles_in_the_ncx(parsed):
    package = ebooks.opf(["1.xhtml"]).replace(
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
    )
    ncx = (
        '<?xml version="1.0"?><ncx><navMap><navPoint><navLabel><text>第一章 风</text></navLabel>'
        '<content src="1.xhtml"/></navPoint></navMap></ncx>'
    )
    one = parsed(ebooks.book({"1.xhtml": page(WIND)}, extra={"OEBPS/book.opf": package, "OEBPS/toc.ncx": ncx}))
    assert said(one)[0] == ("heading", "第一章 风")


def test_cover_contents_and_repeated_titles_are_left_out(parsed):
    links = "".join(f'<p><a href="{n}.xhtml">第{n}章</a></p>' for n in range(1, 8))
    files = {
        "cover.xhtml": page("<p>封面</p>", "cover"),
        "list.xhtml": page(f"<h1>目录</h1>{links}"),
        "1.xhtml": page(f"<h1>山谷的风</h1><h2>风</h2><h2>风</h2>{WIND}"),
        "2.xhtml": page(f"<h1>山谷的风</h1><h2>雨</h2>{RAIN}"),
    }
    assert [text for _, text in said(parsed(ebooks.book(files)))] == ["风", "风从山谷里吹来。", "雨", "雨下了一夜。"]


def test_notes_stand_apart_and_their_marks_are_no_exponents(parsed):
    body = (
        '<p>风<sup><a epub:type="noteref" href="#n">1</a></sup>来了，10<sup>2</sup> 米。</p>'
        '<aside epub:type="footnote" id="n"><p>空气的流动。</p></aside>'
    )
    assert said(parsed(ebooks.book({"1.xhtml": page(body)}))) == [
        ("text", "风[^1]来了，10² 米。"), ("footnote", "空气的流动。")
    ]  # fmt: skip


def test_what_is_out_of_line_comes_last_under_its_own_name(parsed):
    files = {"answers.xhtml": page("<h2>答案</h2><p>略去。</p>"), "1.xhtml": page(f"<h2>风</h2>{WIND}")}
    one = parsed(ebooks.book(files, [("风", "1.xhtml")], apart=["answers.xhtml"]))
    assert [(block.text, block.locator) for block in one.blocks][-1] == ("略去。", "答案")


def test_marked_pages_of_the_printed_book_are_its_pages(parsed):
    body = (
        '<p>序。</p><span epub:type="pagebreak" title="xii"/><p>风从山<span role="doc-pagebreak" aria-label="1"/>'
        "谷里来。</p><p>雨。</p>"
    )
    one = parsed(ebooks.book({"1.xhtml": page(body)}))
    assert [(one.n, one.label, one.text) for one in one.pages] == [
        (1, "", "序。"), (2, "xii", "风从山"), (3, "1", "谷里来。\n雨。")
    ]  # fmt: skip
    assert [(block.text, block.page, block.page_end) for block in one.blocks] == [
        ("序。", 1, 1), ("风从山谷里来。", 2, 3), ("雨。", 3, 3)
    ]  # fmt: skip


def test_a_page_that_begins_inside_code_or_a_table_leaves_no_mark(parsed):
    turn = '<span epub:type="pagebreak" title="7"/>'
    table = f"<table><tr><th>甲</th><th>乙</th></tr><tr><td>1{turn}</td><td>2</td></tr></table>"
    body = f"<pre>a = 1{turn}\nb = 2</pre>{table}"
    one = parsed(ebooks.book({"1.xhtml": page(body)}))
    assert said(one) == [("code", "a = 1\nb = 2"), ("table", "| 甲 | 乙 |\n| --- | --- |\n| 1 | 2 |")]
    assert [(block.page, block.page_end) for block in one.blocks] == [(1, 2), (2, 3)]


def test_a_book_without_a_package_is_read_by_name_and_says_so(parsed):
    files = {"ch10.xhtml": page(RAIN), "ch2.xhtml": page(WIND)}
    one = parsed(ebooks.zipped(files))
    assert [text for _, text in said(one)] == ["风从山谷里吹来。", "雨下了一夜。"]
    assert "OPF" in one.warnings[0]


def test_a_missing_chapter_is_told(parsed):
    one = parsed(ebooks.book({"1.xhtml": page(WIND), "2.xhtml": ""}))
    assert "1 个文件找不到" in one.warnings[0]


def lock(algorithm: str, file: str) -> dict[str, str]:
    text = (
        f'<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData>'
        f'<enc:CipherReference URI="{file}"/></enc:CipherData></enc:EncryptedData></encryption>'
    )
    return {"META-INF/encryption.xml": text}


AES = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
CHAPTER = {"1.xhtml": page(WIND)}


def test_disturbed_fonts_lock_nothing(parsed):
    extra = lock("http://www.idpf.org/2008/embedding", "OEBPS/font.otf")
    assert said(parsed(ebooks.book(CHAPTER, extra=extra))) == [("text", "风从山谷里吹来。")]


def ciphered() -> bytes:
    data = bytearray(ebooks.book(CHAPTER))
    at = 0
    while (at := data.find(b"PK\x01\x02", at)) >= 0:
        data[at + 8] |= 1
        at += 4
    return bytes(data)


def lying(size: int) -> bytes:
    """A book whose chapter says it is `size` bytes and is far more."""
    data = bytearray(ebooks.book({"1.xhtml": page("<p>" + "风" * 3_000_000 + "</p>")}))
    at = data.rfind(b"OEBPS/1.xhtml") - 46
    data[at + 24 : at + 28] = size.to_bytes(4, "little")
    return bytes(data)


GOOD = ebooks.book(CHAPTER)


@pytest.mark.parametrize(
    "data, codes",
    [
        (b"", {"empty"}),
        (b"plain text, no book", {"wrong_format"}),
        (GOOD[: len(GOOD) // 2], {"broken"}),
        (GOOD[:60] + b"\xff" * (len(GOOD) - 460) + GOOD[-400:], {"broken"}),
        (ebooks.zipped({"word/document.xml": "<w/>"}), {"wrong_format"}),
        (ebooks.book(CHAPTER, extra=lock(AES, "OEBPS/1.xhtml")), {"encrypted"}),
        (ebooks.book(CHAPTER, extra={"META-INF/rights.xml": "<rights/>"}), {"encrypted"}),
        (ciphered(), {"encrypted", "broken"}),
        (ebooks.book({"1.xhtml": page('<img src="1.jpg"/>')}), {"no_text"}),
        (ebooks.book({"1.xhtml": " " * 30_000_000}), {"too_large"}),
        (lying(900), {"broken", "too_large"}),
        (ebooks.book({"1.xhtml": page("<p>" + "\ue000\ue001" * 50 + "</p>")}), {"garbled"}),
    ],
    ids=["empty", "text", "cut", "damaged", "docx", "drm", "rights", "password", "pictures", "bomb", "lie", "garbage"],
)
def test_what_cannot_be_read_is_refused_and_says_why(data, codes, parsed):
    with pytest.raises(DocumentError) as caught:
        parsed(data)
    assert caught.value.code in codes
    assert caught.value.remedy


@pytest.mark.parametrize(
    "href", ["../../../etc/passwd", "/etc/passwd", "..\\..\\x", "file:///etc/passwd", "%2e%2e/%2e%2e/a"]
)
def test_a_path_that_climbs_out_leads_nowhere(href, parsed):
    package = ebooks.opf(["1.xhtml", href])
    one = parsed(ebooks.book(CHAPTER, extra={"OEBPS/book.opf": package}))
    assert said(one) == [("text", "风从山谷里吹来。")]


def test_entities_are_not_expanded(parsed):
    bomb = '<!DOCTYPE html [<!ENTITY a "风风风风"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>'
    text = page("<p>风。&b;&f;</p>").replace("?>", f"?>{bomb}", 1)
    assert len(parsed(ebooks.book({"1.xhtml": text})).text) < 120


def test_two_files_of_one_name_are_one(parsed):
    out = io.BytesIO(GOOD)
    with zipfile.ZipFile(out, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("OEBPS/1.xhtml", page(RAIN))
    assert len(parsed(out.getvalue()).blocks) == 1


@pytest.mark.parametrize("declared", ["", '<!DOCTYPE html [<!ENTITY k "x">]>'])
def test_a_book_of_entities_alone_has_no_text(declared, parsed):
    chapter = page("<h1>一</h1><p>&k;</p>").replace("<html", f"{declared}<html")
    with pytest.raises(DocumentError) as caught:
        parsed(ebooks.book({"1.xhtml": chapter}))
    assert caught.value.code == "no_text"


def three_chapters() -> bytes:
    files = {
        "1.xhtml": page(WIND),
        "2.xhtml": page(RAIN),
        "2b.xhtml": page(DAWN),
        "3.xhtml": page(SNOW),
    }
    return ebooks.book(files, [("第一章 风", "1.xhtml"), ("第二章 雨", "2.xhtml"), ("第三章 雪", "3.xhtml")])


def test_a_damaged_chapter_is_named_and_the_others_are_read(parsed):
    one = parsed(damaged(three_chapters(), "OEBPS/2.xhtml"))
    assert [(block.locator, block.text) for block in one.blocks if not block.level] == [
        ("第一章 风", "风从山谷里吹来。"), ("第二章 雨", "天亮时才停。"), ("第三章 雪", "雪盖住了路。")
    ]  # fmt: skip
    assert one.warnings == ("电子书里有 1 个文件已损坏，未收录：第二章 雨",)


def test_a_book_whose_contents_are_damaged_is_read_without_them(parsed):
    one = parsed(damaged(three_chapters(), "OEBPS/nav.xhtml"))
    assert [text for _, text in said(one)] == ["风从山谷里吹来。", "雨下了一夜。", "天亮时才停。", "雪盖住了路。"]
    assert one.warnings == ("电子书里有 1 个文件已损坏，未收录：nav.xhtml",)


def test_a_book_without_a_sound_chapter_is_broken(parsed):
    with pytest.raises(DocumentError) as caught:
        parsed(damaged(ebooks.book({"1.xhtml": page(WIND)}), "OEBPS/1.xhtml"))
    assert caught.value.code == "broken"


def test_a_book_that_hides_what_is_locked_behind_damage_is_broken(parsed):
    book = ebooks.book({"1.xhtml": page(WIND)}, extra={"META-INF/encryption.xml": "<encryption/>"})
    assert parsed(book).warnings == ()
    with pytest.raises(DocumentError) as caught:
        parsed(damaged(book, "META-INF/encryption.xml"))
    assert caught.value.code == "broken"
