"""Text of a page → tree, and the way through it; bounded whatever the page is made of."""

from __future__ import annotations

import re
from functools import partial
from html.entities import html5
from typing import Protocol

from selectolax.lexbor import LexborHTMLParser, LexborNode

# A picture inside the page says nothing to a reader of text, and may be most of the file.
_DATA = re.compile(r"data:[\w/+.;=\-]{0,100},[^\s\"'<>)]{64,}")
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:.\-]*)((?:\s[^<>]*)?)/>")
# A browser ends a document type at the first ">", which may stand inside what it declares.
_DOCTYPE = re.compile(
    r"\A((?:[\s\ufeff]++|<\?.*?\?>|<!--.*?-->)*+)<!doctype[^\[<>]*+"
    r"\[(?P<declared>(?:<!--.*?-->|<\?.*?\?>|\"[^\"]*+\"|'[^']*+'|[^\]\"'])*+|.*?)\]\s*+>",
    re.DOTALL | re.IGNORECASE,
)
_ENTITY = re.compile(r"<!ENTITY\s+([A-Za-z_:][\w:.\-]*)")
_REFERENCE = re.compile(r"&([A-Za-z_:][\w:.\-]*);")
_VOID = frozenset(
    {"br", "hr", "img", "meta", "link", "input", "col", "area", "base", "wbr", "source", "embed", "track"}
)
_TAG = re.compile(r"<(/?)([A-Za-z]+)[^<>]*>")
_LONG_TAG = re.compile(r"<([A-Za-z][\w:\-]*)\s[^<>]{20000,}>")
# Tags that close themselves, or never open anything, do not deepen the tree.
_FLAT = _VOID | {"p", "li", "td", "th", "tr", "dt", "dd", "option", "tbody", "thead", "html", "body", "head"}
DEEPEST = 2000


class Visitor(Protocol):
    def enter(self, node: LexborNode) -> bool:
        """Whether to look at the node's children; `leave` is called if so."""
        ...

    def leave(self, node: LexborNode) -> None: ...


def tree(source: str, *, xml: bool = False) -> LexborHTMLParser:
    """The tree of a page, broken or not; `xml`: `<a/>` has no content, as in XHTML."""
    source = _DATA.sub("data:,", source.replace("\x00", "\ufffd"))
    # Attributes are compared with each other and open tags walked through: both take quadratic time in the parser.
    source = _LONG_TAG.sub(r"<\1>", source)
    found = _DOCTYPE.match(source)
    declared = frozenset(_ENTITY.findall(found["declared"])) if found else frozenset()
    source = _DOCTYPE.sub(r"\1", source, count=1)
    if xml:
        source = _SELF_CLOSED.sub(_opened, _uncovered(source))
    if xml or declared:
        source = _REFERENCE.sub(partial(_known, declared=None if xml else declared), source)
    return LexborHTMLParser(_shallow(source))


def _known(found: re.Match[str], declared: frozenset[str] | None) -> str:
    """A reference as it stands, "" for one to an entity of the document's own: those that are `declared`, None = any.

    HTML shows a name that nobody declared; XML forbids it.
    """
    own = f"{found[1]};" not in html5 and (declared is None or found[1] in declared)
    return "" if own else found.group()


def _uncovered(source: str) -> str:
    """The same page with the text of its CDATA sections written as text."""
    first, *rest = source.split("<![CDATA[")
    covered = [piece.partition("]]>") for piece in rest]
    return first + "".join(text.replace("&", "&amp;").replace("<", "&lt;") + after for text, _, after in covered)


def _opened(found: re.Match[str]) -> str:
    name, attributes = found[1], found[2]
    return f"<{name}{attributes}>" if name.lower() in _VOID else f"<{name}{attributes}></{name}>"


def _shallow(source: str) -> str:
    """The same page; tags nested deeper than `DEEPEST` are left out, their text stays."""
    depth = 0
    kept: list[str] = []
    end = 0
    for found in _TAG.finditer(source):
        if found[2].lower() in _FLAT or found.group().endswith("/>"):
            continue
        depth = max(depth - 1, 0) if found[1] else depth + 1
        if depth > DEEPEST:
            kept.append(source[end : found.start()])
            end = found.end()
    kept.append(source[end:])
    return "".join(kept)


def walk(root: LexborNode, visitor: Visitor) -> None:
    """Show every node to the visitor in the order of the document, without recursion."""
    top = root.mem_id
    node = root
    while True:
        inside = visitor.enter(node)
        child = node.first_child if inside else None
        if child is not None:
            node = child
            continue
        if inside:
            visitor.leave(node)
        while node.mem_id != top and node.next is None:
            above = node.parent
            if above is None:
                return
            node = above
            visitor.leave(node)
        following = None if node.mem_id == top else node.next
        if following is None:
            return
        node = following


def attribute(node: LexborNode, name: str) -> str:
    """The value in lower case without space around it, "" without one."""
    return (node.attrs.sget(name) or "").strip().lower()


def children(node: LexborNode) -> list[LexborNode]:
    """The elements right under a node."""
    found = []
    child = node.first_child
    while child is not None:
        if child.is_element_node:
            found.append(child)
        child = child.next
    return found
