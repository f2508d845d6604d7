"""The rows of a run by arm and measure, one score a case, and two such columns side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from youju.lab.dataset import Case
from youju.lab.results import MeasureInfo, Results
from youju.lab.score import Score
from youju.lab.stats.paired import FEW_CLUSTERS, Paired, paired
from youju.lab.stats.repeats import averaged

Column = Mapping[str, Score]
"""Case → its score, averaged over the repeats."""


def columns(results: Results) -> dict[tuple[str, str], Column]:
    """(arm, measure) → column, cases in the order of the rows."""
    rows: defaultdict[tuple[str, str], defaultdict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    for row in results.rows:
        rows[row.arm, row.measure][row.case_id].append(row.score)
    return {key: {case: averaged(scores) for case, scores in column.items()} for key, column in rows.items()}


def shared(before: Column, after: Column) -> tuple[list[str], list[float], list[float]]:
    """The cases where both columns have a value, and the values of each."""
    both = [
        (case, old.value, after[case].value) for case, old in before.items() if case in after and old.value is not None
    ]
    known = [(case, old, new) for case, old, new in both if new is not None]
    return [one[0] for one in known], [one[1] for one in known], [one[2] for one in known]


def pair(before: Column, after: Column, info: MeasureInfo, documents: Mapping[str, str] | None = None) -> Paired:
    """What the second column gained, over the cases where both have a value.

    Args:
        before: the column to start from.
        after: the one to compare.
        info: says whether the figures are yes and no.
        documents: case → the document it is about. Cases of one document are taken together where there are at least
            8 documents; where there are fewer the figure is of these documents only, and `note` says few_documents.
    """
    cases, old, new = shared(before, after)
    groups = [documents.get(case, case) for case in cases] if documents else []
    several = 0 < len(set(groups)) < len(groups)
    if several and len(set(groups)) >= FEW_CLUSTERS:
        return paired(old, new, binary=info.binary, clusters=groups)
    found = paired(old, new, binary=info.binary)
    return replace(found, note=f"{found.note} few_documents".strip()) if several else found


def documents_of(cases: Iterable[Case]) -> dict[str, str]:
    """Case → the first document it expects; a case that expects none stands for itself and is left out."""
    return {case.id: case.expected_docs[0][0] for case in cases if case.expected_docs and case.expected_docs[0]}


def error_shares(results: Results) -> dict[tuple[str, str], float]:
    """(arm, measure) → the share of errors among the rows that should have a value; 0 where none should."""
    due: Counter[tuple[str, str]] = Counter()
    failed: Counter[tuple[str, str]] = Counter()
    for row in results.rows:
        due[row.arm, row.measure] += row.score.kind != "not_applicable"
        failed[row.arm, row.measure] += row.score.kind == "error"
    return {key: failed[key] / rows if rows else 0.0 for key, rows in due.items()}
