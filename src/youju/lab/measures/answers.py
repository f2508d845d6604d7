"""What an answer says, without a model: expected keywords, and its length."""

from __future__ import annotations

import re

from youju.lab.measures.base import Computed, Measure
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, not_applicable, ok, share
from youju.lab.seen import Seen
from youju.text.markers import strip
from youju.text.normal import fold
from youju.text.numbers import quantities, respelt
from youju.text.numerals import CHARS


def says(text: str, keyword: str) -> bool:
    """Whether the text has the keyword.

    Width, case and white space do not count; a number is found however it is written (三 = 3, 1.5万 = 15000), and not
    inside of another (3 天 is not in 13 天). A number without a unit is found with any.
    """
    if _stands(fold(keyword), fold(text)) or _stands(fold(respelt(keyword)), fold(respelt(text))):
        return True
    wanted = quantities(keyword)
    if len(wanted) != 1 or (wanted[0].start, wanted[0].end) != (0, len(keyword)):
        return False
    unit = wanted[0].unit
    return any(one.value == wanted[0].value and unit in {"", one.unit} for one in quantities(text))


def keyword_recall(seen: Seen) -> Score:
    """The share of the expected keywords that the answer has; alternatives count once.

    A refusal has none: what stands in it does not count. n/a for a question without keywords or that the material does
    not answer.
    """
    wanted = seen.case.expected_keywords if seen.case.answerable else ()
    if not wanted:
        return not_applicable("题目没有预期关键词")
    text = strip(seen.answer)
    missing = ["/".join(group) for group in wanted if not any(says(text, one) for one in group)]
    return share(len(wanted) - len(missing), len(wanted), f"缺 {'、'.join(missing)}" if missing else "")


def answer_chars(seen: Seen) -> Score:
    """Characters of the answer without its markers; n/a for a refusal. Read it beside keyword recall."""
    return not_applicable("拒答") if seen.refused else ok(len(strip(seen.answer)))


def measures() -> tuple[Measure, ...]:
    length = MeasureInfo("answer_chars", "回答字数", "answer", "neither", "字", gate="none")
    return (
        Computed(MeasureInfo("keyword_recall", "关键词召回", "answer"), keyword_recall),
        Computed(length, answer_chars),
    )


def _stands(word: str, text: str) -> bool:
    at = text.find(word) if word else -1
    while at >= 0:
        if not _runs_on(word, text[:at], text[at + len(word) :]):
            return True
        at = text.find(word, at + 1)
    return False


def _runs_on(word: str, before: str, after: str) -> bool:
    """Whether a number at either end of the word is a part of a longer one in the text."""
    numbers = quantities(word)
    if word[0].isdigit() and re.search(r"\d[.,]?\Z", before):
        return True
    if word[-1].isdigit() and re.match(r"[.,]?\d|[十百千万亿]", after):
        return True
    begins = bool(numbers) and numbers[0].start == 0 and word[0] in CHARS
    ends = bool(numbers) and numbers[-1].end == len(word) and word[-1] in CHARS
    return (begins and before[-1:] != "" and before[-1:] in CHARS) or (ends and after[:1] != "" and after[:1] in CHARS)
