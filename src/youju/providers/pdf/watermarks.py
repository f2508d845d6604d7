"""Large words upright behind the text of page after page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from youju.providers.pdf.chars import Sheet

_MIN_PAGES = 3
_MOST = 0.5
_LARGE = 1.5
_GRID = 4  # points


def watermarks(sheets: Sequence[Sheet], body: float) -> set[int]:
    """`id(run)` of the runs larger than the text that most pages have, word for word, in one place."""
    places: dict[tuple[str, int, int], list[int]] = defaultdict(list)
    for sheet in sheets:
        for run in sheet.runs:
            if run.size >= _LARGE * body:
                places[run.text, round(run.x0 / _GRID), round(run.base / _GRID)].append(id(run))
    needed = max(_MIN_PAGES, _MOST * len(sheets))
    return {one for found in places.values() if len(found) >= needed for one in found}
