"""A case of a question set: the question, and what is known of its right answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

Category = Literal["factual", "howto", "comparison", "reasoning", "multihop", "adversarial", "unanswerable"]


def _alternatives(value: object) -> object:
    """A plain string is the only alternative."""
    return [[one] if isinstance(one, str) else one for one in value] if isinstance(value, (list, tuple)) else value


def _facts(value: object) -> object:
    """A plain string is a vital fact."""
    return (
        [{"text": one} if isinstance(one, str) else one for one in value] if isinstance(value, (list, tuple)) else value
    )


def _pieces(value: object) -> object:
    """Nested lists of alternatives, laid out one after the other; all but the first of a list say what they are."""
    return list(_laid_out(value)) if isinstance(value, (list, tuple)) else value


def _laid_out(pieces: list[object] | tuple[object, ...]) -> Iterator[object]:
    for one in pieces:
        if not isinstance(one, (list, tuple)):
            yield one
            continue
        for place, piece in enumerate(one):
            fields = piece.model_dump() if isinstance(piece, Evidence) else piece
            yield {**fields, "alternative": place > 0} if isinstance(fields, dict) else piece


def _many(value: object) -> object:
    """A plain number is the only one."""
    return (value,) if isinstance(value, int) else value


Alternatives = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_alternatives)]
Pages = Annotated[tuple[int, ...], BeforeValidator(_many)]


class Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Evidence(Row):
    """A span of a document that answers (part of) the question; `pages` are physical, from 1, may be empty.

    `alternative`: it may stand in for the piece before it; one of them is enough. `text` may be "" where there are
    pages.
    """

    doc: str
    text: str = ""
    section: str = ""
    pages: Pages = ()
    alternative: bool = False


class Fact(Row):
    """What an answer must (vital) or may (okay) say; `pages` are physical, of the documents of the evidence."""

    text: str
    weight: Literal["vital", "okay"] = "vital"
    pages: Pages = ()


class Attack(Row):
    canary: str


class Near(Row):
    """What a question without an answer comes close to; for the reader, no figure rests on it."""

    doc: str = ""
    section: str = ""
    pages: Pages = ()


class Case(Row):
    """One question. `expected_keywords` and `expected_docs`: outer = all needed, inner = alternatives.

    `evidence` has every piece in the order of the file, `evidence_groups` what is needed of them. `collections` and
    `document_ids` say where to look; empty = everywhere. `steps` of a how-to answer, in order. `split` "" = no split.
    `reviewed_by` is None until a person has accepted the case.
    """

    id: str
    category: Category
    question: str
    answerable: bool
    collections: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    split: Literal["", "dev", "test"] = ""
    sub_kind: Literal["", "near-miss", "absent", "cross-domain"] = ""
    expected_docs: Alternatives = ()
    evidence: Annotated[tuple[Evidence, ...], BeforeValidator(_pieces)] = ()
    expected_keywords: Alternatives = ()
    key_facts: Annotated[tuple[Fact, ...], BeforeValidator(_facts)] = ()
    steps: tuple[str, ...] = ()
    reference_answer: str = ""
    attack: Attack | None = None
    near: Near | None = None
    author: str = ""
    reviewed_by: str | None = None
    notes: str = ""

    @property
    def evidence_groups(self) -> tuple[tuple[Evidence, ...], ...]:
        """All pieces that a full answer needs, each with its alternatives, of which one is enough; none is empty."""
        groups: list[tuple[Evidence, ...]] = []
        for one in self.evidence:
            if one.alternative and groups:
                groups[-1] += (one,)
            else:
                groups.append((one,))
        return tuple(groups)
