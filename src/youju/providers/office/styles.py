"""What the styles of a Word document say about a paragraph: outline level, weight, size, list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from youju.providers.office.xml import Element, flag, number, value

_HEADING = re.compile(
    r"(?:heading|标题|標題)\s*(?P<n>[1-9一二三四五六七八九])|(?P<first>[1-9一二三四五六七八九])\s*级\s*标题",
    re.IGNORECASE,
)
_DIGITS = "一二三四五六七八九"
_TITLE = re.compile(r"title|标题|標題|文档标题", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:toc|目录|目錄)\s*[1-9]?", re.IGNORECASE)
_CONTENTS_TITLE = re.compile(r"toc heading|目录标题|目錄標題", re.IGNORECASE)
_BODY_LEVEL = 9
_MOST_BASES = 12
_DEFAULT_SIZE = 20


@dataclass(frozen=True)
class Style:
    """`level` is 1–9 for headings, else 0; `size` in half points; `list_id` "" without a list."""

    name: str = ""
    level: int = 0
    bold: bool = False
    size: int = _DEFAULT_SIZE
    hidden: bool = False
    centred: bool = False
    list_id: str = ""
    list_level: int = 0

    @property
    def is_title(self) -> bool:
        return bool(_TITLE.fullmatch(self.name.strip()))

    @property
    def is_contents(self) -> bool:
        return bool(_CONTENTS.fullmatch(self.name.strip()) or _CONTENTS_TITLE.fullmatch(self.name.strip()))


@dataclass(frozen=True)
class Styles:
    """Styles by id; `default` is what a paragraph without a style has."""

    by_id: Mapping[str, Style]
    default: Style

    def of(self, properties: Element | None) -> Style:
        """The style of a paragraph, with what the paragraph itself says about its place in the outline and lists."""
        name = value(properties, "{w}pStyle")
        found = self.by_id.get(name, self.default)
        return _with_paragraph(found, properties)

    def run(self, properties: Element | None, paragraph: Style) -> Style:
        """How a run of a paragraph is set."""
        if properties is None:
            return paragraph
        own = self.by_id.get(value(properties, "{w}rStyle"))
        base = paragraph
        if own is not None:
            base = replace(base, bold=base.bold or own.bold, hidden=base.hidden or own.hidden)
        return _with_run(base, properties)


def styles(root: Element | None) -> Styles:
    """The styles that `styles.xml` defines, each with what it inherits."""
    if root is None:
        return Styles({}, Style())
    base = _with_run(Style(), root.find("{w}docDefaults/{w}rPrDefault/{w}rPr"))
    rows = {row.get("{w}styleId", ""): row for row in root.findall("{w}style")}
    found = {name: _resolved(name, rows, base) for name in rows}
    usual = (name for name, row in rows.items() if row.get("{w}type") == "paragraph" and flag(row, "{w}default"))
    chosen = next((name for name in usual if rows[name].get("{w}default") is not None), "")
    return Styles(found, found.get(chosen, base))


def _resolved(name: str, rows: Mapping[str, Element], base: Style) -> Style:
    chain: list[Element] = []
    while name in rows and rows[name] not in chain and len(chain) < _MOST_BASES:
        chain.append(rows[name])
        name = value(rows[name], "{w}basedOn")
    style = base
    for row in reversed(chain):
        style = replace(style, name=value(row, "{w}name"))
        named = _HEADING.fullmatch(style.name.strip())
        if named:
            style = replace(style, level=_digit(named["n"] or named["first"]))
        style = _with_run(_with_paragraph(style, row.find("{w}pPr")), row.find("{w}rPr"))
    return style


def _digit(text: str) -> int:
    return _DIGITS.index(text) + 1 if text in _DIGITS else int(text)


def _with_paragraph(style: Style, properties: Element | None) -> Style:
    if properties is None:
        return style
    outline = value(properties, "{w}outlineLvl")
    if outline:
        level = number(outline, _BODY_LEVEL) + 1
        style = replace(style, level=level if 0 < level <= _BODY_LEVEL else 0)
    if list_id := value(properties, "{w}numPr/{w}numId"):
        style = replace(style, list_id="" if list_id == "0" else list_id)
    if list_level := value(properties, "{w}numPr/{w}ilvl"):
        style = replace(style, list_level=number(list_level))
    if aligned := value(properties, "{w}jc"):
        style = replace(style, centred=aligned == "center")
    return style


def _with_run(style: Style, properties: Element | None) -> Style:
    if properties is None:
        return style
    bold, hidden = properties.find("{w}b"), properties.find("{w}vanish")
    return replace(
        style,
        bold=flag(bold) if bold is not None else style.bold,
        hidden=flag(hidden) if hidden is not None else style.hidden,
        size=number(value(properties, "{w}sz"), style.size),
    )
