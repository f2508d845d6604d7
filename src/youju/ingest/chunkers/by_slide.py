"""Sections of presentations: a slide is one, with its notes; small neighbours share one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from youju.ingest.chunkers import by_structure
from youju.ingest.chunkers.base import Section, Sizes, joined
from youju.types import Block

Slides = tuple[Section, ...]


def sections(blocks: Sequence[Block], sizes: Sizes) -> list[Section]:
    """The slides in reading order; one below `sizes.child_min` is joined with neighbours of its part of the deck.

    A slide's title is the end of its path; titles of slides that share a section are lines of its text.
    """
    limit = sizes.child_max - sizes.overlap
    groups: list[Slides] = []
    for slide in _slides(blocks):
        if groups and _length(groups[-1]) < sizes.child_min and _fit(groups[-1], slide, limit):
            groups[-1] += slide
        else:
            groups.append(slide)
    found: list[Slides] = []
    for group in groups:
        if found and _length(group) < sizes.child_min and _fit(found[-1], group, limit):
            found[-1] += group
        else:
            found.append(group)
    return [_one(group) for group in found]


def bounds(section: Section, sizes: Sizes) -> Sizes:
    """The sizes by which a slide is cut: only above twice the largest child."""
    length = len(joined([block.text for block in section.blocks]))
    if length > min(2 * (sizes.child_max - sizes.overlap), sizes.parent_max):
        return sizes
    return replace(sizes, child_max=max(length + sizes.overlap, sizes.child_max))


def _slides(blocks: Sequence[Block]) -> Iterator[Slides]:
    """What stands on each page; each section by itself where there are no pages."""
    found: list[Section] = []
    for section in by_structure.sections(blocks):
        for _, group in groupby(section.blocks, key=lambda block: block.page):
            found.append(Section(section.path, tuple(group)))
    for page, slide in groupby(found, key=lambda one: one.blocks[0].page):
        if page is None:
            yield from ((one,) for one in slide)
        else:
            yield tuple(slide)


def _fit(before: Slides, after: Slides, limit: int) -> bool:
    return _deck_part(before[-1]) == _deck_part(after[0]) and _length(before + after) <= limit


def _deck_part(section: Section) -> tuple[str, ...]:
    return section.path[:1] if len(section.path) > 1 else ()


def _length(group: Slides) -> int:
    return len(joined([block.text for block in _one(group).blocks]))


def _one(group: Slides) -> Section:
    """Slides as one section under the headings they share, the others in the text."""
    levels = zip(*(one.path for one in group), strict=False)
    shared = tuple(level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels))
    blocks: list[Block] = []
    before = shared
    for one in group:
        first = one.blocks[0]
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(before, one.path, strict=False))))
        blocks += [replace(first, kind="text", text=title, boxes=()) for title in one.path[same:]]
        blocks += one.blocks
        before = one.path
    return Section(shared, tuple(blocks))
