"""Is every row there that must be?"""

from __future__ import annotations

from collections import Counter

from youju.lab.results import Results


def repeats_of(results: Results) -> int:
    """How often each question was asked: at least 1.

    Raises:
        ValueError: rows are not exactly arms that ran × cases × repeats × measures, each once.
    """
    repeats = sorted({row.repeat for row in results.rows}) or [0]
    wanted = {
        (arm.name, case.id, repeat, info.name)
        for arm in results.arms
        if not arm.missing
        for case in results.cases
        for repeat in repeats
        for info in results.measures
    }
    counts = Counter((row.arm, row.case_id, row.repeat, row.measure) for row in results.rows)
    lost, strange = wanted - counts.keys(), counts.keys() - wanted
    twice = [key for key, times in counts.items() if times > 1]
    if lost or strange or twice:
        example = min(lost or strange or twice)
        raise ValueError(
            f"{len(lost)} rows are missing, {len(strange)} are of nothing that ran, {len(twice)} are double: {example}"
        )
    return len(repeats)
