"""What the shapes of a slide say: paragraphs, lists with their marks, tables, charts, diagrams."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

from youju.providers.office.drawing import Shape
from youju.providers.office.grid import Cell, grid
from youju.providers.office.math import formula
from youju.providers.office.numerals import numeral
from youju.providers.office.package import Package
from youju.providers.office.xml import Element, number, value
from youju.providers.parsing.html import lowered, raised
from youju.providers.parsing.lines import table
from youju.text.normal import clean
from youju.types import BlockKind

_BODY = frozenset({"body", "obj"})
_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "arabic": "decimal", "romanUc": "upperRoman", "romanLc": "lowerRoman", "alphaUc": "upperLetter",
        "alphaLc": "lowerLetter", "ea1Chs": "chineseCounting", "ea1Cht": "chineseCounting",
        "ea1JpnKor": "chineseCounting", "circleNum": "decimalEnclosedCircle",
    }
)  # fmt: skip
_AUTO = re.compile(r"(?P<form>[a-z]+\d?[A-Z]?[a-z]*?)(?P<end>Period|ParenR|ParenBoth|Plain|DbPeriod|DbPlain)")
_MOST_POINTS = 500
_MOST_SERIES = 50
_PARTS_WITHOUT_TEXT = frozenset({"pres", "parTrans", "sibTrans"})


@dataclass(frozen=True)
class Said:
    kind: BlockKind
    text: str


@dataclass(frozen=True)
class _Line:
    text: str
    level: int
    mark: str


def said(shape: Shape, package: Package, part: str) -> list[Said]:
    """What a shape says, in blocks; `part` is the slide that its relations belong to."""
    if shape.node.tag == "{p}graphicFrame":
        return list(_graphic(shape.node, package, part))
    body = shape.node.find("{p}txBody")
    return list(_body(body, listed=shape.role in _BODY)) if body is not None else []


def plain(shape: Shape) -> str:
    """The text of a shape in one line."""
    body = shape.node.find("{p}txBody")
    lines = [_text(paragraph) for paragraph in body.iter("{a}p")] if body is not None else []
    return " ".join(" ".join(line.split()) for line in lines if line)


def _body(body: Element, *, listed: bool) -> Iterator[Said]:
    lines = list(_lines(body, listed=listed))
    if len(lines) == 1 and lines[0].mark == "-":
        lines = [_Line(lines[0].text, 0, "")]
    for marked, run in groupby(lines, key=lambda line: bool(line.mark)):
        if marked:
            yield Said("list", _list(list(run)))
        else:
            yield from (Said("text", line.text) for line in run)


def _list(lines: Sequence[_Line]) -> str:
    least = min(line.level for line in lines)
    rows = []
    for line in lines:
        indent = "  " * (line.level - least)
        text = line.text.replace("\n", f"\n{indent}  ")
        rows.append(f"{indent}{line.mark} {text}")
    return "\n".join(rows)


def _lines(body: Element, *, listed: bool) -> Iterator[_Line]:
    counts: dict[int, tuple[str, int]] = {}
    for paragraph in body.findall("{a}p"):
        text = _text(paragraph)
        if not text:
            continue
        properties = paragraph.find("{a}pPr")
        level = number(properties.get("lvl", "0")) if properties is not None else 0
        auto = properties.find("{a}buAutoNum") if properties is not None else None
        counts = {at: count for at, count in counts.items() if at <= level}
        if auto is None:
            counts.pop(level, None)
            yield _Line(text, level, "-" if _is_bulleted(properties, listed=listed) else "")
            continue
        form = auto.get("type", "arabicPeriod")
        before = counts.get(level)
        at = before[1] + 1 if before and before[0] == form else number(auto.get("startAt", "1"), 1)
        counts[level] = (form, at)
        yield _Line(text, level, _mark(form, at))


def _is_bulleted(properties: Element | None, *, listed: bool) -> bool:
    if properties is None:
        return listed
    if properties.find("{a}buNone") is not None:
        return False
    return listed or any(properties.find(f"{{a}}{name}") is not None for name in ("buChar", "buBlip"))


def _mark(form: str, at: int) -> str:
    match = _AUTO.fullmatch(form)
    if not match:
        return f"{at}."
    shown = numeral(at, _FORMS.get(match["form"], "decimal"))
    if match["form"].startswith("ea1"):
        return f"{shown}、"
    around = {"Period": "{}.", "DbPeriod": "{}.", "ParenR": "{})", "ParenBoth": "({})"}
    return around.get(match["end"], "{}").format(shown)


def _text(paragraph: Element) -> str:
    lines = clean("".join(_pieces(paragraph))).split("\n")
    return "\n".join(line for line in (line.strip() for line in lines) if line)


def _pieces(node: Element) -> Iterator[str]:
    for child in node:
        if child.tag in {"{a}r", "{a}fld"}:
            text = "".join(one.text or "" for one in child.findall("{a}t"))
            baseline = number(value(child, "{a}rPr", "baseline") or "0")
            yield (
                raised(text)
                if baseline > 0 and text.strip()
                else lowered(text)
                if baseline < 0 and text.strip()
                else text
            )
        elif child.tag == "{a}br":
            yield "\n"
        elif child.tag == "{m}oMath":
            yield formula(child)
        elif child.tag == "{mc}AlternateContent":
            yield from _pieces(next(iter(child), child))
        elif child.tag in {"{?}m", "{m}oMathPara"}:
            yield from _pieces(child)


def _graphic(frame: Element, package: Package, part: str) -> Iterator[Said]:
    found = frame.find("{a}graphic/{a}graphicData")
    for node in found if found is not None else ():
        if node.tag == "{a}tbl":
            yield from _table(node)
        elif node.tag == "{c}chart":
            yield from _chart(_linked(node, "{rel}id", package, part))
        elif node.tag == "{d}relIds":
            yield from _diagram(_linked(node, "{rel}dm", package, part))


def _linked(node: Element, name: str, package: Package, part: str) -> Element | None:
    relation = package.relations(part).get(node.get(name, ""))
    return package.part(relation.target) if relation else None


def _table(node: Element) -> Iterator[Said]:
    rows = [[_cell(cell) for cell in row.findall("{a}tc") if not _on(cell, "hMerge")] for row in node.findall("{a}tr")]
    found = grid([row for row in rows if row])
    yield from (Said("caption", title) for title in found.titles)
    if text := table(found.all):
        yield Said("table", text)


def _cell(cell: Element) -> Cell:
    text = "\n".join(line for paragraph in cell.iter("{a}p") if (line := _text(paragraph)))
    return Cell(text, number(cell.get("gridSpan", "1"), 1), _on(cell, "vMerge"))


def _on(element: Element, name: str) -> bool:
    return element.get(name) in {"1", "true"}


def _chart(root: Element | None) -> Iterator[Said]:
    """The title of a chart and its figures as a table, a row a category."""
    if root is None:
        return
    titled = root.find("{c}chart/{c}title")
    title = "".join(text.text or "" for text in titled.iter("{a}t")).strip() if titled is not None else ""
    series = list(root.iter("{c}ser"))[:_MOST_SERIES]
    names = ["".join(_points(one.find("{c}tx")).values()) or f"系列{n}" for n, one in enumerate(series, start=1)]
    values = [_points(_either(one, "{c}val", "{c}yVal")) for one in series]
    heads = _points(_either(series[0], "{c}cat", "{c}xVal")) if series else {}
    at = sorted(set(heads).union(*values))[:_MOST_POINTS]
    if title:
        yield Said("caption", clean(title))
    if at:
        rows = [[heads.get(n, str(n + 1)), *(one.get(n, "") for one in values)] for n in at]
        yield Said("table", table([["类别", *names], *rows]))


def _either(parent: Element, first: str, second: str) -> Element | None:
    found = parent.find(first)
    return found if found is not None else parent.find(second)


def _points(node: Element | None) -> dict[int, str]:
    found: dict[int, str] = {}
    for point in node.iter("{c}pt") if node is not None else ():
        text = point.find("{c}v")
        found.setdefault(number(point.get("idx", "0")), clean(text.text or "").strip() if text is not None else "")
    return found


def _diagram(root: Element | None) -> Iterator[Said]:
    points = root.iter("{d}pt") if root is not None else iter(())
    texts = [
        " ".join(filter(None, map(_text, point.iter("{a}p"))))
        for point in points
        if point.get("type") not in _PARTS_WITHOUT_TEXT
    ]
    shown = [f"- {' '.join(text.split())}" for text in texts if text]
    if shown:
        yield Said("list", "\n".join(shown))
