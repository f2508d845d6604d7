"""Sections → pieces, the future children: whole paragraphs, neither crumbs nor giants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from youju.ingest.chunkers.base import Part, Piece, Section, Sizes, joined
from youju.ingest.chunkers.breaking import cut, parts
from youju.text.lessons import SOLUTIONS, opening
from youju.text.sentences import split
from youju.types import Page

_LEADS = re.compile(r"[:：]$")
_LEAD_MAX = 60


def pieces(section: Section, sizes: Sizes, pages: Sequence[Page]) -> list[Piece]:
    """The pieces of one section in reading order.

    None is longer than `sizes.child_max` unless it is one unbreakable block; one shorter than `sizes.child_min` has no
    neighbour it could share a piece with. A line that leads in a table or list stays with it where both fit.
    """
    limit = max(sizes.child_max - sizes.overlap, 1)
    whole = max(sizes.parent_max, sizes.child_max)
    all_parts: list[Part] = []
    for block in section.blocks:
        all_parts += parts(block, limit, whole, pages, lead=_before(all_parts, sizes.child_min))
    groups = _filled(all_parts, sizes.child_min, limit)
    groups = _balanced(groups, sizes.child_min, limit)
    return _overlapping([Piece(tuple(group)) for group in groups], sizes.overlap, pages)


def _before(all_parts: Sequence[Part], most: int) -> int:
    """The length of the short parts at the end, fewer than `most` characters together, with a break after each."""
    length = 0
    for part in reversed(all_parts):
        if length + len(part.text) >= most:
            break
        length += len(part.text) + 1
    return length


def _length(group: Sequence[Part]) -> int:
    return len(joined([part.text for part in group]))


def _leads(part: Part) -> bool:
    """Whether a part announces the next one: a caption, a line that ends with a colon, 「定义 1.2」 alone."""
    short = len(part.text) <= _LEAD_MAX
    return bool(_LEADS.search(part.text)) or (short and part.block.kind == "caption")


def _solves(part: Part) -> bool:
    """Whether a part is the solution or proof of what stands before it."""
    begun = opening(part.text.split("\n", 1)[0])
    return begun is not None and begun.name in SOLUTIONS


def _bound(before: Part, part: Part) -> bool:
    """Whether two neighbours should stay together where both fit."""
    return _leads(before) or _solves(part)


def _filled(all_parts: Sequence[Part], low: int, limit: int) -> list[list[Part]]:
    """Parts in order, a new group where the next part does not fit any more."""
    groups: list[list[Part]] = []
    for at, part in enumerate(all_parts):
        if not groups or _length([*groups[-1], part]) > limit:
            groups.append(_lead_in(groups, part, limit))
        elif (
            _heads(all_parts, at)
            and _length(groups[-1]) >= low
            and _overflows(groups[-1], all_parts[at : at + 2], limit)
        ):
            groups.append([part])
        else:
            groups[-1].append(part)
    return groups


def _heads(all_parts: Sequence[Part], at: int) -> bool:
    """Whether the part is bound to the next one."""
    return at + 1 < len(all_parts) and _bound(all_parts[at], all_parts[at + 1])


def _lead_in(groups: list[list[Part]], part: Part, limit: int) -> list[Part]:
    """A new group that begins with `part`, taking along the line that announced it."""
    if groups and len(groups[-1]) > 1 and _bound(groups[-1][-1], part) and _length([groups[-1][-1], part]) <= limit:
        return [groups[-1].pop(), part]
    return [part]


def _overflows(group: Sequence[Part], following: Sequence[Part], limit: int) -> bool:
    return _length([*group, *following]) > limit


def _balanced(groups: list[list[Part]], low: int, limit: int) -> list[list[Part]]:
    """The same parts in the same order with fewer groups below `low`: merged or fed from the one before."""
    groups = [list(group) for group in groups]
    at = 0
    while at < len(groups):
        group = groups[at]
        if _length(group) >= low or len(groups) == 1:
            at += 1
        elif at and _length([*groups[at - 1], *group]) <= limit:
            groups[at - 1 : at + 1] = [[*groups[at - 1], *group]]
        elif at + 1 < len(groups) and _length([*group, *groups[at + 1]]) <= limit:
            groups[at : at + 2] = [[*group, *groups[at + 1]]]
        else:
            if at:
                _feed(groups[at - 1], group, low, limit)
            at += 1
    return groups


def _feed(giver: list[Part], taker: list[Part], low: int, limit: int) -> None:
    """Move parts from the end of `giver` to the head of `taker` while that leaves the giver large enough."""
    while len(giver) > 1 and _length(taker) < low:
        first = len(giver) - 1
        while first > 0 and _bound(giver[first - 1], giver[first]):
            first -= 1
        if not first or _length(giver[:first]) < low or _length([*giver[first:], *taker]) > limit:
            return
        taker[:0] = giver[first:]
        del giver[first:]


def _overlapping(found: list[Piece], overlap: int, pages: Sequence[Page]) -> list[Piece]:
    if not overlap:
        return found
    return [found[0], *(Piece(after.parts, _tail(before, overlap, pages)) for before, after in pairwise(found))]


def _tail(piece: Piece, overlap: int, pages: Sequence[Page]) -> Part | None:
    """The last whole sentences of a piece that fit into `overlap` characters with the break after them."""
    last = piece.parts[-1]
    if last.block.kind not in {"text", "quote"}:
        return None
    starts = [span.start for span in split(last.text)]
    fitting = [start for start in starts if len(last.text) - start < overlap]
    text = last.text[min(fitting) :].strip() if fitting else ""
    return cut(last.block, [text], pages)[0] if text else None
