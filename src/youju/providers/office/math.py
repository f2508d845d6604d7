"""Office formulas as a line of plain text: a/b, x², √(x+1), ∑_(i=1)^n."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from youju.providers.office.xml import Element, value
from youju.providers.parsing.html import lowered, raised

_SIMPLE = re.compile(r"[\w.%′⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉]+|\([^()]*\)")
_MOST_DEPTH = 60


def formula(element: Element, depth: int = 0) -> str:
    """The text of an `m:oMath`, an `m:oMathPara` or a part of one."""
    if depth > _MOST_DEPTH:
        return ""
    form = _FORMS.get(element.tag)
    if form:
        return form(element, depth + 1)
    if element.tag == "{m}t":
        return element.text or ""
    if element.tag.endswith("Pr") or element.tag.startswith("{w}"):
        return ""
    return "".join(formula(child, depth + 1) for child in element)


def _of(element: Element, name: str, depth: int) -> str:
    found = element.find(f"{{m}}{name}")
    return formula(found, depth).strip() if found is not None else ""


def _grouped(text: str) -> str:
    return text if not text or _SIMPLE.fullmatch(text) else f"({text})"


def _script(text: str, style: Callable[[str], str], mark: str) -> str:
    if not text:
        return ""
    styled = style(text)
    return styled if styled != text else f"{mark}{_grouped(text)}"


def _up(text: str) -> str:
    return text if text in {"′", "″", "°", "*"} else _script(text, raised, "^")


def _down(text: str) -> str:
    return _script(text, lowered, "_")


def _fraction(element: Element, depth: int) -> str:
    above, below = _of(element, "num", depth), _of(element, "den", depth)
    if value(element, "{m}fPr/{m}type", "{m}val") == "noBar":
        return f"({above} {below})"
    return f"{_grouped(above)}/{_grouped(below)}"


def _root(element: Element, depth: int) -> str:
    degree, inside = _of(element, "deg", depth), _of(element, "e", depth)
    sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree, f"{_up(degree)}√")
    return f"{sign}{_grouped(inside)}"


def _raised(element: Element, depth: int) -> str:
    return f"{_grouped(_of(element, 'e', depth))}{_up(_of(element, 'sup', depth))}"


def _lowered(element: Element, depth: int) -> str:
    return f"{_grouped(_of(element, 'e', depth))}{_down(_of(element, 'sub', depth))}"


def _both(element: Element, depth: int) -> str:
    base = _grouped(_of(element, "e", depth))
    return f"{base}{_down(_of(element, 'sub', depth))}{_up(_of(element, 'sup', depth))}"


def _before(element: Element, depth: int) -> str:
    return f"{_down(_of(element, 'sub', depth))}{_up(_of(element, 'sup', depth))}{_of(element, 'e', depth)}"


def _large(element: Element, depth: int) -> str:
    sign = value(element, "{m}naryPr/{m}chr", "{m}val") or "∫"
    limits = f"{_down(_of(element, 'sub', depth))}{_up(_of(element, 'sup', depth))}"
    return f"{sign}{limits} {_of(element, 'e', depth)}"


def _fenced(element: Element, depth: int) -> str:
    properties = element.find("{m}dPr")
    begin, end, bar = (
        mark.get("{m}val", default)
        if properties is not None and (mark := properties.find(f"{{m}}{name}")) is not None
        else default
        for name, default in (("begChr", "("), ("endChr", ")"), ("sepChr", "|"))
    )
    inside = bar.join(formula(part, depth).strip() for part in element.findall("{m}e"))
    return f"{begin}{inside}{end}"


def _function(element: Element, depth: int) -> str:
    name, inside = _of(element, "fName", depth), _of(element, "e", depth)
    return f"{name}{inside}" if inside.startswith("(") else f"{name} {inside}"


def _below(element: Element, depth: int) -> str:
    return f"{_of(element, 'e', depth)}{_down(_of(element, 'lim', depth))}"


def _above(element: Element, depth: int) -> str:
    return f"{_of(element, 'e', depth)}{_up(_of(element, 'lim', depth))}"


def _matrix(element: Element, depth: int) -> str:
    rows = [" ".join(formula(cell, depth).strip() for cell in row) for row in element.findall("{m}mr")]
    return f"[{'; '.join(rows)}]"


def _lines(element: Element, depth: int) -> str:
    return "; ".join(formula(line, depth).strip() for line in element.findall("{m}e"))


_FORMS: Mapping[str, Callable[[Element, int], str]] = MappingProxyType({
    "{m}f": _fraction, "{m}rad": _root, "{m}sSup": _raised, "{m}sSub": _lowered, "{m}sSubSup": _both,
    "{m}sPre": _before, "{m}nary": _large, "{m}d": _fenced, "{m}func": _function, "{m}limLow": _below,
    "{m}limUpp": _above, "{m}m": _matrix, "{m}eqArr": _lines,
})  # fmt: skip
