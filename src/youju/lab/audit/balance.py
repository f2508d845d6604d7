"""What a set is like as a whole: its categories, lengths, pages, and what needs no document at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from youju.lab.audit.corpus import plain
from youju.lab.audit.findings import Finding
from youju.lab.dataset import Case

FEW, MOST = 10, 0.6  # cases of a category below which no interval is shown; share above which it is all there is
TELLS, ENOUGH = 0.1, 20  # distance of the area from .5, from so many cases a side
CROWD, CROWDED = 5, 0.2
KNOWN = 0.3


def checked(cases: Sequence[Case], closed_book: Mapping[str, bool] | None = None) -> Iterator[Finding]:
    yield from _categories(cases)
    yield from _lengths(cases)
    yield from _pages(cases)
    yield from _known(cases, closed_book or {})
    yield from _reviewed(cases)


def area(higher: Sequence[int], lower: Sequence[int]) -> float:
    """How often one of `higher` is above one of `lower`, in [0, 1]; ties count half. Both must have members."""
    return sum((a > b) + (a == b) / 2 for a in higher for b in lower) / (len(higher) * len(lower))


def _categories(cases: Sequence[Case]) -> Iterator[Finding]:
    counts = Counter(case.category for case in cases)
    few = [f"{name} {n}" for name, n in sorted(counts.items()) if n < FEW]
    if few:
        message = f"这些类别不足 {FEW} 题，分类结果没有区间：{'、'.join(few)}；要看它们请补题"
        yield Finding("category_few", "", "person", message)
    for name, n in counts.items():
        if n > MOST * len(cases) and len(counts) > 1:
            message = f"{name} 占了 {n / len(cases):.0%}，总平均几乎只说它；请补别的类别"
            yield Finding("category_share", "", "warning", message)
    if cases and all(case.answerable for case in cases):
        yield Finding("no_unanswerable", "", "warning", "没有不可答的题，拒答无从衡量；请补一些")


def _lengths(cases: Sequence[Case]) -> Iterator[Finding]:
    plainly = [case for case in cases if not case.attack]  # what an attack adds is no part of the question
    yes = [len(plain(case.question)) for case in plainly if case.answerable]
    no = [len(plain(case.question)) for case in plainly if not case.answerable]
    if min(len(yes), len(no)) >= ENOUGH and abs((found := area(yes, no)) - 0.5) > TELLS:
        message = f"只看题目长短就能猜出可答不可答（AUC {found:.2f}）；请把两边的长短调得相近"
        yield Finding("length_tells", "", "warning", message)


def _pages(cases: Sequence[Case]) -> Iterator[Finding]:
    counts = Counter(place for case in cases for place in {(e.doc, n) for e in case.evidence for n in e.pages})
    total = sum(bool(case.evidence) for case in cases)
    for (doc, n), found in counts.items():
        if found > CROWD and found > CROWDED * total:
            message = f"{found} 题都出自《{doc}》第 {n} 页；请从别的页出题"
            yield Finding("crowded_page", "", "person", message)


def _known(cases: Sequence[Case], solved: Mapping[str, bool]) -> Iterator[Finding]:
    tried = [case for case in cases if case.answerable and case.id in solved]
    known = [case for case in tried if solved[case.id]]
    for case in known:
        message = "模型不看资料也答对了，这题衡量不了检索；请换成只有资料里才有的内容"
        yield Finding("closed_book", case.id, "person", message)
    if tried and len(known) > KNOWN * len(tried):
        message = f"{len(known)}/{len(tried)} 题不看资料也能答对；请换题，否则各方案的差别会被冲淡"
        yield Finding("closed_book_share", "", "warning", message)


def _reviewed(cases: Sequence[Case]) -> Iterator[Finding]:
    waiting = sum(not case.reviewed_by for case in cases)
    if waiting:
        message = f"{waiting}/{len(cases)} 题没有人复核过；请按抽样表复核后填 reviewed_by"
        yield Finding("unreviewed", "", "person", message)
    nameless = [case.id for case in cases if not case.author]
    if nameless:
        message = f"{len(nameless)} 题没有写作者：{'、'.join(nameless[:5])} …；请填 author"
        yield Finding("no_author", "", "person", message)
