"""Whether facts and reference answers can be traced to the pages that the case names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from youju.lab.audit.corpus import Corpus, Place, numbers, plain
from youju.lab.audit.findings import Finding, Severity
from youju.lab.audit.named import places
from youju.lab.dataset import Case
from youju.text.align import bigrams
from youju.text.normal import fold
from youju.text.numbers import Quantity, quantities

DERIVED = frozenset({"reasoning", "comparison", "multihop"})  # what these ask for is worked out, not read off
TRACED = 0.5  # share of a fact's bigrams that must stand on its pages for no one to look
NAME = re.compile(r"[a-z][a-z0-9_.\-]*[a-z0-9]")
DATES = {8: (4, 6), 6: (4,), 4: (2,), 3: (1,)}  # where a date that is one number is parted, by its digits


def checked(case: Case, corpus: Corpus) -> Iterator[Finding]:
    """Numbers and names that stand on none of the named pages, and facts whose words mostly do not."""
    there = places(case, corpus)
    if not case.answerable or not there:
        return
    there.append(Place(case.question))
    for fact in case.key_facts:
        yield from _told(case, "fact", fact.text, there)
    if case.reference_answer:
        yield from _told(case, "reference", case.reference_answer, there)


def missing(text: str, there: Sequence[Place]) -> list[str]:
    """The numbers and Latin names of `text` that none of the places has, in whichever way written."""
    known = frozenset[Decimal]().union(*(one.numbers for one in there))
    found = [(one, text[one.start : one.end]) for one in quantities(text)]
    lost = [written for one, written in found if not _has(one, written, known)]
    return lost + [name for name in NAME.findall(fold(text)) if not any(name in one.folded for one in there)]


def _has(one: Quantity, written: str, known: frozenset[Decimal]) -> bool:
    """A date is one number here and its parts on the page; a time of day counts minutes."""
    value = abs(one.value)
    if "点" in written and numbers(written.replace("点", " ")) <= known:
        return True
    if value in known or one.kind not in {"date", "time"}:
        return value in known
    digits = f"{value:f}"
    edges = [0, *DATES.get(len(digits), ()), len(digits)]
    return value / 60 in known or all(Decimal(digits[a:b]) in known for a, b in pairwise(edges))


def _told(case: Case, what: str, text: str, there: Sequence[Place]) -> Iterator[Finding]:
    if any(plain(text) in one.folded for one in there[:-1]):
        return
    name = "要点" if what == "fact" else "参考答案"
    severity: Severity = "person" if case.category in DERIVED else "warning"
    lost = missing(text, there)
    if lost:
        message = f"{name}里的 {'、'.join(lost)} 不在所指的页上；请核对原文，改正{name}或页码"
        yield Finding(f"{what}_number", case.id, severity, message, text)
        return
    wanted, known = bigrams(text), frozenset[str]().union(*(one.bigrams for one in there))
    if wanted and len(wanted & known) / len(wanted) < TRACED:
        message = f"{name}的字词大多不在所指的页上，机器判断不了是改写还是出错；请人对照原文"
        yield Finding(f"{what}_untraced", case.id, "person", message, text)
