"""Which parts of a page are its text: what the page says itself, else where the text is dense and not of links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from youju.providers.markup.furniture import SILENT, around, hidden, named_around
from youju.providers.markup.tree import attribute, walk

_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"[。！？；]|[.!?](?=\s|\Z)")
_FILE = re.compile(r"\.(?:docx?|xlsx?|pptx?|pdf|zip|rar|wps|ofd|csv|txt)(?:[?#]|\Z)")
_CONTAINERS = frozenset({"div", "ul", "ol", "td", "table", "section", "p", "dl", "center", "span", "form", "tr"})
_LINKS_MIN = 3
_LINKS_SHARE = 0.6
_MOST = 0.5  # an element with more of the text than this is the text, whatever it is called
_MAIN_SHARE = 0.4
_NAMED_SHARE = 0.3  # with less of the text left, names mean something else here: every part of a page may be a widget


@dataclass(frozen=True, slots=True)
class Content:
    """`roots` in reading order; nodes whose id is in `left_out` are skipped under them."""

    roots: tuple[LexborNode, ...]
    left_out: frozenset[int]


@dataclass(slots=True)
class _Weight:
    node: LexborNode
    out: bool = False
    named: bool = False
    chars: int = 0
    linked: int = 0
    links: int = 0
    sentences: int = 0

    def add(self, other: _Weight) -> None:
        self.chars += other.chars
        self.linked += other.linked
        self.links += other.links
        self.sentences += other.sentences

    @property
    def of_links(self) -> bool:
        full = self.links >= _LINKS_MIN and self.linked >= _LINKS_SHARE * self.chars
        return full and not self.sentences and self.node.tag in _CONTAINERS


@dataclass
class _Scales:
    """Weighs every element; what is certainly not shown weighs nothing."""

    stack: list[_Weight] = field(default_factory=list)
    doubtful: list[_Weight] = field(default_factory=list)
    dense: list[_Weight] = field(default_factory=list)
    mains: list[_Weight] = field(default_factory=list)
    articles: list[_Weight] = field(default_factory=list)
    total: int = 0
    link: int = 0
    code: int = 0  # comments in code are called so as well

    def enter(self, node: LexborNode) -> bool:
        if node.is_text_node:
            self._text(node.text_content or "")
            return False
        if not node.is_element_node or node.tag in SILENT:
            return False
        out = hidden(node) or around(node)
        self.code += node.tag == "pre"
        self.stack.append(_Weight(node, out, not out and not self.code and named_around(node)))
        if node.tag == "a" and not _FILE.search(attribute(node, "href")):
            self.link += 1
            self.stack[-1].links = 1
        return True

    def _text(self, text: str) -> None:
        solid = len(text) - sum(map(len, _SPACE.findall(text)))
        if solid and self.stack:
            top = self.stack[-1]
            top.chars += solid
            if self.link:
                top.linked += solid
            else:
                top.sentences += len(_SENTENCE.findall(text))

    def leave(self, node: LexborNode) -> None:
        weight = self.stack.pop()
        self.code -= node.tag == "pre"
        if node.tag == "a" and weight.links:
            self.link -= 1
        if weight.out or weight.named:
            self.doubtful.append(weight)
        elif weight.of_links:
            self.dense.append(weight)
        elif node.tag == "main" or attribute(node, "role") == "main" or attribute(node, "itemprop") == "articlebody":
            self.mains.append(weight)
        elif node.tag == "article" and not any(above.node.tag == "article" for above in self.stack):
            self.articles.append(weight)
        if self.stack:
            self.stack[-1].add(weight)
        else:
            self.total = weight.chars


def content(page: LexborHTMLParser) -> Content:
    """The parts of a page that are its text. Never nothing: a page that is all menu keeps it."""
    body = page.body or page.root
    if body is None:
        return Content((), frozenset())
    scales = _Scales()
    walk(body, scales)
    hold = _MOST * scales.total
    small = [weight for weight in scales.doubtful if weight.chars <= hold]
    sure = {weight.node.mem_id for weight in small if weight.out}
    named = sure | {weight.node.mem_id for weight in small}
    shown = _left(scales, named)
    if shown < _NAMED_SHARE * _left(scales, sure):
        named, shown = sure, _left(scales, sure)
    for found in (scales.mains, scales.articles):
        roots = [weight for weight in found if not _under(weight.node, named)]
        roots = roots if found is scales.articles else sorted(roots, key=lambda one: one.chars)[-1:]
        if roots and sum(weight.chars for weight in roots) >= _MAIN_SHARE * shown:
            return Content(tuple(weight.node for weight in roots), frozenset(named))
    dense = {weight.node.mem_id for weight in scales.dense if weight.chars <= hold}
    return Content((body,), frozenset(named | dense))


def _left(scales: _Scales, ids: set[int]) -> int:
    """How many characters are left without the elements in `ids`."""
    outermost = (one for one in scales.doubtful if one.node.mem_id in ids and not _under(one.node, ids))
    return scales.total - sum(one.chars for one in outermost)


def _under(node: LexborNode, ids: set[int]) -> bool:
    above = node.parent
    while above is not None:
        if above.mem_id in ids:
            return True
        above = above.parent
    return False
