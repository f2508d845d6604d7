"""HTML inside a text → what a reader sees of it: no tags, no comments, nothing struck out, exponents as such."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

_TOKEN = re.compile(r"(<!--.*?(?:-->|\Z)|<[!?][^<>]*>|</?[A-Za-z][^<>]*>)", re.DOTALL)
_NAME = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)[^<>]*?(?P<empty>/?)>", re.DOTALL)
_STRUCK = frozenset({"del", "s", "strike"})
_SILENT = frozenset({"script", "style", "template"})
_SCRIPTS = frozenset({"sup", "sub"})
_BREAKS = re.compile(
    r"address|article|aside|blockquote|br|d[dlt]|div|footer|h[1-6r]|header|li|main|nav|ol|p|pre|section|t(?:able|body|foot"
    r"|head|r)|ul"
)
_CELLS = frozenset({"td", "th"})
_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−=()aeoxhklmnpstijruv", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "tm", "®", "™"})
_EXPRESSION = re.compile(r"[A-Za-z0-9+\-−=().,/]+")
_GONE = "\0"
_AROUND = re.compile(rf"(^|[ \t]){_GONE}+[ \t]+", re.MULTILINE)


def raised(text: str) -> str:
    """A superscript: 10 + "4" → ⁴, "x" → ^x; footnote marks and what is no expression stay as they are."""
    return _script(text.strip(), _RAISED, "^")


def lowered(text: str) -> str:
    """A subscript: "1" → ₁, "max" → ₘₐₓ, "B" → _B."""
    return _script(text.strip(), _LOWERED, "_")


def _script(text: str, table: dict[int, int], mark: str) -> str:
    if not _EXPRESSION.fullmatch(text) or text.lower() in _ORDINALS:
        return text
    if all(ord(char) in table for char in text):
        return text.translate(table)
    return f"{mark}{text}" if text.isalnum() else f"{mark}({text})"


@dataclass
class Shown:
    """What is shown of a stretch of text and tags, added one after the other."""

    _open: list[tuple[str, list[str]]] = field(default_factory=lambda: [("", [])])
    _closed: bool = False

    def text(self, text: str) -> None:
        if text:
            self._open[-1][1].append(text)
            self._closed = False

    def gone(self) -> None:
        """Something struck out stood here."""
        self.text(_GONE)

    def tag(self, source: str) -> None:
        """A tag or comment as written."""
        found = _NAME.fullmatch(source)
        if not found:
            return
        name = found["name"].lower()
        if _BREAKS.fullmatch(name):
            self.text("\v\n")
        elif name in _CELLS:
            self.text("" if found["close"] else " ")
        elif found["close"]:
            self._close(name)
        elif name in _STRUCK | _SILENT | _SCRIPTS and not found["empty"]:
            self._open.append((name, []))
        elif self._closed:
            # <b>500</b><b>300</b> are two words, though <b>b</b>old is one.
            self._open[-1][1].append(" ")
        self._closed = bool(found["close"])

    def _close(self, name: str) -> None:
        if self._open[-1][0] == name:
            self._open[-2][1].append(_styled(*self._open.pop()))

    def result(self) -> str:
        """All of it. What an unclosed tag would strike out or raise stays as it is."""
        whole = "".join(text for name, texts in self._open if name not in _SILENT for text in texts)
        return _AROUND.sub(r"\1", whole).replace(_GONE, "")


def _styled(name: str, texts: list[str]) -> str:
    if name in _STRUCK | _SILENT:
        return _GONE
    return {"sup": raised, "sub": lowered}[name]("".join(texts).replace(_GONE, ""))


def shown(source: str) -> str:
    """A block of HTML as text, a line where a block of it begins."""
    found = Shown()
    for at, piece in enumerate(_TOKEN.split(source)):
        if at % 2:
            found.tag(piece)
        else:
            found.text(html.unescape(piece))
    lines = (" ".join(line.split()) for line in found.result().replace("\v", "").split("\n"))
    return "\n".join(line for line in lines if line)
