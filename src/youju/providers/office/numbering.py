"""The numbers that Word puts in front of paragraphs: computed, for the file does not hold them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from youju.providers.office.numerals import numeral
from youju.providers.office.xml import Element, flag, number, value

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_BULLET = "-"


@dataclass(frozen=True)
class _Level:
    form: str
    text: str
    start: int
    gap: str
    restart: int
    arabic: bool
    style: str


@dataclass(frozen=True)
class Label:
    """`text` with the gap after it; `level` from 0."""

    text: str
    level: int
    bullet: bool


@dataclass
class Numbering:
    """Counts through a document; ask it once a paragraph, in reading order."""

    _abstract: dict[str, dict[int, _Level]] = field(default_factory=dict)
    _lists: dict[str, str] = field(default_factory=dict)
    _overrides: dict[str, dict[int, _Level | int]] = field(default_factory=dict)
    _counts: dict[str, list[int | None]] = field(default_factory=dict)
    _begun: set[tuple[str, int]] = field(default_factory=set)

    def label(self, list_id: str, level: int) -> Label | None:
        """The label of the next paragraph of a list, None where the list does not exist or shows nothing."""
        abstract = self._lists.get(list_id)
        if abstract is None or not 0 <= level < _LEVELS:
            return None
        levels = self._abstract[abstract]
        found = self._level(list_id, levels, level)
        if found is None:
            return None
        counts = self._counts.setdefault(abstract, [None] * _LEVELS)
        self._count(list_id, levels, counts, level)
        if found.form == "bullet":
            return Label(f"{_BULLET} ", level, bullet=True)
        text = self._text(list_id, levels, counts, found).strip()
        return Label(text + found.gap, level, bullet=False) if text else None

    def of_style(self, style: str, list_id: str) -> int:
        """The level that a style has in a list that names styles for its levels; 0 otherwise."""
        levels = self._abstract.get(self._lists.get(list_id, ""), {})
        return next((at for at, one in levels.items() if one.style == style), 0)

    def _level(self, list_id: str, levels: dict[int, _Level], level: int) -> _Level | None:
        override = self._overrides.get(list_id, {}).get(level)
        return override if isinstance(override, _Level) else levels.get(level)

    def _count(self, list_id: str, levels: dict[int, _Level], counts: list[int | None], level: int) -> None:
        override = self._overrides.get(list_id, {}).get(level)
        afresh = override is not None and (list_id, level) not in self._begun
        self._begun.add((list_id, level))
        now = counts[level]
        one = self._level(list_id, levels, level)
        start = override if isinstance(override, int) else one.start if one else 1
        counts[level] = start if now is None or afresh else now + 1
        for deeper in range(level + 1, _LEVELS):
            below = self._level(list_id, levels, deeper)
            if below is None or level < below.restart:
                counts[deeper] = None

    def _text(self, list_id: str, levels: dict[int, _Level], counts: list[int | None], found: _Level) -> str:
        def shown(match: re.Match[str]) -> str:
            at = int(match.group(1)) - 1
            one = self._level(list_id, levels, at)
            if one is None:
                return ""
            count = counts[at]
            if count is None:  # a level that was skipped shows its first number, and counts from there
                count = counts[at] = one.start
            return numeral(count, "decimal" if found.arabic and one.form != "none" else one.form).strip()

        return _PLACE.sub(shown, found.text)


def numbering(root: Element | None) -> Numbering:
    """The lists that `numbering.xml` defines."""
    if root is None:
        return Numbering()
    abstract, linked, named = {}, {}, {}
    for one in root.findall("{w}abstractNum"):
        key = one.get("{w}abstractNumId", "")
        abstract[key] = _levels(one)
        if name := value(one, "{w}styleLink"):
            named[name] = key
        if name := value(one, "{w}numStyleLink"):
            linked[key] = name
    lists, overrides = {}, {}
    for one in root.findall("{w}num"):
        key = value(one, "{w}abstractNumId")
        key = named.get(linked.get(key, ""), key)
        if key in abstract:
            list_id = one.get("{w}numId", "")
            lists[list_id] = key
            overrides[list_id] = dict(map(_override, one.findall("{w}lvlOverride")))
    return Numbering(abstract, lists, overrides)


def _levels(parent: Element) -> dict[int, _Level]:
    return {number(level.get("{w}ilvl", "0")): _level(level) for level in parent.findall("{w}lvl")}


def _override(one: Element) -> tuple[int, _Level | int]:
    level = one.find("{w}lvl")
    start = number(value(one, "{w}startOverride"), 1)
    return number(one.get("{w}ilvl", "0")), _level(level) if level is not None else start


def _level(level: Element) -> _Level:
    restart = value(level, "{w}lvlRestart")
    return _Level(
        form=value(level, "{w}numFmt") or "decimal",
        text=value(level, "{w}lvlText"),
        start=number(value(level, "{w}start"), 1),
        gap="" if value(level, "{w}suff") == "nothing" else " ",
        restart=number(restart, _LEVELS),
        arabic=flag(level.find("{w}isLgl")),
        style=value(level, "{w}pStyle"),
    )
