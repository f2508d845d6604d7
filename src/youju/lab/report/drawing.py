"""Plots as SVG: text stays text, so that Chinese is shown in whatever font the reader has, and no font comes along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

FONT = "system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
COLOURS = ("#2f6f9f", "#c4703d", "#4d8f5b", "#8a5a9e", "#b5495b", "#6b7280", "#b08a2e", "#3d8f8f")
GREY = "#9ca3af"
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """Values to places along a line, both ends included."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low or 1.0
        return self.start + (min(max(value, self.low), self.high) - self.low) / span * (self.end - self.start)

    def ticks(self, n: int = 5) -> list[float]:
        return [self.low + (self.high - self.low) * at / (n - 1) for at in range(n)]


def svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """A whole picture with its title for those who cannot see it."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img"'
    body = "".join(parts)
    return f'{head} font-family="{FONT}" font-size="12"><title>{escape(title)}</title>{body}</svg>\n'


def text(x: float, y: float, said: str, *, anchor: str = "start", colour: str = "#111827") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(said)}</text>'


def line(start: Place, end: Place, *, colour: str = "#111827", width: float = 1, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    place = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    return f'<line {place} stroke="{colour}" stroke-width="{width:g}"{dashed}/>'


def path(points: Sequence[Place], *, colour: str) -> str:
    along = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{along}" fill="none" stroke="{colour}" stroke-width="2"/>'


def bar(corner: Place, width: float, height: float, *, colour: str, said: str) -> str:
    """A bar that says what it is when it is pointed at."""
    place = f'x="{corner[0]:.1f}" y="{corner[1]:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="{colour}"><title>{escape(said)}</title></rect>'


def dot(x: float, y: float, *, colour: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
