"""Joining what a page or an editor broke: lines to paragraphs, cells to tables."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f“”‘’—…]")
_HYPHENATED = re.compile(r"[A-Za-z]{2,}[-\u00ad\u2010]$")
_BROKEN_PATH = re.compile(r"[\w.][/_=&]$")
_NEARBY = 40


def width(text: str) -> int:
    """How many columns a monospaced screen needs: Chinese counts two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def join_lines(lines: Sequence[str]) -> str:
    r"""One paragraph from its lines: Chinese without a space, Latin with one, hyphenated words mended.

    A line that ends with `\v` keeps its break.
    """
    parts: list[str] = []
    end = ""  # of all so far; looking at the whole for each line would take quadratic time
    for line in lines:
        piece = line.strip(" \t\u3000")
        if end and piece:
            cut, glue = _seam(end, piece)
            if cut:
                parts[-1], end = parts[-1][:-1], end[:-1]
            piece = glue + piece
        if piece:
            parts.append(piece)
            end = (end + piece)[-_NEARBY:]
    return "".join(parts).replace("\v", "\n").strip()


def join(left: str, right: str) -> str:
    """Two stretches of one paragraph that a line break had parted."""
    if not left or not right:
        return left + right
    cut, glue = _seam(left[-_NEARBY:], right)
    return (left[:-1] if cut else left) + glue + right


def _seam(end: str, right: str) -> tuple[bool, str]:
    """Whether the hyphen at the end of the left stretch goes, and what comes between the two."""
    if end.endswith(("\v", "\n")):
        return False, ""
    if _HYPHENATED.search(end):
        # Among Chinese a hyphen belongs to a name such as qw-proxy; only Latin text is hyphenated.
        return right[0].islower() and not _WIDE.search(end), ""
    glued = _WIDE.match(end[-1]) or _WIDE.match(right[0]) or _BROKEN_PATH.search(end)
    return False, "" if glued else " "


def table(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, its first row the head; bars and breaks inside cells are made harmless; ragged rows padded."""
    columns = max((len(row) for row in rows), default=0)
    if not columns:
        return ""
    cells = [[_cell(cell) for cell in row] + [""] * (columns - len(row)) for row in rows]
    cells.insert(1, ["---"] * columns)
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
