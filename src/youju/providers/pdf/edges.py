"""Where lines could begin and end: the edges of their column, as the other pages of the document show them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from youju.providers.pdf.layout import Line

_NEAR = 3.0
_MOST = 0.8
_COMMON = 8  # lines that must stand in a column elsewhere


def justified(lines: list[Line]) -> list[Line]:
    """The same lines; those of pages set in one column get the edges that pages of their side share.

    A page with text in one of two columns only looks like a page of one: its lines get the edges of that column.
    """
    _share_sides(lines)
    _fill_columns(lines)
    return lines


def _share_sides(lines: Sequence[Line]) -> None:
    for side in (0, 1):
        mine = [line for line in lines if line.page % 2 == side and not line.columns]
        if not mine:
            continue
        left, right = Counter((round(line.left), round(line.right)) for line in mine).most_common(1)[0][0]
        for line in mine:
            if line.left >= left - _NEAR and line.right <= right + _NEAR:
                line.left, line.right = float(left), float(right)


def _fill_columns(lines: Sequence[Line]) -> None:
    columns = Counter((round(line.left), round(line.right)) for line in lines if line.columns)
    known = [edges for edges, count in columns.most_common() if count >= _COMMON]
    if not known:
        return
    pages: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        pages[line.page].append(line)
    for there in pages.values():
        if any(line.columns for line in there):
            continue
        for left, right in known:
            mine = [line for line in there if line.x0 >= left - _NEAR and line.x1 <= right + _NEAR]
            if len(mine) >= _MOST * len(there) and any(line.right > right + _NEAR for line in mine):
                for line in mine:
                    line.left, line.right, line.columns = float(left), float(right), True
                break
