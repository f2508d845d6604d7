"""Each sentence of the answer held against the chunks it cites. The first layer: without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

from youju.stages.base import Emit
from youju.text.align import best_span, bigrams, carried, locate
from youju.text.normal import fold
from youju.text.numbers import quantities, respelt
from youju.text.polarity import polarity, same_polarity
from youju.text.tables import Reading, said_of
from youju.types import ContextItem, Span, Statement, Support, Turn, Verdict

ENDS, CLAUSES = "。.!！", re.compile(r"[。！!？?；;，,：:\n]")
SAME_WORDS = 0.9  # share of a sentence's bigrams in its evidence from which it counts as said there
RELATED = 0.55


@dataclass(frozen=True)
class Verify:
    """Write one verdict a statement: supported, partly, unsupported, contradicted or not_checkable."""

    reads: ClassVar[frozenset[str]] = frozenset({"answer", "context"})
    writes: ClassVar[frozenset[str]] = frozenset({"verdicts"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if turn.answer is None or turn.refusal:
            return turn
        return replace(turn, verdicts=tuple(check(one, turn.context) for one in turn.answer.statements))


def check(statement: Statement, context: Sequence[ContextItem]) -> Verdict:
    """The best verdict any cited item gives; of all items when it cites none, but then never better than partly."""
    cited = [item for item in context if item.n in statement.cites]
    verdicts = [_against(statement.text, item) for item in cited or context]
    if not verdicts:
        return Verdict(statement.text, "unsupported", by="words", reasons=("没有可对照的片段",))
    best = min(verdicts, key=lambda verdict: ORDER.index(verdict.verdict))
    if cited and best.verdict in {"unsupported", "not_checkable"}:
        return _elsewhere(statement, context) or best
    if not cited and best.verdict == "supported":
        return replace(best, verdict="partly", reasons=(*best.reasons, "句子没有标注来源"))
    return best


def _elsewhere(statement: Statement, context: Sequence[ContextItem]) -> Verdict | None:
    """For a sentence under a wrong number: where it does stand."""
    for item in context:
        found = _against(statement.text, item)
        if found.verdict == "supported":
            named = "".join(f"[{n}]" for n in statement.cites)
            return replace(found, verdict="partly", reasons=(*found.reasons, f"标注的是 {named}，依据在 [{item.n}]"))
    return None


ORDER: tuple[Support, ...] = ("supported", "partly", "contradicted", "not_checkable", "unsupported")


def _against(sentence: str, item: ContextItem) -> Verdict:
    text = item.hit.chunk.text if locate(sentence, item.hit.chunk.text) else item.text
    exact = clause(sentence, text)
    if exact:
        return Verdict(sentence, "supported", item.n, text[exact.start : exact.end], by="verbatim")
    cell = said_of(sentence, text)
    if cell:
        return _against_cell(sentence, cell, item.n, text)
    span, share = best_span(sentence, text)
    evidence = text[span.start : span.end]
    share = max(share, _shared(respelt(sentence), respelt(evidence)))
    wrong = _disagreements(sentence, evidence)
    if share < RELATED:
        said: Support = "unsupported" if quantities(sentence) else "not_checkable"
        return Verdict(sentence, said, item.n, "", by="words", reasons=("片段中没有相近的句子",))
    if wrong:
        return Verdict(sentence, "contradicted", item.n, evidence, by="numbers", reasons=tuple(wrong))
    same = share >= SAME_WORDS and carried(respelt(sentence), respelt(evidence))
    verdict: Support = "supported" if same else "partly"
    return Verdict(sentence, verdict, item.n, evidence, by="words")


def clause(sentence: str, text: str) -> Span | None:
    """Where the sentence stands as a whole clause, or several: 乘坐飞机 inside of 不得乘坐飞机 is none."""
    span = locate(sentence, text) or locate(sentence.rstrip(ENDS), text)
    if span is None:
        return None
    before = CLAUSES.split(text[: span.start])[-1]
    if _runs_on(before[::-1]) or polarity(before):
        return None
    return None if sentence.rstrip(ENDS) == sentence and _runs_on(text[span.end :]) else span


def _runs_on(rest: str) -> bool:
    """Whether the text goes on with the same clause, towards its end."""
    bare = rest.lstrip(" \t\u3000")[:1]
    # 第一条 出差… : a space parts words in Chinese, and belongs between them in other languages.
    return bare.isalnum() and (bare == rest[:1] or bare.isascii())


def _against_cell(sentence: str, cell: Reading, n: int, text: str) -> Verdict:
    """A sentence that names a row and a column says what stands in that cell, or it is wrong."""
    line = text[cell.line.start : cell.line.end]
    rest = fold(sentence).replace(fold(cell.row), " ").replace(fold(cell.column), " ")
    if fold(cell.value) in rest or _amounts(cell.value) & _amounts(rest):
        wrong = _amounts(rest) - _amounts(cell.value)
        return Verdict(sentence, "partly" if wrong else "supported", n, line, by="table")
    if not _amounts(rest):
        return Verdict(sentence, "not_checkable", n, line, by="table")
    return Verdict(sentence, "contradicted", n, line, by="table", reasons=(f"表格中是“{cell.value}”",))


def _amounts(text: str) -> frozenset[tuple[Decimal, str]]:
    return frozenset((q.value, q.unit) for q in quantities(text))


def _shared(sentence: str, evidence: str) -> float:
    wanted = bigrams(sentence)
    return len(wanted & bigrams(evidence)) / len(wanted) if wanted else 0.0


def _disagreements(sentence: str, evidence: str) -> list[str]:
    """Numbers and dates of the sentence that its evidence does not have, and a negation only one of them has."""
    known = {(q.value, q.unit) for q in quantities(evidence)}
    wrong = [f"证据中没有“{sentence[q.start : q.end]}”" for q in quantities(sentence) if (q.value, q.unit) not in known]
    if not same_polarity(sentence, evidence):
        wrong.append("句子与证据的肯定或否定不一致")
    return wrong
