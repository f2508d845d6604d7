"""References to the parts of a document, each in one canonical spelling: 第三章 = 第 3 章 = Chapter 3 → 第3章."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from youju.text.numerals import CHARS, parse_cn

_SPACED = rf"(?:[\d{CHARS}] ?){{1,16}}+"
# 第一条件, 第一节点, 第一章程 … name other things.
_ORDINAL = re.compile(
    rf"第 ?(?P<n>{_SPACED}|\d{{1,3}}(?:\.\d{{1,3}}){{1,4}} ?)"
    r"(?P<unit>部 ?分|小 ?节|单元|编(?![码译辑号])|篇|卷(?!积)|章(?!程)|回(?![合归])|节(?![点能约])|条(?!件)"
    r"|款(?![项式])|项(?![目链])|页(?![面码])|课(?![程题堂])|讲(?![座师话])|册|题(?!目)|步)"
    rf"(?: ?之 ?(?P<sub>[\d{CHARS}]{{1,4}}))?"
)
_DOTTED = re.compile(
    r"(?:§ ?|(?<![A-Za-z])(?i:section|sec\.) ?)(?P<a>\d{1,3}(?:\.\d{1,3}){0,4})(?![\d.]*\d)"
    r"|(?<![\d.A-Za-z])(?P<b>\d{1,3}(?:\.\d{1,3}){1,4}) ?小?节"
)
_NAMED = re.compile(
    r"(?P<name>附录|附件|附表|附图|附则|定义|定理|性质|推论|引理|命题|公理|公式|算法|案例|例题|习题|练习|复习题|问题|步骤|方法|要求|规则"
    r"|(?<![比条惯事案病示举先])例|(?<![地插试意企力])图|(?<![代列报年发外手仪钟])表|(?<![方形公格正模等样])式) ?"
    rf"[(（]? ?(?P<n>\d{{1,4}}(?:[.\-–]\d{{1,4}}){{0,3}}|[A-Z](?:[.\-]?\d{{1,3}})?(?![A-Za-z])"
    rf"|[{CHARS}]{{1,3}}(?![\u4e00-\u9fff]))"
)
_ENGLISH = re.compile(
    r"(?<![A-Za-z])(?P<name>chapter|article|figure|fig\.|table|example|appendix|page|part) ?"
    r"(?P<n>\d{1,4}(?:[.\-]\d{1,4}){0,3}|[A-Za-z](?![A-Za-z]))(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_TRANSLATED: Mapping[str, str] = MappingProxyType(
    {
        "chapter": "第{}章",
        "article": "第{}条",
        "page": "第{}页",
        "part": "第{}部分",
        "figure": "图{}",
        "fig.": "图{}",
        "table": "表{}",
        "example": "例{}",
        "appendix": "附录{}",
    }
)


class Reference(NamedTuple):
    """`name` is canonical and lower case, `number` what is numbered, text[start:end] where it was read."""

    name: str
    number: str
    start: int
    end: int


def references(text: str) -> list[Reference]:
    """Every reference in `text`, which should be NFKC, in order; overlapping ones once."""
    found = sorted((*_ordinals(text), *_dotted(text), *_named(text), *_english(text)), key=lambda r: (r.start, -r.end))
    kept: list[Reference] = []
    for reference in found:
        if not kept or reference.start >= kept[-1].end:
            kept.append(reference)
    return kept


def _ordinals(text: str) -> Iterator[Reference]:
    for match in _ORDINAL.finditer(text):
        written = match["n"].replace(" ", "")
        unit = match["unit"].replace(" ", "")
        if "." in written:
            yield Reference(f"§{written}", written, match.start(), match.end())
            continue
        number, sub = parse_cn(written), parse_cn(match["sub"] or "")
        if number is not None:
            tail = "" if sub is None else f"之{sub}"
            yield Reference(f"第{number}{unit}{tail}", str(number), match.start(), match.end())


def _dotted(text: str) -> Iterator[Reference]:
    for match in _DOTTED.finditer(text):
        number = match["a"] or match["b"]
        yield Reference(f"§{number}", number, match.start(), match.end())


def _named(text: str) -> Iterator[Reference]:
    for match in _NAMED.finditer(text):
        number = _canonical(match["n"])
        yield Reference(f"{match['name']}{number}".replace("例题", "例"), number, match.start(), match.end())


def _english(text: str) -> Iterator[Reference]:
    for match in _ENGLISH.finditer(text):
        number = match["n"].lower()
        yield Reference(_TRANSLATED[match["name"].lower()].format(number), number, match.start(), match.end())


def _canonical(number: str) -> str:
    value = parse_cn(number)
    return number.lower().replace("–", "-") if value is None else str(value)
