"""The figures of a run, ready to be written down."""

from __future__ import annotations

from youju.lab.summary.figures import Cell, Contrast, Slice, Spread, Summary
from youju.lab.summary.plain import plain
from youju.lab.summary.summarise import summarise

__all__ = ["Cell", "Contrast", "Slice", "Spread", "Summary", "plain", "summarise"]
