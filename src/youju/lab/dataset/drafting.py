"""A model proposes cases from pages; what its pages do not bear out is dropped, and a person has the last word."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple

from pydantic import Strict

from youju.errors import ProviderError
from youju.lab.dataset.schema import Case
from youju.stages.judge import Judge, Question
from youju.stages.verdicts import Named, Part, Verdict
from youju.text import sentences
from youju.text.align import locate
from youju.text.normal import fold

PROMPT = "draft_cases@1"
SHEET_MAX, SHEET_MIN = 3000, 30
QUOTE_MIN, QUESTION_MIN = 6, 4
"""Characters; a shorter quote stands on many pages."""
_POINTS = re.compile(r"本页|上文|下文|文中|本文|本段|该段|这一段|这段|上述|如下")

DROPPED = {
    "quote": "引文不在原文里",
    "short": "引文或题目太短",
    "told": "题目里已有答案",
    "points": "题目离开原文看不懂",
    "twice": "与另一题重复",
    "extra": "多出的题",
}


class Sheet(NamedTuple):
    """What a model may draw on at once: a page, or a part of one. `page` is physical, from 1; 0 = without pages."""

    doc: str
    page: int
    text: str


class Proposal(Verdict):
    """A case as the model words it."""

    quote: Named
    question: Named
    answer: Named
    keywords: Annotated[tuple[str, ...], Strict(strict=False)]
    category: Literal["factual", "howto", "reasoning"]


PART = Part("items", Proposal)


@dataclass(frozen=True)
class Drafted:
    """`dropped`: why in Chinese → how many proposals; `failed`: what went wrong with sheets that brought nothing."""

    cases: tuple[Case, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)
    failed: tuple[str, ...] = ()


def sheets(doc: str, pages: Sequence[tuple[int, str]]) -> list[Sheet]:
    """The pages of a document as sheets of at most 3000 characters, cut between sentences; nearly empty ones go.

    Args:
        doc: its name.
        pages: (number, text); number 0 for a document without pages.
    """
    found = [
        Sheet(doc, n, text[span.start : span.end]) for n, text in pages for span in sentences.windows(text, SHEET_MAX)
    ]
    return [one for one in found if len(fold(one.text)) >= SHEET_MIN]


def shares(among: Sequence[Sheet], n: int) -> list[tuple[Sheet, int]]:
    """How many cases each sheet is asked for: n in all, spread evenly; sheets that are asked for none are left out."""
    count = len(among)
    each = [(at + 1) * n // count - at * n // count for at in range(count)]
    return [(sheet, wanted) for sheet, wanted in zip(among, each, strict=True) if wanted]


async def draft(judge: Judge, among: Sequence[Sheet], n: int) -> Drafted:
    """At most n cases from the sheets, none reviewed, each with a quote that stands in its sheet.

    One question to the model a sheet. Proposals are dropped, and counted, whose quote is not in the sheet, whose
    question holds the answer, or that ask the same again.

    Args:
        judge: asks the model and reads its reply; any model will do, at a cost.
        among: all that the cases may be drawn from, at least one.
        n: ≥ 1.

    Raises:
        ProviderError: every sheet failed; as the first of them.
    """
    asked = shares(among, n)
    replies = await asyncio.gather(*(_proposed(judge, sheet, wanted) for sheet, wanted in asked))
    failures = [one for one in replies if isinstance(one, ProviderError)]
    if len(failures) == len(replies):
        raise failures[0]
    dropped, known = Counter[str](), dict[str, Case]()
    for (sheet, wanted), reply in zip(asked, replies, strict=True):
        if isinstance(reply, ProviderError):
            continue
        for place, proposal in enumerate(reply):
            key = fold(proposal.question)
            why = "extra" if place >= wanted else "twice" if key in known else _fault(proposal, sheet)
            if why:
                dropped[DROPPED[why]] += 1
            else:
                known[key] = _case(proposal, sheet, repr(judge.llm))
    return Drafted(tuple(known.values()), dict(dropped), tuple(one.message for one in failures))


async def _proposed(judge: Judge, sheet: Sheet, wanted: int) -> tuple[Proposal, ...] | ProviderError:
    """What the model proposes; the error is a value so that one sheet does not end the others."""
    payload = {"doc": sheet.doc, "text": sheet.text, "wanted": wanted}
    try:
        reply = await judge.ask(Question(PROMPT, payload, (PART,)))
    except ProviderError as error:
        return error
    return reply.of(PART)


def _fault(one: Proposal, sheet: Sheet) -> str:
    """Why a proposal is no case; "" for a good one."""
    question, answer = fold(one.question), fold(one.answer).strip("。.")
    if len(fold(one.quote)) < QUOTE_MIN or len(question) < QUESTION_MIN:
        return "short"
    if locate(one.quote, sheet.text) is None:
        return "quote"
    if not answer or answer in question or fold(one.quote) in question:
        return "told"
    return "points" if _POINTS.search(one.question) else ""


def _case(one: Proposal, sheet: Sheet, author: str) -> Case:
    span = locate(one.quote, sheet.text)
    quote = sheet.text[span.start : span.end] if span else one.quote
    pages = [sheet.page] if sheet.page else []
    digest = hashlib.sha256(f"{sheet.doc}\x00{sheet.page}\x00{fold(one.question)}".encode()).hexdigest()[:12]
    return Case.model_validate(
        {
            "id": f"draft-{digest}",
            "category": one.category,
            "question": one.question.strip(),
            "answerable": True,
            "expected_docs": [[sheet.doc]],
            "evidence": [{"doc": sheet.doc, "text": quote, "pages": pages}],
            "expected_keywords": [[word] for word in dict.fromkeys(_keywords(one))],
            "key_facts": [{"text": one.answer.strip(), "pages": pages}],
            "reference_answer": one.answer.strip(),
            "author": author,
        }
    )


def _keywords(one: Proposal) -> Iterator[str]:
    """Those that the quote bears out and the question does not give away."""
    for word in one.keywords:
        if fold(word) and fold(word) in fold(one.quote) and fold(word) not in fold(one.question):
            yield word.strip()
