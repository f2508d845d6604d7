"""Which chunks are what a case asks for: those of an expected document, and those that hold its evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from youju.lab.dataset import Case, Evidence
from youju.lab.seen import Seen
from youju.text.align import bigrams
from youju.text.normal import fold
from youju.text.numbers import quantities
from youju.types import Chunk

SHARE = 0.9
"""Of a span's pairs of characters from which a text holds it: page heads, table rules and marks may stand in it."""
_MARKS = re.compile(r"[|*`#>]|:?-{3,}:?")

Holds = Callable[[Seen, Chunk, Evidence], bool]


def groups(case: Case) -> tuple[tuple[Evidence, ...], ...]:
    """All pieces of evidence that a full answer needs; each with its alternatives, of which one is enough."""
    return case.evidence_groups


def documents(case: Case) -> tuple[tuple[str, ...], ...]:
    """Parts of the names of the documents needed, each with its alternatives; those of the evidence if none is named.

    None for a question that the material does not answer, whatever its case says.
    """
    if not case.answerable:
        return ()
    named = case.expected_docs or tuple(tuple(dict.fromkeys(one.doc for one in group)) for group in groups(case))
    return tuple(dict.fromkeys(named))


def of_document(seen: Seen, chunk: Chunk, part: str) -> bool:
    """Whether `part` stands in the name of the chunk's document."""
    material = seen.documents.get(chunk.document_id)
    return material.named(part) if material else part in chunk.book


def expected(seen: Seen, chunk: Chunk) -> bool:
    """Whether the chunk comes from any expected document."""
    return any(of_document(seen, chunk, part) for group in documents(seen.case) for part in group)


def holds(seen: Seen, chunk: Chunk, evidence: Evidence) -> bool:
    """Whether the chunk holds the evidence: its text where it has one, else any of its pages."""
    return (holds_text if evidence.text else on_pages)(seen, chunk, evidence)


def holds_text(seen: Seen, chunk: Chunk, evidence: Evidence) -> bool:
    """Whether the evidence's text stands in a chunk of its document.

    White space, width, case and the marks of Markdown tables do not count. Else nine tenths of its pairs of characters
    and all of its numbers are enough, for what stands over a page break has a page head in it.
    """
    return of_document(seen, chunk, evidence.doc) and _states(evidence.text, chunk.text)


def on_pages(seen: Seen, chunk: Chunk, evidence: Evidence) -> bool:
    """Whether the chunk stands on any of the evidence's physical pages, in its document."""
    if chunk.page_start is None or not of_document(seen, chunk, evidence.doc):
        return False
    end = chunk.page_start if chunk.page_end is None else chunk.page_end
    return any(chunk.page_start <= page <= end for page in evidence.pages)


def firsts(
    seen: Seen, ranking: Sequence[Chunk], wanted: Sequence[Sequence[Evidence]], how: Holds = holds
) -> list[int | None]:
    """For each piece of evidence the rank, from 1, at which the ranking first holds it or one of its alternatives.

    A span that runs over a chunk's border is held as soon as both chunks are there. None where it is never held.
    """
    return [min((rank for one in group if (rank := _first(seen, ranking, one, how))), default=None) for group in wanted]


def relevant(seen: Seen, ranking: Sequence[Chunk], wanted: Sequence[Sequence[Evidence]]) -> list[bool]:
    """For each rank, whether that chunk, alone or with a neighbour before it, holds any of the evidence."""
    pieces = [one for group in wanted for one in group]
    return [any(_held(seen, chunk, ranking[:at], one, holds) for one in pieces) for at, chunk in enumerate(ranking)]


def _first(seen: Seen, ranking: Sequence[Chunk], evidence: Evidence, how: Holds) -> int | None:
    each = enumerate(ranking)
    return next((at + 1 for at, chunk in each if _held(seen, chunk, ranking[:at], evidence, how)), None)


def _held(seen: Seen, chunk: Chunk, before: Sequence[Chunk], evidence: Evidence, how: Holds) -> bool:
    if how(seen, chunk, evidence):
        return True
    if how is on_pages or not evidence.text or not of_document(seen, chunk, evidence.doc):
        return False
    beside = [one for one in before if _neighbours(one, chunk) and not _states(evidence.text, one.text)]
    return any(_states(evidence.text, _joined(one, chunk)) for one in beside)


def _neighbours(one: Chunk, other: Chunk) -> bool:
    same = (one.document_id, one.version) == (other.document_id, other.version)
    return same and abs(one.ordinal - other.ordinal) == 1


def _joined(one: Chunk, other: Chunk) -> str:
    first, second = sorted((one, other), key=lambda chunk: chunk.ordinal)
    return first.text + second.text


@lru_cache(maxsize=1 << 16)
def _states(span: str, text: str) -> bool:
    if _plain(span) in _plain(text):
        return True
    wanted = bigrams(_MARKS.sub(" ", span))
    if not wanted or len(wanted & _pairs(text)) < SHARE * len(wanted):
        return False
    return {one.value for one in quantities(span)} <= {one.value for one in quantities(text)}


@lru_cache(maxsize=1 << 13)
def _plain(text: str) -> str:
    return fold(_MARKS.sub("", text))


@lru_cache(maxsize=1 << 13)
def _pairs(text: str) -> frozenset[str]:
    return bigrams(_MARKS.sub(" ", text))
