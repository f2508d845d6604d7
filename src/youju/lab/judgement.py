"""What a judge said about one answer. Frozen facts; the figures are made from them by measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

YesNo = Literal["yes", "no", "unknown"]
Against = Literal["", "contradicted", "not_found"]
Covered = Literal["covered", "partially_covered", "not_covered"]
Relevance = Literal["relevant", "partially_relevant", "not_relevant"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of the answer, judged against the context and, where the case has a reference, against the truth.

    `founded`: does the context say so; `against` says which kind of "no" it is. `chunks` are the context numbers that
    entail the claim. `right`: does the reference (answer, facts, evidence) say so; None where the case has none.
    `wrong` says which kind of "no" that is. `flags`: what the validator changed or found, such as "bad_quote".
    """

    id: str
    text: str
    founded: YesNo
    against: Against = ""
    chunks: tuple[int, ...] = ()
    quote: str = ""
    right: YesNo | None = None
    flags: tuple[str, ...] = ()
    wrong: Against = ""


@dataclass(frozen=True, slots=True)
class FactCoverage:
    """One key fact of the case: how far the answer states it, and which context numbers hold it (none: not there).

    `quote` is where the answer states it; with the flag "bad_quote" it does not stand there.
    """

    text: str
    weight: Literal["vital", "okay"]
    covered: Covered
    chunks: tuple[int, ...] = ()
    quote: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """Each part is None where it was not asked, and its name is in `errors` (with the reason) where asking failed."""

    claims: tuple[Claim, ...] | None = None
    facts: tuple[FactCoverage, ...] | None = None
    relevance: Relevance | None = None
    errors: tuple[tuple[str, str], ...] = ()
    judge: str = ""
    mode: Literal["staged", "single"] = "staged"

    def error(self, part: str) -> str:
        """Why `part` (claims, facts, relevance) is missing; "" if it is not an error."""
        return dict(self.errors).get(part, "")
