"""From the rows of a run to its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from youju.lab.columns import Column, columns, documents_of, error_shares
from youju.lab.results import MeasureInfo, Results
from youju.lab.stats.means import means
from youju.lab.stats.repeats import components
from youju.lab.summary.contrasts import contrasts
from youju.lab.summary.figures import Cell, Slice, Spread, Summary
from youju.lab.summary.plan import pairs, primaries
from youju.lab.summary.whole import repeats_of

SLICE_INTERVAL_FROM = 10


def summarise(results: Results, primary: Mapping[str, str] | str, *, by_document: bool = True) -> Summary:
    """All figures of a run.

    Args:
        results: complete, of one or more arms.
        primary: family → the one measure of it that was planned to be tested; a name alone is the primary of its
            family, and then everything else is exploratory. A mapping may name measures that did not run.
        by_document: whether cases of one document count as dependent (from 8 documents on).

    Raises:
        ValueError: rows are missing, double, or of nothing that ran; a mistake in the runner.
        InputError: no such primary measure.
    """
    repeats = repeats_of(results)
    table = columns(results)
    planned = primaries(primary, results.measures)
    documents = documents_of(results.cases) if by_document else {}
    return Summary(
        arms=tuple(arm for arm in results.arms if not arm.missing),
        missing=tuple(arm for arm in results.arms if arm.missing),
        measures=results.measures,
        primary=planned,
        cases=len(results.cases),
        repeats=repeats,
        cells=tuple(_cells(results, table)),
        contrasts=contrasts(results, table, pairs=pairs(results.arms), primary=planned, documents=documents),
        slices=tuple(_slices(results, table)),
        spreads=tuple(_spreads(results)) if repeats > 1 else (),
    )


def ends(info: MeasureInfo) -> tuple[float, float] | None:
    """Between which values the measure lies; None where it has a unit and so no upper end."""
    return None if info.unit else (0.0, 1.0)


def _ran(results: Results) -> Iterator[tuple[str, MeasureInfo]]:
    for arm in results.arms:
        if not arm.missing:
            for info in results.measures:
                yield arm.name, info


def _cells(results: Results, table: Mapping[tuple[str, str], Column]) -> Iterator[Cell]:
    errors = error_shares(results)
    for arm, info in _ran(results):
        scores = list(table.get((arm, info.name), {}).values())
        found = means(scores, better=info.better, ends=ends(info))
        yield Cell(arm, info.name, found, errors.get((arm, info.name), 0.0))


def _slices(results: Results, table: Mapping[tuple[str, str], Column]) -> Iterator[Slice]:
    categories = dict.fromkeys(case.category for case in results.cases)
    members = {name: [case.id for case in results.cases if case.category == name] for name in categories}
    for name, ids in members.items():
        for arm, info in _ran(results):
            column = table.get((arm, info.name), {})
            found = means([column[id_] for id_ in ids], better=info.better, ends=ends(info))
            wide = found.n >= SLICE_INTERVAL_FROM
            yield Slice(
                category=name,
                arm=arm,
                measure=info.name,
                n=found.n,
                not_applicable=found.not_applicable,
                errors=found.errors,
                mean=found.complete,
                low=found.low if wide else None,
                high=found.high if wide else None,
            )


def _spreads(results: Results) -> Iterator[Spread]:
    order = sorted(results.rows, key=lambda row: (row.arm, row.measure, row.case_id, row.repeat))
    for (arm, measure), rows in groupby(order, key=lambda row: (row.arm, row.measure)):
        cases = [
            [[row.score.value] for row in repeats if row.score.value is not None]
            for _, repeats in groupby(rows, key=lambda row: row.case_id)
        ]
        if known := [case for case in cases if case]:
            yield Spread(arm, measure, components(known))
