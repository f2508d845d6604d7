"""What the elements of a page are to a reader of text."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from youju.providers.markup.tree import attribute

BLOCKS = frozenset(
    {"address", "article", "aside", "body", "center", "details", "dialog", "dir", "div", "fieldset", "figure", "footer",
     "form", "header", "hgroup", "hr", "html", "legend", "main", "menu", "nav", "p", "section", "summary", "table",
     "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "ol", "dl", "li", "dt", "dd", "caption", "figcaption"}
)  # fmt: skip
SECTIONS = "h1, h2, h3, h4, h5, h6, [role=heading]"
LISTING = frozenset({"ol", "ul", "section", "div", "aside"})
STRUCK = frozenset({"del", "s", "strike"})
_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)")
_CENTRED = re.compile(r"text-align\s*:\s*center")
NOTES = re.compile(r"\b(?:doc-)?(?:footnote|endnote|rearnote)\b")
NOTE_LISTS = re.compile(r"\b(?:doc-)?(?:footnotes|endnotes|rearnotes)\b")
NOTE_CLASS = re.compile(r"footnote|endnote|\breferences\b")
REFERS = re.compile(r"\b(?:doc-)?noteref\b|\bfootnote-?ref|\breference\b")


def set_apart(tag: str, node: LexborNode) -> tuple[bool, bool]:
    """Whether an element sets what is in it bold, and in the middle."""
    if not len(node.attrs):
        return tag in {"b", "strong"}, tag == "center"
    style = attribute(node, "style")
    bold = tag in {"b", "strong"} or bool(style and _BOLD.search(style))
    return bold, tag == "center" or attribute(node, "align") == "center" or bool(style and _CENTRED.search(style))


def number(node: LexborNode, name: str) -> int | None:
    """The whole number an attribute gives, None without one."""
    value = attribute(node, name)
    return int(value) if re.fullmatch(r"-?\d{1,6}", value) else None
