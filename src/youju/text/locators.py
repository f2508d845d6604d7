"""Where text stands that has no pages: 费用!12-40, 第 12-40 行, 第 3 张, or the name of a chapter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from youju.types import Place, Span

_COUNTED = re.compile(
    r"(?P<before>.*!|第 )(?P<first>[1-9]\d{0,8})(?:-(?P<last>[1-9]\d{0,8}))?(?P<after>| 行| 张)", re.DOTALL
)
DASH = " – "
_LISTED = 3


def spread(locators: Iterable[str]) -> str:
    """One locator for all that stands at these, in reading order: 费用!11-18 and 费用!21 are 费用!11-21.

    Rows of one sheet and slides are counted together; of anything else the first and the last are named:
    第一章 – 第三章. Empty ones do not count; "" for none.
    """
    names = _merged(locators, gap=None)
    return DASH.join([names[0], names[-1]] if len(names) > 1 else names)


def listed(locators: Iterable[str]) -> str:
    """As `spread`, but up to three places that do not follow each other are each named: 费用!15、费用!19."""
    names = _merged(locators, gap=1)
    return "、".join(names) if len(names) <= _LISTED else spread(names)


def _merged(locators: Iterable[str], gap: int | None) -> list[str]:
    """Neighbours counted together, however far apart they are for no `gap`."""
    found: list[tuple[str, int, int, str]] = []
    for locator in filter(None, locators):
        match = _COUNTED.fullmatch(locator)
        if not match:
            found.append((locator, 0, 0, ""))
            continue
        first, last = int(match["first"]), int(match["last"] or match["first"])
        if found and _follows((match["before"], first, last, match["after"]), found[-1], gap):
            first, last = min(first, found[-1][1]), max(last, found[-1][2])
            found.pop()
        found.append((match["before"], first, last, match["after"]))
    return list(dict.fromkeys(_named(*one) for one in found))


def _follows(one: tuple[str, int, int, str], before: tuple[str, int, int, str], gap: int | None) -> bool:
    if (one[0], one[3]) != (before[0], before[3]) or not before[1]:
        return False
    return gap is None or (one[1] <= before[2] + gap and before[1] <= one[2] + gap)


def _named(before: str, first: int, last: int, after: str) -> str:
    numbers = "" if not first else str(first) if first == last else f"{first}-{last}"
    return f"{before}{numbers}{after}"


def is_slide(locator: str) -> bool:
    """Whether a slide, or several, are named."""
    match = _COUNTED.fullmatch(locator)
    return match is not None and match["after"] == " 张"


def rows(locator: str, count: int) -> list[str]:
    """The locator of each of so many rows that stand at `locator`; its own for all where rows are left out."""
    match = _COUNTED.fullmatch(locator)
    if match:
        first, last = int(match["first"]), int(match["last"] or match["first"])
        if last - first + 1 == count:
            return [_named(match["before"], n, n, match["after"]) for n in range(first, last + 1)]
    return [locator] * count


def standing(places: Sequence[Place], spans: Iterable[Span]) -> str:
    """The locators of these stretches of a text whose places are given in order; "" where nothing is known of them."""
    ends = [*(place.start for place in places[1:]), None]
    wanted = list(spans)
    return listed(
        place.locator
        for place, end in zip(places, ends, strict=False)
        if any(place.start < max(span.end, span.start + 1) and (end is None or span.start < end) for span in wanted)
    )
