"""More books: what several things at once do to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from corpus.books import _cn, _folio, lain, lain_box
from corpus.paper import Bar, Text, length, paper
from corpus.prose import Prose
from corpus.truth import Fact, Made
from corpus.typeset import Form, Frame, Setter


def contents() -> Made:
    """A table of contents in front; the head and the number of the page in one line, the section changing."""
    say = Prose(31)
    titles = [[say.title() for _ in range(4)] for _ in range(4)]
    book = Setter("contents", Frame(margins="together"), folio=_folio(2))
    toc: list[str] = []
    for chapter, sections in enumerate(titles, start=1):
        toc.append(f"第{_cn(chapter)}章 {sections[0]}")
        toc += [f"　{chapter}.{nth} {title}" for nth, title in enumerate(sections[1:], start=1)]
    book.leaf.items.append(Text(200, 90, "目　录", 16, "hei"))
    for at, line in enumerate(toc):
        y, page = 130 + 22 * at, str(1 + 2 * at)
        dots = "." * int((300 - length(line, 10.5) - 10) / 5.25)
        book.leaf.items.append(Text(60, y, f"{line}{dots}{page}"))
    book.turn()
    book.heading(1, "前言")
    book.para(say.paragraph())
    for chapter, sections in enumerate(titles, start=1):
        book.chapter = ""
        book.turn()
        book.chapter = f"第{_cn(chapter)}章 {sections[0]}"
        book.heading(1, book.chapter)
        for nth, title in enumerate(sections[1:], start=1):
            book.heading(2, f"{chapter}.{nth} {title}")
            for _ in range(7):
                book.para(say.paragraph())
    return book.made(heads=lambda _, chapter: chapter)


def kinds() -> Made:
    """Numbered headings of every kind, in the same type as the text or nearly so."""
    say = Prose(32)
    book = Setter("kinds", Frame(margins="count"))
    forms = {1: Form(16, centred=True), 2: Form(14, centred=True), 3: Form(12), 4: Form(10.5), 5: Form(10.5, "kai")}
    for part in range(1, 3):
        book.heading(1, f"第{_cn(part)}编　{say.title()}", form=forms[1])
        for chapter in range(1, 3):
            book.heading(2, f"第{_cn(chapter)}章　{say.title()}", form=forms[2])
            for section in range(1, 3):
                book.heading(3, f"第{_cn(section)}节　{say.title()}", form=forms[3])
                for nth in range(1, 3):
                    book.heading(4, f"{_cn(nth)}、{say.title()}", form=forms[4])
                    book.para(say.paragraph())
                    book.para(f"3.2 的规定不适用于{say.sentence()}")
                    book.para(f"2019 年以来，{say.sentence()}")
    book.heading(1, "附录A　" + say.title(), form=forms[1])
    for nth in range(1, 4):
        book.heading(2, f"A.{nth} {say.title()}", form=forms[3])
        book.para(say.paragraph())
    book.heading(1, "参考文献", form=forms[1])
    book.items([f"[{one}] {say.sentence()}" for one in range(1, 6)])
    return book.made(heads=lambda *_: "各类标题")


def spaced() -> Made:
    """Paragraphs without indent and a gap between them; headings over two lines; bold words that lead in."""
    say = Prose(33)
    book = Setter("spaced", Frame(indent=0, gap=9))
    for section in range(1, 7):
        title = f"{section} {say.title()}，以及{say.title()}和{say.title()}之间的关系与{say.title()}"
        book.heading(2, title, form=Form(13))
        for nth in range(4):
            if nth == 2:
                _lead(book, "注意：", say.paragraph(3))
            else:
                book.para(say.paragraph(3))
    return book.made(heads=lambda *_: "无缩进")


def _lead(book: Setter, words: str, rest: str) -> None:
    before = len(book.leaf.items)
    n = book.n
    book.para(words + rest)
    if book.n == n:
        first = next(item for item in book.leaf.items[before:] if isinstance(item, Text))
        at = book.leaf.items.index(first)
        wide = length(words, first.size) + len(words) * first.spread
        book.leaf.items[at : at + 1] = [
            Text(first.x, first.y, words, first.size, "hei", first.spread),
            Text(first.x + wide, first.y, first.text[len(words) :], first.size, first.font, first.spread),
        ]


def figures() -> Made:
    """Figures with words in them, captions under them, text around them."""
    say, book = Prose(34), Setter("figures", Frame())
    for section in range(1, 6):
        book.heading(2, f"{section} {say.title()}")
        book.para(say.paragraph())
        top, n = book.y, book.n
        book.figure(f"图 {section}-1　{say.title()}", high=120)
        top = top if book.n == n else book.frame.top
        for at, word in enumerate(("水位", "闸门", "流量", "0.5", "1.0", "A", "B")):
            book.leaf.items.append(Text(90 + 37 * at, top + 40 + 23 * (at % 3), word, 7, "hei"))
        book.para(say.paragraph())
        book.para(say.paragraph())
    return book.made(heads=lambda *_: "图说")


def notes_in_columns() -> Made:
    """Two columns whose notes stand under each of them; marks after numbers."""
    say = Prose(35)
    book = Setter("notes_in_columns", Frame(width=560, height=760, columns=2, size=9.5, leading=14, bottom=130))
    book.heading(1, say.title(), form=Form(13))
    while book.n < 4:
        book.para(f"{say.sentence()}该船始建于 1949~{{1}} 年，长 36 米。{say.paragraph(3)}")
        book.para(say.paragraph(4))
    notes: list[Fact] = []
    for n, leaf in enumerate(book.leaves, start=1):
        for left, mark in ((60, "1"), (292, "2")):
            y = 660
            leaf.items.append(Bar(left, y - 14, left + 60, y - 13.5))
            text = f"{mark} {say.sentence()}"
            cut = 26
            leaf.items += [Text(left, y, text[:cut], 7.5), Text(left, y + 10, text[cut:], 7.5)]
            notes.append(Fact("footnote", text, n, n, str(n)))
    made = book.made(heads=lambda *_: "双栏注释")
    made.facts += notes
    return made


def hard_tables() -> Made:
    """Rows that break over the page, empty cells, heads over two columns, a table between two others."""
    say, book = Prose(36), Setter("hard_tables", Frame())
    for section in range(1, 4):
        book.heading(2, f"{section} {say.title()}")
        book.para(say.paragraph())
        rows = [("型号", "电压", "电流", "备注")]
        for one in range(14):
            code = f"K{section}{one:02d}"
            rows.append((code, "" if one % 4 == 1 else f"{one * 5} V", f"{one + 1} A", say.title() if one % 3 else ""))
        book.caption(f"表 {section}　{say.title()}")
        book.table(rows, (0.2, 0.2, 0.2, 0.4), look=("grid", "lines", "grid")[section - 1], repeats=section == 3)
        book.para(say.paragraph(6))
        book.table(
            [
                ("参数", "缺省值", "含义"),
                *(
                    (f"net{section}.{word}", str(one), say.sentence())
                    for one, word in enumerate(("ttl", "mtu", "rate"))
                ),
            ],
            (0.25, 0.15, 0.6),
        )
        book.para(say.paragraph(6))
    return book.made(heads=lambda *_: "表格种种")


def late_scripts() -> Made:
    """Exponents and indices drawn after all the rest of the page, letters one by one."""
    say, book = Prose(37), Setter("late_scripts", Frame(leading=19, apart=True))
    for section in range(1, 4):
        book.heading(2, f"{section} {say.title()}")
        for source, formula in (
            ("电荷约为 1.6×10^{-19} 库仑", "1.6×10⁻¹⁹"),
            ("动能等于 mv^{2} 的一半", "mv²"),
            ("硫酸写作 H_{2}SO_{4}，不写作别的", "H₂SO₄"),
        ):
            book.para(f"{say.sentence()}{source}。{say.sentence()}", formula=formula)
    for leaf in book.leaves:
        leaf.items.sort(key=lambda item: isinstance(item, Text) and item.size < 7)
    return book.made()


def watermarked() -> Made:
    """Large pale words upright behind the text of every page; each line drawn twice to look bold."""
    say, book = Prose(38), Setter("watermarked", Frame())
    for section in range(1, 7):
        book.heading(2, f"{section} {say.title()}")
        for _ in range(4):
            book.para(say.paragraph())
    for leaf in book.leaves:
        twice = [replace(item, x=item.x + 0.25) for item in leaf.items if isinstance(item, Text) and item.size > 12]
        leaf.items += twice
        leaf.items.insert(0, Text(120, 330, "样书请勿翻印", 34, "hei", grey=0.85))
    made = book.made(heads=lambda *_: "样书")
    for n in made.furniture:
        made.furniture[n].append("样书请勿翻印")
    return made


def continued_tables() -> Made:
    """Tables over pages with 续表 over their rest."""
    say, book = Prose(39), Setter("continued_tables", Frame())
    for section, again in enumerate(("续表", "表 2（续）", "续表 3　各项读数"), start=1):
        book.heading(2, f"{section} {say.title()}")
        for _ in range(3):
            book.para(say.paragraph())
        rows = [("序号", "项目", "读数")]
        rows += [(f"{section}-{one}", say.title(), f"{say.number(10, 99)} mm") for one in range(1, 34)]
        book.caption(f"表 {section}　{say.title()}")
        book.table(rows, (0.2, 0.5, 0.3), look="grid", repeats=section != 2, again=again)
        book.para(say.paragraph())
    return book.made(heads=lambda *_: "续表")


def landscape_pages() -> Made:
    """Upright pages, and among them pages whose table lies on its side under an upright head and number."""
    say, book = Prose(40), Setter("landscape_pages", Frame(), folio=str)
    for section in range(1, 6):
        if section > 1:
            book.turn()
        book.heading(2, f"{section} {say.title()}")
        for _ in range(4):
            book.para(say.paragraph())
        book.turn()
        side = Setter("side", Frame(width=620, height=440, top=70, bottom=50, left=80, right=80))
        side.para(say.paragraph())
        rows = [("站名", "零点", "六点", "十二点", "备注")]
        rows += [(f"S{section}{one}", *(str(say.number(10, 99)) for _ in range(3)), say.title()) for one in range(10)]
        side.table(rows, (0.2, 0.15, 0.15, 0.15, 0.35))
        book.leaf.items += [lain(item, 620, 440, 90) for item in side.leaves[0].items]
        for fact in side.facts:
            places = tuple((book.n, *lain_box(place, 90)[1:]) for place in fact.places)
            book.facts.append(replace(fact, page=book.n, page_end=book.n, label=str(book.n), places=places))
    return book.made(heads=lambda *_: "水文年鉴")


def columns_down() -> Made:
    """Chinese from top to bottom in columns from right to left, with an upright head and number."""
    say, book = Prose(41), Setter("columns_down", Frame(width=560, height=420, top=70, left=70, right=70, leading=20))
    for section in range(1, 5):
        book.heading(2, f"{_cn(section)}、{say.title()}")
        for _ in range(5):
            book.para(say.paragraph(3))
    made = book.made()
    for n, leaf in enumerate(book.leaves, start=1):
        set_down = [one for item in leaf.items if isinstance(item, Text) and item.size > 9 for one in _down(item, 420)]
        leaf.width, leaf.height = 420, 560
        leaf.items = [*set_down, Text(60, 40, "竖排试样", 8.5), Text(205, 535, str(n), 9)]
        made.furniture[n] = ["竖排试样", str(n)]
    made.data = paper(book.leaves)
    made.facts = [
        replace(fact, places=tuple((n, 420 - y1, x0, 420 - y0, x1) for n, x0, y0, x1, y1 in fact.places))
        for fact in made.facts
    ]
    return made


def _down(item: Text, high: float) -> Iterator[Text]:
    """The letters of a line one under another: the line turned to the right, each letter left upright."""
    x = item.x
    for char in item.text:
        yield Text(high - item.y - 0.12 * item.size, x + 0.88 * item.size, char, item.size, item.font)
        x += length(char, item.size) + item.spread


def more() -> dict[str, Callable[[], Made]]:
    return {
        one.__name__: one
        for one in (
            contents,
            kinds,
            spaced,
            figures,
            notes_in_columns,
            hard_tables,
            late_scripts,
            watermarked,
            continued_tables,
            landscape_pages,
            columns_down,
        )
    }
