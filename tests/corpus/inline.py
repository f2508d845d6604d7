"""A paragraph's source → letters with their places in the line, and the plain text that is true of it.

`^{2}` is raised, `_{2}` lowered, `~{1}` the raised mark of a note, `%{a|b}` a fraction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.paper import Bar, Text, em, length

_MARKED = re.compile(r"([\^_~%])\{([^}]*)\}")
_SMALL = 0.62
_NO_START = set("，。、；：！？）」』》”’%")
_NO_END = set("（「『《“‘")
_UP = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_DOWN = str.maketrans("0123456789nix", "₀₁₂₃₄₅₆₇₈₉ₙᵢₓ")


@dataclass(frozen=True)
class Atom:
    """A letter, a script or a fraction; `kind` is "" for a letter."""

    text: str
    kind: str = ""
    under: str = ""

    def width(self, size: float) -> float:
        if self.kind == "%":
            return max(length(self.text, 0.75 * size), length(self.under, 0.75 * size)) + 4
        return length(self.text, size * (_SMALL if self.kind else 1))


def atoms(source: str) -> list[Atom]:
    found: list[Atom] = []
    at = 0
    for mark in _MARKED.finditer(source):
        found.extend(Atom(char) for char in source[at : mark.start()])
        text, _, under = mark[2].partition("|")
        found.append(Atom(text, mark[1], under))
        at = mark.end()
    return [*found, *(Atom(char) for char in source[at:])]


def said(source: str) -> str:
    """What a careful reader would write for it in plain text."""
    return _MARKED.sub(_plain, source)


def _plain(mark: re.Match[str]) -> str:
    kind, text = mark[1], mark[2]
    if kind == "%":
        above, _, below = text.partition("|")
        mixed = any(char.isdigit() for char in below) and not below.isdigit()
        above = above if above.isalnum() else f"({above})"
        return f"{above}/{below if below.isalnum() and not mixed else f'({below})'}"
    if kind == "~" and not text.isdigit():
        return text
    return text.translate(_DOWN if kind == "_" else _UP)


def words(line: Sequence[Atom]) -> list[list[Atom]]:
    """What a line may not be broken inside of: Latin words with what hangs on them, Chinese with its marks."""
    found: list[list[Atom]] = []
    for atom in line:
        char = atom.text[-1:]
        glued = bool(found) and (
            (atom.kind and atom.kind != "%")
            or char in _NO_START
            or (found[-1][-1].text[-1:] in _NO_END and not found[-1][-1].kind)
            or (char.isascii() and char != " " and found[-1][-1].text.isascii() and found[-1][-1].text != " ")
        )
        if glued:
            found[-1].append(atom)
        else:
            found.append([atom])
    return found


def broken(source: str, size: float, widths: Iterator[float], *, hyphens: bool = False) -> list[list[Atom]]:
    """The lines of a paragraph; `widths` gives the room of each."""
    lines: list[list[Atom]] = [[]]
    room = next(widths)
    for word in words(atoms(source)):
        need = sum(atom.width(size) for atom in word)
        if need > room and lines[-1]:
            head: list[Atom] = []
            if hyphens and len(word) > 5 and all(atom.text.isalpha() for atom in word[:-1]) and room > 3.2 * size:
                head, word = [*word[:3], Atom("-")], word[3:]  # noqa: PLW2901
                need = sum(atom.width(size) for atom in word)
            lines[-1] = [*_trimmed(lines[-1]), *([Atom(" "), *head] if head and lines[-1][-1].text == " " else head)]
            lines.append([])
            room = next(widths)
        if not lines[-1] and word[0].text == " ":
            continue
        lines[-1].extend(word)
        room -= need
    return [_trimmed(line) for line in lines if line]


def _trimmed(line: list[Atom]) -> list[Atom]:
    while line and line[-1].text == " ":
        line = line[:-1]
    return line


def drawn(  # noqa: PLR0913
    line: Sequence[Atom],
    x: float,
    y: float,
    size: float,
    *,
    spread: float = 0.0,
    font: str = "song",
    apart: bool = False,
) -> Iterator[Text | Bar]:
    """The line at its place: stretches of letters, scripts and fractions."""
    start, text = x, ""
    for atom in line:
        if not atom.kind:
            text += atom.text
            x += em(atom.text) * size + spread
            continue
        if text:
            yield Text(start, y, text, size, font, spread, apart=apart)
        if atom.kind == "%":
            yield from _fraction(atom, x, y, size, font)
        else:
            rise = -0.12 if atom.kind == "_" else 0.38
            yield Text(x, y - rise * size, atom.text, _SMALL * size, font)
        x += atom.width(size) + spread
        start, text = x, ""
    if text:
        yield Text(start, y, text, size, font, spread, apart=apart)


def _fraction(atom: Atom, x: float, y: float, size: float, font: str) -> Iterator[Text | Bar]:
    small, wide = 0.75 * size, atom.width(size)
    axis = y - 0.3 * size
    yield Bar(x + 0.5, axis - 0.25, x + wide - 0.5, axis + 0.25)
    yield Text(x + (wide - length(atom.text, small)) / 2, axis - 0.25 * small, atom.text, small, font)
    yield Text(x + (wide - length(atom.under, small)) / 2, axis + small, atom.under, small, font)
