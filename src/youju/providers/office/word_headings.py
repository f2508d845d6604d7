"""Which paragraphs of a Word document are headings: by style and outline, else by their look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from youju.providers.office.word_body import Item, Paragraph
from youju.providers.parsing.titles import heading_level, names_section
from youju.text.headings import numbering

_DEEPEST = 6
_LONGEST = 60
_LONGEST_BARE = 40
_END = tuple("。；;，,、：:")
_INNER_END = ("。", "；", "！")
_LARGER = 1.1
_TITLE_WITHIN = 5
_SECTIONS = frozenset({"part", "chapter", "section", "appendix"})


@dataclass(frozen=True)
class Headings:
    """`levels[i]` is the level of item i, 0 where it is no heading; `title` "" where the document shows none."""

    levels: tuple[int, ...]
    title: str


def headings(items: Sequence[Item]) -> Headings:
    """The headings of a document.

    Styles and outline levels go first; paragraphs that only look like headings count where they are numbered like
    styled ones, or where nothing is styled at all. A title makes all others one level deeper.
    """
    paragraphs = [item if isinstance(item, Paragraph) and _may_be(item) else None for item in items]
    styled = [_styled(one) if one else 0 for one in paragraphs]
    body = _body_size(items)
    levels = _like_styled(paragraphs, styled, body) if any(styled) else _without_lone(items, _by_look(paragraphs, body))
    at = _title(items, paragraphs, levels, body)
    if at is None:
        return Headings(tuple(min(level, _DEEPEST) for level in levels), "")
    deeper = [min(level + 1, _DEEPEST) if level else 0 for level in levels]
    deeper[at] = 1
    title = paragraphs[at]
    return Headings(tuple(deeper), " ".join(title.text.split()) if title else "")


def _may_be(one: Paragraph) -> bool:
    """Whether a paragraph can be a heading whatever its style: many a text was set in the style of one."""
    text = one.text.strip()
    if one.note or one.formula or len(text) > _LONGEST or text.endswith(_END[:3]):
        return False
    found = numbering(text)
    if found and found.kind in {"article", "clause"} and not names_section(found, text):
        return False
    return not any(mark in text for mark in _INNER_END) and any(char.isalnum() for char in text)


def _styled(one: Paragraph) -> int:
    return 0 if one.style.is_title else one.style.level


def _body_size(items: Sequence[Item]) -> int:
    sizes: Counter[int] = Counter()
    for item in items:
        if isinstance(item, Paragraph) and not item.note:
            sizes[item.size] += len(item.text)
    return sizes.most_common(1)[0][0] if sizes else 0


def _stands_out(one: Paragraph, body: int) -> bool:
    return one.bold or one.size >= _LARGER * body or one.style.centred


def _like_styled(paragraphs: Sequence[Paragraph | None], styled: Sequence[int], body: int) -> list[int]:
    """The styled levels, and those of paragraphs that stand out and are numbered as the styled ones are."""
    kinds: dict[int, int] = {}
    for one, level in zip(paragraphs, styled, strict=True):
        if one and level and (by_number := heading_level(one.text)):
            kinds.setdefault(by_number, level)
    levels = list(styled)
    for at, one in enumerate(paragraphs):
        if one is None or levels[at] or one.style.is_title or not _stands_out(one, body):
            continue
        by_number = heading_level(one.text)
        if by_number in kinds:
            levels[at] = kinds[by_number]
        elif by_number and (above := [kinds[kind] for kind in kinds if kind < by_number]):
            levels[at] = max(above) + 1
    return levels


def _by_look(paragraphs: Sequence[Paragraph | None], body: int) -> list[int]:
    """Levels where no style says anything: the numbers', else those of the numbered ones of the same size."""
    numbered = [_numbered(one, body) if one else 0 for one in paragraphs]
    by_size: dict[int, int] = {}
    for one, level in zip(paragraphs, numbered, strict=True):
        if one and level:
            by_size[one.size] = min(level, by_size.get(one.size, level))
    bare = {at: one for at, one in enumerate(paragraphs) if one and not numbered[at] and _is_bare(one, body)}
    sizes = sorted({one.size for one in bare.values()}, reverse=True)
    deepest = max(numbered, default=0)
    return [
        _bare_level(bare[at], by_size, sizes, deepest) if at in bare else level for at, level in enumerate(numbered)
    ]


def _numbered(one: Paragraph, body: int) -> int:
    found = numbering(one.text)
    level = heading_level(one.text)
    sure = found is not None and (found.kind in _SECTIONS or (not one.label and found.kind in {"list", "decimal"}))
    return level if level and (sure or _stands_out(one, body)) else 0


def _is_bare(one: Paragraph, body: int) -> bool:
    plain = (
        one.label is None and len(one.text) <= _LONGEST_BARE and not one.text.endswith(_END) and "\n" not in one.text
    )
    return plain and (one.bold or one.size >= _LARGER * body)


def _bare_level(one: Paragraph, by_size: Mapping[int, int], sizes: Sequence[int], deepest: int) -> int:
    if one.size in by_size and len(by_size) > 1:
        return by_size[one.size]
    larger = [level for size, level in by_size.items() if size > one.size]
    if larger:
        return min(max(larger) + 1, _DEEPEST)
    return min(deepest + 1, _DEEPEST) if by_size and one.size <= min(by_size) else sizes.index(one.size) + 1


def _without_lone(items: Sequence[Item], levels: list[int]) -> list[int]:
    """The same levels; items of a list, 一、 or 1.2, with nothing under them are no headings."""
    kept = list(levels)
    for at in reversed(range(len(items))):
        item = items[at]
        found = numbering(item.text) if kept[at] and isinstance(item, Paragraph) else None
        after = kept[at + 1] if at + 1 < len(kept) else kept[at]
        item_like = found is not None and found.kind in {"list", "decimal", "clause"}
        if item_like and 0 < after <= levels[at]:
            kept[at] = 0
    return kept


def _title(
    items: Sequence[Item], paragraphs: Sequence[Paragraph | None], levels: Sequence[int], body: int
) -> int | None:
    """Where the title stands: in the style of one, or first of all, larger than the body and without a number."""
    for at, one in enumerate(paragraphs):
        if one and one.style.is_title and not one.style.level:
            return at
    for at in range(min(_TITLE_WITHIN, len(items))):
        one = paragraphs[at]
        if one is None or numbering(one.text) or one.style.level:
            return None
        if one.size >= _LARGER * body and (one.style.centred or levels[at] == 1) and any(levels[at + 1 :]):
            return at
    return None
