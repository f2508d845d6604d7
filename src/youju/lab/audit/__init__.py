"""The audit of a question set: a gate before any run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from youju.lab.audit import absent, alike, balance, gold, support, wording
from youju.lab.audit.corpus import Corpus, loaded
from youju.lab.audit.findings import Audit, Finding
from youju.lab.dataset import Case
from youju.storage.engine import Store

__all__ = ["Audit", "Corpus", "Finding", "audit", "audited", "loaded"]


def audit(
    cases: Sequence[Case],
    corpus: Corpus,
    *,
    closed_book: Mapping[str, bool] | None = None,
    lock: Mapping[str, str] | None = None,
) -> Audit:
    """What is wrong with a set, case by case in its order, then over the whole. The same input gives the same audit.

    Args:
        cases: of the whole set; splits and twins are seen only together.
        corpus: everything that may answer.
        closed_book: case id → whether a model solved it without documents.
        lock: document name → sha256 of the bytes that the set was made on.
    """
    return Audit(tuple(_findings(cases, corpus, closed_book or {}, lock or {})), len(cases))


async def audited(store: Store, cases: Sequence[Case]) -> Audit:
    """The audit of a set against what the store holds now."""
    return audit(cases, await store.read(loaded))


def _findings(
    cases: Sequence[Case], corpus: Corpus, closed_book: Mapping[str, bool], lock: Mapping[str, str]
) -> Iterator[Finding]:
    for case in cases:
        yield from gold.checked(case, corpus)
        yield from gold.changed(case, corpus, lock)
        yield from support.checked(case, corpus)
        yield from wording.checked(case, corpus)
    yield from absent.checked(cases, corpus)
    yield from alike.checked(cases, corpus)
    yield from balance.checked(cases, closed_book)
