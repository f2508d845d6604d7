"""Whether citations carry the sentences they stand at, and whether sentences have the citations they need.

Without a judge "supports" means that alignment of words, numbers and negations found it: `Verify`'s "supported". A
paraphrase is rarely more than "partly" to it, so a low figure is a lower bound; sentences that words cannot decide
("not_checkable") are left out, and the reason says how many. Figures of the judge decide about paraphrase.

Source:
    ALCE: Gao, Yen, Yu, Chen, EMNLP 2023; repaired: every citation that was emitted is in the denominator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from youju.lab.measures.base import Computed, Measure
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, not_applicable, share
from youju.lab.seen import Seen
from youju.stages.verify import check
from youju.types import Statement, Support, Verdict


def citation_recall(seen: Seen) -> Score:
    """The share of sentences that a source they cite supports; one without a citation counts 0.

    Sentences that cannot be checked without a model are left out. n/a for a refusal, an arm that retrieves nothing, and
    where nothing can be checked.
    """
    statements = _statements(seen)
    if isinstance(statements, Score):
        return statements
    verdicts = _verdicts(seen, statements)
    pairs = [(one, said) for one, said in zip(statements, verdicts, strict=True) if said.verdict != "not_checkable"]
    if not pairs:
        return not_applicable("没有一句可以不靠模型核对")
    carried = sum(said.verdict == "supported" and said.n in one.cites for one, said in pairs)
    return share(carried, len(pairs), _told([said.verdict for said in verdicts]))


def citation_precision(seen: Seen) -> Score:
    """The share of the citations emitted whose source alone supports their sentence; an invented one counts 0.

    A citation is a number at a sentence; markers that were removed because they resolve to nothing are among them.
    Those of sentences that cannot be checked without a model are left out. n/a for a refusal, an arm that retrieves
    nothing, and where no citation can be checked.
    """
    statements = _statements(seen)
    if isinstance(statements, Score):
        return statements
    known = {item.n for item in seen.turn.context}
    pairs = zip(statements, _verdicts(seen, statements), strict=True)
    said = [_alone(seen, one, n, verdict) for one, verdict in pairs for n in one.cites if n in known]
    invented = sum(n not in known for one in statements for n in one.cites) + _removed(seen)
    counted = sum(one != "not_checkable" for one in said) + invented
    if not counted:
        return not_applicable("没有可以核对的标注")
    reason = _told(said) + (f"；{invented} 处标注没有来源" if invented else "")
    return share(sum(one == "supported" for one in said), counted, reason.strip("；"))


def measures() -> tuple[Measure, ...]:
    return (
        Computed(MeasureInfo("citation_recall", "标注召回", "citation"), citation_recall),
        Computed(MeasureInfo("citation_precision", "标注精确率", "citation"), citation_precision),
    )


def _statements(seen: Seen) -> Sequence[Statement] | Score:
    if seen.refused:
        return not_applicable("拒答")
    if not seen.retrieves:
        return not_applicable("这个变体不检索资料")
    found = seen.turn.answer.statements if seen.turn.answer else ()
    return found or not_applicable("回答没有句子")


def _verdicts(seen: Seen, statements: Sequence[Statement]) -> Sequence[Verdict]:
    """Those of the turn; an arm without `Verify` gets the same here."""
    if len(seen.turn.verdicts) == len(statements):
        return seen.turn.verdicts
    return [check(one, seen.turn.context) for one in statements]


def _alone(seen: Seen, statement: Statement, n: int, verdict: Verdict) -> Support:
    """What item n alone says; that another one supports the sentence does not help it."""
    if verdict.verdict == "supported" and verdict.n == n:
        return "supported"
    return check(replace(statement, cites=(n,)), [item for item in seen.turn.context if item.n == n]).verdict


def _removed(seen: Seen) -> int:
    return sum(max(1, len(re.findall(r"\d+", marker))) for marker in seen.turn.removed_markers)


def _told(said: Sequence[Support]) -> str:
    counts = {"只对上一部分": said.count("partly"), "无法不靠模型核对": said.count("not_checkable")}
    return "；".join(f"{n}/{len(said)} 句{what}" for what, n in counts.items() if n)
