"""What makes a case of the right shape still no case."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic_core import PydanticSerializationError

from youju.lab.dataset.schema import Case

Fault = tuple[str, str]
GOLD = ("key_facts", "reference_answer", "evidence", "expected_keywords", "steps")


def faults(case: Case) -> Iterator[Fault]:
    """(field, what is wrong) of a case; none for a good one."""
    if not _storable(case):
        yield "", "含有无法保存的字符（不成对的代理字符）"
    yield from ((name, "不能为空") for name in ("id", "question") if not getattr(case, name).strip())
    yield from _contradictions(case)
    for name in ("expected_docs", "expected_keywords"):
        groups: tuple[tuple[str, ...], ...] = getattr(case, name)
        if any(not group or not all(one.strip() for one in group) for group in groups):
            yield name, "里面有空的一项"
    yield from _evidence(case)
    if not all(one.text.strip() for one in case.key_facts) or not all(one.strip() for one in case.steps):
        yield "key_facts 或 steps", "里面有空的一项"
    if any(page < 1 for one in case.key_facts for page in one.pages):
        yield "key_facts", "pages 是物理页码，从 1 开始"


def _storable(case: Case) -> bool:
    try:
        case.model_dump_json()
    except (UnicodeEncodeError, PydanticSerializationError):
        return False
    return True


def _contradictions(case: Case) -> Iterator[Fault]:
    if case.answerable and case.category == "unanswerable":
        yield "answerable", "类别是不可答（unanswerable），却标为可答"
    held = [name for name in GOLD if getattr(case, name)]
    if not case.answerable and held:
        yield "、".join(held), "不可答的题不能带这些；请删去，或改成可答"
    if case.attack and case.category != "adversarial":
        yield "attack", "只有对抗题（adversarial）才有"
    if case.attack and not case.attack.canary.strip():
        yield "attack.canary", "不能为空"


def _evidence(case: Case) -> Iterator[Fault]:
    for number, one in enumerate(case.evidence):
        place = f"evidence.{number}"
        if not one.doc.strip():
            yield f"{place}.doc", "不能为空"
        if not one.text.strip() and not one.pages:
            yield place, "原文（text）和页码（pages）至少要有一样"
        if any(page < 1 for page in one.pages):
            yield f"{place}.pages", "是物理页码，从 1 开始"
    if case.evidence and case.evidence[0].alternative:
        yield "evidence.0", "前面没有可以替代的一处"
