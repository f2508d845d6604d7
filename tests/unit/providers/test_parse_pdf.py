"""What a page says by where and how its words stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdfs import Bar, Picture, Text, grid, lines, pdf
from youju.errors import DocumentError
from youju.providers.parse_pdf import PdfParser
from youju.types import ParsedDocument

FULL = "春天的风从山谷里吹过来，带着青草和泥土的气味，一阵比一阵暖。"  # 30 letters: 300 points at size 10
LEFT = 45


def body(*texts: str, y: float = 80) -> list:
    return lines(LEFT, y, texts)


@pytest.fixture
def parse(tmp_path: Path):
    def parsed(pages, **options) -> ParsedDocument:
        path = tmp_path / "file.pdf"
        path.write_bytes(pdf(pages, **options))
        return PdfParser().parse(path)

    return parsed


def texts(document: ParsedDocument, kind: str) -> list[str]:
    return [block.text for block in document.blocks if block.kind == kind]


def test_chinese_lines_join_without_a_space_and_an_indent_begins_a_paragraph(parse):
    page = [
        Text(LEFT + 20, 80, "　春风吹过山谷的时候，带着青草和泥土的气味，一阵暖过一".strip()),
        Text(LEFT, 96, "阵，直到黄昏才停下来。"),
        Text(LEFT + 20, 112, "第二段从这里开始，写得很长很长，一直写到了这一行的末尾"),
        Text(LEFT, 128, "才算完。"),
    ]
    assert texts(parse([page]), "text") == [
        "春风吹过山谷的时候，带着青草和泥土的气味，一阵暖过一阵，直到黄昏才停下来。",
        "第二段从这里开始，写得很长很长，一直写到了这一行的末尾才算完。",
    ]


def test_latin_lines_join_with_a_space_and_hyphens_are_mended(parse):
    page = body(
        "The quick brown fox jumps over the lazy dog and the other ani-",
        "mals of the wood look on without saying a single word about it",
        "to anyone.",
    )
    (text,) = texts(parse([page]), "text")
    assert text == (
        "The quick brown fox jumps over the lazy dog and the other animals of the wood look on without saying a single"
        " word about it to anyone."
    )


def test_a_paragraph_over_a_page_break_is_one_block_with_both_pages_and_a_box_on_each(parse):
    document = parse([body(FULL, FULL[:-1] + "的", y=500), body("下一页的这一句才写完。")])
    (block,) = [one for one in document.blocks if one.kind == "text"]
    assert block.text == FULL + FULL[:-1] + "的下一页的这一句才写完。"
    assert (block.page, block.page_end) == (1, 2)
    assert [box.page for box in block.boxes] == [1, 2]


def test_boxes_count_from_the_top_left(parse):
    box = parse([[Text(50, 100, "只有这一句话。", size=10)]]).blocks[0].boxes[0]
    # Seven letters of ten points; ascent .88 and descent .12 of the size around the base line.
    assert (box.x0, box.x1) == pytest.approx((50, 120), abs=1)
    assert (box.y0, box.y1) == pytest.approx((91.2, 101.2), abs=1.5)


def test_boxes_are_right_on_a_page_shown_turned(parse):
    document = parse([[Text(50, 100, "只有这一句话。")]], rotate=180)
    assert (document.pages[0].width, document.pages[0].height) == (400, 600)
    box = document.blocks[0].boxes[0]
    # Turned by 180°, x becomes 400 − x and y becomes 600 − y.
    assert (box.x0, box.x1) == pytest.approx((280, 350), abs=1)
    assert (box.y0 + box.y1) / 2 == pytest.approx(503.5, abs=2)


def test_two_columns_are_read_one_after_the_other_under_a_title_over_both(parse):
    left = [f"左栏第{n}行的文字写满一行哦" for n in "一二三四五六七八"]
    right = [f"右栏第{n}行的文字写满一行哦" for n in "一二三四五六七八"]
    page = [Text(60, 50, "横跨两栏的一个很长很长的大标题在此", size=16), *lines(45, 90, left), *lines(210, 90, right)]
    document = parse([page])
    assert document.blocks[0].kind == "heading"
    words = "".join(texts(document, "text"))
    assert words == "".join(left) + "".join(right)


def test_levels_come_from_numbering_and_an_unnumbered_heading_gets_that_of_its_type(parse):
    page = [
        Text(LEFT, 60, "第一章 函数", size=18, font="bold"),
        Text(LEFT, 90, "1.1 定义", size=13, font="bold"),
        *body(FULL, y=110),
        Text(LEFT, 140, "小结", size=13, font="bold"),
        *body(FULL, FULL, FULL, y=160),
    ]
    headings = [(one.text, one.level) for one in parse([page]).blocks if one.kind == "heading"]
    chapter, section, summary = (level for _, level in headings)
    assert [text for text, _ in headings] == ["第一章 函数", "1.1 定义", "小结"]
    assert chapter < section == summary


def test_a_bookmark_makes_a_heading_of_a_line_like_any_other(parse):
    page = [*body(FULL), Text(LEFT, 110, "渡口"), *body(FULL, y=140)]
    document = parse([page], outline=[("渡口", 1)])
    assert [(one.text, one.level) for one in document.blocks if one.kind == "heading"] == [("渡口", 1)]


def test_a_sentence_that_begins_with_a_number_is_no_heading(parse):
    page = body("3.2 的规定不适用于本条所说的情形，另有约定的从其约定办理即可。", FULL)
    assert texts(parse([page]), "heading") == []


def running(n: int, folio: str, head: str = "函数入门") -> list:
    return [Text(150, 30, head, size=8), *body(FULL, f"第{n}张上的正文。"), Text(195, 570, folio, size=8)]


def test_heads_and_feet_leave_the_body_and_the_text_of_the_page(parse):
    document = parse([running(n, str(n + 10)) for n in range(1, 7)])
    assert not [one for one in document.blocks if "函数入门" in one.text or one.text.isdigit()]
    assert not [page for page in document.pages if "函数入门" in page.text or str(page.n + 10) in page.text]
    assert all(f"第{page.n}张上的正文。" in page.text for page in document.pages)
    assert [page.label for page in document.pages] == ["11", "12", "13", "14", "15", "16"]


@pytest.mark.parametrize(
    "form, label",
    [("— {} —", "{}"), ("第 {} 页", "{}"), ("- {} -", "{}"), ("{} / 90", "{}"), ("Page {}", "{}")],
)
def test_every_form_of_page_number_is_read(parse, form, label):
    document = parse([running(n, form.format(n + 4)) for n in range(1, 6)])
    assert [page.label for page in document.pages] == [label.format(n + 4) for n in range(1, 6)]
    assert len(document.blocks) == 5 or {one.kind for one in document.blocks} == {"text"}
    assert not any("页" in one.text or "/" in one.text for one in document.blocks)


def test_front_matter_in_roman_numerals_keeps_them(parse):
    folios = ["i", "ii", "iii", "1", "2", "3", "4"]
    document = parse([running(n, folio) for n, folio in enumerate(folios, start=1)])
    assert [page.label for page in document.pages] == folios


def test_numbers_that_do_not_count_up_with_the_pages_are_no_labels(parse):
    document = parse([running(n, folio) for n, folio in enumerate(["7", "3", "95", "12", "4"], start=1)])
    assert [page.label for page in document.pages] == [""] * 5


def test_a_heading_where_heads_stand_stays_a_heading(parse):
    pages = [running(n, str(n)) for n in range(1, 6)]
    pages.append([Text(LEFT, 60, "第二章 图像", size=18), *body(FULL), Text(195, 570, "6", size=8)])
    assert texts(parse(pages), "heading") == ["第二章 图像"]


def test_the_files_own_page_labels_stand_in_where_none_is_printed(parse):
    document = parse([body("卷首语。"), body(FULL), body("第二张。")], labels="<</Nums[0<</S/r>>1<</S/D/St 1>>]>>")
    assert [page.label for page in document.pages] == ["i", "1", "2"]


def test_a_ruled_table_becomes_markdown_cell_by_cell(parse):
    xs, ys = [45, 150, 250, 350], [100, 120, 150, 170]
    cells = [
        Text(50, 114, "名称"), Text(155, 114, "默认值"), Text(255, 114, "说明"),
        Text(50, 134, "超时"), Text(155, 134, "30 秒"), Text(255, 134, "过了就放"), Text(255, 146, "弃"),
        Text(50, 164, "重试"), Text(155, 164, "3 次"),
    ]  # fmt: skip
    document = parse([[*body(FULL), *grid(xs, ys), *cells, *body(FULL, y=200)]])
    assert [one.kind for one in document.blocks] == ["text", "table", "text"]
    assert texts(document, "table") == [
        "| 名称 | 默认值 | 说明 |\n| --- | --- | --- |\n| 超时 | 30 秒 | 过了就放弃 |\n| 重试 | 3 次 |  |"
    ]


def test_a_table_over_a_page_break_is_one_block_with_its_head_once(parse):
    def part(y, rows):
        ys = [y + 20 * at for at in range(len(rows) + 1)]
        cells = [
            Text(x, y + 14 + 20 * at, one) for at, row in enumerate(rows) for x, one in zip((50, 155), row, strict=True)
        ]
        return [*grid([45, 150, 250], ys), *cells]

    first = [*body(FULL), *part(500, [("代码", "含义"), ("E1", "超时")])]
    second = [*part(60, [("代码", "含义"), ("E2", "拒绝")]), *body(FULL, y=200)]
    (found,) = [one for one in parse([first, second]).blocks if one.kind == "table"]
    assert found.text == "| 代码 | 含义 |\n| --- | --- |\n| E1 | 超时 |\n| E2 | 拒绝 |"
    assert (found.page, found.page_end) == (1, 2)


def test_a_three_line_table_has_its_columns_from_the_gaps(parse):
    rules = [Bar(45, y, 350, y + 0.5) for y in (100, 120, 160)]
    rows = [("城市", "人口", "面积"), ("澄州", "52 万", "1830"), ("柳溪", "9 万", "410")]
    cells = [
        Text(x, 114 + 18 * at, one) for at, row in enumerate(rows) for x, one in zip((50, 160, 260), row, strict=True)
    ]
    document = parse([[*body(FULL), *rules, *cells, *body(FULL, y=200)]])
    assert texts(document, "table") == [
        "| 城市 | 人口 | 面积 |\n| --- | --- | --- |\n| 澄州 | 52 万 | 1830 |\n| 柳溪 | 9 万 | 410 |"
    ]


def test_rows_with_aligned_cells_and_no_rules_are_a_table(parse):
    rows = [("甲", "10", "好"), ("乙", "20", "中"), ("丙", "30", "差"), ("丁", "40", "无")]
    cells = [
        Text(x, 114 + 16 * at, one) for at, row in enumerate(rows) for x, one in zip((50, 160, 260), row, strict=True)
    ]
    document = parse([[*body(FULL), *cells, *body(FULL, y=220)]])
    assert texts(document, "table") == [
        "| 甲 | 10 | 好 |\n| --- | --- | --- |\n| 乙 | 20 | 中 |\n| 丙 | 30 | 差 |\n| 丁 | 40 | 无 |"
    ]


def test_code_keeps_its_lines_and_their_depth(parse):
    code = [
        Text(50, 110, "server:", 8, "mono"),
        Text(58, 122, "port: 80", 8, "mono"),
        Text(58, 134, "host: a", 8, "mono"),
    ]
    assert texts(parse([[*body(FULL, FULL), *code]]), "code") == ["server:\n  port: 80\n  host: a"]


def test_list_items_stay_together_each_on_a_line_with_what_hangs_under_it(parse):
    page = [
        *body("步骤如下："),
        Text(55, 96, "1. 打开后盖，取出电池，再把新的电池按正负极装好，注意方向不要"),
        Text(67, 112, "反了；"),
        Text(55, 128, "2. 合上后盖。"),
        Text(65, 150, "这一段不是列表里的话，它另起一段，缩进两个字。"),
    ]
    document = parse([page])
    assert texts(document, "list") == [
        "1. 打开后盖，取出电池，再把新的电池按正负极装好，注意方向不要反了；\n2. 合上后盖。"
    ]
    assert texts(document, "text") == ["步骤如下：", "这一段不是列表里的话，它另起一段，缩进两个字。"]


def test_a_footnote_is_apart_and_does_not_break_the_paragraph_around_it(parse):
    first = [
        *body(FULL, FULL[:-1] + "的", y=400),
        Bar(45, 520, 120, 520.5),
        Text(45, 532, "① 见附录三的说明。", size=8),
    ]
    document = parse([first, body("后半句在下一页。")])
    assert texts(document, "footnote") == ["① 见附录三的说明。"]
    assert texts(document, "text") == [FULL + FULL[:-1] + "的后半句在下一页。"]


def test_the_contents_are_no_headings_and_no_body(parse):
    contents = [
        Text(170, 60, "目 录", size=16),
        *body(*(f"第{n}章 名字……………………{p}" for n, p in zip("一二三四", (1, 9, 20, 31), strict=True))),
    ]
    document = parse([contents, [Text(LEFT, 60, "第一章 名字", size=16), *body(FULL)]])
    assert [(one.kind, one.text) for one in document.blocks] == [("heading", "第一章 名字"), ("text", FULL)]
    assert "目 录" in document.pages[0].text
    assert document.quality["toc_pages"] == 1


def test_the_title_is_the_declared_one_unless_it_is_a_file_name(parse):
    page = [[Text(120, 200, "慢行集", size=24)], body(FULL)]
    assert parse(page, title="散文一种").title == "散文一种"
    assert parse(page, title="Microsoft Word - 定稿3.doc").title == "慢行集"


def test_a_cover_is_no_heading_and_its_title_no_body(parse):
    document = parse([[Text(120, 200, "慢行集", size=24), Text(150, 240, "陈汀 著", size=16)], body(FULL)])
    assert [(one.kind, one.text) for one in document.blocks] == [("text", "陈汀 著"), ("text", FULL)]


def test_superscripts_stay_in_their_line(parse):
    page = [
        Text(45, 80, "由 x"),
        Text(65, 76, "2", size=6),
        Text(68, 80, "=4 得 x=2 或 x=−2，两个都对。"),
        *body(FULL, FULL, y=96),
    ]
    first = texts(parse([page]), "text")[0]
    assert first.replace(" ", "").startswith("由x²=4得x=2或x=−2，两个都对。")


def code_of(parse, pages, **options) -> str:
    with pytest.raises(DocumentError) as caught:
        parse(pages, **options)
    assert caught.value.remedy
    return caught.value.code


@pytest.fixture
def without_ocr(monkeypatch):
    monkeypatch.setattr("youju.providers.ocr.scans.engine", lambda *_: None)


@pytest.mark.usefixtures("without_ocr")
def test_pages_without_text_are_refused_with_the_way_to_ocr(parse):
    with pytest.raises(DocumentError, match="扫描件") as caught:
        parse([[Bar(10, 10, 300, 500)], []])
    assert caught.value.code == "needs_ocr"
    assert "youju[ocr]" in caught.value.remedy


def test_blank_pages_have_no_text_and_need_no_ocr(parse):
    assert code_of(parse, [[], []]) == "no_text_layer"


@pytest.mark.usefixtures("without_ocr")
def test_one_page_without_text_is_a_warning_that_names_it(parse):
    document = parse([body(FULL), [Bar(10, 10, 300, 500)], body(FULL)])
    assert document.warnings == ("有 1 页没有文字层，未收录：第 2 页",)
    assert document.quality["pages_without_text"] == 1


def test_a_font_without_a_unicode_map_is_garbage(parse):
    # 2 of the 30 characters of the line go to private use: 6.7 %.
    assert code_of(parse, [body(FULL)], unmapped="春泥") == "garbled"


def test_a_little_garbage_passes_and_is_measured(parse):
    document = parse([body(FULL, FULL.replace("春", "秋"))], unmapped="春")
    assert document.quality["garbage_ratio"] == pytest.approx(1 / 60)


@pytest.mark.parametrize(
    "line",
    ["型号 MX-{n} 的额定功率为 {w} 瓦", "合同编号 HT-{w} 金额 {w} 元", "第 {n} 季度合计支出 {w} 元", "第 {n} 季度小结"],
)
@pytest.mark.parametrize("y", [60, 550])
def test_a_first_or_last_line_that_differs_in_a_figure_is_body(parse, line, y):
    filler = body(*["本页的其余内容供大家日常参考。"] * 20, y=90)
    pages = [[Text(LEFT, y, line.format(n=n, w=n * 37)), *filler, Text(195, 580, str(n), size=8)] for n in range(1, 9)]
    document = parse(pages)
    whole = "".join(block.text for block in document.blocks)
    assert all(line.format(n=n, w=n * 37) in whole for n in range(1, 9))
    assert [page.label for page in document.pages] == [str(n) for n in range(1, 9)]


def test_pages_of_one_such_line_are_no_scan(parse):
    pages = [
        [Text(LEFT, 60, f"编号 R-{n} 的罚款为 {n * 10} 元。"), Text(195, 580, str(n), size=8)] for n in range(1, 9)
    ]
    assert texts(parse(pages), "text") == [f"编号 R-{n} 的罚款为 {n * 10} 元。" for n in range(1, 9)]


@pytest.mark.parametrize("foot", ["某某公司  {n}", "某某公司 - {n} -", "第 {n} 页 共 8 页", "{n} / 8", "Page {n} of 8"])
def test_a_foot_that_differs_in_the_number_of_the_page_alone_is_none(parse, foot):
    pages = [[*body(f"第{n}页上的正文在这里。"), Text(150, 580, foot.format(n=n), size=8)] for n in range(1, 9)]
    assert texts(parse(pages), "text") == [f"第{n}页上的正文在这里。" for n in range(1, 9)]


def test_numbers_that_count_the_pages_of_each_chapter_are_no_body(parse):
    pages = [
        [*body(f"第{n}张上的正文在这里。"), Text(190, 580, f"{chapter}-{n}", size=8)]
        for chapter in (1, 2)
        for n in range(1, 6)
    ]
    assert texts(parse(pages), "text") == [f"第{n}张上的正文在这里。" for n in (*range(1, 6), *range(1, 6))]


def test_a_sentence_at_the_edge_that_names_a_page_is_body(parse):
    pages = [[Text(LEFT, 60, f"详见第 {n + 2} 页的附表。"), *body(FULL)] for n in range(1, 5)]
    whole = "".join(block.text for block in parse(pages).blocks)
    assert all(f"详见第 {n + 2} 页的附表。" in whole for n in range(1, 5))


@pytest.mark.parametrize("prices", [(100, 300, 900, 50), (100, 300, 400, 900), (4, 1, 3, 2)])
def test_a_price_list_with_leaders_is_no_table_of_contents(parse, prices):
    rows = [f"{name} 型服务.......................{price}" for name, price in zip("ABCD", prices, strict=True)]
    document = parse([body("服务价目", *rows), body(*[FULL] * 9)])
    whole = "".join(block.text for block in document.blocks)
    assert all(row in whole for row in rows)
    assert document.quality["toc_pages"] == 0


@pytest.mark.parametrize(
    "hidden",
    [
        Text(LEFT, 200, "违约金为百分之九十。", mode=3),
        Text(LEFT, 200, "违约金为百分之九十。", size=0.1),
        Text(5000, 200, "违约金为百分之九十。"),
        Text(LEFT, -300, "违约金为百分之九十。"),
    ],
    ids=["unpainted", "tiny", "beside the page", "above the page"],
)
def test_what_nobody_can_see_on_the_page_is_no_body_but_a_warning(parse, hidden):
    document = parse([[*body(FULL), hidden]])
    assert texts(document, "text") == [FULL]
    assert "看不见" in document.warnings[0]
    assert "违约金" not in document.pages[0].text


def test_unpainted_text_over_a_picture_of_the_page_is_what_was_read_off_it(parse):
    document = parse([[Picture(), Text(LEFT, 80, FULL, mode=3)]])
    assert texts(document, "text") == [FULL]
    assert document.warnings == ()


def test_a_glyph_without_a_meaning_leaves_a_mark_in_its_sentence(parse):
    document = parse([body(*[FULL] * 4, "违约金为总额的百分之五。")], unmapped="五")
    assert "违约金为总额的百分之\ufffd。" in texts(document, "text")[-1]
    assert document.quality["garbage_ratio"] > 0


@pytest.mark.parametrize(
    "before, small, whole",
    [("租金为 3×10", "5", "租金为 3×10⁵ 元"), ("误差为 10", "−12", "误差为 10⁻¹² 元"), ("见附录", "5", "见附录⁵ 元")],
)
def test_a_raised_figure_stays_raised_after_a_number_and_after_a_word(parse, before, small, whole):
    at = LEFT + sum(5 if char.isascii() else 10 for char in before)
    wide = sum(0.6 * (5 if char.isascii() else 10) for char in small)
    page = [Text(LEFT, 80, before), Text(at, 76, small, size=6), Text(at + wide + 1, 80, " 元，按季度支付。")]
    (text,) = texts(parse([[*page, *body(FULL, y=130)]]), "text")[:1]
    assert text.replace(" 元", "元").startswith(whole.replace(" 元", "元"))


@pytest.mark.parametrize("gutter", [14, 25])
def test_columns_with_a_narrow_gutter_are_read_one_after_the_other(parse, gutter):
    left = "左栏说明甲方应当在十日内付款给乙方，逾期每日加收千分之一的违约金，但不可抗力造成的延误不在此限；" * 4
    right = "右栏说明乙方应当在三十日内发货给甲方，逾期每日扣减千分之二的货款，且甲方有权解除合同并要求赔偿；" * 4
    columns = [
        lines(x, 80, [words[at : at + 16] for at in range(0, len(words), 16)])
        for x, words in ((34, left), (34 + 160 + gutter, right))
    ]
    # Drawn line by line across the page, as some programs do.
    page = [item for row in zip(*columns, strict=True) for item in row]
    assert "".join(block.text for block in parse([page]).blocks) == left + right


def test_names_and_numbers_with_gaps_at_one_place_stay_in_their_rows(parse):
    rows = [("张三", "13800000001"), ("欧阳小明", "13800000002"), ("李四", "13800000003"), ("王五", "13800000004")] * 3
    page = [
        item
        for at, (name, number) in enumerate(rows)
        for item in (Text(LEFT, 80 + 16 * at, name), Text(LEFT + 54, 80 + 16 * at, number))
    ]
    whole = "".join(block.text for block in parse([page]).blocks).replace(" ", "")
    assert "欧阳小明13800000002" in whole


def test_a_bold_label_in_a_figure_is_no_heading(parse):
    labels = [
        Text(60 + 70 * at, 130 + 20 * (at % 2), word, size=8, font="bold") for at, word in enumerate(("泵", "阀门"))
    ]
    document = parse([[*body(FULL, FULL), *labels, *body(FULL, FULL, y=190)]])
    assert texts(document, "heading") == []


def test_a_line_a_little_larger_than_the_text_that_stands_alone_is_a_heading(parse):
    page = [*body(FULL, FULL), Text(LEFT, 125, "渡口", size=11), *body(FULL, FULL, y=150)]
    assert texts(parse([page]), "heading") == ["渡口"]


def test_a_paragraph_set_a_little_larger_is_no_heading(parse):
    page = [Text(LEFT, 80, FULL[:27], size=11), Text(LEFT, 97, "到了晚上才停", size=11), *body(FULL, FULL, FULL, y=140)]
    assert texts(parse([page]), "heading") == []


def test_an_equation_on_a_line_of_its_own_is_a_formula(parse):
    page = [*body(FULL), Text(150, 110, "E=mc+1"), Text(320, 110, "（3.2）"), *body(FULL, y=140)]
    assert texts(parse([page]), "formula") == ["E=mc+1 （3.2）"]


def test_the_head_of_a_table_at_the_top_of_page_after_page_is_no_running_head(parse):
    def page(n):
        ys = [60 + 20 * at for at in range(11)]
        rows = [("代码", "含义"), *((f"E{n}{at}", f"第{n}张第{at}种") for at in range(9))]
        cells = [
            Text(x, 74 + 20 * at, one) for at, row in enumerate(rows) for x, one in zip((50, 155), row, strict=True)
        ]
        return [Text(150, 30, "手册", size=8), *grid([45, 150, 250], ys), *cells, *body(FULL, y=400)]

    document = parse([page(n) for n in range(1, 6)])
    assert all(one.startswith("| 代码 | 含义 |") for one in texts(document, "table"))
    assert len(texts(document, "table")) == 5


@pytest.mark.parametrize("title", ["3.2 适用范围", "二、工作目标"])
def test_a_numbered_title_on_a_line_of_its_own_is_a_heading_in_any_type(parse, title):
    assert texts(parse([[*body(FULL, title, FULL, FULL)]]), "heading") == [title]


@pytest.mark.parametrize("items", [("3.1 螺钉", "3.2 螺母", "3.3 垫圈"), ("一、甲方", "二、乙方", "三、丙方")])
def test_lines_numbered_one_under_another_are_no_headings(parse, items):
    assert texts(parse([[*body(FULL, *items, FULL)]]), "heading") == []
