"""Questions of the log that somebody rated → cases for a person to finish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from youju.chat.log import Log
from youju.errors import InputError
from youju.lab.dataset.importing.imported import Imported, Json, Shelf
from youju.text.markers import strip
from youju.text.normal import fold
from youju.trace.entry import Trace
from youju.types import Source

BATCH = 500
AUTHOR = "log"
SAID_MAX = 500


async def rated(log: Log) -> list[Trace]:
    """The traces of all questions whose answer was rated as a whole, newest first."""
    found: list[Trace] = []
    before: str | None = None
    while page := await log.listed(limit=BATCH, before=before, kind="ask"):
        found += [await log.find(one.id) for one in page if one.rating]
        before = page[-1].id
    return found


def feedback(traces: Iterable[Trace]) -> Imported:
    """Cases of rated questions; of a question that was asked several times, the first of `traces`.

    A good answer brings its words and, as evidence, what it cited and nobody rated down; a good refusal is a question
    without an answer. A bad one brings only what was said about it. None is reviewed. Questions stand alone, without
    their conversation, and are asked among the documents that they were asked among.

    Args:
        traces: newest first, as of `rated`; those without a rating are left out.

    Raises:
        InputError: no case came out; code bad_import.
    """
    shelf, asked = Shelf(), set[str]()
    for trace in traces:
        if trace.summary.rating is None:
            shelf.left_out["没有评价"] += 1
        elif not trace.texts or trace.blanked_at is not None:
            shelf.left_out["没有留存文字"] += 1
        elif fold(_question(trace)) in asked:
            shelf.left_out["问过多次，取最近一次"] += 1
        else:
            asked.add(fold(_question(trace)))
            shelf.case(_row(trace))
    if not shelf.cases:
        reasons = f"（{'；'.join(f'{why} {n}' for why, n in shelf.left_out.items())}）" if shelf.left_out else ""
        raise InputError(
            f"问答记录里没有可以取用的评价{reasons}", remedy="请先评价一些回答，见“通过 HTTP 使用”", code="bad_import"
        )
    return shelf.imported(AUTHOR)


def _row(trace: Trace) -> Json:
    where = trace.scope.asked if trace.scope else {}
    collection, documents = where.get("collection"), where.get("document_ids")
    row = {
        "id": f"{AUTHOR}-{trace.summary.id}",
        "question": _question(trace),
        "category": "factual",
        "answerable": True,
        "collections": [collection] if isinstance(collection, str) and collection else [],
        "document_ids": list(documents) if isinstance(documents, (list, tuple)) else [],
        "author": AUTHOR,
        "notes": _notes(trace),
    }
    if trace.summary.rating != "up":
        return row
    if trace.summary.refusal is not None:
        return row | {"category": "unanswerable", "answerable": False}
    evidence = [_evidence(one) for one in _cited(trace)]
    docs = [[name] for name in dict.fromkeys(str(one["doc"]) for one in evidence)]
    return row | {"evidence": evidence, "expected_docs": docs, "reference_answer": strip(trace.answer).strip()}


def _question(trace: Trace) -> str:
    """As it stands alone: what was asked in the middle of a conversation may mean nothing without it."""
    return (trace.question or trace.summary.asked).strip()


def _cited(trace: Trace) -> Iterator[Source]:
    bad = {one.source for one in trace.feedback if one.rating == "down"}
    yield from (one for one in trace.sources if one.cited and one.quote.strip() and one.n not in bad)


def _evidence(source: Source) -> dict[str, object]:
    pages: list[int] = []
    if source.page_start is not None:
        pages = list(range(source.page_start, (source.page_end or source.page_start) + 1))
    return {"doc": source.book, "text": source.quote, "section": " / ".join(source.section), "pages": pages}


def _notes(trace: Trace) -> str:
    """What people said of it, and, of a bad one, what the answer was."""
    said = [one.note.strip() for one in trace.feedback if one.note.strip()]
    if trace.summary.rating == "down":
        answer = strip(trace.answer).strip()
        said += ["评价为差；当时拒答" if trace.summary.refusal else f"评价为差；当时的回答：{answer[:SAID_MAX]}"]
    return "\n".join(said)
