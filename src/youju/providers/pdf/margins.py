"""Running heads, feet and page numbers: out of the body, the printed numbers kept as labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from youju.providers.pdf.cells import rows_of
from youju.providers.pdf.chars import Run, Sheet
from youju.providers.pdf.watermarks import watermarks

_OUTER_ROWS = 2
_EDGE = 0.16  # share of the height in which heads and feet stand
_MIN_PAGES = 3
_COMMON = 0.3
_REPEATED = 0.15
_MOSTLY = 0.5
_MAX_HEAD = 60
_DASH = r"[\s\-–—―·•.|~～]*"
_ALONE = re.compile(rf"^{_DASH}(?P<n>\d{{1,4}}|[ivxlc]{{1,8}}|[IVXLC]{{1,8}}){_DASH}$")
_NAMED = re.compile(
    r"(?:第\s*(?P<zh>\d{1,4}|[〇零一二三四五六七八九十百]+)\s*页|\b[Pp](?:age|\.)?\s*(?P<en>\d{1,4})\b|^\D*?(?P<of>\d{1,4})\s*/\s*\d{1,4}\s*$)"
)
_IN_CHAPTER = re.compile(rf"^{_DASH}(?P<chapter>(?:\d{{1,3}}|[A-Z])[-–—])(?P<n>\d{{1,3}}){_DASH}$")
_BEGINS = re.compile(r"^(?P<n>\d{1,4})(?:[\s·•|]+|\u3000)(?=\D)")
_ENDS = re.compile(r"(?<=\D)[\s·•|]+(?P<dash>[-–—~]?)\s*(?P<n>\d{1,4})\s*(?P=dash)$")
# 详见第 5 页的附表。 names a page too, but is a sentence of the body.
_SAYS = re.compile(r"[。；！？;!?]|[见阅看]")
_BARE = re.compile(r"^\W*\w{1,4}\W*$")
_SMALLER = 0.92
_LONG = 0.2
_NUMBERS = re.compile(r"\d+$|^\d+(?=\D)")
_SENTENCE = re.compile(r"[。；！？]\s*$")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_CHINESE = {char: n for n, char in enumerate("零一二三四五六七八九")} | {"〇": 0}


class Number(NamedTuple):
    """A number that may be the page's: as printed, its value, its style.

    `named`: its form says that it is a page number. `alone`: nothing else stands in its line.
    """

    label: str
    value: int
    style: str
    named: bool = False
    alone: bool = False


@dataclass(slots=True)
class Margins:
    """Per physical page: the runs to leave out of the body and the printed label."""

    furniture: set[int] = field(default_factory=set)
    labels: dict[int, str] = field(default_factory=dict)


class _Row(NamedTuple):
    page: int
    slot: str
    nth: int
    place: int
    text: str
    runs: tuple[Run, ...]
    said: str = ""


def margins(
    sheets: Sequence[Sheet],
    headings: frozenset[str],
    body: float,
    marks: frozenset[tuple[int, str]] = frozenset(),
) -> Margins:
    """What stands in the margins of the pages.

    Args:
        sheets: all pages of the document.
        headings: texts, without white space, that are headings somewhere: a running head may repeat one.
        body: size of the running text in points.
        marks: (page, text without white space) of the bookmarks: no running head, unless the page has it twice.

    Returns:
        `furniture` holds `id(run)` of the runs that are no body. A label is kept only if the numbers of other pages
        confirm it, or its form says that it is a page number.
    """
    rows = [row for sheet in sheets for row in _outer_rows(sheet)]
    chosen = _chosen(_by_page(rows), len(sheets))
    found = Margins(watermarks(sheets, body), {page: number.label for page, (number, _) in chosen.items()})
    rows = [row._replace(said=_said(row, _own(row, chosen))) for row in rows]
    rows = [row for row in rows if not _is_marked(row, marks, sheets)]
    last: _Row | None = None
    for row in rows:  # of each page and side from the edge inwards
        number = _own(row, chosen)
        numbered = number is not None and number.alone
        outermost = last is None or (last.page, last.slot) != (row.page, row.slot) or _gone(last, found)
        if numbered or (outermost and _is_furniture(row, rows, len(sheets), headings, body)):
            found.furniture.update(id(run) for run in row.runs)
        last = row
    _add_single(found, rows, body)
    _add_declared(found.labels, sheets)
    return found


def _is_marked(row: _Row, marks: frozenset[tuple[int, str]], sheets: Sequence[Sheet]) -> bool:
    text = re.sub(r"\s", "", row.text)
    if (row.page, text) not in marks and (row.page, _NUMBERS.sub("", text)) not in marks:
        return False
    sheet = next(one for one in sheets if one.n == row.page)
    return sum(re.sub(r"\s", "", run.text) == text for run in sheet.runs) < 2  # noqa: PLR2004 (twice)


def _add_single(found: Margins, rows: Sequence[_Row], body: float) -> None:
    """Heads that no other page has, where other pages have theirs: set smaller than the body and at that very place."""
    places = Counter(
        (row.slot, row.place) for row in rows if row.nth == 0 and not _BARE.match(row.text) and _gone(row, found)
    )
    for row in rows:
        small = max(run.size for run in row.runs) < _SMALLER * body
        if row.nth == 0 and small and places[row.slot, row.place] > 1 and not _SENTENCE.search(row.text):
            found.furniture.update(id(run) for run in row.runs)


def _outer_rows(sheet: Sheet) -> Iterator[_Row]:
    # On a page that lies on its side, the head may stand upright at the edge that is the top of the book.
    runs, height = (sheet.standing, sheet.width) if sheet.standing else (sheet.runs, sheet.height)
    rows = rows_of(runs)
    for slot, outer in (("top", rows[:_OUTER_ROWS]), ("bottom", rows[: -_OUTER_ROWS - 1 : -1])):
        for nth, row in enumerate(outer):
            middle = (row[0].y0 + row[0].y1) / 2
            edge = middle if slot == "top" else height - middle
            if edge <= _EDGE * height and not _in_table(row, sheet):
                text = " ".join(run.text for run in row)
                yield _Row(sheet.n, slot, nth, round(row[0].base / 3), text, tuple(row))


def _in_table(row: Sequence[Run], sheet: Sheet) -> bool:
    """Whether a row is in a table that goes far down the page; the head of a letter may stand in a small one."""
    middle = (row[0].y0 + row[0].y1) / 2
    long = [rule for rule in sheet.rules if not rule.horizontal and rule.y1 - rule.y0 > _LONG * sheet.height]
    return sum(rule.y0 < middle < rule.y1 for rule in long) > 1


def _own(row: _Row, chosen: Mapping[int, tuple[Number, _Row]]) -> Number | None:
    """The page's number, where it stands in this row."""
    number, where = chosen.get(row.page, (None, row))
    return number if (where.slot, where.nth) == (row.slot, row.nth) else None


def _said(row: _Row, own: Number | None) -> str:
    """What a row says, the page's number written as how far it lags behind the page.

    Every other figure is kept: lines that differ in an amount, a model, a quarter are lines of the body.
    """
    text = row.text
    number = own or next((one for one in _numbers(text.strip()) if one.named), None)
    if number:
        at = text.find(number.label) if number.named else text.rfind(number.label)
        if _BEGINS.match(text) and text.startswith(number.label):
            at = 0
        if at >= 0:
            text = f"{text[:at]}#{row.page - number.value}#{text[at + len(number.label) :]}"
    elif in_chapter := _IN_CHAPTER.match(text):
        text = f"{in_chapter['chapter']}#{row.page - int(in_chapter['n'])}#"
    return re.sub(r"\s", "", text).lower()


def _gone(row: _Row, found: Margins) -> bool:
    return all(id(run) in found.furniture for run in row.runs)


def _is_furniture(row: _Row, rows: Sequence[_Row], pages: int, headings: frozenset[str], body: float) -> bool:
    """Whether a row is a running head or foot: it stands where others stand and says what others say.

    The first line of the body stands in one place too, so a heading is a running head only where it is set small.
    """
    if len(row.text) > _MAX_HEAD or pages < _MIN_PAGES:
        return False
    near = [one for one in rows if one.slot == row.slot and abs(one.place - row.place) <= 1]
    places = {one.page for one in near}
    if len(places) < max(_MIN_PAGES, 0.1 * pages):
        return False
    alike = {one.page for one in near if one.said == row.said}
    # The second line from the edge is often the body's, and may be a table's head on page after page.
    if len(alike) >= max(_MIN_PAGES, (_MOSTLY if row.nth else _REPEATED) * pages):
        return True
    if _SENTENCE.search(row.text):
        return False
    places = {one.page for one in near if one.nth == 0}
    texts = {re.sub(r"\s", "", row.text), _NUMBERS.sub("", re.sub(r"\s", "", row.text))}
    repeats = len(alike) > 1 or not texts.isdisjoint(headings)
    return (
        row.nth == 0 and len(places) >= _COMMON * pages and repeats and max(run.size for run in row.runs) < 1.02 * body
    )


def _by_page(rows: Sequence[_Row]) -> dict[int, list[tuple[Number, _Row]]]:
    found: dict[int, list[tuple[Number, _Row]]] = {}
    for row in rows:
        for text in dict.fromkeys((row.text, *(run.text for run in row.runs))):
            found.setdefault(row.page, []).extend((number, row) for number in _numbers(text.strip()))
    return found


def _numbers(text: str) -> Iterator[Number]:
    named = _NAMED.search(text)
    if named and _SAYS.search(text):
        return
    if named and len(text) <= _MAX_HEAD:
        label = named["zh"] or named["en"] or named["of"]
        yield Number(label, _value(label), _style(label), named=True, alone=True)
        return
    alone = _ALONE.match(text)
    if alone:
        label = alone["n"]
        dashes = text[0] in "-–—―" and text[-1] in "-–—―"
        yield Number(label, _value(label), _style(label), named=dashes, alone=True)
        return
    for pattern in (_BEGINS, _ENDS):
        beside = pattern.search(text)
        if beside and len(text) <= _MAX_HEAD:
            yield Number(beside["n"], int(beside["n"]), "arabic")


def _style(label: str) -> str:
    return "arabic" if label[0].isdigit() else "roman" if label[0].isascii() else "chinese"


def _value(label: str) -> int:
    if label[0].isdigit():
        return int(label)
    if label[0].isascii():
        values = [_ROMAN[char] for char in label.lower()]
        return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))
    if not set(label) & set("十百"):
        return int("".join(str(_CHINESE[char]) for char in label))
    hundreds, _, rest = label.rpartition("百")
    tens, ten, ones = rest.rpartition("十")
    value = 100 * _CHINESE.get(hundreds, 1 if "百" in label else 0)
    value += 10 * _CHINESE.get(tens.strip("零"), 1) if ten else 0
    return value + _CHINESE.get(ones.strip("零〇"), 0)


def _chosen(numbers: Mapping[int, Sequence[tuple[Number, _Row]]], pages: int) -> dict[int, tuple[Number, _Row]]:
    """The number of each page that the others confirm: those that count up with the pages, most pages first."""
    votes = Counter(
        key for page, found in numbers.items() for key in {(one.style, page - one.value) for one, _ in found}
    )
    named = Counter((one.style, page - one.value) for page, found in numbers.items() for one, _ in found if one.named)
    needed = _MIN_PAGES if pages > 2 * _MIN_PAGES else 2
    chosen: dict[int, tuple[Number, _Row]] = {}
    for page, found in numbers.items():
        fitting = [
            one for one in found
            if votes[one[0].style, page - one[0].value] >= needed
            or named[one[0].style, page - one[0].value] > 1 or one[0].named
            or _front(one[0], page, votes)
        ]  # fmt: skip
        if fitting:
            chosen[page] = max(
                fitting, key=lambda one: (votes[one[0].style, page - one[0].value], one[0].named, one[0].alone)
            )
    return chosen


def _front(number: Number, page: int, votes: Counter[tuple[str, int]]) -> bool:
    """Roman numerals in the first pages: front matter is often too short for a vote."""
    return number.style == "roman" and page <= 30 and 0 <= page - number.value <= 4 and votes["arabic", 0] == 0  # noqa: PLR2004


def _add_declared(labels: dict[int, str], sheets: Sequence[Sheet]) -> None:
    """The PDF's own page labels where none was read, if they agree with those that were."""
    declared = {sheet.n: sheet.label for sheet in sheets if sheet.label}
    both = [page for page in labels if page in declared]
    if all(labels[page] == declared[page] for page in both):
        for page, label in declared.items():
            labels.setdefault(page, label)
