"""Brackets that can be citation markers, and whether they are: what the whole text and the stream agree on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from youju.text.normal import fold

SPACES = " \t\u3000"
OPENERS = "[［【"
# Spaces before a bracket that go with it; a wider gap is layout and stays.
NARROW = 8
# How far the characters before and behind a bracket are looked at.
REACH, AHEAD = 320, 32

_LARGEST_RANGE = 50
_LARGEST_LIST = 31
_NEAR = 12
_WORDS = ("来源", "资料", "文献", "材料", "出处", "Source", "source")
_NAMES = ("ref", "doc", "chunk", "cite", "citation", "src")
_NUMBER = r"\d{1,3}"
_BETWEEN = r"[,，、;；\-–—－~～至]"
# Without what opens code and formulas, so that a bracket never holds the beginning of one.
_TITLE = r"[^\[\]［］【】\n。！？；，`$\\~\x00]{0,40}"


def _begun(words: Sequence[str]) -> str:
    """A pattern of every beginning of the words, the longest first."""
    return "|".join(sorted({word[:n] for word in words for n in range(1, len(word) + 1)}, key=len, reverse=True))


def _pattern(name: str) -> str:
    """A bracket's inside; `name` keeps groups of the single and the doubled form apart."""
    word = rf"(?:{'|'.join(_WORDS)})[ \u3000:：]?"
    return (
        rf"[ \u3000]?(?:(?P<word{name}>{word})?"
        rf"(?P<numbers{name}>{_NUMBER}(?:[ \u3000]?{_BETWEEN}[ \u3000]?(?:{word})?{_NUMBER}){{0,{_LARGEST_LIST - 1}}})"
        # What models invent: no number of the context, hence a marker that resolves to nothing.
        rf"|(?i:{'|'.join(_NAMES)})[ :_#\-]{{0,2}}\d{{1,12}}|\d{{1,6}}(?::\d{{1,3}})?†{_TITLE})[ \u3000]?"
    )


def _beginning() -> str:
    """What a bracket's inside can begin with."""
    word = rf"(?:{_begun(_WORDS)})[ \u3000:：]?"
    more = rf"[ \u3000]?{_BETWEEN}[ \u3000]?(?:{word})?"
    numbers = rf"{_NUMBER}(?:{more}{_NUMBER}){{0,{_LARGEST_LIST - 1}}}(?:{more})?"
    return (
        rf"[ \u3000]?(?:(?:{word})?(?:{numbers})?|(?i:{_begun(_NAMES)})[ :_#\-]{{0,2}}\d{{0,12}}"
        rf"|\d{{1,6}}(?::\d{{0,3}})?(?:†{_TITLE})?)[ \u3000]?"
    )


BRACKET = re.compile(
    rf"[\[［【]{_pattern('')}[\]］】]|\[\[{_pattern('2')}\]\]|【【{_pattern('3')}】】|［［{_pattern('4')}］］"
)
# What can still become a bracket when more characters come.
OPEN = re.compile(rf"[\[［【]{_beginning()}|(?:\[\[|【【|［［){_beginning()}[\]］】]?")

_RUN = r"[ \t\u3000]{0,8}(?:[*_]{1,4}[ \t\u3000]{0,8})?"
# What stands between brackets that belong together.
GAP = re.compile(rf"{_RUN}[,，、和与及]?{_RUN}")
_CLAUSE_BEGINS = "。！？；，,.;!?｡．…”’」』"
CLAUSE_ENDS = re.compile(rf"{_RUN}(?:\Z|[\r\n。！？；，、：｡．…”’」』”）)》\"'|（—]|[,.;:!?](?![A-Za-z\d=]))")
_UNDECIDED = re.compile(
    rf"{_RUN}[,.;:!?]?|\((?:{_begun(('https:', 'http:', 'www.', 'mailto:', 'file:'))})?", re.IGNORECASE
)
_LINK = re.compile(r"\((?:https?:|www\.|mailto:|file:|[/#.])", re.IGNORECASE)
# What stands before a bracket that is an interval, a set or an argument.
_FORMULA = re.compile(r"(?:定义域|值域|区间|数组|集合|解集|范围|[=＝≠≤≥<>＜＞∈∉⊆⊂∪∩∖+\-−*/×÷^(（\[［【{|:：、])\Z")
_LABEL = re.compile(r"(?:来源|出处|引用|参考|资料|依据|参见|详见)[:：]\Z")
_EMPHASIS = re.compile(r"(?:\*{2,3}|(?<=[\u3000-\u303f\u3400-\u9fff\uff00-\uff60%])[*_]{1,3})\Z")
# … and what touches one that is an index.
_INDEXED = re.compile(
    r"(?:(?:^|[^A-Za-z])[a-z]\d?|[^\u3400-\u9fffA-Za-z][A-Z]|(?:^|[^A-Za-z])(?:arr|array|list|data|args|argv|nums|dp))\Z"
)
# 6 L[1]。 A letter behind a number is a unit.
_MEASURED = re.compile(r"\d[ \u3000]?[A-Za-z]\d?\Z")
_INTERVAL = re.compile(r"(?:(?<![行作认成称因])为|是|(?<![获提读收领采])取|于|属)\Z")


@dataclass(frozen=True, slots=True)
class Span:
    """Code or a formula within a text: what opens it, its first stop, which closes it or makes `opener` text.

    `unless` looks ahead behind the opener, `unended` behind before the closer. Brackets are never a stop nor part of
    one, so that what is a span stays one when markers go.
    """

    opener: str
    stop: str
    closer: str
    unless: str = ""
    unended: str = ""


_PARAGRAPH_ENDS = r"\n\r?\n"
SPANS = (
    Span("`", r"[`\n]", "`"),
    Span("$$", rf"\$\$|{_PARAGRAPH_ENDS}", "$$"),
    Span(r"\(", rf"\\[()]|{_PARAGRAPH_ENDS}", r"\)"),
    Span(r"\[", rf"\\[\[\]]|{_PARAGRAPH_ENDS}", r"\]"),
    # 价格 $5 一个 and $5 a piece are amounts. What is CJK in a marker stops no formula.
    Span(
        "$", rf"[$\n]|(?![{''.join(_WORDS[:5])}至])[\u3400-\u9fff]", "$", r"(?![ $]|[\d.,]{1,15} [A-Za-z]{2})", "(?<! )"
    ),
)


@dataclass(frozen=True, slots=True)
class Bracket:
    """A bracket as written, its numbers in order (none for an invented one), and what is between it and the last."""

    text: str
    word: str
    numbers: tuple[int, ...]
    gap: str


@dataclass(frozen=True, slots=True)
class Rule:
    """`known` are the numbers that resolve, None for any at all; `material` is folded."""

    known: frozenset[int] | None
    material: str


class Settled(NamedTuple):
    """What stands for a group and the gaps before its brackets, what was removed, and which of them are markers."""

    text: str
    removed: tuple[str, ...]
    markers: tuple[bool, ...]


def bracket(match: re.Match[str], gap: str) -> Bracket:
    """The bracket of a match of `BRACKET`."""
    found = {name.rstrip("234"): value for name, value in match.groupdict().items() if value is not None}
    return Bracket(match.group(), found.get("word", ""), _numbers(found.get("numbers", "")), gap)


def narrow(text: str) -> str:
    """The spaces a text ends with, if they are few enough to go with a bracket behind them."""
    width = len(text) - len(text.rstrip(SPACES))
    return text[len(text) - width :] if width <= NARROW else ""


def undecided(after: str) -> bool:
    """Whether what follows a group is too short to tell if a clause ends there."""
    return _UNDECIDED.fullmatch(after) is not None


def settle(left: str, group: Sequence[Bracket], after: str, rule: Rule) -> Settled:
    """The group as it stays.

    Args:
        left: the text before it as it stays, code and formulas blotted out; `REACH` characters are enough.
        group: brackets beside each other, which stand or fall together.
        after: the text behind it as written; `AHEAD` characters are enough.
        rule: which numbers stay, and the material.
    """
    standing = _standing(left, group, after)
    out: list[str] = []
    removed: list[str] = []
    markers: list[bool] = []
    follows = [*(one.gap + one.text for one in group[1:]), after]
    loose = ""  # spaces left by a marker that went; the next may take them along
    for one, stands, then in zip(group, standing, follows, strict=True):
        gap = loose + one.gap
        marker = stands and not (rule.material and _copied(left + gap, one, rule.material))
        new, spoilt = _kept(one, rule.known) if marker else (one.text, "")
        bare = gap if new else gap.rstrip(SPACES)
        goes = left[-1:] != "$" and (then[:1] in SPACES or CLAUSE_ENDS.match(then))
        loose = "" if goes else gap[len(bare) :]
        out.append(bare + new)
        left = (left + bare + new)[-REACH:]
        markers.append(marker)
        removed += [spoilt] if spoilt else []
    return Settled("".join(out) + loose, tuple(removed), tuple(markers))


def _standing(left: str, group: Sequence[Bracket], after: str) -> list[bool]:
    """Which of the group can be markers; in 定义域为[1,2][3]。 only the last one is."""
    if _LINK.match(after) or _nested(left + group[0].gap, after):
        return [False] * len(group)
    if _stands(left + group[0].gap, group, after):
        return [True] * len(group)
    rest = group[1:]
    interval = len(group[0].numbers) > 1 and rest and all(len(one.numbers) == 1 for one in rest)
    behind = interval and not rest[0].gap and (0,) not in [one.numbers for one in rest] and CLAUSE_ENDS.match(after)
    return [False, *([bool(behind)] * len(rest))]


def _stands(left: str, group: Sequence[Bracket], after: str) -> bool:
    if any(0 in one.numbers for one in group):
        return False
    touched = left.rstrip(SPACES)[-_NEAR:]
    before = _EMPHASIS.sub("", touched).rstrip(SPACES)
    ends = CLAUSE_ENDS.match(after) is not None
    if not before or before[-1] in "\r\n":  # a line of its own; else a list of sources or footnotes
        return ends and after.lstrip(SPACES)[:1] in {"", "\r", "\n"}
    if before[-1] in _CLAUSE_BEGINS:
        return True
    if _FORMULA.search(before) and not _LABEL.search(before):
        return False
    if left[-1] not in SPACES and _INDEXED.search(touched) and not _MEASURED.search(touched):
        return False
    several = any(len(one.numbers) > 1 for one in group)
    return ends and not (several and _INTERVAL.search(before))


def _nested(left: str, after: str) -> bool:
    """Whether the text would close up to another bracket if the group went."""
    begin = max(left.rfind(opener) for opener in OPENERS)
    if begin < 0 or not after:
        return False
    joined = {left[begin:] + after[0], left[begin:].rstrip(SPACES) + after[0]}
    return any(OPEN.fullmatch(one) or BRACKET.fullmatch(one) for one in joined)


def _copied(left: str, one: Bracket, material: str) -> bool:
    """Whether the material has this bracket after the same characters of its line; a list of numbers needs fewer."""
    needed = 2 if len(one.numbers) > 1 else 3
    touched = left.rstrip(SPACES)[-_NEAR:]
    line = fold(touched.rpartition("\n")[2])
    before = (line if len(line) > 1 else fold(touched))[-needed:]
    return len(before) > 1 and before + fold(one.text) in material


def _numbers(written: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split(r"[,，、;；]", written):
        ends = [int(digits) for digits in re.findall(r"\d+", part)]
        if len(ends) > 1 and ends[0] < ends[1] <= ends[0] + _LARGEST_RANGE:
            numbers.extend(range(ends[0], ends[1] + 1))
        else:
            numbers.extend(ends)
    return tuple(dict.fromkeys(numbers))


def _kept(one: Bracket, known: frozenset[int] | None) -> tuple[str, str]:
    """What stays of a marker, and what goes; a mixed one is written anew."""
    good = [n for n in one.numbers if known is None or n in known]
    bad = [n for n in one.numbers if known is not None and n not in known]
    if known is None or (good and not bad):
        return one.text, ""
    return (_written(one, good), _written(one, bad)) if one.numbers else ("", one.text)


def _written(one: Bracket, numbers: Sequence[int]) -> str:
    """Brackets of the same kind; several where one would be too long to be read as a marker."""
    lists = [numbers[at : at + _LARGEST_LIST] for at in range(0, len(numbers), _LARGEST_LIST)]
    return "".join(f"{one.text[0]}{one.word}{','.join(map(str, some))}{one.text[-1]}" for some in lists)
