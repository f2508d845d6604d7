"""What an EPUB's package says: its title, the files in reading order, and its table of contents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from youju.providers.markup.container import Container, elements, target
from youju.providers.markup.inline import paragraph
from youju.providers.markup.tree import children

_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"})
_SKIPPED = frozenset({"cover", "toc", "title-page", "titlepage"})
_NUMBERS = re.compile(r"(\d+)")
_MAX_ENTRIES = 20_000
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents; `depth` from 1."""

    title: str
    file: str
    fragment: str
    depth: int


@dataclass(frozen=True)
class Package:
    """`files` in reading order, each once; `front` are the cover, contents …; those out of line (`apart`) come last.

    `ordered`: whether the book itself told the order.
    """

    title: str
    files: tuple[str, ...]
    front: frozenset[str]
    contents: tuple[Entry, ...]
    apart: frozenset[str] = frozenset()
    missing: int = 0
    ordered: bool = True


def package(container: Container, name: str) -> Package:
    """What the package file `name` says; without one ("") the files in the order of their names.

    Raises:
        DocumentError: encrypted, too_large.
    """
    page = container.page(name) if name else None
    if page is None:
        files = [info.filename for key, info in container.names.items() if key.endswith((".xhtml", ".html", ".htm"))]
        return Package("", tuple(sorted(files, key=_natural)), frozenset(), (), ordered=False)
    items = {node.attrs.sget("id") or "": node for node in elements(page, "item")}
    inline, aside, missing = _files(container, name, page, items)
    nav = next((node for node in items.values() if "nav" in (node.attrs.sget("properties") or "").split()), None)
    nav_file = _file(name, nav)
    title = next((text for node in elements(page, "title") if (text := paragraph(node.text()))), "")
    return Package(
        title=title,
        files=(*inline, *aside),
        front=frozenset({nav_file} | _guided(name, page)),
        contents=tuple(_nav(container, nav_file) or _ncx(container, name, items))[:_MAX_ENTRIES],
        apart=frozenset(aside),
        missing=missing,
    )


def _natural(name: str) -> list[tuple[int, str]]:
    """ch2 before ch10."""
    return [(int(part[:18]), "") if part.isdecimal() else (-1, part) for part in _NUMBERS.split(name)]


def _file(base: str, item: LexborNode | None) -> str:
    return target(base, item.attrs.sget("href") or "")[0] if item is not None else ""


def _files(
    container: Container, base: str, page: LexborHTMLParser, items: Mapping[str, LexborNode]
) -> tuple[list[str], list[str], int]:
    """The files of the spine that exist, in line and out of it, and how many do not."""
    inline: dict[str, None] = {}
    aside: dict[str, None] = {}
    missing = 0
    refs = elements(page, "itemref")
    spine = [(items.get(ref.attrs.sget("idref") or ""), (ref.attrs.sget("linear") or "") == "no") for ref in refs]
    for item, apart in spine or [(item, False) for item in items.values()]:
        file = _file(base, item)
        if not file or not container.has(file):
            missing += 1
        elif item is not None and (item.attrs.sget("media-type") or "").lower() in _PAGES | {""}:
            (aside if apart else inline)[file] = None
    return list(inline), [file for file in aside if file not in inline], missing


def _guided(base: str, page: LexborHTMLParser) -> set[str]:
    """Files that the guide of an older package calls cover or contents."""
    return {
        target(base, node.attrs.sget("href") or "")[0]
        for node in elements(page, "reference")
        if (node.attrs.sget("type") or "").lower() in _SKIPPED
    }


def _nav(container: Container, file: str) -> list[Entry]:
    page = container.page(file) if file else None
    if page is None:
        return []
    navs = page.css("nav")
    toc = next((nav for nav in navs if "toc" in (nav.attrs.sget("epub:type") or nav.attrs.sget("role") or "")), None)
    toc = toc if toc is not None else next(iter(navs), None)
    found = []
    for link in toc.css("a[href]")[:_MAX_ENTRIES] if toc is not None else []:
        where = target(file, link.attrs.sget("href") or "")
        found.append(Entry(" ".join(paragraph(link.text()).split()), *where, _depth(link, "li")))
    return [entry for entry in found if entry.title]


def _ncx(container: Container, base: str, items: Mapping[str, LexborNode]) -> list[Entry]:
    item = next((node for node in items.values() if "ncx" in (node.attrs.sget("media-type") or "")), None)
    file = _file(base, item)
    page = container.page(file) if file else None
    found = []
    for point in elements(page, "navpoint")[:_MAX_ENTRIES] if page is not None else []:
        inside = children(point)
        label = next((node for node in inside if (node.tag or "").endswith("navlabel")), None)
        content = next((node for node in inside if (node.tag or "").endswith("content")), None)
        if label is not None and content is not None and (title := " ".join(paragraph(label.text()).split())):
            where = target(file, content.attrs.sget("src") or "")
            found.append(Entry(title, *where, _depth(point, "navpoint")))
    return found


def _depth(node: LexborNode, name: str) -> int:
    depth = int((node.tag or "").endswith(name))
    above = node.parent
    while above is not None and depth < _DEEPEST:
        depth += (above.tag or "").endswith(name)
        above = above.parent
    return max(depth, 1)


def of_file(contents: Sequence[Entry]) -> dict[str, list[Entry]]:
    """The entries by the file they lead to."""
    found: dict[str, list[Entry]] = {}
    for entry in contents:
        found.setdefault(entry.file.lower(), []).append(entry)
    return found
