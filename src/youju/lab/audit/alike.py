"""Questions that are asked twice, and what leaks from one split into the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from youju.lab.audit.corpus import Corpus, plain
from youju.lab.audit.findings import Finding
from youju.lab.audit.named import documents
from youju.lab.dataset import Case

JACCARD = 0.8


def checked(cases: Sequence[Case], corpus: Corpus) -> Iterator[Finding]:
    yield from _ids(cases)
    yield from _questions(cases)
    yield from _gold(cases)
    yield from _splits(cases, corpus)


def trigrams(text: str) -> frozenset[str]:
    folded = plain(text)
    return frozenset(folded[at : at + 3] for at in range(max(1, len(folded) - 2)))


def _ids(cases: Sequence[Case]) -> Iterator[Finding]:
    for id_, n in Counter(case.id for case in cases).items():
        if not id_.strip() or n > 1:
            yield Finding("bad_id", id_, "error", f"编号 {id_!r} 是空的或用了 {n} 次；请改成不同的编号")


def _questions(cases: Sequence[Case]) -> Iterator[Finding]:
    grams = [trigrams(case.question) for case in cases]
    for (a, one), (b, two) in combinations(enumerate(grams), 2):
        # The quotient cannot exceed that of the sizes: most pairs need no intersection.
        if min(len(one), len(two)) <= JACCARD * max(len(one), len(two)):
            continue
        alike = len(one & two) / len(one | two)
        if alike > JACCARD:
            yield _twins(cases[a], cases[b], alike)


def _twins(first: Case, second: Case, alike: float) -> Finding:
    seen = f"{first.id} {first.question}"
    if first.answerable != second.answerable:
        message = f"与 {first.id} 几乎同一个问题，一个标为可答，一个标为不可答；请核对原文，留下对的"
        return Finding("contradiction", second.id, "warning" if alike < 1 else "error", message, seen)
    if first.split and second.split and first.split != second.split:
        message = f"与另一个划分里的 {first.id} 几乎同一个问题（相似度 {alike:.2f}）；请删去其中一题"
        return Finding("split_duplicate", second.id, "error", message, seen)
    message = f"与 {first.id} 几乎同一个问题（相似度 {alike:.2f}）；请删去其中一题，或改成问别的"
    return Finding("near_duplicate", second.id, "warning", message, seen)


def _gold(cases: Sequence[Case]) -> Iterator[Finding]:
    groups: dict[tuple[frozenset[str], frozenset[str]], list[Case]] = defaultdict(list)
    for case in cases:
        spans = frozenset(plain(one.text) for one in case.evidence if one.text)
        words = frozenset(plain(one) for group in case.expected_keywords for one in group)
        if spans and words:
            groups[spans, words].append(case)
    for same in groups.values():
        for case in same[1:]:
            message = f"证据和关键词与 {same[0].id} 完全一样，像是换了说法的同一题；请删去或换一处证据"
            yield Finding("same_gold", case.id, "warning", message, same[0].question)


def _splits(cases: Sequence[Case], corpus: Corpus) -> Iterator[Finding]:
    spans: dict[str, Case] = {}
    splits: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        for one in case.evidence if case.split else ():
            first = spans.setdefault(plain(one.text), case) if one.text else case
            if first.split != case.split:
                message = f"与另一个划分里的 {first.id} 用同一段证据；请把两题放进同一个划分"
                yield Finding("split_evidence", case.id, "warning", message, one.text)
            for document in documents(one, corpus):
                splits[document.title].add(case.split)
    both = sorted(title for title, found in splits.items() if len(found) > 1)
    if both:
        message = f"{len(both)} 份文档在两个划分里都有题：{'、'.join(both)}；若不是有意按章节划分，请按文档划分"
        yield Finding("split_document", "", "person", message)
