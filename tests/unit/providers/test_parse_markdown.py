"""Structure from Markdown, marks gone, characters kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from youju.providers.parse_markdown import MarkdownParser
from youju.types import ParsedDocument


@pytest.fixture
def parse(tmp_path: Path):
    def parsed(text: str) -> ParsedDocument:
        path = tmp_path / "file.md"
        path.write_text(text, encoding="utf-8")
        return MarkdownParser().parse(path)

    return parsed


def shown(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in document.blocks]


def test_front_matter_gives_the_title_and_is_no_text(parse):
    document = parse('---\ntitle: "函数入门"\nkind: textbook\n---\n\n# 第一章\n\n正文。\n')
    assert document.title == "函数入门"
    assert shown(document) == [("heading", "第一章"), ("text", "正文。")]
    assert document.text == "第一章\n\n正文。"


def test_without_it_the_first_heading_of_the_first_level_is_the_title(parse):
    assert parse("## 小节\n\n# 书名\n\n话。\n").title == "书名"
    assert parse("只有话。\n").title == ""


def test_marks_go_and_characters_stay(parse):
    source = "**定义 1.1** 记作 `f(x)`，见[第三章](#c3)、~~删去~~ 与 ![图像](a.png)。<b>粗</b> a < b。\n"
    assert shown(parse(source)) == [("text", "定义 1.1 记作 f(x)，见第三章、 与 图像。粗 a < b。")]


def test_formulas_keep_their_stars_and_backslashes(parse):
    assert shown(parse("由 $a*b*c_1\\{x\\}_2$ 得\n\n$$\ny=x^2\\\\*2*\n$$\n")) == [
        ("text", "由 $a*b*c_1\\{x\\}_2$ 得"),
        ("formula", "$$\ny=x^2\\\\*2*\n$$"),
    ]


def test_wrapped_lines_join_as_their_language_wants_and_hard_breaks_stay(parse):
    assert shown(parse("一行\n两行  \n三行\n\none\ntwo\n")) == [("text", "一行两行\n三行"), ("text", "one two")]


def test_a_list_is_one_block_with_its_numbers_and_its_inner_lists(parse):
    source = "3. 甲\n\n   又甲\n4. 乙\n   - 子一\n   - 子二\n"
    assert shown(parse(source)) == [("list", "3. 甲\n   又甲\n4. 乙\n   - 子一\n   - 子二")]


def test_a_table_is_markdown_again_with_bars_in_cells_made_harmless(parse):
    source = "| 名称 | 值 |\n|:--|--:|\n| **甲** | `a\\|b` |\n| 乙 |  |\n"
    assert shown(parse(source)) == [("table", "| 名称 | 值 |\n| --- | --- |\n| 甲 | a\\|b |\n| 乙 |  |")]


def test_code_is_verbatim(parse):
    assert shown(parse("```yaml\nserver:\n  port: 80  # **不是粗体**\n```\n")) == [
        ("code", "server:\n  port: 80  # **不是粗体**")
    ]


def test_quotes_and_their_paragraphs(parse):
    assert shown(parse("> 注意：先备份。\n>\n> 再升级。\n")) == [("quote", "注意：先备份。\n再升级。")]


def test_footnotes_are_kept_even_where_they_look_like_link_targets(parse):
    source = "相交[^1]，停住[^b]。\n\n[^1]: 一般场合不然。\n[^b]: 见附录\n"
    assert shown(parse(source)) == [
        ("text", "相交[^1]，停住[^b]。"),
        ("footnote", "[^1]: 一般场合不然。"),
        ("footnote", "[^b]: 见附录"),
    ]


def test_html_shows_its_words_only(parse):
    assert shown(parse("<div>看得见<!-- 看不见 --></div>\n\n一<br>二\n")) == [("text", "看得见"), ("text", "一\n二")]


def test_a_caption_is_known_by_its_number(parse):
    assert shown(parse("表 2-1 端口\n\n表 2-1 列出了全部端口。\n")) == [
        ("caption", "表 2-1 端口"),
        ("text", "表 2-1 列出了全部端口。"),
    ]


def test_markdown_has_no_pages(parse):
    document = parse("# 一\n\n二\n")
    assert document.pages == ()
    assert {block.page for block in document.blocks} == {None}


@pytest.mark.parametrize(
    "source, text",
    [
        ("面积为 10<sup>4</sup> 平方米，租金 3<sub>1</sub> 元", "面积为 10⁴ 平方米，租金 3₁ 元"),
        ("约 **3×10<sup>-5</sup>** 与 2<sup>x+1</sup>", "约 3×10⁻⁵ 与 2^(x+1)"),
        ("H<sub>2</sub>O，5<sup>th</sup>，见<sup>[1]</sup>", "H₂O，5th，见[1]"),
        ("~~500~~ 300 元，<del>500</del> 300 元", "300 元， 300 元"),
        ("售价<s>**500** 元</s><STRIKE>400</STRIKE> 300 元", "售价 300 元"),
        ("<b>500</b><b>300</b> 与 <b>b</b>old", "500 300 与 bold"),
        ("D 套餐<!-- 不 -->包含<script>alert(1)</script>安装", "D 套餐包含安装"),
        ("没有关上的 <del>标记与 <sup>4 都留着", "没有关上的 标记与 4 都留着"),
        ("甲<p>乙</p>丙<br>丁", "甲\n乙\n丙\n丁"),
    ],
)
def test_inline_html_says_what_a_reader_sees(parse, source, text):
    (block,) = parse(source + "\n").blocks
    assert block.text.replace("\n\n", "\n") == text


@pytest.mark.parametrize(
    "source, text",
    [
        ("<div><p>内网 &lt;地址&gt;</p></div>", "内网 <地址>"),
        ("<table><tr><td>甲</td><td>5</td></tr><tr><td>乙</td><td>6<sup>2</sup></td></tr></table>", "甲 5\n乙 6²"),
        ("<div>旧价 <del>500</del> 300 元<!-- 密码\n还有 --></div>", "旧价 300 元"),
    ],
)
def test_a_block_of_html_is_its_text(parse, source, text):
    assert shown(parse(source + "\n")) == [("text", text)]


@pytest.mark.parametrize(
    "source",
    [
        '<script>var a = "<b>x</b>";\n\nalert(1)</script>',
        "<style>\np { color: red }\n</style>",
        "<!-- 密码是 hunter2\n\n还有 -->",
        "<script>没有关上",
        "![图](a.png)\n\n![](b.png) ![又一张](c.png)",
        "# 相册\n\n![图](a.png)",
        "~~全都删去~~",
    ],
)
def test_scripts_comments_pictures_and_what_is_struck_out_are_no_text(parse, source):
    assert [block for block in parse(source + "\n").blocks if block.kind != "heading"] == []


def test_a_picture_among_text_keeps_its_name(parse):
    assert shown(parse("![图 1 总图](a.png)\n\n正文。\n"))[0][1] == "图 1 总图"


@pytest.mark.parametrize("mark", ["> ", "- ", "* ", "1. ", "> - "])
def test_what_lies_deeper_than_anyone_writes_keeps_its_text(parse, mark):
    (block,) = parse(f"{mark * 8000}钥匙由值班的人保管。\n").blocks
    assert block.text.endswith("钥匙由值班的人保管。")
    assert len(block.text) < 200


def test_no_item_of_a_list_within_lists_is_lost(parse):
    whole = "\n".join("  " * n + f"- 第{n}项" for n in range(100))
    said = "".join(block.text for block in parse(whole + "\n").blocks)
    assert [n for n in range(100) if f"第{n}项" not in said] == []
