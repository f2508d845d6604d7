"""What a measure is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from youju.lab.results import MeasureInfo
from youju.lab.score import Score
from youju.lab.seen import Seen


class Measure(Protocol):
    """Pure: the same Seen gives the same Score. Nothing is fetched, asked or remembered."""

    @property
    def info(self) -> MeasureInfo: ...

    def __call__(self, seen: Seen) -> Score: ...


@dataclass(frozen=True)
class Computed:
    """A measure that is a plain function; the function's docstring says what comes out."""

    info: MeasureInfo
    compute: Callable[[Seen], Score]

    def __call__(self, seen: Seen) -> Score:
        return self.compute(seen)
