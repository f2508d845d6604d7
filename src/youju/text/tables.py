"""What the cells of a Markdown table say: each with the names of its row and its column."""

from __future__ import annotations

import re
from dataclasses import dataclass

from youju.text.normal import fold
from youju.types import Span

RULE = re.compile(r"\|?[\s:|-]*-{3,}[\s:|-]*")
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Reading:
    """One cell below the heads. `line` is where its row stands in the text."""

    row: str
    column: str
    value: str
    line: Span


def readings(text: str) -> list[Reading]:
    """Every cell that has both names, in order; none where the text holds no table with heads."""
    found: list[Reading] = []
    heads: list[str] = []
    before: list[str] = []
    at = 0
    for line in text.splitlines(keepends=True):
        span, bare = Span(at, at + len(line.rstrip())), line.strip()
        at += len(line)
        if not bare.startswith("|"):
            heads, before = [], []
        elif RULE.fullmatch(bare):
            heads = before
        else:
            before = _cells(bare)
            named = zip(heads[1:], before[1:], strict=False) if heads else ()
            found += [Reading(before[0], head, value, span) for head, value in named if before[0] and head and value]
    return found


def said_of(sentence: str, text: str) -> Reading | None:
    """The cell that a sentence speaks of: it holds the names of its row and its column, the longest if several do.

    DX-200 Pro 的容量 speaks of the column DX-200 Pro, not of DX-200.
    """
    said = fold(sentence)
    known = [one for one in readings(text) if fold(one.row) in said and fold(one.column) in said]
    longest = max((len(fold(one.row)) + len(fold(one.column)) for one in known), default=0)
    best = [one for one in known if len(fold(one.row)) + len(fold(one.column)) == longest]
    # Two cells that fit equally well tell nothing about either.
    return best[0] if len(best) == 1 else None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip().strip("|"))]
