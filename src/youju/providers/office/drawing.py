"""Shapes of a slide in reading order, with where they stand on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from youju.providers.office.xml import Element, number

EMU_PER_POINT = 12_700
_TITLES = frozenset({"title", "ctrTitle"})
_MARGINAL = frozenset({"sldNum", "dt", "ftr", "hdr", "sldImg"})
_MOST_DEPTH = 20
_BAND = 0.5


@dataclass(frozen=True)
class Area:
    """A rectangle in points from the top left of the slide."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class Shape:
    """`role` is the type of its placeholder, "" for none; `parts` are the shapes of a group, in reading order."""

    node: Element
    area: Area
    role: str = ""
    parts: tuple[Shape, ...] = ()

    @property
    def is_title(self) -> bool:
        return self.role in _TITLES


Places = Mapping[tuple[str, str], Area]


@dataclass(frozen=True)
class _Frame:
    """How the coordinates inside a group become those of the slide."""

    dx: float = 0.0
    dy: float = 0.0
    sx: float = 1.0
    sy: float = 1.0

    def of(self, area: Area) -> Area:
        return Area(
            area.x0 * self.sx + self.dx,
            area.y0 * self.sy + self.dy,
            area.x1 * self.sx + self.dx,
            area.y1 * self.sy + self.dy,
        )


def shapes(tree: Element, places: Places, slide: Area) -> list[Shape]:
    """The shapes of a slide in reading order, its title first; numbers and feet of slides left out.

    Args:
        tree: a `p:spTree`.
        places: where the layout puts placeholders that say nothing themselves.
        slide: the whole slide, for shapes that stand nowhere.
    """
    found = ordered(list(_shapes(tree, places, slide, _Frame(), 0)))
    return [*(one for one in found if one.is_title), *(one for one in found if not one.is_title)]


def places(tree: Element | None, below: Places) -> Places:
    """Where a layout puts its placeholders, by (type, "") and ("", index); `below` is what its master says."""
    found = dict(below)
    for node in tree.iter("{p}sp") if tree is not None else ():
        role = _role(node)
        area = _area(node)
        if role is not None and area is not None:
            found[role[0], ""] = area
            if role[1]:
                found["", role[1]] = area
    return found


def ordered(found: Sequence[Shape]) -> list[Shape]:
    """Shapes from top to bottom; those that stand side by side, from left to right."""
    bands: list[list[Shape]] = []
    for one in sorted(found, key=lambda shape: (shape.area.y0, shape.area.x0)):
        if bands and _beside(bands[-1][0].area, one.area):
            bands[-1].append(one)
        else:
            bands.append([one])
    return [one for band in bands for one in sorted(band, key=lambda shape: (shape.area.x0, shape.area.y0))]


def _beside(first: Area, second: Area) -> bool:
    common = min(first.y1, second.y1) - max(first.y0, second.y0)
    apart = second.x0 >= first.x1 - 1 or first.x0 >= second.x1 - 1
    return apart and common > _BAND * min(first.y1 - first.y0, second.y1 - second.y0)


def _shapes(tree: Element, known: Places, slide: Area, frame: _Frame, depth: int) -> Iterator[Shape]:
    for node in _nodes(tree):
        role = _role(node) or ("", "")
        if role[0] in _MARGINAL or depth > _MOST_DEPTH:
            continue
        own = _area(node)
        usual = known.get(("", role[1])) or known.get((role[0], "")) or slide
        area = frame.of(own) if own is not None else usual
        if node.tag == "{p}grpSp":
            inner = _inside(node, frame)
            yield Shape(node, area, parts=tuple(ordered(list(_shapes(node, known, slide, inner, depth + 1)))))
        else:
            yield Shape(node, area, role[0])


def _nodes(tree: Element) -> Iterator[Element]:
    for node in tree:
        if node.tag in {"{p}sp", "{p}grpSp", "{p}graphicFrame", "{p}pic"}:
            if not _is_hidden(node):
                yield node
        elif node.tag == "{mc}AlternateContent":
            yield from _nodes(next(iter(node), node))


def _is_hidden(node: Element) -> bool:
    named = node.find("./*/{p}cNvPr")
    return named is not None and named.get("hidden") in {"1", "true"}


def _role(node: Element) -> tuple[str, str] | None:
    """Type and index of a placeholder, None for what is none."""
    found = node.find("./*/{p}nvPr/{p}ph")
    return (found.get("type", "body"), found.get("idx", "")) if found is not None else None


def _transform(node: Element) -> Element | None:
    for path in ("{p}spPr/{a}xfrm", "{p}grpSpPr/{a}xfrm", "{p}xfrm"):
        found = node.find(path)
        if found is not None:
            return found
    return None


def _area(node: Element, place: str = "{a}off", size: str = "{a}ext") -> Area | None:
    found = _transform(node)
    at, extent = (found.find(place), found.find(size)) if found is not None else (None, None)
    if at is None or extent is None:
        return None
    x, y = (number(at.get(name, "0")) / EMU_PER_POINT for name in ("x", "y"))
    wide, high = (number(extent.get(name, "0")) / EMU_PER_POINT for name in ("cx", "cy"))
    return Area(x, y, x + wide, y + high)


def _inside(group: Element, frame: _Frame) -> _Frame:
    outer, inner = _area(group), _area(group, "{a}chOff", "{a}chExt")
    if outer is None or inner is None:
        return frame
    outer = frame.of(outer)
    sx = (outer.x1 - outer.x0) / (inner.x1 - inner.x0) if inner.x1 > inner.x0 else 1.0
    sy = (outer.y1 - outer.y0) / (inner.y1 - inner.y0) if inner.y1 > inner.y0 else 1.0
    return _Frame(outer.x0 - inner.x0 * sx, outer.y0 - inner.y0 * sy, sx, sy)
