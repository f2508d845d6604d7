"""The material as an audit reads it: the documents, their pages and their passages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.lab.corpus import ready
from youju.lab.seen import Material
from youju.storage import tables
from youju.text.align import bigrams
from youju.text.normal import fold
from youju.text.numbers import parse_cn, quantities

MARKS = str.maketrans("", "", "|*`#")
PASSAGE = 400  # characters of a passage where the pages are all there is


DIGITS = re.compile(r"\d+(?:\.\d+)?")
CHINESE = re.compile(r"[〇零一二两三四五六七八九十百千万亿]+")


class PageText(NamedTuple):
    n: int
    label: str
    text: str


def numbers(text: str) -> frozenset[Decimal]:
    """The absolute value of every number of a text: of its quantities, and of bare runs of digits and numerals."""
    found = {abs(one.value) for one in quantities(text)} | {Decimal(one) for one in DIGITS.findall(text)}
    found |= {Decimal(value) for one in CHINESE.findall(text) if (value := parse_cn(one)) is not None}
    return frozenset(found)


def plain(text: str) -> str:
    """The folded text without the marks of Markdown: a table cell reads like the words in it."""
    return fold(text.translate(MARKS))


@dataclass(frozen=True)
class Place:
    """A page, or the text of a document without pages, with what the checks look for in it."""

    text: str

    @cached_property
    def folded(self) -> str:
        return plain(self.text)

    @cached_property
    def bigrams(self) -> frozenset[str]:
        return bigrams(self.text)

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        return numbers(self.text)


@dataclass(frozen=True)
class Corpus:
    """Documents by id.

    `paged`: their pages; a format without pages has its whole text under 0, or none. `chunks`: the passages searched.
    """

    documents: Mapping[str, Material]
    paged: Mapping[str, Sequence[PageText]] = field(default_factory=dict)
    chunks: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def pages(self, document_id: str) -> Sequence[PageText]:
        return self.paged.get(document_id, ())

    def text(self, document_id: str) -> str:
        """The whole text, of the pages where there are any, else of the passages."""
        pages = self.pages(document_id)
        return "\n".join([page.text for page in pages] if pages else self.chunks.get(document_id, ()))

    def named(self, part: str) -> tuple[Material, ...]:
        """The documents with `part` in their name; none for an empty one."""
        return tuple(one for one in self.documents.values() if part and one.named(part))

    @cached_property
    def places(self) -> Mapping[str, Mapping[int, Place]]:
        """Pages by document id and number; the whole text under 0 where there are no pages."""
        return {
            id_: {page.n: Place(page.text) for page in self.pages(id_)} or {0: Place(self.text(id_))}
            for id_ in self.documents
        }

    @cached_property
    def common(self) -> Mapping[str, float]:
        """Each character's share of the passages that have it, in (0, 1]."""
        counts = Counter(one for _, text in self.passages for one in set(plain(text)))
        return {one: n / len(self.passages) for one, n in counts.items()}

    @cached_property
    def passages(self) -> Sequence[tuple[str, str]]:
        """(document id, text) of every passage."""
        return [(id_, text) for id_ in self.documents for text in self.chunks.get(id_) or self._cut(id_)]

    def _cut(self, document_id: str) -> list[str]:
        texts = [page.text for page in self.pages(document_id)]
        return [text[at : at + PASSAGE] for text in texts for at in range(0, len(text), PASSAGE // 2)]


def loaded(tx: Connection) -> Corpus:
    """What may answer now, with its pages and passages.

    Args:
        tx: an open transaction; use `await store.read(loaded)`.
    """
    documents = ready(tx)
    version, page, chunk = tables.version.c, tables.page.c, tables.chunk.c
    paged: dict[str, list[PageText]] = {id_: [] for id_ in documents}
    chunks: dict[str, list[str]] = {id_: [] for id_ in documents}
    found = (
        select(version.document_id, page.n, page.label, page.text)
        .join(tables.version, version.id == page.version_id)
        .where(version.active)
        .order_by(page.n)
    )
    for document_id, n, label, text in tx.execute(found):
        if document_id in paged:
            paged[document_id].append(PageText(n, label, text))
    searched = select(chunk.document_id, chunk.text).where(chunk.active, chunk.role == "child").order_by(chunk.ordinal)
    for document_id, text in tx.execute(searched):
        if document_id in chunks:
            chunks[document_id].append(text)
    return Corpus(documents, paged, chunks)
