"""What an open element has gathered so far, and what it says when it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from youju.providers.markup.grid import Grid
from youju.providers.markup.inline import verbatim
from youju.types import BlockKind

_HEADING_MAX = 120
_ARROWS = re.compile(r"\s*[↩↑⏎↵]\ufe0e?|^\^\s*")
_NUMBERED = re.compile(r"[\[(（【［①-⑳\d]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A block to be. `bold`, `centred`: all of a paragraph was set so. Pages as in `Block`."""

    kind: BlockKind
    text: str
    level: int = 0
    bold: bool = False
    centred: bool = False
    page: int | None = None
    page_end: int | None = None
    locator: str = ""


@dataclass(slots=True)
class Frame:
    """`ink` is the paragraph being read, `parts` the finished ones; the rest is the element's own."""

    name: str
    id: int
    level: int = 0
    start: int | None = None
    ordered: bool = False
    down: bool = False
    term: bool = False
    refers: bool = False
    grid: Grid | None = None
    node: LexborNode | None = None
    ink: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    letters: int = 0
    bold: int = 0
    centred: int = 0

    def clear(self) -> None:
        self.ink = []
        self.letters = self.bold = self.centred = 0

    def item(self, name: str, text: str, value: int | None) -> None:
        """Add an item to a list: numbered, marked, or a term with what it means."""
        if self.term:
            self._term(name, text)
            return
        if self.ordered:
            number = self.start if value is None else value
            self.start = (number or 0) + (-1 if self.down else 1)
            mark = f"{number}. "
        else:
            mark = "- "
        if text:
            self.parts.append(mark + text.replace("\n", "\n" + " " * len(mark)))

    def _term(self, name: str, text: str) -> None:
        if not text:
            return
        if name == "dt":
            self.parts.append(text)
        elif self.parts and not self.level:
            self.parts[-1] += ("" if self.parts[-1].endswith(("：", ":")) else "：") + text.replace("\n", "\n  ")
        else:
            self.parts.append("  " + text.replace("\n", "\n  "))
        self.level = int(name == "dd")


def closed(frame: Frame, *, nested: bool = False) -> tuple[str, BlockKind, int]:
    """The text of a frame that ends, its kind and level; `nested`: inside a cell, where a table is a line."""
    if frame.name == "heading":
        text = " ".join(" ".join(frame.parts).split())
        # A paragraph set in heading tags for its size.
        return (text, "heading", frame.level) if len(text) <= _HEADING_MAX else (text, "text", 0)
    if frame.name == "table" and frame.grid:
        return frame.grid.line() if nested else frame.grid.markdown(), "table", 0
    if frame.name == "note":
        return _note(" ".join(frame.parts), frame.start), "footnote", 0
    if frame.name == "pre":
        return verbatim("".join(frame.parts)), "code", 0
    if frame.name == "cell":
        return " ".join(" ".join(frame.parts).split()), "text", 0
    kinds: dict[str, BlockKind] = {"list": "list", "quote": "quote", "caption": "caption"}
    glue = " " if frame.name == "caption" else "\n"
    return glue.join(frame.parts), kinds.get(frame.name, "text"), 0


def _note(text: str, number: int | None) -> str:
    """A note with its number before it and without the arrow back to its reference."""
    text = _ARROWS.sub("", text).strip()
    return f"[^{number}]: {text}" if text and number is not None and not _NUMBERED.match(text) else text
