"""PPTX → blocks: a slide is a page, its title a heading, its notes apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from youju.errors import DocumentError
from youju.providers.office.drawing import EMU_PER_POINT, Area, Places, Shape, places, shapes
from youju.providers.office.package import Package, opened
from youju.providers.office.slide_text import plain, said
from youju.providers.office.xml import Element, broken, number
from youju.providers.parsing.decoding import garbage_ratio, refuse_garbage
from youju.types import Block, BlockKind, Box, Page, ParsedDocument

_JUNK_TITLE = re.compile(
    r"(?:powerpoint\s*(?:presentation|演示文稿)?|演示文稿\d*|presentation\d*|ppt模板.*)", re.IGNORECASE
)
_DEFAULT_SECTION = re.compile(r"(?:默认节|default section|无标题节|untitled section)\s*\d*", re.IGNORECASE)
_TITLE_MAX = 40
_WIDE, _HIGH = 12_192_000, 6_858_000
_SHOWN_MAX = 20
_MOST_SLIDES = 5000


@dataclass(frozen=True)
class PptxParser:
    """A `Parser` for presentations. Hidden slides keep their number but not their text; macros are not looked at.

    The suffix of the format before 2007 is taken too: what has it may be of this format under an old name, and what is
    not is refused with what to save it as.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
    """

    max_garbage_ratio: float = 0.05
    suffixes: ClassVar[frozenset[str]] = frozenset({".pptx", ".pptm", ".ppsx", ".ppt"})

    def parse(self, path: Path) -> ParsedDocument:
        with opened(path, "pptx") as package:
            deck = _Deck(package)
            blocks = tuple(deck.blocks())
            title = _title(package.title, deck)
        text = "\n\n".join(block.text for block in blocks)
        if not any(block.kind != "heading" for block in blocks):
            raise broken("幻灯片都已损坏") if deck.damaged else _no_text(deck)
        ratio = garbage_ratio(text)
        refuse_garbage(ratio, self.max_garbage_ratio)
        return ParsedDocument(
            blocks=blocks,
            pages=tuple(deck.pages(blocks)),
            title=title,
            warnings=(*package.losses, *_warnings(deck)),
            quality={
                "characters": float(len(text)),
                "garbage_ratio": ratio,
                "pages": float(deck.count),
                "pages_without_text": float(len(deck.pictures)),
            },
        )


@dataclass
class _Deck:
    """Reads the slides; numbers of those left out: `hidden`, `damaged`, and of `pictures` alone."""

    package: Package
    count: int = 0
    cover: str = ""
    hidden: list[int] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)
    damaged: list[int] = field(default_factory=list)
    _places: dict[str, Places] = field(default_factory=dict)

    @property
    def slide(self) -> Area:
        size = self.package.root.find("{p}sldSz")
        wide, high = (_WIDE, _HIGH) if size is None else (number(size.get("cx", "")), number(size.get("cy", "")))
        return Area(0.0, 0.0, (wide or _WIDE) / EMU_PER_POINT, (high or _HIGH) / EMU_PER_POINT)

    def blocks(self) -> Iterator[Block]:
        relations = self.package.relations(self.package.main)
        sections = _sections(self.package.root)
        ids = [one for one in self.package.root.iter("{p}sldId") if one.get("{rel}id") in relations][:_MOST_SLIDES]
        for n, one in enumerate(ids, start=1):
            self.count = n
            part = relations[one.get("{rel}id", "")].target
            section = sections.get(one.get("id", ""), "")
            slide = self.package.part(part)
            if slide is None:
                if part in self.package.lost:
                    self.damaged.append(n)
                continue
            if slide.get("show") in {"0", "false"}:
                self.hidden.append(n)
                continue
            found = list(self._slide(slide, part, n, level=1 + bool(sections)))
            if section and found:
                yield self._block("heading", section, n, self.slide, level=1)
            yield from found

    def pages(self, blocks: Sequence[Block]) -> Iterator[Page]:
        texts: dict[int | None, list[str]] = {}
        for block in blocks:
            texts.setdefault(block.page, []).append(block.text)
        for n in range(1, self.count + 1):
            yield Page(n, "\n".join(texts.get(n, [])), width=round(self.slide.x1, 2), height=round(self.slide.y1, 2))

    def _slide(self, slide: Element, part: str, n: int, level: int) -> Iterator[Block]:
        tree = slide.find("{p}cSld/{p}spTree")
        found = shapes(tree, self._layout(part), self.slide) if tree is not None else []
        title, body = _parted(found)
        blocks = [block for shape in body for block in self._said(shape, part, n)]
        notes = self._notes(part, n)
        if not title and not blocks and not notes:
            if slide.find(".//{a}blip") is not None:
                self.pictures.append(n)
            return
        if n == 1 and title and not self.cover:
            self.cover = title[0]
        if not title:
            title, blocks = _first_line(blocks, n)
        yield self._block("heading", title[0], n, title[1] or self.slide, level=level)
        yield from blocks
        yield from notes

    def _said(self, shape: Shape, part: str, n: int) -> Iterator[Block]:
        for inner in shape.parts:
            yield from self._said(inner, part, n)
        for one in said(shape, self.package, part):
            yield self._block(one.kind, one.text, n, shape.area)

    def _notes(self, part: str, n: int) -> list[Block]:
        root = self.package.related(part, "notesSlide")
        tree = root.find("{p}cSld/{p}spTree") if root is not None else None
        found = shapes(tree, {}, self.slide) if tree is not None else []
        texts = [plain(shape) for shape in found if shape.role == "body"]
        return [self._block("text", f"备注：{text}", n, self.slide) for text in texts if text]

    def _layout(self, part: str) -> Places:
        """Where the layout of a slide, and below it its master, put their placeholders."""
        layout = _target(self.package, part, "slideLayout")
        if layout not in self._places:
            master = _target(self.package, layout, "slideMaster") if layout else ""
            below = places(self.package.part(master), {}) if master else {}
            self._places[layout] = places(self.package.part(layout), below) if layout else {}
        return self._places[layout]

    def _block(self, kind: BlockKind, text: str, n: int, area: Area, level: int = 0) -> Block:
        slide = self.slide
        x0, x1 = (min(max(x, 0.0), slide.x1) for x in (area.x0, area.x1))
        y0, y1 = (min(max(y, 0.0), slide.y1) for y in (area.y0, area.y1))
        box = Box(n, round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))
        return Block(kind, text, page=n, page_end=n, level=level, locator=f"第 {n} 张", boxes=(box,))


def _target(package: Package, part: str, kind: str) -> str:
    return next((one.target for one in package.relations(part).values() if one.kind == kind), "")


def _parted(found: Sequence[Shape]) -> tuple[tuple[str, Area | None] | None, list[Shape]]:
    """The title of a slide with its place, None without one, and the other shapes."""
    titled = next((shape for shape in found if shape.is_title and plain(shape)), None)
    if titled is None:
        return None, list(found)
    return (plain(titled), titled.area), [shape for shape in found if shape is not titled]


def _first_line(blocks: list[Block], n: int) -> tuple[tuple[str, Area | None], list[Block]]:
    """What stands for the title of a slide without one: its first short line, else its number."""
    first = blocks[0] if len(blocks) > 1 else None
    if first and first.kind == "text" and len(first.text) <= _TITLE_MAX and not first.text.endswith(("。", "；", "，")):
        box = first.boxes[0]
        return (" ".join(first.text.split()), Area(box.x0, box.y0, box.x1, box.y1)), blocks[1:]
    return (f"第 {n} 张", None), blocks


def _sections(root: Element) -> Mapping[str, str]:
    """The sections a presentation is divided into: id of the first slide → name; none where there is only one."""
    found: dict[str, str] = {}
    for section in root.iter("{?}section"):
        first = next((one for one in section.iter() if one.tag.endswith("}sldId")), None)
        name = " ".join(section.get("name", "").split())
        if first is not None and name and not _DEFAULT_SECTION.fullmatch(name):
            found[first.get("id", "")] = name
    return found if len(found) > 1 else {}


def _title(core: str, deck: _Deck) -> str:
    return deck.cover or ("" if _JUNK_TITLE.fullmatch(core) else core)


def _no_text(deck: _Deck) -> DocumentError:
    if deck.pictures:
        return DocumentError(
            "演示文稿里只有图片，没有文字", remedy="请导出为 PDF，用 OCR 软件识别后再上传", code="no_text"
        )
    return DocumentError("演示文稿里没有可读的内容", remedy="请检查内容是否都在隐藏的幻灯片里", code="empty")


def _warnings(deck: _Deck) -> Iterator[str]:
    if deck.damaged:
        yield f"有 {len(deck.damaged)} 张幻灯片已损坏，未收录：第 {_numbers(deck.damaged)} 张"
    if deck.hidden:
        yield f"有 {len(deck.hidden)} 张幻灯片是隐藏的，未收录：第 {_numbers(deck.hidden)} 张"
    if deck.pictures:
        yield f"有 {len(deck.pictures)} 张幻灯片只有图片，没有文字：第 {_numbers(deck.pictures)} 张"


def _numbers(found: Sequence[int]) -> str:
    return "、".join(map(str, found[:_SHOWN_MAX])) + ("等" if len(found) > _SHOWN_MAX else "")
