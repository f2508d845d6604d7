"""MathML → a formula on its line: x², a/b, √(x+1), ∑_(i=1)^n."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from selectolax.lexbor import LexborNode

from youju.providers.markup.tree import children
from youju.providers.parsing.html import lowered, raised

_DEEPEST = 60
_IGNORED = frozenset({"annotation", "annotation-xml", "mphantom", "maligngroup"})
_SPACED = frozenset("=<>≤≥≠≈≡→⇒⇔∈∉⊂⊆±")


def formula(node: LexborNode, depth: int = 0) -> str:
    """What a `math` element says in plain text; deeper than anybody writes only its letters."""
    name = (node.tag or "").rpartition(":")[2]
    if name in _IGNORED:
        return ""
    inside = children(node)
    if not inside or depth > _DEEPEST:
        return _token(name, "".join(node.text().split()))
    if name == "semantics":
        return formula(inside[0], depth + 1)
    parts = [formula(child, depth + 1) for child in inside if child.tag not in _IGNORED]
    shape = _SHAPES.get(name)
    wanted = _ARITY.get(name, 0)
    return shape(parts) if shape and len(parts) >= wanted else "".join(parts)


def _token(name: str, text: str) -> str:
    text = text.replace("\u2062", "").replace("\u2061", "")
    return f" {text} " if name == "mo" and text in _SPACED else text


def _grouped(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


def _power(base: str, exponent: str) -> str:
    return _grouped(base) + raised(exponent.replace(" ", ""))


def _index(base: str, low: str) -> str:
    return base.strip() + lowered(low.replace(" ", ""))


def _limits(parts: Sequence[str]) -> str:
    return _index(parts[0], parts[1]) + raised(parts[2].replace(" ", ""))


def _rows(parts: Sequence[str]) -> str:
    return "; ".join(part.strip() for part in parts)


_SHAPES: Mapping[str, Callable[[Sequence[str]], str]] = MappingProxyType(
    {
        "msup": lambda parts: _power(parts[0], parts[1]),
        "mover": lambda parts: _power(parts[0], parts[1]),
        "msub": lambda parts: _index(parts[0], parts[1]),
        "munder": lambda parts: _index(parts[0], parts[1]),
        "msubsup": _limits,
        "munderover": _limits,
        "mfrac": lambda parts: f"{_grouped(parts[0])}/{_grouped(parts[1])}",
        "msqrt": lambda parts: f"√{_grouped(''.join(parts))}",
        "mroot": lambda parts: f"{raised(parts[1])}√{_grouped(parts[0])}",
        "mtable": _rows,
        "mtr": lambda parts: ", ".join(part.strip() for part in parts),
        "mfenced": lambda parts: f"({', '.join(parts)})",
    }
)
_ARITY: Mapping[str, int] = MappingProxyType(
    {"msup": 2, "mover": 2, "msub": 2, "munder": 2, "mfrac": 2, "mroot": 2, "msubsup": 3, "munderover": 3}
)
