"""Chinese set in columns from top to bottom, the first at the right → as if the page were turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from youju.providers.pdf.glyphs import Glyph

_FEW = 30  # steps down, below which a page is not set so
_MOST = 2  # times as many steps down as to the right
_DESCENT = 0.12
_DOWN = 3  # quarter turns to the left of text that runs down
_WIDE = "\u2e80"  # Chinese characters and their marks begin here


def stood_up(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The letters; those of columns, on a page set in them, as if they lay on their side in a line that runs down."""
    steps = [_steps_down(above, below) for above, below in pairwise(glyphs)]
    down = sum(step == "down" for step in steps)
    if down < _FEW or down < _MOST * sum(step == "right" for step in steps):
        return list(glyphs)
    return list(_stood_up(glyphs, steps))


def _steps_down(above: Glyph, below: Glyph) -> str:
    if above.turn or below.turn or min(above.char, below.char) < _WIDE:
        return ""
    size = max(above.size, below.size)
    across, along = below.x0 - above.x0, below.y0 - above.y0
    if abs(across) < 0.3 * size and 0.7 * size < along < 2.2 * size:
        return "down"
    return "right" if abs(along) < 0.3 * size and 0.7 * size < across < 1.35 * size else ""


def _stood_up(glyphs: Sequence[Glyph], steps: Sequence[str]) -> Iterator[Glyph]:
    for glyph, before, after in zip(glyphs, ["", *steps], [*steps, ""], strict=True):
        # A letter that has a column to itself has no step down.
        alone = not glyph.turn and glyph.char >= _WIDE and "right" not in {before, after}
        if alone or "down" in {before, after}:
            base = (glyph.x0 + _DESCENT * glyph.size, glyph.y0)
            yield glyph._replace(turn=_DOWN, base=base, begins=before != "down", space=False)
        else:
            yield glyph
