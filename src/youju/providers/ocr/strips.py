"""A long picture, such as a screenshot of many screens, read in strips at the size it has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from youju.providers.ocr.engine import LONGEST, Engine, Image, Reading

_SHARED = 200  # pixels that two strips have in common: several lines
_EDGE = 3  # pixels from where a strip was cut; a line so near may have lost a part
_MUCH = 0.5  # of the narrower of two lines


@dataclass(frozen=True)
class Strips:
    """What an `Engine` is, for pictures higher than it takes."""

    engine: Engine

    def lines(self, image: Image) -> list[Reading]:
        """The lines that stand in the picture, each once."""
        found = sorted(self._found(image), key=lambda one: one[0])  # of two readings the whole line comes first
        kept: list[Reading] = []
        for _, line in found:
            if not any(_same(line, other) for other in kept):
                kept.append(line)
        return kept

    def _found(self, image: Image) -> Iterator[tuple[bool, Reading]]:
        """The lines of every strip, and whether a cut runs through them."""
        height = image.shape[0]
        for top in range(0, max(height - _SHARED, 1), LONGEST - _SHARED):
            bottom = min(top + LONGEST, height)
            for line in self.engine.lines(np.ascontiguousarray(image[top:bottom])):
                cut = (top > 0 and line.y0 < _EDGE) or (bottom < height and line.y1 > bottom - top - _EDGE)
                yield cut, replace(line, y0=line.y0 + top, y1=line.y1 + top)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever else the engine can)
        return getattr(self.engine, name)


def _same(line: Reading, other: Reading) -> bool:
    shared = min(line.x1, other.x1) - max(line.x0, other.x0)
    return other.y0 < (line.y0 + line.y1) / 2 < other.y1 and shared > _MUCH * min(
        line.x1 - line.x0, other.x1 - other.x0
    )
