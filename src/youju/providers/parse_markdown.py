"""Markdown → blocks: structure from the syntax, inline marks removed, every character kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock, blockquote, list_block
from markdown_it.rules_block.reference import reference
from markdown_it.rules_inline import StateInline
from markdown_it.tree import SyntaxTreeNode

from youju.providers.parsing.decoding import read_text
from youju.providers.parsing.html import Shown, shown
from youju.providers.parsing.lines import join_lines, table
from youju.providers.parsing.prose import check_prose
from youju.providers.parsing.titles import is_caption
from youju.types import Block, BlockKind, ParsedDocument

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title\s*:\s*(.+?)\s*$", re.MULTILINE)
_FOOTNOTE = re.compile(r"^\[\^[^\]\s]+\]:")
_DISPLAY = "$$"
# Nobody writes a list in a list so often; each level is a call in the library and in ours.
_DEEPEST = 30
_MARK = r"(?:>[ \t]?|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*+"
_INTERRUPTED = ("paragraph", "reference", "blockquote")
_TOO_DEEP = re.compile(rf"^([ \t]*+(?:{_MARK}){{{_DEEPEST}}}+)(?:{_MARK})++(?=\S)", re.MULTILINE)


@dataclass(frozen=True)
class MarkdownParser:
    """A `Parser` for CommonMark with tables, footnotes and `$…$` formulas.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
    """

    max_garbage_ratio: float = 0.05
    suffixes: ClassVar[frozenset[str]] = frozenset({".md", ".markdown"})

    def parse(self, path: Path) -> ParsedDocument:
        source, ratio = read_text(path, self.max_garbage_ratio)
        title, body = _front_matter(source)
        tree = SyntaxTreeNode(_reader().parse(_TOO_DEEP.sub(r"\1", body))).children
        # What names a picture describes nothing by itself: a file of pictures has no text.
        written = any(node.type != "heading" and not _is_picture(node) for node in tree)
        blocks = tuple(block for node in tree if written or not _is_picture(node) for block in _blocks(node))
        text = "\n\n".join(block.text for block in blocks)
        return ParsedDocument(
            blocks=blocks,
            title=title or next((block.text for block in blocks if block.level == 1), ""),
            text=text,
            warnings=check_prose(text),
            quality={"characters": float(len(text)), "garbage_ratio": ratio},
        )


def _front_matter(source: str) -> tuple[str, str]:
    """The title a YAML head gives ("" if none) and the text after the head."""
    head = _FRONT_MATTER.match(source)
    if not head:
        return "", source
    title = _TITLE.search(head.group(1))
    return (title.group(1).strip("\"'") if title else ""), source[head.end() :]


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    # The library drops what lies deeper than it allows; three levels of its own for each of ours are never reached.
    reader.options["maxNesting"] = 3 * _DEEPEST
    reader.block.ruler.at("reference", _reference)
    # What each may interrupt is what the library says of it.
    reader.block.ruler.at("blockquote", _shallow(blockquote), {"alt": [*_INTERRUPTED, "list"]})
    reader.block.ruler.at("list", _shallow(list_block), {"alt": [*_INTERRUPTED]})
    reader.inline.ruler.before("escape", "formula", _formula)
    return reader


def _shallow(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """The rule, which opens nothing that lies deeper than we follow: its marks are then text of a paragraph."""

    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 (the library's signature)
        return state.level < 2 * _DEEPEST and rule(state, start, end, silent)

    return bounded


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 (the library's signature)
    """`[^1]: …` is a footnote; CommonMark would take it for a link target and swallow it."""
    at = state.bMarks[start] + state.tShift[start]
    return not state.src.startswith("[^", at) and reference(state, start, end, silent)


def _formula(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 (the library's signature)
    """`$…$` and `$$…$$` verbatim: stars, underscores and backslashes in a formula are not marks."""
    found = re.compile(r"\$\$.+?\$\$|\$(?!\s)[^$\n]+?(?<!\s)\$", re.DOTALL).match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        state.push("text", "", 0).content = found.group()
    state.pos = found.end()
    return True


def _blocks(node: SyntaxTreeNode) -> Iterator[Block]:
    if node.type == "heading":
        if text := join_lines(_inline(node)):
            yield Block("heading", text, level=int(node.tag[1]))
    elif node.type == "paragraph":
        yield from _paragraph(_inline(node))
    else:
        kinds: dict[str, BlockKind] = {
            "bullet_list": "list", "ordered_list": "list", "table": "table", "fence": "code", "code_block": "code",
            "blockquote": "quote",
        }  # fmt: skip
        text = _text(node)
        if text.strip():
            yield Block(kinds.get(node.type, "text"), text)


def _is_picture(node: SyntaxTreeNode) -> bool:
    """Whether a block is nothing but pictures."""
    inside = [child for inline in node.children for child in inline.children] if node.type == "paragraph" else []
    blank = {"softbreak", "hardbreak"}
    seen = [child for child in inside if child.type not in blank and (child.type != "text" or child.content.strip())]
    return bool(seen) and all(child.type == "image" for child in seen)


def _paragraph(lines: Sequence[str]) -> Iterator[Block]:
    """One paragraph, or several footnotes written line under line."""
    group: list[str] = []
    for line in (*lines, None):
        if group and (line is None or _FOOTNOTE.match(line)):
            text = join_lines(group)
            kind = _paragraph_kind(text)
            if text:
                yield Block(kind, "\n".join(group).strip() if kind == "formula" else text)
            group = []
        if line is not None:
            group.append(line)


def _paragraph_kind(text: str) -> BlockKind:
    if _FOOTNOTE.match(text):
        return "footnote"
    if text.startswith(_DISPLAY) and text.endswith(_DISPLAY) and len(text) > 2 * len(_DISPLAY):
        return "formula"
    return "caption" if is_caption(text) else "text"


def _text(node: SyntaxTreeNode) -> str:
    """A block as shown, its inner blocks one under the other."""
    if node.type in {"fence", "code_block"}:
        return node.content.expandtabs(4).rstrip("\n")
    if node.type == "html_block":
        return shown(node.content)
    if node.type in {"paragraph", "heading"}:
        return join_lines(_inline(node))
    if node.type == "table":
        return table(
            [[join_lines(_inline(cell)) for cell in row.children] for part in node.children for row in part.children]
        )
    if node.type in {"bullet_list", "ordered_list"}:
        return _list(node)
    return "\n".join(text for child in node.children if (text := _text(child)))


def _list(node: SyntaxTreeNode) -> str:
    first = int(node.attrs.get("start", 1))
    lines = []
    for number, item in enumerate(node.children, start=first):
        mark = f"{number}{item.markup}" if node.type == "ordered_list" else "-"
        body = "\n".join(_text(child) for child in item.children)
        lines.append(f"{mark} " + body.replace("\n", "\n" + " " * (len(mark) + 1)))
    return "\n".join(lines)


def _inline(node: SyntaxTreeNode) -> list[str]:
    """The lines of a node's inline content, marks removed."""
    return _plain(node).split("\n")


def _plain(node: SyntaxTreeNode) -> str:
    if node.type == "softbreak":
        return "\n"
    if node.type == "hardbreak":
        return "\v\n"
    if node.type != "inline" and not node.children:
        return str(node.content)
    found = Shown()
    for child in node.children:
        if child.type == "html_inline":
            found.tag(child.content)
        elif child.type == "s":
            found.gone()
        else:
            found.text(_plain(child))
    return found.result()
