"""What a measure says about one answer: a value, not applicable, or an error. Never a default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["ok", "not_applicable", "error"]


@dataclass(frozen=True, slots=True)
class Score:
    """`value` is None unless `kind` is "ok"; made by `ok`, `share`, `not_applicable` and `error`.

    not_applicable: undefined by design (no gold, no context); it counts nowhere. error: it should exist and does not;
    it is counted, and is neither dropped nor 0.
    """

    kind: Kind
    value: float | None = None
    numerator: float | None = None
    denominator: float | None = None
    reason: str = ""


def ok(value: float, reason: str = "") -> Score:
    return Score("ok", float(value), reason=reason)


def share(numerator: float, denominator: float, reason: str = "") -> Score:
    """The quotient, with both numbers kept.

    Raises:
        ValueError: denominator 0; the measure itself must say what nothing out of nothing means.
    """
    if denominator == 0:
        raise ValueError("a share of nothing is not a number: say not_applicable instead")
    return Score("ok", numerator / denominator, numerator, denominator, reason)


def not_applicable(reason: str) -> Score:
    return Score("not_applicable", reason=reason)


def error(reason: str) -> Score:
    return Score("error", reason=reason)
