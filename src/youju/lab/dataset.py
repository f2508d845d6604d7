"""Question sets: JSON lines, one case a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from youju.errors import InputError

Category = Literal["factual", "howto", "comparison", "reasoning", "multihop", "adversarial", "unanswerable"]


def _alternatives(value: object) -> object:
    """A plain string is the only alternative."""
    return [[one] if isinstance(one, str) else one for one in value] if isinstance(value, list) else value


def _facts(value: object) -> object:
    """A plain string is a vital fact."""
    return [{"text": one} if isinstance(one, str) else one for one in value] if isinstance(value, list) else value


Alternatives = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_alternatives)]


class Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Evidence(Row):
    """A span of a document that answers (part of) the question; `pages` are physical, from 1, may be empty."""

    doc: str
    text: str
    section: str = ""
    pages: tuple[int, ...] = ()


class Fact(Row):
    text: str
    weight: Literal["vital", "okay"] = "vital"


class Attack(Row):
    canary: str


class Case(Row):
    """One question. `expected_keywords` and `expected_docs`: outer = all needed, inner = alternatives."""

    id: str
    category: Category
    question: str
    answerable: bool
    collections: tuple[str, ...] = ()
    split: Literal["", "dev", "test"] = ""
    sub_kind: Literal["", "near-miss", "absent", "cross-domain"] = ""
    expected_docs: Alternatives = ()
    expected_keywords: Alternatives = ()
    evidence: tuple[Evidence, ...] = ()
    key_facts: Annotated[tuple[Fact, ...], BeforeValidator(_facts)] = ()
    reference_answer: str = ""
    attack: Attack | None = None
    notes: str = ""


def read(lines: Iterable[str], name: str) -> list[Case]:
    """The cases of a set, in order. Nothing is skipped.

    Args:
        lines: of the file; blank ones are allowed.
        name: of the set, for messages.

    Raises:
        InputError: a line that is no valid case, with its number; or an id given twice.
    """
    cases: list[Case] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            cases.append(Case.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise InputError(
                f"{name} 第 {number} 行不是有效的题目：{field} {first['msg']}".replace("  ", " "),
                remedy="请按文档中的题目格式改正这一行",
                code="bad_case",
            ) from error
    twice = sorted(id_ for id_, n in Counter(case.id for case in cases).items() if n > 1)
    if twice:
        raise InputError(f"{name} 中题目编号重复：{'、'.join(twice)}", remedy="请改成不同的编号", code="bad_case")
    return cases
