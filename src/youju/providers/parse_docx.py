"""DOCX → blocks: headings, lists with their numbers, tables, notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import ClassVar

from youju.errors import DocumentError
from youju.providers.office.inline import Reader
from youju.providers.office.numbering import numbering
from youju.providers.office.package import Package, opened
from youju.providers.office.styles import styles
from youju.providers.office.word_body import Body, Item, Table
from youju.providers.office.word_headings import headings
from youju.providers.office.xml import Element, broken
from youju.providers.parsing.contents import contents
from youju.providers.parsing.decoding import garbage_ratio, refuse_garbage
from youju.providers.parsing.lines import join_lines, table
from youju.providers.parsing.titles import is_caption, is_item
from youju.text.headings import numbering as numbering_of
from youju.types import Block, BlockKind, ParsedDocument

_INDENT = "  "
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})


@dataclass(frozen=True)
class DocxParser:
    """A `Parser` for Word documents: what a reader of the printed document sees, without heads and feet of pages.

    Macros are not looked at. Insertions are kept, deletions, comments and hidden text are not.

    The suffix of the format before 2007 is taken too: what has it may be of this format under an old name, and what is
    not is refused with what to save it as.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
    """

    max_garbage_ratio: float = 0.05
    suffixes: ClassVar[frozenset[str]] = frozenset({".docx", ".docm", ".doc"})

    def parse(self, path: Path) -> ParsedDocument:
        with opened(path, "docx") as package:
            body = _body(package)
            root = package.root.find("{w}body")
            if root is None:
                raise broken("文件里没有正文")
            items = _without_contents(body.items(root), body)
            title = package.title
        found = headings(items)
        blocks = tuple(_blocks(items, found.levels))
        text = "\n\n".join(block.text for block in blocks)
        if not any(block.kind != "heading" for block in blocks):
            raise _no_text(body.counts["pictures"])
        ratio = garbage_ratio(text)
        refuse_garbage(ratio, self.max_garbage_ratio)
        return ParsedDocument(
            blocks=blocks,
            title=found.title or title or _only_chapter(blocks),
            text=text,
            warnings=(*package.losses, *_warnings(body)),
            quality={
                "characters": float(len(text)),
                "garbage_ratio": ratio,
                "toc_lines": float(body.counts["toc"]),
            },
        )


def _body(package: Package) -> Body:
    reader = Reader(styles(package.related(package.main, "styles")))
    notes = {kind: _notes(package.related(package.main, kind)) for kind in ("footnotes", "endnotes")}
    return Body(reader, numbering(package.related(package.main, "numbering")), notes)


def _notes(root: Element | None) -> dict[str, Element]:
    rows = root if root is not None else ()
    return {row.get("{w}id", ""): row for row in rows if row.get("{w}type") not in _SEPARATORS}


def _without_contents(items: Sequence[Item], body: Body) -> list[Item]:
    """The items without a table of contents that was typed by hand."""
    lines = ["" if isinstance(item, Table) else item.text for item in items]
    listed = contents(lines, None)
    body.counts["toc"] += len(listed)
    return [item for at, item in enumerate(items) if at not in listed]


def _no_text(pictures: int) -> DocumentError:
    if pictures:
        return DocumentError(
            f"文档里只有 {pictures} 张图片，没有文字", remedy="请用 OCR 软件识别图片里的文字后再上传", code="no_text"
        )
    return DocumentError("文档里没有可读的正文", remedy="请检查文件是否保存完整后重新上传", code="empty")


def _only_chapter(blocks: Sequence[Block]) -> str:
    """The heading above all others, unless it is the first of several chapters."""
    highest = min((block.level for block in blocks if block.level), default=0)
    tops = [block.text for block in blocks if block.level and block.level == highest]
    return tops[0] if len(tops) == 1 and not numbering_of(tops[0]) else ""


def _warnings(body: Body) -> Iterator[str]:
    if body.counts["hidden"]:
        yield f"有 {body.counts['hidden']} 个字设为隐藏，未收录"
    if body.counts["pictures"]:
        yield f"有 {body.counts['pictures']} 张图片，图片里的文字未收录"


def _blocks(items: Sequence[Item], levels: Sequence[int]) -> Iterator[Block]:
    entries: list[str] = []
    for item, level in zip(items, levels, strict=True):
        entry = "" if level or isinstance(item, Table) else _entry(item)
        if entry:
            entries.append(entry)
            continue
        if entries:
            yield Block("list", dedent("\n".join(entries)))
            entries = []
        yield from _block(item, level)
    if entries:
        yield Block("list", dedent("\n".join(entries)))


def _entry(item: Item) -> str:
    """A paragraph as a line of a list, "" where it is none; 第三条, though counted, is none."""
    if isinstance(item, Table) or item.note or item.formula:
        return ""
    if item.label is None:
        return item.text if is_item(item.text) else ""
    if not item.label.bullet and item.label.text.startswith("第"):
        return ""
    indent = _INDENT * item.label.level
    return indent + item.text.replace("\n", f"\n{indent}{_INDENT}")


def _block(item: Item, level: int) -> Iterator[Block]:
    if isinstance(item, Table):
        yield from (Block("caption", title) for title in item.grid.titles)
        if text := table(item.grid.all):
            yield Block("table", text)
    elif level:
        yield Block("heading", join_lines(item.text.split("\n")), level=level)
    else:
        kind: BlockKind = "text"
        if item.note:
            kind = "footnote"
        elif item.formula:
            kind = "formula"
        elif is_caption(item.text):
            kind = "caption"
        yield Block(kind, item.text)
