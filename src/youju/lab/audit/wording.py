"""What a question gives away, and whether its keywords can tell a good answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from youju.lab.audit.corpus import Corpus, Place, numbers, plain
from youju.lab.audit.findings import Finding, Severity
from youju.lab.audit.named import places
from youju.lab.audit.support import DERIVED
from youju.lab.dataset import Case
from youju.text.align import bigrams
from youju.text.numbers import quantities

SHORTEST, LONGEST = 4, 200  # characters of a question
ANSWER = 500  # characters of a reference answer
VALUE = 4  # characters from which a fact that stands whole in its question is no accident
COMMON = 0.1  # share of the passages from which a character alone tells nothing
GIVEN = 0.95  # share of a fact's bigrams in its question


def checked(case: Case, corpus: Corpus) -> Iterator[Finding]:
    yield from _lengths(case)
    if case.answerable:
        yield from _leaks(case)
        yield from _keywords(case, corpus)


def _lengths(case: Case) -> Iterator[Finding]:
    length = len(plain(case.question))
    if length < SHORTEST:
        message = f"题目只有 {length} 个字，看不出在问什么；请写完整"
        yield Finding("question_length", case.id, "error", message, case.question)
    elif length > LONGEST:
        message = f"题目有 {length} 个字，少有人这样问；请缩短到 {LONGEST} 字以内"
        yield Finding("question_length", case.id, "warning", message, case.question[:80])
    if len(case.reference_answer) > ANSWER:
        message = f"参考答案有 {len(case.reference_answer)} 个字；请只留题目问的"
        yield Finding("answer_length", case.id, "warning", message, case.reference_answer[:80])
    if any(not fact.text.strip() for fact in case.key_facts):
        yield Finding("empty_fact", case.id, "error", "有一条要点是空的；请填写或删去")


def _leaks(case: Case) -> Iterator[Finding]:
    # What an attack wants said is in the question on purpose, and may have digits that look like an answer.
    asked = plain(case.question.replace(case.attack.canary, "") if case.attack else case.question)
    for group in case.expected_keywords:
        given = [one for one in group if plain(one) and plain(one) in asked]
        if given:
            message = f"关键词 {'、'.join(given)} 已在题目里，照抄题目就能得分；请换一个词或改写题目"
            yield Finding("keyword_leaked", case.id, "warning", message, case.question)
    for fact in case.key_facts:
        if _given(fact.text, asked, case.question):
            message = "题目已经说出了要点；请改写题目，不要把答案写进去"
            yield Finding("fact_leaked", case.id, "warning", message, fact.text)


def _given(fact: str, asked: str, question: str) -> bool:
    told = plain(fact)
    if len(told) >= VALUE and told in asked:
        return True
    wanted = bigrams(fact)
    values = {abs(one.value) for one in quantities(fact)}
    return bool(wanted) and len(wanted & bigrams(asked)) >= GIVEN * len(wanted) and values <= numbers(question)


def _keywords(case: Case, corpus: Corpus) -> Iterator[Finding]:
    there = [*places(case, corpus), *(Place(one.text) for one in case.evidence)]
    severity: Severity = "person" if case.category in DERIVED else "warning"
    for group in case.expected_keywords:
        trivial = [one for one in group if _trivial(plain(one), corpus)]
        if trivial:
            message = f"关键词 {'、'.join(map(repr, trivial))} 太短，几乎什么答案里都有；请换成更能说明问题的词"
            yield Finding("keyword_trivial", case.id, "warning", message)
        if there and not any(_within(one, there) for one in group):
            message = f"关键词 {'、'.join(group)} 不在证据和所指的页上；请核对，或换成原文的说法"
            yield Finding("keyword_absent", case.id, severity, message)


def _trivial(keyword: str, corpus: Corpus) -> bool:
    """Nothing, or a character of which much of the material has one; a rare one (己, 凹) may be the answer."""
    return not keyword or (len(keyword) == 1 and not keyword.isdigit() and corpus.common.get(keyword, 0) > COMMON)


def _within(keyword: str, there: Sequence[Place]) -> bool:
    if any(plain(keyword) in one.folded for one in there):
        return True
    values = {abs(one.value) for one in quantities(keyword)}
    return bool(values) and any(values <= one.numbers for one in there)
