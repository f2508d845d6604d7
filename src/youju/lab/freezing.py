"""The figures of a run, kept apart from the texts they were made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from pydantic import TypeAdapter

from youju.lab.results import Outcome, Results, Row

_ROWS: TypeAdapter[tuple[Row, ...]] = TypeAdapter(tuple[Row, ...])
_OUTCOMES: TypeAdapter[tuple[Outcome, ...]] = TypeAdapter(tuple[Outcome, ...])


def frozen(results: Results) -> dict[str, object]:
    """Rows and outcomes as JSON, without a word of an answer."""
    return {
        "rows": [asdict(one) for one in results.rows],
        "outcomes": [asdict(replace(one, answer="")) for one in results.outcomes],
    }


def thawed(found: Mapping[str, Any]) -> tuple[tuple[Row, ...], tuple[Outcome, ...]]:
    """What `frozen` gave."""
    return _ROWS.validate_python(found["rows"]), _OUTCOMES.validate_python(found["outcomes"])
