"""The text of a Word paragraph as its reader sees it: changes accepted, what is hidden left out, formulas in line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import MappingProxyType

from youju.providers.office.math import formula
from youju.providers.office.styles import Style, Styles
from youju.providers.office.xml import Element, value
from youju.providers.parsing.html import lowered, raised
from youju.text.normal import clean

_GONE = frozenset({"{w}del", "{w}moveFrom", "{w}pPr", "{w}rPr", "{w}sdtPr", "{w}sdtEndPr", "{w}rt", "{w}tblPr"})
_WHITE = MappingProxyType({"{w}tab": " ", "{w}br": "\n", "{w}cr": "\n", "{w}noBreakHyphen": "-"})
_FORMULAS = frozenset({"{m}oMath", "{m}oMathPara"})
_BOXES = frozenset({"{w}txbxContent"})
_PICTURES = frozenset({"{a}blip", "{v}imagedata"})
_NOTES = frozenset({"{w}footnoteReference", "{w}endnoteReference"})
_SIGNS = MappingProxyType({"F0FC": "✓", "F0FE": "☑", "F0A8": "☐", "F06F": "☐", "F0FB": "✗", "F0E0": "→", "F0B7": "•"})
_SPACES = re.compile(r"[ \u00a0]{2,}")


@dataclass
class Inline:
    """What one paragraph holds. `notes` are (kind, id) of the notes it refers to, `boxes` its text boxes."""

    parts: list[str] = field(default_factory=list)
    set_as: list[tuple[int, Style]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    formulas: int = 0
    pictures: int = 0
    hidden: int = 0

    @property
    def text(self) -> str:
        lines = "".join(self.parts).split("\n")
        return "\n".join(line for line in (_SPACES.sub(" ", clean(line)).strip() for line in lines) if line)

    @property
    def is_formula(self) -> bool:
        """Whether the paragraph is nothing but formulas."""
        return bool(self.formulas) and not self.set_as

    def mostly(self) -> tuple[bool, int]:
        """Whether most of the characters are bold, and the size of most, in half points; 0 without any."""
        total = sum(count for count, _ in self.set_as)
        bold = sum(count for count, style in self.set_as if style.bold)
        sizes: dict[int, int] = {}
        for count, style in self.set_as:
            sizes[style.size] = sizes.get(style.size, 0) + count
        return 2 * bold > total, max(sizes, key=lambda size: sizes[size], default=0)


@dataclass
class Reader:
    """Reads paragraphs of one document. `numbers` are the notes met so far: they are counted, not written down."""

    styles: Styles
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)

    def read(self, paragraph: Element, style: Style) -> Inline:
        found = Inline()
        for child in paragraph:
            self._node(child, style, found)
        return found

    def _node(self, node: Element, style: Style, found: Inline) -> None:
        tag = node.tag
        if tag in _GONE or (tag == "{w}sdt" and node.find("{w}sdtPr/{w}showingPlcHdr") is not None):
            return
        if tag == "{w}r":
            self._run(node, self.styles.run(node.find("{w}rPr"), style), found)
        elif tag in _FORMULAS:
            found.formulas += 1
            found.parts.append(formula(node))
        elif tag in _BOXES:
            found.boxes.append(node)
        elif tag in _PICTURES:
            found.pictures += 1
        else:
            for child in _shown(node):
                self._node(child, style, found)

    def _run(self, run: Element, style: Style, found: Inline) -> None:
        if style.hidden:
            found.hidden += sum(len(text.text or "") for text in run.iter("{w}t"))
            return
        script = value(run, "{w}rPr/{w}vertAlign")
        for node in run:
            text = self._piece(node, found)
            if text is None:
                self._node(node, style, found)
                continue
            if script and text.strip():
                text = raised(text) if script == "superscript" else lowered(text) if script == "subscript" else text
            found.parts.append(text)
            if text.strip():
                found.set_as.append((len(text.strip()), style))

    def _piece(self, node: Element, found: Inline) -> str | None:
        """What a node of a run shows, None for what has to be looked into."""
        if node.tag == "{w}t":
            return node.text or ""
        if node.tag in _WHITE:
            return _WHITE[node.tag]
        if node.tag == "{w}sym":
            return _SIGNS.get(node.get("{w}char", "").upper(), "")
        if node.tag in _NOTES:
            return self._note(node, found)
        return None

    def _note(self, node: Element, found: Inline) -> str:
        kind = "footnotes" if node.tag == "{w}footnoteReference" else "endnotes"
        key = (kind, node.get("{w}id", ""))
        found.notes.append(key)
        if node.get("{w}customMarkFollows") in {"1", "true", "on"}:
            return ""
        return f"[^{self.numbers.setdefault(key, len(self.numbers) + 1)}]"


def _shown(node: Element) -> Iterator[Element]:
    """The children of a node; of several forms of the same content, the first that has any."""
    if node.tag != "{mc}AlternateContent":
        yield from node
        return
    forms = [*node.findall("{mc}Choice"), *node.findall("{mc}Fallback")]
    yield from next((form for form in forms if len(form)), ())
