"""Fractions set above one another → written out in their line: (a+b)/2."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from youju.providers.pdf.geometry import Rule
from youju.providers.pdf.glyphs import Glyph
from youju.providers.pdf.runs import runs

_WIDEST = 220.0  # points
_NARROWEST = 3.0
_MOST = 40  # letters above or below
_MOST_BARS = 300
_AXIS = 0.3  # how far above the base line the bar stands, in sizes
_SIMPLE = re.compile(r"[\d.,%]+|[^\W\d_]+[₀-₉ₐ-ₜ]*|[^\W\d_][²³⁰-ⁿ]?")
_SIMPLE_ABOVE = re.compile(r"[\d.]*[^\W\d_]+[₀-₉ₐ-ₜ²³⁰-ⁿ]*")


class _Part(NamedTuple):
    at: list[int]
    text: str


class _Fraction(NamedTuple):
    above: _Part
    below: _Part
    bar: Rule
    size: float


def written_out(glyphs: Sequence[Glyph], rules: Sequence[Rule]) -> list[Glyph]:
    """The letters, those of each fraction as if they stood in its line from left to right, with a slash."""
    bars = [rule for rule in rules if rule.horizontal and _NARROWEST <= rule.x1 - rule.x0 <= _WIDEST]
    if not 0 < len(bars) <= _MOST_BARS:  # a drawing has more
        return list(glyphs)
    order = sorted(range(len(glyphs)), key=lambda at: glyphs[at].base[1])
    bases = [glyphs[at].base[1] for at in order]
    gone: dict[int, _Fraction | None] = {}
    for bar in bars:
        middle = (bar.y0 + bar.y1) / 2
        near = order[bisect_left(bases, middle - 60) : bisect_right(bases, middle + 60)]
        found = _fraction(bar, glyphs, near)
        if found and not gone.keys() & {*found.above.at, *found.below.at}:
            gone |= dict.fromkeys([*found.above.at, *found.below.at])
            gone[min(gone_at for gone_at in (*found.above.at, *found.below.at))] = found
    made: list[Glyph] = []
    for at, glyph in enumerate(glyphs):
        if at not in gone:
            made.append(glyph)
        elif (fraction := gone[at]) is not None:
            made.extend(_line(fraction, glyphs))
    return made


def _fraction(bar: Rule, glyphs: Sequence[Glyph], near: Sequence[int]) -> _Fraction | None:
    middle = (bar.y0 + bar.y1) / 2
    beside = [at for at in near if bar.x0 - 1.5 <= (glyphs[at].x0 + glyphs[at].x1) / 2 <= bar.x1 + 1.5]
    above = [at for at in beside if -0.15 < (middle - glyphs[at].base[1]) / glyphs[at].size < 0.75]  # noqa: PLR2004
    below = [at for at in beside if 0.5 < (glyphs[at].base[1] - middle) / glyphs[at].size < 1.45]  # noqa: PLR2004
    if not (0 < len(above) <= _MOST and 0 < len(below) <= _MOST):
        return None
    parts = [_part(at, bar, glyphs, near) for at in (above, below)]
    if parts[0] is None or parts[1] is None:
        return None
    widest = max(_wide(part, glyphs) for part in parts if part)
    size = _size_of_line(bar, glyphs, near)
    alone = size == 0
    if widest < bar.x1 - bar.x0 - 14 or (alone and not (parts[0].text + parts[1].text).isascii()):
        return None
    return _Fraction(parts[0], parts[1], bar, size or max(glyphs[at].size for at in above))


def _wide(part: _Part, glyphs: Sequence[Glyph]) -> float:
    return max(glyphs[at].x1 for at in part.at) - min(glyphs[at].x0 for at in part.at)


def _part(at: list[int], bar: Rule, glyphs: Sequence[Glyph], near: Sequence[int]) -> _Part | None:
    """What stands above or below the bar: in its middle, in one piece, and no piece of a longer line."""
    mine = sorted(at, key=lambda one: glyphs[one].x0)
    left, right = glyphs[mine[0]], glyphs[mine[-1]]
    size = max(glyphs[one].size for one in mine)
    if left.x0 < bar.x0 - 2 or right.x1 > bar.x1 + 2 or abs(left.x0 + right.x1 - bar.x0 - bar.x1) > 0.8 * size:
        return None
    inside = set(mine)
    for one in near:
        other = glyphs[one]
        beside = -0.5 * size < bar.x0 - other.x1 < size or -0.5 * size < other.x0 - bar.x1 < size
        if one not in inside and beside and abs(other.base[1] - left.base[1]) < 0.12 * size:
            return None
    found = list(runs(glyphs[one]._replace(begins=False) for one in mine))
    return _Part(mine, found[0].text) if len(found) == 1 else None


def _size_of_line(bar: Rule, glyphs: Sequence[Glyph], near: Sequence[int]) -> float:
    """The size of the letters left or right of the bar, on whose line it stands; 0 if there are none."""
    middle = (bar.y0 + bar.y1) / 2
    for at in near:
        glyph = glyphs[at]
        beside = -1 < bar.x0 - glyph.x1 < 1.5 * glyph.size or -1 < glyph.x0 - bar.x1 < 1.5 * glyph.size
        if beside and 0.1 < (glyph.base[1] - middle) / glyph.size < 0.55:  # noqa: PLR2004
            return glyph.size
    return 0.0


def _line(fraction: _Fraction, glyphs: Sequence[Glyph]) -> list[Glyph]:
    above, below = fraction.above.text, fraction.below.text
    above = above if _SIMPLE.fullmatch(above) or _SIMPLE_ABOVE.fullmatch(above) else f"({above})"
    below = below if _SIMPLE.fullmatch(below) else f"({below})"
    text = f"{above}/{below}"
    bar, size = fraction.bar, fraction.size
    base = (bar.y0 + bar.y1) / 2 + _AXIS * size
    step = (bar.x1 - bar.x0) / len(text)
    model = glyphs[fraction.above.at[0]]
    return [
        model._replace(
            char=char,
            x0=bar.x0 + nth * step,
            x1=bar.x0 + (nth + 1) * step,
            y0=base - 0.88 * size,
            y1=base + 0.12 * size,
            base=(bar.x0 + nth * step, base),
            size=size,
            space=False,
            begins=False,
        )
        for nth, char in enumerate(text)
    ]
