"""Whether a sentence keeps the numbers, dates, units, negations and names of the chunk it cites.

It decides on what is quoted, word for word or nearly: there it finds swapped numbers and hardly ever errs. On
paraphrase it would mostly err, so such a sentence is not decided here but left to the judge; the reason says how many.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache, partial
from typing import NamedTuple

from youju.lab.measures.base import Computed, Measure
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, not_applicable, share
from youju.lab.seen import Seen
from youju.stages.evidence import identifiers
from youju.stages.verify import CLAUSES, clause
from youju.text.align import best_span, bigrams
from youju.text.normal import fold
from youju.text.numbers import Quantity, polarity, quantities, same_polarity
from youju.text.tokens import query_terms
from youju.types import Statement

ALIKE, ENOUGH = 0.8, 4  # share of a sentence's pairs of characters, numbers aside, in its evidence; pairs at least
WHOLE = 2.0  # above any share
_NAMES = re.compile(r"《([^《》]+)》")

Kept = Callable[[str, str], bool | None]


class Quoted(NamedTuple):
    """A sentence and what it quotes; `verbatim`: it is a whole clause of the chunk, character for character."""

    sentence: str
    evidence: str
    verbatim: bool


def quoted(seen: Seen) -> tuple[list[Quoted], int]:
    """The sentences that quote a chunk they cite, and how many others cite one."""
    answer = seen.turn.answer
    citing = [one for one in (answer.statements if answer and not seen.refused else ()) if one.cites]
    found = [pair for one in citing if (pair := _quoted(seen, one))]
    return found, len(citing) - len(found)


def consistency(seen: Seen, kept: Kept) -> Score:
    """The share of the quoting sentences with such a thing that keep it as it is in the chunk they cite.

    n/a where no sentence that quotes has one: for a refusal, an answer without citations, a paraphrase.
    """
    pairs, left = quoted(seen)
    judged = [(pair, said) for pair in pairs if (said := kept(pair.sentence, pair.evidence)) is not None]
    routed = f"{left} 句是转述，留给裁判" if left else ""
    if not judged:
        return not_applicable(routed or "没有可以对照的原文句子")
    wrong = [pair.sentence for pair, said in judged if not (said or pair.verbatim)]
    reason = "；".join([*(f"不一致：{one}" for one in wrong), *([routed] if routed else [])])
    return share(len(judged) - len(wrong), len(judged), reason)


def numbers(sentence: str, evidence: str) -> bool | None:
    """Every number, dates aside, has a value that the evidence has; None without numbers."""
    said = [one for one in quantities(sentence) if one.kind != "date"]
    return _values(said) <= _values(quantities(evidence)) if said else None


def dates(sentence: str, evidence: str) -> bool | None:
    """Every date stands in the evidence, as exact as it is told; None without dates."""
    said = {_amount(one) for one in quantities(sentence) if one.kind == "date"}
    return said <= {_amount(one) for one in quantities(evidence)} if said else None


def units(sentence: str, evidence: str) -> bool | None:
    """Every number that the evidence has too has a unit that it has there; None without such numbers."""
    known = quantities(evidence)
    shared = {_amount(one) for one in quantities(sentence) if one.unit and one.value in _values(known)}
    return shared <= {_amount(one) for one in known} if shared else None


def negation(sentence: str, evidence: str) -> bool | None:
    """Sentence and the clauses it rests on agree in negations and bounds; None where neither has any."""
    resting = _resting(sentence, evidence)
    return same_polarity(sentence, resting) if polarity(sentence) or polarity(resting) else None


def entities(sentence: str, evidence: str) -> bool | None:
    """Every identifier (QW-4031, 第八条) and every title in 《》 stands in the evidence; None without them."""
    names = [*identifiers(query_terms(sentence)), *_NAMES.findall(sentence)]
    return all(fold(name) in fold(evidence) for name in names) if names else None


def measures() -> tuple[Measure, ...]:
    each: tuple[tuple[str, str, Kept], ...] = (
        ("number_consistency", "数字一致", numbers),
        ("date_consistency", "日期一致", dates),
        ("unit_consistency", "单位一致", units),
        ("negation_consistency", "否定一致", negation),
        ("entity_consistency", "名称一致", entities),
    )
    return tuple(
        Computed(MeasureInfo(name, title, "consistency"), partial(consistency, kept=kept)) for name, title, kept in each
    )


def _quoted(seen: Seen, statement: Statement) -> Quoted | None:
    """What the sentence quotes of the chunks it cites, if it quotes any."""
    cited = [item for item in seen.turn.context if item.n in statement.cites]
    texts = [text for item in cited for text in dict.fromkeys((item.hit.chunk.text, item.text))]
    nearest = max((_nearest(statement.text, text) for text in texts), default=(0.0, "", False))
    return Quoted(statement.text, nearest[1], verbatim=nearest[2]) if nearest[0] >= ALIKE else None


# Five measures ask the same of a sentence.
@lru_cache(maxsize=1 << 12)
def _nearest(sentence: str, text: str) -> tuple[float, str, bool]:
    """How alike the sentence of the text is that is most alike, that sentence, and whether it is the same."""
    whole = clause(sentence, text)
    if whole:
        return WHOLE, text[whole.start : whole.end], True
    span, _ = best_span(sentence, text)
    evidence = text[span.start : span.end]
    return _alike(sentence, evidence), evidence, False


def _alike(sentence: str, evidence: str) -> float:
    wanted = bigrams(_without_numbers(sentence))
    if len(wanted) < ENOUGH:
        return 0.0
    return len(wanted & bigrams(_without_numbers(evidence))) / len(wanted)


def _without_numbers(text: str) -> str:
    for one in reversed(quantities(text)):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


def _resting(sentence: str, evidence: str) -> str:
    """The clauses of the evidence that the sentence repeats at least half of."""
    said = bigrams(sentence)
    clauses = [(one, bigrams(one)) for one in CLAUSES.split(evidence)]
    return "，".join(one for one, pairs in clauses if pairs and 2 * len(pairs & said) >= len(pairs))


def _values(of: list[Quantity]) -> set[Decimal]:
    return {one.value for one in of}


def _amount(one: Quantity) -> tuple[Decimal, str]:
    return one.value, one.unit
