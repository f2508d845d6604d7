"""Citation markers: [1], [1, 2], [1-3], 【1】, [来源1] where a citation can stand, and nowhere else."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from youju.text import sentences
from youju.text.normal import fold

Style = Literal["n", "source_n"]

_LARGEST_RANGE = 50
_BRACKET = re.compile(
    r"[\[［【][ \u3000]?(?:"
    r"(?P<word>(?:来源|资料|文献|材料|出处|[Ss]ource)[ \u3000:：]?)?"
    r"(?P<numbers>\d{1,3}(?:[ \u3000]?[,，、;；\-–—~～至][ \u3000]?(?:来源[ ]?)?\d{1,3}){0,30})"
    # What models invent: no number of the context, hence a marker that resolves to nothing.
    r"|(?P<invented>(?i:ref|doc|chunk|cite|citation|src)[ :_#\-]{0,2}\d{1,12}|\d{1,6}†[^\[\]【】\n]{0,40})"
    r")[ \u3000]?[\]］】]"
)
_CODE = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|\$\$.*?\$\$|\\\(.*?\\\)|\\\[.*?\\\]"
    r"|\$(?! )[^$\n\u3400-\u9fff]{1,200}(?<! )\$",
    re.DOTALL,
)
_SPACES = " \t\u3000"
_BESIDE = re.compile(r"[ \t\u3000]{0,2}[,，、和与及]?[ \t\u3000]{0,2}")
_CLAUSE_BEGINS = "。！？；，,.;!?｡．…”’」』"
_CLAUSE_ENDS = re.compile(
    r"[ \t\u3000*_]{0,8}(?:\Z|[\r\n。！？；，、：｡．…”’」』）)》\"'|（—]|[,.;:!?](?![A-Za-z\d=]))"
)
# What stands before a bracket that is an interval, a set or an argument.
_FORMULA = re.compile(r"(?:定义域|值域|区间|数组|集合|解集|范围|[=＝≠≤≥<>＜＞∈∉⊆⊂∪∩∖+\-−*/×÷^(（\[［【{|:：、])\Z")
# … and what touches one that is an index.
_INDEXED = re.compile(
    r"(?:(?:^|[^A-Za-z])[a-z]\d?|[^\u3400-\u9fffA-Za-z][A-Z]|(?:^|[^A-Za-z])(?:arr|array|list|data|args|argv|nums|dp))\Z"
)
_INTERVAL = re.compile(r"(?:(?<![行作认成称因])为|是|(?<![获提读收领采])取|于|属)\Z")
_NEAR = 12


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as written at text[start:end]; `numbers` in the order written, empty for an invented one."""

    numbers: tuple[int, ...]
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """`removed` are the markers, or the parts of one, that resolved to nothing; `kept` stand in `text`."""

    text: str
    removed: tuple[str, ...]
    kept: tuple[Marker, ...]


def find(text: str, *, material: str = "", style: Style = "n") -> list[Marker]:  # noqa: ARG001 - both styles are read
    """The markers of an answer in order.

    A bracket counts only at the end of a sentence or clause (before or after its punctuation, at a line's end, after a
    closing quote, beside another marker). It does not count where `material`, the text the model saw, has the same
    bracket after the same characters, nor in code, formulas, intervals (定义域[1,2]), indexes (a[1]), years ([2021]).

    Args:
        text: the answer.
        material: what was given to the model; brackets copied from it are text.
        style: how markers are written; both styles are always read.
    """
    prose = _CODE.sub(lambda match: "\x00" * len(match.group()), text)
    brackets = list(_BRACKET.finditer(prose))
    folded = fold(material) if brackets else ""
    standing = (match for group in _neighbours(prose, brackets) for match in _standing(prose, group))
    return [
        Marker(_numbers(match), match.start(), match.end(), match.group())
        for match in standing
        if not _copied(prose, match, folded)
    ]


def clean(text: str, allowed: Iterable[int], material: str = "") -> Cleaned:
    """The text without markers that resolve to none of `allowed`; idempotent.

    A mixed marker keeps what resolves: [1,99] becomes [1]. Spaces that a removed marker leaves doubled, or before
    punctuation, go with it; no other character is lost.
    """
    known = frozenset(allowed)
    removed: list[str] = []
    while True:  # a marker that goes can bring another to the end of its clause; each turn shortens the text
        found = find(text, material=material)
        spoilt = [marker for marker in found if not marker.numbers or not known.issuperset(marker.numbers)]
        if not spoilt:
            return Cleaned(text, tuple(removed), tuple(found))
        text, _ = _replaced(text, [(m, _rewritten(m, [n for n in m.numbers if n in known])) for m in spoilt])
        removed += [_rewritten(m, [n for n in m.numbers if n not in known]) or m.text for m in spoilt]


def render(numbers: Iterable[int], style: Style = "n") -> str:
    """One marker a number: `[1][2]` or `[来源1][来源2]`."""
    return "".join(f"[{n}]" if style == "n" else f"[来源{n}]" for n in numbers)


def strip(text: str, material: str = "") -> str:
    """The text without any marker, tidied as `clean` does."""
    return clean(text, (), material).text


def statements(text: str, material: str = "") -> list[tuple[str, tuple[int, ...]]]:
    """Each sentence without markers, with the distinct numbers it cites, in order of the text.

    `。[1]` and a marker on a line of its own belong to the sentence before them.
    """
    found = find(text, material=material)
    bare, places = _replaced(text, [(marker, "") for marker in found])
    spans = sentences.split(bare)
    starts = [span.start for span in spans]
    cites: list[list[int]] = [[] for _ in spans]
    for marker, place in zip(found, places, strict=True):
        if spans:
            cites[max(0, bisect_left(starts, place) - 1)].extend(marker.numbers)
    return [(bare[s.start : s.end], tuple(dict.fromkeys(c))) for s, c in zip(spans, cites, strict=True)]


def _neighbours(text: str, brackets: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Brackets beside each other stand or fall together."""
    group: list[re.Match[str]] = []
    for match in brackets:
        if group and not _BESIDE.fullmatch(text, group[-1].end(), match.start()):
            yield group
            group = []
        group.append(match)
    if group:
        yield group


def _standing(text: str, group: list[re.Match[str]]) -> list[re.Match[str]]:
    """The markers of the group; in 定义域为[1,2][3]。 only the last one is a marker."""
    if _stands(text, group):
        return group
    rest = group[1:]
    interval = len(_numbers(group[0])) > 1 and rest and all(len(_numbers(match)) == 1 for match in rest)
    touching = interval and group[0].end() == rest[0].start()
    return rest if touching and _CLAUSE_ENDS.match(text, rest[-1].end()) and 0 not in _numbers(rest[0]) else []


def _stands(text: str, group: list[re.Match[str]]) -> bool:
    first, last = group[0], group[-1]
    if any(0 in _numbers(match) for match in group):
        return False
    before = text[max(0, first.start() - _NEAR) : first.start()].rstrip(_SPACES)
    ends = _CLAUSE_ENDS.match(text, last.end()) is not None
    if not before or before[-1] in "\r\n":  # a line of its own; else a list of sources or footnotes
        return ends and text[last.end() :].lstrip(_SPACES)[:1] in {"", "\r", "\n"}
    if before[-1] in _CLAUSE_BEGINS:
        return True
    if _FORMULA.search(before) or (text[first.start() - 1] not in _SPACES and _INDEXED.search(before)):
        return False
    several = any(len(_numbers(match)) > 1 for match in group)
    return ends and not (several and _INTERVAL.search(before))


def _copied(text: str, match: re.Match[str], material: str) -> bool:
    """Whether the material has this bracket after the same characters; a list of numbers needs fewer of them."""
    if not material:
        return False
    needed = 2 if len(_numbers(match)) > 1 else 3
    before = fold(text[max(0, match.start() - _NEAR) : match.start()])[-needed:]
    return len(before) > 1 and before + fold(match.group()) in material


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split(r"[,，、;；]", match["numbers"] or ""):
        ends = [int(digits) for digits in re.findall(r"\d+", part)]
        if len(ends) > 1 and ends[0] < ends[1] <= ends[0] + _LARGEST_RANGE:
            numbers.extend(range(ends[0], ends[1] + 1))
        else:
            numbers.extend(ends)
    return tuple(dict.fromkeys(numbers))


def _rewritten(marker: Marker, numbers: list[int]) -> str:
    match = _BRACKET.fullmatch(marker.text)
    if not numbers or not match:
        return ""
    return f"{marker.text[0]}{match['word'] or ''}{','.join(map(str, numbers))}{marker.text[-1]}"


def _replaced(text: str, changes: list[tuple[Marker, str]]) -> tuple[str, list[int]]:
    """The text with markers exchanged, and where in it each of them stood."""
    done = ""
    places: list[int] = []
    at = 0
    for marker, new in changes:
        done += text[at : marker.start]
        after = text[marker.end : marker.end + 1]
        if not new and done[-1:] in _SPACES and (after in _SPACES or _CLAUSE_ENDS.match(text, marker.end)):
            done = done.rstrip(_SPACES)
        done += new
        places.append(len(done.rstrip()))
        at = marker.end
    return done + text[at:], places
