"""Where on a question's way a text was lost: out of scope, not recalled, cut, ignored, or cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from youju.text.align import locate
from youju.trace.entry import Recalled, Trace
from youju.types import Chunk

Ending = Literal["nowhere", "out_of_scope", "not_recalled", "cut", "ignored", "cited"]
Cutter = Literal["", "threshold", "retrieve", "fuse", "rerank", "grade", "budget", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a text.

    `chunks` are the recalled ones that hold it, best first; `numbers` are those under which it stood in the context,
    on its own or inside a wider text. `holders` are the chunks that hold it in the store of today. `cutter` is what
    kept a recalled text out of the context.
    """

    ending: Ending
    chunks: tuple[Recalled, ...] = ()
    numbers: tuple[int, ...] = ()
    holders: tuple[Chunk, ...] = ()
    cutter: Cutter = ""


def follow(trace: Trace, text: str, holders: Sequence[Chunk]) -> Finding:
    """What became of `text` on the way of this question.

    Args:
        trace: of the question.
        text: of the expected answer or its evidence; white space, case and width do not matter.
        holders: chunks that hold it in the store of today; they also tell recalled chunks whose text was not kept.
    """
    ids = {one.id for one in holders}
    known = [one for one in trace.chunks if one.chunk_id in ids or locate(text, one.text)]
    found = [one for one in known if one.ranks or one.n is not None]
    widened = [n for n, wider in trace.widened.items() if locate(text, wider)]
    numbers = tuple(sorted({*(one.n for one in found if one.n is not None), *widened}))
    rest = (tuple(found), numbers, tuple(holders))
    if numbers:
        cited = {one.n for one in trace.chunks if one.cited}
        return Finding("cited" if cited.intersection(numbers) else "ignored", *rest)
    if found:
        return Finding("cut", *rest, cutter=_cutter(trace, found[0]))
    eligible = set(trace.scope.documents) if trace.scope else set()
    if known or any(one.document_id in eligible for one in holders):
        # A chunk without a rank is one that a channel looked at and put aside.
        return Finding("not_recalled", *rest, cutter="threshold" if known else "")
    return Finding("out_of_scope" if holders else "nowhere", *rest)


def excluded(trace: Trace, document_id: str) -> str:
    """Why a document could not answer at that moment: its status then, "" where it was not among those asked."""
    reasons = {one.id: one.status for one in trace.scope.excluded} if trace.scope else {}
    return reasons.get(document_id, "")


def _cutter(trace: Trace, best: Recalled) -> Cutter:
    if trace.summary.kind == "retrieve":
        return "retrieve"
    used = {name for one in trace.chunks for name in one.ranks}
    if "rrf" in used and "rrf" not in best.ranks:
        return "fuse"
    if "rerank" in used and "rerank" not in best.ranks:
        return "rerank"
    if any(one.n is not None for one in trace.chunks):
        return "budget"
    return "grade" if trace.summary.refusal == "low_evidence" else "error"
