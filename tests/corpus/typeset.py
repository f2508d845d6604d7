"""A typesetter that knows what it sets: headings, paragraphs, notes, tables, figures on pages and in columns."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

from corpus.inline import broken, drawn, said
from corpus.paper import Bar, Leaf, Mark, Text, length, paper
from corpus.truth import Fact, Made

NOTE = 8.0
Place = tuple[int, float, float, float, float]
Row = tuple[str, ...]


@dataclass(frozen=True)
class Frame:
    """The form of a book's pages, in points. `apart`: letters placed one by one; `shuffled`: drawn in any order."""

    width: float = 440
    height: float = 620
    top: float = 80
    bottom: float = 70
    left: float = 60
    right: float = 60
    columns: int = 1
    gutter: float = 24
    size: float = 10.5
    leading: float = 17
    font: str = "song"
    rotate: int = 0
    indent: float = 2
    hyphens: bool = False
    apart: bool = False
    shuffled: bool = False
    gap: float = 0
    margins: str = "apart"  # or "together": head and number in one line; "count": 第 1 页 共 9 页


@dataclass(frozen=True)
class Form:
    """How a heading looks."""

    size: float
    font: str = "hei"
    centred: bool = False


FORMS = {1: Form(18, centred=True), 2: Form(14), 3: Form(12), 4: Form(10.5)}


class Setter:
    """Sets a book from top to bottom; `made` gives its bytes and its truth."""

    def __init__(self, name: str, frame: Frame, *, folio: Callable[[int], str] = str) -> None:
        self.frame, self.name, self.folio = frame, name, folio
        self.leaves: list[Leaf] = []
        self.facts: list[Fact] = []
        self.marks: list[Mark] = []
        self.chapter = ""
        self.heads: dict[int, str] = {}
        self._notes: list[tuple[str, list[list]]] = []
        self._floor = 0.0
        self._top = 0.0
        self.column = 0
        self.y = 0.0
        self.turn()

    # --- pages and columns ---------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        return len(self.leaves)

    @property
    def leaf(self) -> Leaf:
        return self.leaves[-1]

    def turn(self) -> None:
        """A new page."""
        if self.leaves:
            self._close()
        self.leaves.append(Leaf(self.frame.width, self.frame.height, rotate=self.frame.rotate))
        self.heads[self.n] = self.chapter
        self._floor = self.frame.height - self.frame.bottom
        self.columns(self.frame.columns, top=self.frame.top)

    def columns(self, count: int, *, top: float | None = None) -> None:
        """From here on so many columns; the next begins under what is there."""
        self.count, self.column = count, 0
        self._top = self.y if top is None else top
        self.y = self._top

    def edges(self) -> tuple[float, float]:
        frame = self.frame
        wide = (frame.width - frame.left - frame.right - (self.count - 1) * frame.gutter) / self.count
        left = frame.left + self.column * (wide + frame.gutter)
        return left, left + wide

    def room(self, high: float) -> None:
        """Go on to the next column or page unless so much fits here."""
        if self.y + high <= self._floor:
            return
        if self.column + 1 < self.count:
            self.column += 1
            self.y = self._top
        else:
            self.turn()

    def _close(self) -> None:
        """Set the notes at the foot of the page that is full."""
        y = self._floor + 12
        if self._notes:
            self.leaf.items.append(Bar(self.frame.left, y - 6, self.frame.left + 90, y - 5.5))
        for text, lines in self._notes:
            places = []
            for line in lines:
                y += 11
                self.leaf.items.extend(drawn(line, self.frame.left, y, NOTE))
                places.append((self.n, self.frame.left, y - NOTE, self.frame.left + 1, y))
            self.facts.append(self._fact("footnote", text, self.n, ()))
        self._notes = []

    def _fact(self, kind: str, text: str, first: int, places: Sequence[Place], **more: object) -> Fact:
        last = places[-1][0] if places else first
        return Fact(kind, text, first, last, self.folio(first), places=_merged(places), **more)  # type: ignore[arg-type]

    # --- what stands on them -------------------------------------------------------------------------------------

    def heading(self, level: int, text: str, *, mark: str | None = None, form: Form | None = None) -> None:
        """A heading; `mark` is the title of its bookmark."""
        form = form or FORMS[level]
        left, right = self.edges()
        if self.y > self._top + 1:
            self.y += 1.1 * form.size
        self.room(1.6 * form.size + 3 * self.frame.leading)
        left, right = self.edges()
        self.y += 1.4 * form.size
        places = []
        first = text
        while first:
            fits = max(n for n in range(len(first) + 1) if length(first[:n], form.size) <= right - left + 0.1)
            shown, first = first[:fits], first[fits:]
            wide = length(shown, form.size)
            x = (left + right - wide) / 2 if form.centred else left
            self.leaf.items.append(Text(x, self.y, shown, form.size, form.font, apart=self.frame.apart))
            places.append((self.n, x, self.y - form.size, x + wide, self.y))
            self.y += 1.3 * form.size if first else 0
        self.facts.append(self._fact("heading", text, self.n, places, level=level))
        if mark is not None:
            self.marks.append(Mark(level, mark or text, self.n))
        self.y += 0.5 * form.size

    def para(self, source: str, *, kind: str = "text", indent: float | None = None, formula: str = "") -> None:
        frame = self.frame
        left, right = self.edges()
        inset = (frame.indent if indent is None else indent) * frame.size
        lines = broken(source, frame.size, chain([right - left - inset], repeat(right - left)), hyphens=frame.hyphens)
        places: list[Place] = []
        for at, line in enumerate(lines):
            self.room(frame.leading)
            left, right = self.edges()
            self.y += frame.leading
            x = left + (0 if at else inset)
            wide = sum(atom.width(frame.size) for atom in line)
            last = at + 1 == len(lines)
            spread = 0.0 if last or len(line) < 2 else (right - x - wide) / (len(line) - 1)
            spread = max(min(spread, 0.3 * frame.size), 0.0)
            self.leaf.items.extend(
                drawn(line, x, self.y, frame.size, spread=spread, font=frame.font, apart=frame.apart)
            )
            end = x + wide + spread * (len(line) - 1)
            places.append((self.n, x, self.y - frame.size, end, self.y))
        self.facts.append(self._fact(kind, said(source), places[0][0], places, formula=formula))
        self.y += frame.gap

    def note(self, source: str) -> None:
        """A note at the foot of this page; to be called before the paragraph with its mark."""
        wide = self.frame.width - self.frame.left - self.frame.right
        lines = broken(source, NOTE, repeat(wide))
        high = 11 * len(lines) + (0 if self._notes else 14)
        if self.y + high + 5 * self.frame.leading > self._floor:
            self.turn()
        self._notes.append((said(source), lines))
        self._floor -= high

    def formula(self, source: str, number: str = "") -> None:
        """A formula on a line of its own, with its number at the right."""
        frame = self.frame
        self.room(2.6 * frame.leading)
        left, right = self.edges()
        self.y += 1.7 * frame.leading
        (line,) = broken(source, frame.size, repeat(10_000.0))
        wide = sum(atom.width(frame.size) for atom in line)
        x = (left + right - wide) / 2
        self.leaf.items.extend(drawn(line, x, self.y, frame.size, font=frame.font))
        if number:
            self.leaf.items.append(Text(right - length(number, frame.size), self.y, number, frame.size))
        places = [(self.n, x, self.y - frame.size, right if number else x + wide, self.y)]
        text = said(source)
        self.facts.append(self._fact("formula", f"{text} {number}".strip(), self.n, places, formula=text))
        self.y += 0.8 * frame.leading

    def items(self, texts: Sequence[str]) -> None:
        """A list; each item is a fact, for order and coverage."""
        for text in texts:
            self.para(text, kind="list", indent=1)

    def figure(self, caption: str, high: float = 90) -> None:
        self.room(high + 2 * self.frame.leading)
        left, right = self.edges()
        self.y += 8
        for x in (left, right - 0.5):
            self.leaf.items.append(Bar(x, self.y, x + 0.5, self.y + high, 0.5))
        for y in (self.y, self.y + high - 0.5):
            self.leaf.items.append(Bar(left, y, right, y + 0.5, 0.5))
        self.y += high
        self.caption(caption)
        self.y += 6

    def caption(self, text: str, size: float = 9) -> None:
        self.room(1.6 * size)
        left, right = self.edges()
        self.y += 1.5 * size
        wide = length(text, size)
        x = (left + right - wide) / 2
        self.leaf.items.append(Text(x, self.y, text, size, "kai"))
        self.facts.append(self._fact("caption", text, self.n, [(self.n, x, self.y - size, x + wide, self.y)]))

    def table(
        self,
        rows: Sequence[Row],
        shares: Sequence[float],
        *,
        look: str = "grid",
        repeats: bool = False,
        again: str = "",
    ) -> None:
        """A table that goes on over the page where it must; `look` is grid, lines (three of them) or bare.

        `again`: what stands over its rest on the next page.
        """
        size, step = 9.0, 14.0
        left, right = self.edges()
        self.y += 8
        xs = [left]
        for share in shares:
            xs.append(xs[-1] + share * (right - left))
        places: list[Place] = []
        edges: list[float] = []
        for nth, row in enumerate(rows):
            cells = [broken(text, size, repeat(b - a - 8)) for text, a, b in zip(row, xs[:-1], xs[1:], strict=True)]
            high = max(len(cell) for cell in cells) * step + 4
            if self.y + high > self._floor:
                self._ruled(xs, edges, look)
                self.turn()
                edges = []
                if again and nth:
                    self.leaf.items.append(Text(left, self.y + 12, again, 9, "kai"))
                    self.y += 18
                if repeats and nth:
                    head = [broken(text, size, repeat(1000.0)) for text in rows[0]]
                    edges.append(self.y)
                    self._cells(head, xs, size, step)
                    self.y += step + 4
            edges.append(self.y)
            self._cells(cells, xs, size, step)
            places.append((self.n, xs[0], self.y, xs[-1], self.y + high))
            self.y += high
            if nth + 1 == len(rows):
                self._ruled(xs, edges, look)
        self.y += 10
        text = "\n".join(" ".join(row) for row in rows)
        self.facts.append(self._fact("table", text, places[0][0], places, rows=tuple(rows)))

    def _cells(self, cells: Sequence[Sequence], xs: Sequence[float], size: float, step: float) -> None:
        for cell, x in zip(cells, xs, strict=False):
            for at, line in enumerate(cell):
                self.leaf.items.extend(drawn(line, x + 4, self.y + step * (at + 1) - 2, size))

    def _ruled(self, xs: Sequence[float], tops: Sequence[float], look: str) -> None:
        edges = [*tops, self.y]
        if look == "grid":
            self.leaf.items.extend(Bar(x - 0.25, edges[0], x + 0.25, edges[-1]) for x in xs)
        shown = edges if look == "grid" else [edges[0], edges[1], edges[-1]] if look == "lines" else []
        self.leaf.items.extend(Bar(xs[0], y - 0.25, xs[-1], y + 0.25) for y in shown)

    # --- the end -------------------------------------------------------------------------------------------------

    def made(self, *, heads: Callable[[int, str], str] | None = None, title: str = "", labels: str = "") -> Made:
        """The book; `heads` gives the running head of a page and its chapter, "" for none."""
        self._close()
        made = Made(self.name, facts=self.facts)
        for n, leaf in enumerate(self.leaves, start=1):
            head = heads(n, self.heads[n]) if heads else ""
            made.furniture[n] = list(self._margins(leaf, n, head))
            made.labels[n] = self.folio(n)
            if self.frame.shuffled:
                random.Random(n).shuffle(leaf.items)  # noqa: S311 - no secret
        made.data = paper(self.leaves, marks=self.marks, title=title, labels=labels)
        return made

    def _margins(self, leaf: Leaf, n: int, head: str) -> Iterator[str]:
        folio, frame = self.folio(n), self.frame
        if frame.margins == "together" and head:
            text = f"{folio}　{head}" if n % 2 == 0 else f"{head}　{folio}"
            x = frame.left if n % 2 == 0 else leaf.width - frame.right - length(text, 8.5)
            leaf.items.append(Text(x, 48, text, 8.5))
            yield text
            return
        if head:
            x = frame.left if n % 2 == 0 else leaf.width - frame.right - length(head, 8.5)
            leaf.items.append(Text(x, 48, head, 8.5))
            leaf.items.append(Bar(frame.left, 54, leaf.width - frame.right, 54.5))
            yield head
        if folio:
            text = f"第 {folio} 页 共 {len(self.leaves)} 页" if frame.margins == "count" else folio
            x = (leaf.width - length(text, 9)) / 2
            leaf.items.append(Text(x, leaf.height - 36, text, 9))
            yield text


def _merged(places: Sequence[Place]) -> tuple[Place, ...]:
    """One box a page and column."""
    found: list[Place] = []
    for place in places:
        last = found[-1] if found else None
        if last and last[0] == place[0] and place[2] >= last[2]:
            found[-1] = (last[0], min(last[1], place[1]), last[2], max(last[3], place[3]), place[4])
        else:
            found.append(place)
    return tuple(found)
