"""EPUB → blocks: chapters in the order they are read, titles from the table of contents where a file has none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from selectolax.lexbor import LexborHTMLParser

from youju.errors import DocumentError
from youju.providers.markup.container import Container, broken, opened, packages
from youju.providers.markup.frames import Piece
from youju.providers.markup.outline import block, headed
from youju.providers.markup.package import Entry, Package, of_file, package
from youju.providers.markup.paging import Paging
from youju.providers.markup.reader import Reader
from youju.providers.markup.tree import attribute, children, walk
from youju.providers.parsing.decoding import garbage_ratio, refuse_garbage
from youju.types import ParsedDocument

_FRONT = re.compile(r"\b(?:cover|toc|titlepage|halftitlepage|landmarks|page-list|loi|lot|index-locator)\b")
_MARKS = re.compile("\\s+|\U000fc0de[0-9]+\U000fc0df")  # of pages
_LINKS_MIN = 5
_LINKS_SHARE = 0.7
_FRONT_MAX = 1500  # characters; more is no cover
_SHOWN = 5  # lost files, titles of one
_NEAR = 2  # pieces between the place a table of contents leads to and the heading it means


@dataclass(frozen=True)
class EpubParser:
    """A `Parser` for electronic books. A printed book's pages are kept where the file marks them.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
    """

    max_garbage_ratio: float = 0.05
    suffixes: ClassVar[frozenset[str]] = frozenset({".epub"})

    def parse(self, path: Path) -> ParsedDocument:
        with opened(path) as container:
            told = package(container, packages(container))
            book = _Book(told)
            for file in told.files:
                book.read(container, file)
        return self._document(book, (*_warnings(told), *_lost(container, book)))

    def _document(self, book: _Book, warnings: tuple[str, ...]) -> ParsedDocument:
        pieces, pages = book.paging.paged(book.pieces)
        kept = _once(list(headed(pieces)), book.package.title)
        blocks = tuple(map(block, kept if book.package.contents else _located(kept)))
        if not any(one.kind != "heading" for one in blocks):
            if book.lost:
                raise broken()
            raise DocumentError(
                "电子书里没有可读的文字，可能只有图片",
                remedy="请换带文字的版本，或导出为 PDF、用 OCR 识别后再上传",
                code="no_text",
            )
        text = "\n\n".join(one.text for one in blocks)
        ratio = garbage_ratio(text)
        refuse_garbage(ratio, self.max_garbage_ratio)
        return ParsedDocument(
            blocks=blocks,
            pages=tuple(pages),
            title=book.package.title,
            text="" if pages else text,
            warnings=warnings,
            quality={"characters": float(len(text)), "garbage_ratio": ratio},
        )


@dataclass
class _Book:
    """What has been read of a book; `lost` are its damaged files and the titles of the chapters in them."""

    package: Package
    paging: Paging = field(default_factory=Paging)
    pieces: list[Piece] = field(default_factory=list)
    locator: str = ""
    levels: dict[int, int] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)
    entries: dict[str, list[Entry]] = field(init=False)

    def __post_init__(self) -> None:
        self.entries = of_file(self.package.contents)

    def read(self, container: Container, file: str) -> None:
        """Add a file, unless it is the cover or a table of contents."""
        page = container.page(file)
        entries = self.entries.get(file.lower(), [])
        if page is None:
            self._lose(file, entries)
        if page is None or page.body is None or _is_front(page, called=file in self.package.front):
            return
        reader = Reader(anchors={entry.fragment for entry in entries if entry.fragment}, page_break=self.paging.mark)
        walk(page.body, reader)
        pieces = reader.finished()
        if file in self.package.apart:
            self.locator = next((piece.text for piece in pieces if piece.level), "")
            if pieces and self.paging.labels:  # it stands on no page of the book
                pieces[0] = replace(pieces[0], text=self.paging.mark("") + pieces[0].text)
        places = {name: at for at, name in reversed(reader.places)}
        self._add(pieces, [(places.get(entry.fragment, 0), entry) for entry in entries])

    def _lose(self, file: str, entries: Sequence[Entry]) -> None:
        self.lost[file.lower()] = "、".join(entry.title for entry in entries[:_SHOWN])
        if entries:
            self.locator = entries[-1].title  # what follows belongs to the lost chapter, not to the one before

    def _add(self, pieces: Sequence[Piece], leads: Sequence[tuple[int, Entry]]) -> None:
        """Add the pieces of a file under the titles that the table of contents gives them."""
        named: set[int] = set()
        for at in range(len(pieces) + 1):
            for entry in (entry for place, entry in leads if place == at):
                self.locator = entry.title
                same = _same(pieces, at, entry.title)
                if same is not None:
                    named.add(same)
                    self.levels.setdefault(entry.depth, pieces[same].level or entry.depth)
                elif not any(piece.level and piece.text != self.package.title for piece in pieces[at : at + _NEAR]):
                    level = self.levels.get(entry.depth, entry.depth)
                    self.pieces.append(Piece("heading", entry.title, level, locator=entry.title))
            if at < len(pieces):
                piece = pieces[at]
                level = piece.level or (self._level(leads, piece.text) if at in named else 0)
                kind = "heading" if level else piece.kind
                self.pieces.append(replace(piece, kind=kind, level=level, locator=self.locator))

    def _level(self, leads: Sequence[tuple[int, Entry]], title: str) -> int:
        depth = next((entry.depth for _, entry in leads if _solid(entry.title) == _solid(title)), 1)
        return self.levels.get(depth, depth)


def _same(pieces: Sequence[Piece], at: int, title: str) -> int | None:
    """The index of a piece near `at` that says the title."""
    near = range(at, min(at + _NEAR, len(pieces)))
    return next((n for n in near if _solid(pieces[n].text) == _solid(title)), None)


def _solid(text: str) -> str:
    return _MARKS.sub("", text)


def _is_front(page: LexborHTMLParser, *, called: bool) -> bool:
    """Whether a file is the cover, the title page or a list of links to the chapters."""
    body = page.body
    if body is None:
        return True
    inside = children(body)
    tops = [body, *inside] if len(inside) == 1 else [body]
    if any(_FRONT.search(attribute(top, "epub:type")) for top in tops):
        return True
    chars = len(_solid(body.text()))
    links = [len(_solid(link.text())) for link in page.css("a[href]")]
    listing = len(links) >= _LINKS_MIN and sum(links) >= _LINKS_SHARE * chars
    return listing or (called and chars < _FRONT_MAX)


def _once(pieces: Sequence[Piece], title: str) -> list[Piece]:
    """The pieces without titles said again: of the book over every chapter, of a chapter under itself."""
    repeated = sum(piece.level > 0 and piece.text == title for piece in pieces) > 1
    kept: list[Piece] = []
    for piece in pieces:
        again = kept and kept[-1].level and kept[-1].text == piece.text and piece.kind in {"heading", "text"}
        if not again and not (repeated and piece.level and piece.text == title):
            kept.append(piece)
    return kept


def _located(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces of a book without a table of contents, each with the chapter its headings put it in."""
    top = min((piece.level for piece in pieces if piece.level), default=0)
    locator = ""
    for piece in pieces:
        if piece.level and piece.level == top:
            locator = piece.text
        yield replace(piece, locator=locator)


def _warnings(told: Package) -> tuple[str, ...]:
    found = []
    if not told.ordered:
        found.append("电子书缺少目录文件（OPF）或它已损坏，已按文件名的顺序阅读，章节次序可能不对")
    if told.missing:
        found.append(f"电子书的目录里有 {told.missing} 个文件找不到，已跳过")
    return tuple(found)


def _lost(container: Container, book: _Book) -> Iterator[str]:
    if container.lost:
        names = [book.lost.get(name.lower()) or name.rpartition("/")[2] for name in container.lost]
        more = "等" if len(names) > _SHOWN else ""
        yield f"电子书里有 {len(names)} 个文件已损坏，未收录：{'、'.join(names[:_SHOWN])}{more}"
