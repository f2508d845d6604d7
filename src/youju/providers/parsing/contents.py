"""Which lines are a table of contents, and not a price list with leaders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from youju.text.headings import is_toc_line, numbering

_NUMBER = re.compile(r"[（(]?(?P<n>\d{1,4}|[ivxlc]{1,7})[）)]?\s*\Z", re.IGNORECASE)
_LEADER = re.compile(r"[\s.．·•・…‥⋯_\-]+\Z")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_GAP = 3
_MOST = 0.8


def contents(lines: Sequence[str], last: int | None) -> frozenset[int]:
    """Indexes of the lines of tables of contents: they end with leaders and numbers of pages.

    Numbers of pages ascend; prices and counts do not. They also lie within the document, or else (in an excerpt, or in
    a format without pages) what the lines name is numbered like a heading or stands elsewhere as a line.

    Args:
        lines: in reading order.
        last: the highest number a page has; None where there are no pages.
    """
    runs = list(_runs(lines))
    inside = {at for run in runs for at in run}
    others = {line.strip() for at, line in enumerate(lines) if at not in inside}
    return frozenset(at for run in runs if _is_contents([lines[at] for at in run], last, others) for at in run)


def _is_contents(lines: Sequence[str], last: int | None, others: AbstractSet[str]) -> bool:
    numbers = [found["n"].lower() for line in lines if (found := _NUMBER.search(line))]
    arabic = [int(number) for number in numbers if number.isdigit()]
    roman = [_roman(number) for number in numbers if not number.isdigit()]
    if not (_ascend(arabic) and _ascend(roman)):
        return False
    if last and sum(0 < number <= last for number in arabic) >= _MOST * len(arabic):
        return True
    titles = [_title(line) for line in lines]
    return sum(title in others or bool(numbering(title)) for title in titles) * 2 >= len(titles)


def _title(line: str) -> str:
    """What a line of contents names: the text before its leader and number."""
    return _LEADER.sub("", _NUMBER.sub("", line.rstrip())).strip()


def _runs(lines: Sequence[str]) -> Iterator[list[int]]:
    """Stretches of lines with leaders; a long title or a heading among them does not end one."""
    run: list[int] = []
    for at, line in enumerate(lines):
        if not is_toc_line(line):
            continue
        if run and at - run[-1] > _GAP:
            yield run
            run = []
        run.append(at)
    if run:
        yield run


def _ascend(numbers: Sequence[int]) -> bool:
    rises = [after >= before for before, after in pairwise(numbers)]
    return sum(rises) >= _MOST * len(rises)


def _roman(label: str) -> int:
    values = [_ROMAN[char] for char in label]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))
