"""Where the pages of the printed book begin in an electronic one: marks in the text → pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from youju.providers.markup.frames import Piece
from youju.types import Page

# Private use: whatever the file had of it has become U+FFFD before.
_MARK = re.compile("\U000fc0de([0-9]+)\U000fc0df")
_FEWEST = 2


@dataclass
class Paging:
    """Gives marks to put into the text, and takes them out again."""

    labels: list[str] = field(default_factory=list)

    def mark(self, label: str) -> str:
        self.labels.append(label)
        return f"\U000fc0de{len(self.labels) - 1}\U000fc0df"

    def paged(self, pieces: Sequence[Piece]) -> tuple[list[Piece], list[Page]]:
        """The pieces without marks, with pages from 1, and the pages; none where the book marks none.

        What stands before the first mark is a page without a number.
        """
        if len(self.labels) < _FEWEST:
            cleared = [replace(piece, text=_MARK.sub("", piece.text).strip()) for piece in pieces]
            return [piece for piece in cleared if piece.text], []
        book = _Book()
        made = [paged for piece in pieces if (paged := self._placed(piece, book)).text]
        texts = ["\n".join(lines) for lines in book.texts]
        return made, [Page(n, text, label) for n, (label, text) in enumerate(zip(book.labels, texts, strict=True), 1)]

    def _placed(self, piece: Piece, book: _Book) -> Piece:
        first, *rest = _MARK.split(piece.text)
        start = None
        said = [first]
        if first.strip():
            start = book.write(first)
        for number, text in zip(rest[::2], rest[1::2], strict=True):
            book.turn(self.labels[int(number)])
            if text.strip():
                at = book.write(text)
                start = start or at
            said.append(text)
        whole = "".join(said).strip()
        return replace(piece, text=whole, page=start, page_end=book.n if whole else None)


@dataclass
class _Book:
    labels: list[str] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    n: int = 0

    def turn(self, label: str) -> None:
        self.labels.append(label)
        self.texts.append([])

    def write(self, text: str) -> int:
        """The page that the text was written on."""
        if not self.labels:
            self.turn("")
        self.n = len(self.labels)
        self.texts[-1].append(text.strip())
        return self.n
