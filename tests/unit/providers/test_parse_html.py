"""Pages of many kinds, each with what must be found in it and what must not."""

from __future__ import annotations

import pytest

from pages import PAGES, WebPage
from youju.errors import DocumentError
from youju.providers.parse_html import HtmlParser
from youju.types import ParsedDocument


@pytest.fixture
def parsed(tmp_path):
    def parse(source: str | bytes) -> ParsedDocument:
        path = tmp_path / "page"
        path.write_bytes(source.encode() if isinstance(source, str) else source)
        return HtmlParser().parse(path)

    return parse


def solid(text: str) -> str:
    return "".join(text.split())


def said(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in document.blocks]


def cells(document: ParsedDocument) -> set[str]:
    rows = [row for block in document.blocks if block.kind == "table" for row in block.text.split("\n")]
    return {cell.strip() for row in rows for cell in row.strip("|").split("|")}


@pytest.fixture(params=sorted(PAGES))
def page(request) -> WebPage:
    return PAGES[request.param]()


@pytest.fixture
def document(page, parsed) -> ParsedDocument:
    return parsed(page.html.encode(page.encoding))


def test_the_whole_main_text_comes_out(page, document):
    text = solid(document.text)
    assert [one for one in page.main if solid(one) not in text] == []


def test_nothing_around_the_text_comes_out(page, document):
    text = solid(document.text)
    assert [one for one in page.around if solid(one) in text] == []


def test_headings_have_their_levels_and_nothing_else_is_one(page, document):
    assert tuple((block.level, block.text) for block in document.blocks if block.level) == page.headings


def test_every_cell_of_a_table_is_there(page, document):
    assert set(page.cells) <= cells(document)


def test_a_table_that_only_places_things_is_none(parsed):
    one = parsed(
        "<table><tr><td>菜单</td><td><h2>风</h2><p>风从山谷里吹来。</p></td></tr><tr><td>甲</td><td>乙</td></tr></table>"
    )
    assert "table" not in {block.kind for block in one.blocks}
    assert ("heading", "风") in said(one)


def test_merged_cells_are_said_once_and_two_heads_become_one(parsed):
    one = parsed(PAGES["manual"]().html)
    table = next(block.text for block in one.blocks if block.kind == "table")
    assert table.split("\n") == [
        "| 型号 | 流量 额定 | 流量 最大 |",
        "| --- | --- | --- |",
        "| QW-3 | 12 L/min | 18 L/min |",
        "| QW-5 | 按订单 |  |",
    ]


def test_lists_keep_their_numbers_and_depth(parsed):
    one = parsed(
        "<ol start=4><li>甲<ul><li>内</li></ul></li><li value=9>乙</li><li>丙</li></ol>"
        "<ol reversed start=2><li>二<li>一</ol>"
    )
    assert said(one) == [("list", "4. 甲\n   - 内\n9. 乙\n10. 丙"), ("list", "2. 二\n1. 一")]


def test_terms_stand_before_what_they_mean(parsed):
    assert said(parsed("<dl><dt>风<dd>流动的空气。<dd>风气。<dt>雨<dd>水滴。</dl>")) == [
        ("list", "风：流动的空气。\n  风气。\n雨：水滴。")
    ]


def test_code_keeps_every_space_and_no_mark(parsed):
    one = parsed("<p>如下：</p><pre><span>for</span> x in y:\n\n\tdo(x)  # &lt;b&gt;\n</pre>")
    assert said(one)[1] == ("code", "for x in y:\n\n    do(x)  # <b>")


@pytest.mark.parametrize(
    "source, text",
    [
        ("面积 10<sup>4</sup> m<sup>2</sup>", "面积 10⁴ m²"),
        ("百米<sup>2</sup>。", "百米²。"),
        ("所述。<sup>3</sup>", "所述。[^3]"),
        ('x<sup><a href="#fn3">3</a></sup>', "x[^3]"),
        ("所述<sup>[3]</sup>", "所述[^3]"),
        ("<ruby>漢<rt>hàn</rt></ruby>字", "漢字"),
        ("价<del>99</del>元", "价元"),
        ("一行\n接着<br>二行", "一行接着\n二行"),
        ("&#x4e2d;&nbsp;&lt;&amp;&hellip;", "中 <&…"),
    ],
)
def test_what_a_paragraph_says(source, text, parsed):
    assert said(parsed(f"<p>{source}</p>")) == [("text", text)]


@pytest.mark.parametrize(
    "formula, text",
    [
        ("<msup><mi>x</mi><mn>2</mn></msup><mo>-</mo><mn>1</mn>", "x²-1"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x+1)"),
        ("<semantics><msub><mi>a</mi><mn>1</mn></msub><annotation>a_1</annotation></semantics>", "a₁"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi>", "∑ᵢⁿi"),
    ],
)
def test_a_formula_stands_on_its_line(formula, text, parsed):
    assert said(parsed(f"<p>设 <math>{formula}</math>。</p>")) == [("text", f"设 {text}。")]


def test_a_formula_of_nothing_is_none(parsed):
    assert said(parsed('<p>风。</p><math display="block"><mrow></mrow></math>')) == [("text", "风。")]


def test_a_note_stands_apart_with_its_number(parsed):
    one = parsed('<p>风。</p><section role="doc-endnotes"><ol><li>见书。<a href="#r">↩</a></li></ol></section>')
    assert said(one) == [("text", "风。"), ("footnote", "[^1]: 见书。")]


@pytest.mark.parametrize(
    "data",
    [
        '<meta charset="big5"><p>風從山谷裡吹過來。</p>'.encode("big5"),
        "<p>風從山谷裡吹過來。</p>".encode("utf-16"),
        '<meta charset="gb2312"><p>風從山谷裡吹過來。</p>'.encode("gb18030"),
        '<meta charset="gb2312"><p>風從山谷裡吹過來。</p>'.encode(),
        b'<?xml version="1.0" encoding="gbk"?><html><p>' + "風從山谷裡吹過來。".encode("gbk") + b"</p></html>",
    ],
    ids=["big5", "utf-16 with a mark", "more than gb2312", "a lie", "xml"],
)
def test_the_encoding_is_the_declared_one_unless_that_is_a_lie(data, parsed):
    assert said(parsed(data)) == [("text", "風從山谷裡吹過來。")]


def test_a_page_made_of_widgets_keeps_its_text(parsed):
    one = parsed("".join(f'<div class="layout-widget"><p>第{n}段说的是风。</p></div>' for n in range(5)))
    assert len(one.blocks) == 5


def test_a_section_on_navigation_is_no_navigation(parsed):
    one = parsed(
        '<p>甲。</p><section id="editing-and-navigation"><h2>移动<a href="#x">¶</a></h2>'
        "<p>用方向键。</p></section><p>乙。</p>"
    )
    assert said(one) == [("text", "甲。"), ("heading", "移动"), ("text", "用方向键。"), ("text", "乙。")]


def test_comments_in_code_are_no_comments_of_readers(parsed):
    one = parsed('<p>代码如下，请照抄一遍。</p><pre>a <span class="comment"># 风</span></pre>')
    assert said(one)[1] == ("code", "a # 风")


def test_the_title_is_the_name_of_the_page_not_of_the_site(parsed):
    assert parsed("<title>风 - 山谷手册</title><h1>山谷手册</h1><h1>风</h1><p>空气流动。</p>").title == "风"


def test_a_web_archive_gives_its_page(parsed):
    head = "From: <Saved>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=xx\r\n\r\n--xx\r\n"
    part = "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    part += "PHA+6aOO44CCPC9wPg==\r\n--xx--\r\n"
    assert said(parsed(head + part)) == [("text", "风。")]


@pytest.mark.parametrize(
    "source, code",
    [
        ("<div id=root></div><script>render()</script>", "no_text"),
        (b"%PDF-1.4 x", "not_text"),
        (" \n", "empty"),
        ("<p>" + "\ue000\ue001" * 50 + "</p>", "garbled"),
    ],
)
def test_a_page_without_text_is_refused_and_says_why(source, code, parsed):
    with pytest.raises(DocumentError) as caught:
        parsed(source)
    assert caught.value.code == code
    assert caught.value.remedy


@pytest.mark.parametrize(
    "source",
    [
        "<div><p>风。<blockquote>" * 500,
        "<div>" * 50_000 + "风。",
        "<table><tr><td>风。" * 1000,
        "<p " + " ".join(f"a{n}=1" for n in range(50_000)) + ">风。",
        "<p>风。</p><img src='data:image/png;base64," + "A" * 3_000_000 + "'>",
        "<p>风。</p>" + "<![CDATA[" * 100_000,
        "<p>风。</p>" + " " * 1_000_000 + "x",
        "<table><tr><td rowspan=99999 colspan=99999>风。<td colspan=999>b</tr></table>",
        "<p>风。</p><math>" + "<msup><mi>x</mi><mrow>" * 1000,
    ],
    ids=["unclosed", "deep", "tables in tables", "attributes", "picture", "cdata", "spaces", "spans", "formula"],
)
@pytest.mark.timeout(20)
def test_a_hostile_page_gives_its_text_in_time(source, parsed):
    assert "风。" in parsed(source).text


DECLARING = '<!DOCTYPE x [<!-- ]> it\'s --><!ENTITY a "]>"><!ENTITY c "&a;&a;"> ]>'


@pytest.mark.parametrize(
    "source, text",
    [
        (f"{DECLARING}<p>&c;仓库的门二十二点锁上。", "仓库的门二十二点锁上。"),
        ('<!doctype html [<!ENTITY a "没有关上> ]><p>仓库的门二十二点锁上。', "仓库的门二十二点锁上。"),
        ("<!DOCTYPE html><p>参数写作 ?a=1&bb;c，即 &lt;a&gt;。", "参数写作 ?a=1&bb;c，即 <a>。"),
        (f'<?xml version="1.0"?>{DECLARING}<html><body><p>&x.y;门&#38;锁&amp;钥匙都在。</p></body></html>',
         "门&锁&钥匙都在。"),
        ("<?xml version='1.0'?><html><body><p><![CDATA[写作 &k; 的样子]]></p></body></html>", "写作 &k; 的样子"),
    ],
)  # fmt: skip
def test_a_document_type_and_its_entities_are_no_text(source, text, parsed):
    assert said(parsed(source)) == [("text", text)]
