"""Citation markers: [1], [1, 2], [1-3], 【1】, [来源1] where a citation can stand, and nowhere else."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from youju.text import sentences
from youju.text.brackets import (
    AHEAD,
    BRACKET,
    CLAUSE_ENDS,
    GAP,
    NARROW,
    REACH,
    SPACES,
    SPANS,
    Bracket,
    Rule,
    bracket,
    narrow,
    settle,
)
from youju.text.normal import fold

Style = Literal["n", "source_n"]

_CODE = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|"
    + "|".join(
        rf"{re.escape(one.opener)}{one.unless}(?:(?!{one.stop}).)*{one.unended}{re.escape(one.closer)}" for one in SPANS
    ),
    re.DOTALL,
)


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
    found: list[Marker] = []
    prose, groups = _groups(text)
    rule = Rule(None, fold(material) if groups else "")
    for group in groups:
        left = prose[max(0, group.start - REACH) : group.start]
        settled = settle(left, group.brackets, prose[group.end : group.end + AHEAD], rule)
        end = group.start
        for one, marker in zip(group.brackets, settled.markers, strict=True):
            start = end + len(one.gap)
            end = start + len(one.text)
            if marker:
                found.append(Marker(one.numbers, start, end, one.text))
    return found


def clean(text: str, allowed: Iterable[int], material: str = "") -> Cleaned:
    """The text without markers that resolve to none of `allowed`; idempotent.

    A mixed marker keeps what resolves: [1,99] becomes [1]. Spaces that a removed marker leaves doubled, or before
    punctuation, go with it; no other character is lost.
    """
    prose, groups = _groups(text)
    rule = Rule(frozenset(allowed), fold(material) if groups else "")
    out: list[str] = []
    removed: list[str] = []
    left, at = "", 0
    for group in groups:
        out.append(text[at : group.start])
        left = (left + prose[max(at, group.start - REACH) : group.start])[-REACH:]
        settled = settle(left, group.brackets, prose[group.end : group.end + AHEAD], rule)
        out.append(settled.text)
        left = (left + settled.text)[-REACH:]
        removed += settled.removed
        at = group.end
    cleaned = "".join(out) + text[at:]
    return Cleaned(cleaned, tuple(removed), tuple(find(cleaned, material=material)))


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
    bare, places = _without(text, found)
    spans = sentences.split(bare)
    starts = [span.start for span in spans]
    cites: list[list[int]] = [[] for _ in spans]
    for marker, place in zip(found, places, strict=True):
        if spans:
            cites[max(0, bisect_left(starts, place) - 1)].extend(marker.numbers)
    return [(bare[s.start : s.end], tuple(dict.fromkeys(c))) for s, c in zip(spans, cites, strict=True)]


class _Group(NamedTuple):
    """Brackets beside each other, which stand or fall together: text[start:end], with the spaces before them."""

    brackets: list[Bracket]
    start: int
    end: int


def _groups(text: str) -> tuple[str, list[_Group]]:
    """The text with code and formulas blotted out, and the groups of brackets in it."""
    prose = _CODE.sub(lambda match: "\x00" * len(match.group()), text)
    groups: list[_Group] = []
    for match in BRACKET.finditer(prose):
        last = groups[-1].end if groups else 0
        if groups and GAP.fullmatch(prose, last, match.start()):
            groups[-1].brackets.append(bracket(match, prose[last : match.start()]))
            groups[-1] = groups[-1]._replace(end=match.end())
        else:
            gap = narrow(prose[max(last, match.start() - NARROW - 1) : match.start()])
            groups.append(_Group([bracket(match, gap)], match.start() - len(gap), match.end()))
    return prose, groups


def _without(text: str, markers: list[Marker]) -> tuple[str, list[int]]:
    """The text without the markers, and where in it each of them stood."""
    done: list[str] = []
    places: list[int] = []
    length = place = at = 0
    loose = ""  # spaces before a marker, which go where it leaves them doubled or before punctuation
    for marker in markers:
        piece = loose + text[at : marker.start]
        bare = piece.rstrip(SPACES)
        after = text[marker.end : marker.end + AHEAD]
        loose = "" if after[:1] in SPACES or CLAUSE_ENDS.match(after) else piece[len(bare) :]
        place = length + len(bare.rstrip()) if bare.strip() else place
        done.append(bare)
        length += len(bare)
        places.append(place)
        at = marker.end
    return "".join(done) + loose + text[at:], places
