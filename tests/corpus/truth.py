"""What is true of a PDF of the corpus."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fact:
    """A block as its author meant it; `places` are (page, x0, y0, x1, y1) of its lines on each page and column.

    `rows` are a table's cells. `formula`: its text is an expression that must come out sign for sign.
    """

    kind: str
    text: str
    page: int
    page_end: int
    label: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    formula: str = ""
    places: tuple[tuple[int, float, float, float, float], ...] = ()


@dataclass
class Made:
    """A PDF with its truth. `furniture` is in the margins, `hidden` on the page but not to be seen: neither is body."""

    name: str
    data: bytes = b""
    facts: list[Fact] = field(default_factory=list)
    furniture: dict[int, list[str]] = field(default_factory=dict)
    hidden: list[str] = field(default_factory=list)
    labels: dict[int, str] = field(default_factory=dict)
    unordered: bool = False
