"""Whether a page that was read is a table of contents: of leaders OCR sees a few dots, of numbers behind them few."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from youju.providers.pdf.cells import rows_of
from youju.providers.pdf.chars import Run

_MIN_ROWS = 4
_MOST = 0.8
_LED = re.compile(
    r"(?:[.．·•…‥⋯]\s?){2,}[（(]?(?P<n>\d{1,4})?[）)]?\Z|\A[.．·•…‥⋯]\s?(?P<alone>\d{1,4})\Z|(?<=[\u4e00-\u9fff])\s?[.·]\Z"
)


def is_contents(runs: Sequence[Run]) -> bool:
    """Whether most rows of a page end in leaders, and the numbers that are left behind them ascend.

    A row is a title and, often as a run of its own, its leader. At least four rows; prices do not ascend.
    """
    rows = [[run.text.strip() for run in row] for row in rows_of(runs)]
    led = [found for row in rows for found in [_last(row)] if found]
    numbers = [int(number) for found in led if (number := found["n"] or found["alone"])]
    rises = [after >= before for before, after in pairwise(numbers)]
    return len(led) >= max(_MIN_ROWS, len(rows) / 2) and sum(rises) >= _MOST * len(rises)


def _last(row: Sequence[str]) -> re.Match[str] | None:
    """The leader of a row, that with the number first."""
    found = [match for text in reversed(row) if (match := _LED.search(text))]
    return found[0] if found else None
