"""The nouns of chunking and how a chunk gets its id."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Literal

from youju.types import Block, Place

Strategy = Literal["textbook", "law", "manual", "qa", "table", "slides", "plain"]
_NAME_MAX = 24
_UNFIT = re.compile(r"[^\w.\-]+")


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose chunks these are; `book` is the document's title."""

    document_id: str
    version: int
    collection: str
    book: str


@dataclass(frozen=True, slots=True)
class Sizes:
    """All in characters. `overlap` is the most that a child repeats of the one before it, in whole sentences."""

    child_min: int = 120
    child_max: int = 450
    overlap: int = 0
    parent_max: int = 1800


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under one path of headings, in reading order; never empty, never a heading among them."""

    path: tuple[str, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A whole block or a piece of one; the pages and `places` are exactly where its text stands."""

    text: str
    block: Block
    page_start: int | None
    page_end: int | None
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """What becomes one child: parts of one section. `tail` is repeated from the piece before."""

    parts: tuple[Part, ...]
    tail: Part | None = None

    @property
    def body(self) -> str:
        return joined([part.text for part in self.parts])

    @property
    def shown(self) -> tuple[Part, ...]:
        """All that stands in the child, in order."""
        return (self.tail, *self.parts) if self.tail else self.parts


def joined(texts: list[str]) -> str:
    """Texts of blocks one under the other, as they stand in a chunk."""
    return "\n".join(texts)


def identifier(identity: Identity, path: tuple[str, ...], page: int | None, place: str, salt: str) -> str:
    """A readable id such as `函数入门::3.2二次函数::p43::child::2::9f3c01ab`, at most 120 characters.

    Args:
        identity: the version the chunk belongs to; part of the hash, so copies of a book never share an id.
        path: headings; the innermost is shown, all are hashed.
        page: physical page, None leaves the page out.
        place: role and number inside the section, `child::2`.
        salt: what else tells this chunk from its like: its text.
    """
    text = "\x1f".join((identity.document_id, str(identity.version), *path, place, salt))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    shown = [_name(identity.book), *([_name(path[-1])] if path else []), *([f"p{page}"] if page is not None else [])]
    return "::".join([*filter(None, shown), place, digest])


def _name(text: str) -> str:
    return _UNFIT.sub("", text)[:_NAME_MAX]
