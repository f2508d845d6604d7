"""Runs of inline text → the lines of a paragraph; exponents, references, white space."""

from __future__ import annotations

import re

from youju.providers.parsing.html import lowered, raised
from youju.providers.parsing.lines import join_lines
from youju.text.normal import clean

BREAK = "\v\n"
_PRIVATE = re.compile(r"[\ue000-\uf8ff\U000f0000-\U0010ffff]")
_SPACES = re.compile(r"[ \xa0\u2002-\u200a\u202f]+")
_NUMBER = re.compile(r"[\[(（【［]?\s*(\d{1,3}|[*†‡])\s*[\])）】］]?")
_RAISES = re.compile(r"[A-Za-z0-9)\]}米里尺丈寸分%°′″αβγδθλμπσφωΑ-Ω]\s*$")
# A line of its own in old pages: an empty line, or an indent after a break.
_PARTED = re.compile(r"\v\n(?=[ \t]*\v\n)|\v\n(?=\u3000{2})|\v\n(?=[ \xa0]{4})")


def public(text: str) -> str:
    """The text without private characters: most screens show nothing there, and page marks are made of them."""
    return _PRIVATE.sub("\ufffd", text).replace("\v", " ")


def source_text(text: str) -> str:
    """The text of one node as it may stand in a paragraph: line ends of the source are mere spaces."""
    text = public(text).replace("\t", " ")
    # By hand: a pattern for white space around a line end takes quadratic time on a million spaces.
    first, *rest = text.split("\n")
    if not rest:
        return text
    last = rest.pop()
    inner = [line for one in rest if (line := one.strip(" \r\f"))]
    return "\n".join([first.rstrip(" \r\f"), *inner, last.lstrip(" \r\f")])


def paragraphs(run: str) -> list[str]:
    """The paragraphs in a run of inline text; `BREAK` parts lines, two of them paragraphs."""
    return [text for part in _PARTED.split(run) if (text := paragraph(part))]


def paragraph(run: str) -> str:
    """One paragraph: white space as a browser shows it, but none between Chinese lines."""
    lines = [_SPACES.sub(" ", line) for line in run.split("\n")]
    joined = join_lines(lines)
    text = clean(joined)
    return "\n".join(one for line in text.split("\n") if (one := line.strip(" \u3000")))


def verbatim(run: str) -> str:
    """Code: everything as it stands, tabs as four columns."""
    text = run.replace("\v\n", "\n").replace("\r\n", "\n").expandtabs(4)
    lines = [clean(line).rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def superscript(text: str, before: str, *, refers: bool) -> str:
    """An exponent as such; a reference to a note as [^1], whatever it looked like.

    Args:
        text: what is raised.
        before: what stands before it.
        refers: whether it is known to lead to a note.
    """
    inner = text.strip()
    number = _NUMBER.fullmatch(inner)
    if number and (refers or not _RAISES.search(before) or not number[1].isdigit() or number.group() != number[1]):
        return reference(inner)
    return raised(text)


def reference(text: str) -> str:
    """The mark of a note: 1, [1] → [^1], so that nobody takes it for the mark of a source in an answer."""
    found = _NUMBER.fullmatch(text.strip())
    return f"[^{found[1]}]" if found else text.strip()


def subscript(text: str) -> str:
    return lowered(text)
