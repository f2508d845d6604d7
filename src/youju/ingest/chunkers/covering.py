"""How much of a document its chunks hold, in all and page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from youju.types import Chunk, ParsedDocument

ENOUGH = 0.98
"""The share of a page's characters below which the page is named in a warning."""
_NAMED = 8
_MIN_MISSING = 20  # characters: a page with one line on it must not be named for a page number


@dataclass(frozen=True, slots=True)
class Coverage:
    """`share` of the document's characters that can be found, in [0, 1]; `pages`: the same for each page with text."""

    share: float
    pages: Mapping[int, float] = field(default_factory=dict)
    low: tuple[int, ...] = ()

    @property
    def figures(self) -> dict[str, float]:
        """For the quality of a version."""
        found = {"coverage": round(self.share, 4)}
        if self.pages:
            worst = min(self.pages, key=lambda n: (self.pages[n], n))
            found |= {"coverage_worst": round(self.pages[worst], 4), "coverage_worst_page": float(worst)}
        return found

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know, in Chinese."""
        if not self.low:
            return ()
        named = "、".join(str(n) for n in self.low[:_NAMED]) + ("…" if len(self.low) > _NAMED else "")
        return (f"有 {len(self.low)} 页的部分文字没有进入片段，检索不到：第 {named} 页",)


def covered(document: ParsedDocument, chunks: Sequence[Chunk]) -> Coverage:
    """The share of the document's characters, and of each page's body, that can be found; 1 where there are none.

    A block's characters count where a child has them, a heading's where it is in a child's path or a line of its text.
    White space does not count, and what a child repeats (overlap, a table's head) counts once. A page's body are its
    blocks: not its running head, foot and number, nor a table of contents.
    """
    children = [one for one in chunks if one.role == "child"]
    named = {text for one in children for text in (one.book, *one.section, *one.text.split("\n"))}
    held = Counter[str]()
    for one in children:
        held.update(_solid(one.text))
    wanted, total, missing = Counter[str](), 0, 0
    bodies: dict[int, Counter[str]] = {}
    lost: dict[int, int] = {}
    for block in document.blocks:
        solid = _solid(block.text)
        total += len(solid)
        if block.page is not None:
            bodies.setdefault(block.page, Counter())
        if block.kind != "heading":
            wanted.update(solid)
            if block.page is not None:
                bodies[block.page].update(solid)
        elif block.text not in named:
            missing += len(solid)
            if block.page is not None:
                lost[block.page] = lost.get(block.page, 0) + len(solid)
    missing += (wanted - held).total()
    share = 1 - missing / total if total else 1.0
    return _by_page(share, bodies, lost, _held(children))


def _held(children: Sequence[Chunk]) -> dict[int, Counter[str]]:
    """What the chunks that stand on a page hold, by page."""
    held: dict[int, Counter[str]] = {}
    for one in children:
        if one.page_start is not None:
            for n in range(one.page_start, (one.page_end or one.page_start) + 1):
                held.setdefault(n, Counter()).update(_solid(one.text))
    return held


def _by_page(
    share: float, bodies: Mapping[int, Counter[str]], lost: Mapping[int, int], held: Mapping[int, Counter[str]]
) -> Coverage:
    pages: dict[int, float] = {}
    low = []
    for n, wanted in sorted(bodies.items()):
        total = wanted.total() + lost.get(n, 0)
        missing = (wanted - held.get(n, Counter())).total() + lost.get(n, 0)
        pages[n] = 1 - missing / total if total else 1.0
        if pages[n] < ENOUGH and missing >= _MIN_MISSING:
            low.append(n)
    return Coverage(share, pages, tuple(low))


def coverage(document: ParsedDocument, chunks: Sequence[Chunk]) -> float:
    """The share of the document's characters that can be found, in [0, 1]; see `covered`."""
    return covered(document, chunks).share


def _solid(text: str) -> str:
    return "".join(text.split())
