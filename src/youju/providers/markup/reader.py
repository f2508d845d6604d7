"""Elements → pieces of text with their kind, in reading order; the EPUB and the HTML parser share it."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from youju.providers.markup.elements import (
    BLOCKS,
    LISTING,
    NOTE_CLASS,
    NOTE_LISTS,
    NOTES,
    REFERS,
    SECTIONS,
    STRUCK,
    number,
    set_apart,
)
from youju.providers.markup.frames import Frame, Piece, closed
from youju.providers.markup.furniture import SILENT, hidden, is_anchor
from youju.providers.markup.grid import Grid, places_only
from youju.providers.markup.inline import BREAK, paragraphs, public, reference, source_text, subscript, superscript
from youju.providers.markup.mathml import formula
from youju.providers.markup.tree import attribute
from youju.types import BlockKind

_INLINE = frozenset({"sup", "sub", "noteref", "q"})
_PASSING = _INLINE | {"plain", "notes", "table"}
_MATH_SCRIPT = re.compile(r"math/tex")
_TEX_IMAGE = re.compile(r"math|tex|formula|equation")


@dataclass
class Reader:
    """A `Visitor` that collects what a reader would read.

    Args:
        left_out: ids of nodes to skip.
        anchors: ids whose place among the pieces is wanted, in `places`.
        page_break: called with the printed number where a page of a printed book begins; its answer is put in the text.
    """

    left_out: AbstractSet[int] = frozenset()
    page_break: Callable[[str], str] | None = None
    anchors: AbstractSet[str] = frozenset()
    pieces: list[Piece] = field(default_factory=list)
    places: list[tuple[int, str]] = field(default_factory=list)
    _stack: list[Frame] = field(default_factory=lambda: [Frame("root", 0)])
    _marked: list[tuple[int, bool, bool]] = field(default_factory=list)  # id, bold, centred
    _linked: list[tuple[int, bool]] = field(default_factory=list)

    # --- the walk ----------------------------------------------------------------------------------------------------

    def enter(self, node: LexborNode) -> bool:
        if node.is_text_node:
            self._text(node.text_content or "")
            return False
        if not node.is_element_node:
            return False
        tag = (node.tag or "").lower()
        if tag == "script" and _MATH_SCRIPT.search(attribute(node, "type")):
            self._text(f"${node.text()}$")
        if tag in SILENT or tag in STRUCK or node.mem_id in self.left_out or hidden(node):
            return False
        return self._element(tag, node)

    def leave(self, node: LexborNode) -> None:
        tag = (node.tag or "").lower()
        if tag in BLOCKS:
            self._flush()
        if self._stack[-1].id == node.mem_id:
            self._close()
        if self._marked and self._marked[-1][0] == node.mem_id:
            self._marked.pop()
        if self._linked and self._linked[-1][0] == node.mem_id:
            self._linked.pop()

    def finished(self) -> list[Piece]:
        """Everything read so far."""
        while len(self._stack) > 1:
            self._close()
        self._flush()
        return self.pieces

    # --- elements ----------------------------------------------------------------------------------------------------

    def _element(self, tag: str, node: LexborNode) -> bool:
        role = f"{attribute(node, 'epub:type')} {attribute(node, 'role')}" if len(node.attrs) else ""
        if "pagebreak" in role:
            return self._broken(node)
        if tag == "br":
            self._stack[-1].ink.append(BREAK)
            return False
        if tag == "math" or tag.endswith(":math"):
            self._math(node)
            return False
        if tag == "img":
            self._image(node)
            return False
        if self.anchors and (name := node.attrs.sget("id") or "") in self.anchors:
            self._flush()
            self.places.append((len(self.pieces), name))
        if tag == "a" and is_anchor(node):
            return False
        self._mark(tag, node)
        if tag in BLOCKS:
            self._flush()
        self._frame(tag, node, role)
        return True

    def _broken(self, node: LexborNode) -> bool:
        label = node.attrs.sget("aria-label") or node.attrs.sget("title") or node.text(strip=True)
        if self.page_break and len(label) < 16:  # noqa: PLR2004 (a number, not a text that calls itself one)
            self._stack[-1].ink.append(self.page_break(label.strip().removeprefix("Page ").strip()))
        return False

    def _math(self, node: LexborNode) -> None:
        text = source_text(" ".join(formula(node).split()))
        if attribute(node, "display") == "block" and not self._inline():
            self._flush()
            if text:
                self._add(text, "formula")
        else:
            self._text(text)

    def _image(self, node: LexborNode) -> None:
        """A picture of a formula says it in its `alt`; other pictures say nothing that the text does not."""
        if _TEX_IMAGE.search(attribute(node, "class")):
            self._text(f" {node.attrs.sget('alt') or ''} ")

    def _mark(self, tag: str, node: LexborNode) -> None:
        bold, centred = set_apart(tag, node)
        if bold or centred:
            self._marked.append((node.mem_id, bold, centred))

    def _frame(self, tag: str, node: LexborNode, role: str) -> None:
        """Open a frame for an element that gathers what is inside it."""
        identity = node.mem_id
        if tag[:1] == "h" and tag[1:] in {"1", "2", "3", "4", "5", "6"}:
            self._open("heading", identity, level=int(tag[1]))
        elif "heading" in role.split():
            level = attribute(node, "aria-level")
            self._open("heading", identity, level=min(int(level), 6) if level in set("123456789") else 2)
        elif NOTES.search(role) and not (tag == "li" and self._in("notes")):
            self._open("note", identity)
        elif NOTE_LISTS.search(role) or (tag in LISTING and NOTE_CLASS.search(attribute(node, "class"))):
            self._open("notes", identity)
        elif tag in {"sup", "sub"}:
            self._open(tag, identity, refers=REFERS.search(f"{role} {attribute(node, 'class')}") is not None)
        elif tag == "a":
            self._reference(node, role)
        else:
            self._gathering(tag, node)

    def _gathering(self, tag: str, node: LexborNode) -> None:
        if tag in {"ul", "ol", "dl", "dir"}:
            self._list(tag, node)
        elif tag in {"li", "dt", "dd"}:
            self._item(tag, node)
        elif tag in {"blockquote", "pre", "figcaption", "caption", "q"}:
            self._open({"blockquote": "quote", "figcaption": "caption"}.get(tag, tag), node.mem_id)
        elif tag in {"table", "tr", "td", "th"}:
            self._tabled(tag, node)

    def _list(self, tag: str, node: LexborNode) -> None:
        if self._in("notes"):
            return
        # A list of whole sections is the page's layout, not a list.
        if not self._in("item") and node.css_first(SECTIONS) is not None:
            self._open("plain", node.mem_id)
            return
        ordered = tag == "ol"
        self._open("list", node.mem_id, start=number(node, "start") or 1, ordered=ordered, term=tag == "dl",
                   down="reversed" in node.attrs)  # fmt: skip

    def _item(self, tag: str, node: LexborNode) -> None:
        above = next(
            (frame for frame in reversed(self._stack) if frame.name in {"list", "plain", "notes", "cell"}), None
        )
        if above is not None and above.name == "notes":
            above.start = number(node, "value") or (above.start or 0) + 1
            self._open("note", node.mem_id, start=above.start)
        elif above is not None and above.name == "list":
            self._open("item" if tag == "li" else tag, node.mem_id, start=number(node, "value"))

    def _tabled(self, tag: str, node: LexborNode) -> None:
        if tag == "table":
            cell = self._in("cell")
            layout = not cell and places_only(node)
            self._open("plain" if layout else "table", node.mem_id, grid=None if layout else Grid())
            return
        grid = next((frame.grid for frame in reversed(self._stack) if frame.name in {"table", "plain"}), None)
        if grid is None:
            return
        if tag == "tr":
            head = node.parent is not None and node.parent.tag == "thead"
            grid.row(head=head)
        else:
            self._open("cell", node.mem_id, grid=grid, node=node)

    def _reference(self, node: LexborNode, role: str) -> None:
        href = attribute(node, "href")
        refers = bool(REFERS.search(f"{role} {attribute(node, 'class')}"))
        within = "#" in href and any(frame.name == "sup" for frame in self._stack[-2:])
        for frame in self._stack[-2:]:
            frame.refers = frame.refers or (frame.name == "sup" and (refers or within))
        if refers and not any(frame.name == "sup" for frame in self._stack[-2:]):
            self._open("noteref", node.mem_id)

    # --- text --------------------------------------------------------------------------------------------------------

    def _text(self, text: str) -> None:
        frame = self._stack[-1]
        if any(one.name == "pre" for one in self._stack[-4:]):
            frame.ink.append(public(text))
            return
        frame.ink.append(source_text(text))
        solid = len(text.strip())
        if solid:
            frame.letters += solid
            frame.bold += solid if any(bold for _, bold, _ in self._marked) else 0
            frame.centred += solid if any(centred for _, _, centred in self._marked) else 0

    def _inline(self) -> bool:
        return self._stack[-1].name in _INLINE

    def _in(self, name: str) -> bool:
        return any(frame.name == name for frame in self._stack)

    def _open(self, name: str, identity: int, **values: object) -> None:
        if name not in _INLINE:
            self._flush()
        self._stack.append(Frame(name, identity, **values))  # type: ignore[arg-type]  # the fields of Frame

    def _flush(self) -> None:
        """End the paragraph that is being read."""
        frame = self._stack[-1]
        if not frame.ink or self._inline():
            return
        run = "".join(frame.ink)
        apart = bool(frame.letters) and frame.bold >= frame.letters
        centred = bool(frame.letters) and frame.centred >= frame.letters
        frame.clear()
        if frame.name == "pre":
            frame.parts.append(run if run.endswith("\n") else f"{run}\n")
            return
        for text in paragraphs(run):
            self._add(text, "text", bold=apart, centred=centred)

    def _close(self) -> None:
        if self._inline():
            frame = self._stack.pop()
            self._stack[-1].ink.append(self._styled(frame))
            self._stack[-1].letters += frame.letters
            self._stack[-1].bold += frame.bold
            self._stack[-1].centred += frame.centred
            return
        self._flush()
        frame = self._stack.pop()
        text, kind, level = closed(frame, nested=self._in("cell"))
        if frame.name == "cell" and frame.grid and frame.node:
            frame.grid.cell(text, frame.node)
        elif frame.name in {"item", "dt", "dd"} and self._stack[-1].name == "list":
            self._stack[-1].item(frame.name, text, frame.start)
        elif text:
            self._add(text, kind, level=level)

    def _styled(self, frame: Frame) -> str:
        text = "".join(frame.ink)
        if frame.name == "sub":
            return subscript(text) if text.strip() else text
        if frame.name == "q":
            return f"“{text}”"
        if frame.name == "noteref":
            return reference(text)
        before = "".join(self._stack[-1].ink[-3:])
        return superscript(text, before, refers=frame.refers) if text.strip() else text

    def _add(self, text: str, kind: BlockKind, *, level: int = 0, bold: bool = False, centred: bool = False) -> None:
        """Give a finished text to the innermost frame that gathers, or to the document."""
        if kind == "text" and self._stack[-1].name == "notes":
            kind = "footnote"
        holder = next(frame for frame in reversed(self._stack) if frame.name not in _PASSING)
        if holder.name == "root" or kind == "footnote":
            self.pieces.append(Piece(kind, text, level, bold, centred))
        else:
            holder.parts.append(text)
