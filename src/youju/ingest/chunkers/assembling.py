"""Pieces → chunks: ids, pages, labels, parents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from youju.ingest.chunkers.base import Identity, Part, Piece, Section, Sizes, identifier, joined
from youju.text.locators import spread
from youju.types import Block, BlockKind, Box, Chunk, ParsedDocument, Place


def assembled(
    document: ParsedDocument,
    found: Sequence[tuple[Section, Sequence[Piece]]],
    identity: Identity,
    sizes: Sizes,
) -> list[Chunk]:
    """The children in reading order, ordinals from 0, then their parents with the ordinals that follow.

    A section that is one child has no parent: it would be the same text again.
    """
    maker = _Maker(identity, {page.n: page.label for page in document.pages})
    children: list[Chunk] = []
    parents: list[Chunk] = []
    for section, pieces in found:
        for first, last in _windows(pieces, sizes.parent_max):
            parent_id = ""
            if last - first > 1:
                parent = maker.make(section, pieces[first:last], f"parent::{len(parents) + 1}")
                parents.append(replace(parent, role="parent"))
                parent_id = parent.id
            for at in range(first, last):
                child = maker.make(section, [pieces[at]], f"child::{at + 1}")
                children.append(replace(child, parent_id=parent_id))
    return [replace(chunk, ordinal=ordinal) for ordinal, chunk in enumerate([*children, *parents])]


def _windows(pieces: Sequence[Piece], limit: int) -> Iterator[tuple[int, int]]:
    """Stretches [first, last) of neighbouring pieces of at most `limit` characters together."""
    first = 0
    for at in range(1, len(pieces)):
        if len(joined([piece.body for piece in pieces[first : at + 1]])) > limit:
            yield first, at
            first = at
    yield first, len(pieces)


@dataclass
class _Maker:
    """Makes the chunks of one version; remembers ids, for the same words may stand twice under the same headings."""

    identity: Identity
    labels: Mapping[int, str]
    taken: set[str] = field(default_factory=set)
    repeats: Counter[object] = field(default_factory=Counter)

    def make(self, section: Section, pieces: Sequence[Piece], place: str) -> Chunk:
        parts = pieces[0].shown if len(pieces) == 1 else [part for piece in pieces for part in piece.parts]
        text = joined([part.text for part in parts])
        start = min((part.page_start for part in parts if part.page_start is not None), default=None)
        end = max((part.page_end for part in parts if part.page_end is not None), default=None)
        blocks = list(dict.fromkeys(part.block for part in parts))
        return Chunk(
            id=self._id(section.path, start, place, text),
            document_id=self.identity.document_id,
            version=self.identity.version,
            collection=self.identity.collection,
            book=self.identity.book,
            section=section.path,
            kind=_kind(blocks),
            text=text,
            ordinal=0,
            page_start=start,
            page_end=end,
            label_start=self.labels.get(start, "") if start is not None else "",
            label_end=self.labels.get(end, "") if end is not None else "",
            locator=spread(place.locator for part in parts for place in part.places),
            boxes=_boxes(blocks, start, end),
            places=_places(parts),
        )

    def _id(self, path: tuple[str, ...], page: int | None, place: str, text: str) -> str:
        # Counted, not searched for: a form with a thousand equal lines would take a million tries.
        same = (path, page, place, text)
        self.repeats[same] += 1
        salt = text if self.repeats[same] == 1 else f"{text}\x1f{self.repeats[same]}"
        while (found := identifier(self.identity, path, page, place, salt)) in self.taken:
            salt += "\x1f"
        self.taken.add(found)
        return found


def _kind(blocks: Sequence[Block]) -> BlockKind:
    """The kind that more than half of the characters have, else text."""
    sizes: dict[BlockKind, int] = {}
    for block in blocks:
        sizes[block.kind] = sizes.get(block.kind, 0) + len(block.text)
    largest = max(sizes, key=lambda kind: sizes[kind])
    return largest if sizes[largest] * 2 > sum(sizes.values()) else "text"


def _places(parts: Sequence[Part]) -> tuple[Place, ...]:
    """Where each part of the text stands; none where all of it stands together."""
    found: list[Place] = []
    start = 0
    for part in parts:
        found += [Place(start + place.start, place.locator) for place in part.places or (Place(0, ""),)]
        start += len(part.text) + 1
    return tuple(found) if len({place.locator for place in found}) > 1 else ()


def _boxes(blocks: Sequence[Block], start: int | None, end: int | None) -> tuple[Box, ...]:
    """The boxes of the blocks on the pages the chunk stands on."""
    if start is None or end is None:
        return ()
    return tuple(dict.fromkeys(box for block in blocks for box in block.boxes if start <= box.page <= end))
