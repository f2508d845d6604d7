"""Figures for a monitor, in Prometheus' text format."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

BOUNDS_S = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
Labels = tuple[tuple[str, str], ...]


@dataclass
class Histogram:
    """How often something took how many seconds; `counts[i]`: at most BOUNDS_S[i], the last one longer."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS_S, seconds)] += 1
        self.total += seconds


@dataclass
class Meter:
    """Counted since the service began; used from its event loop only."""

    requests: Counter[Labels] = field(default_factory=Counter)
    degradations: Counter[Labels] = field(default_factory=Counter)
    refusals: Counter[Labels] = field(default_factory=Counter)
    chats: Histogram = field(default_factory=Histogram)

    def request(self, scope: Mapping[str, Any], status: int, seconds: float) -> None:
        """Count a request by its route, never by its path: that may hold anything. Status 0: its caller left."""
        route = getattr(scope.get("route"), "path", "") or "-"
        # Methods are the caller's words, too.
        method = scope["method"] if scope["method"] in METHODS else "-"
        self.requests[("method", method), ("route", route), ("status", str(status))] += 1
        if route == "/api/chat" and status == 200:  # noqa: PLR2004 - done
            self.chats.add(seconds)

    def turn(self, degradations: Iterable[tuple[str, str]], refusal: str | None) -> None:
        """Count what an answer lacked."""
        for part, reason in degradations:
            self.degradations[("part", part), ("reason", reason)] += 1
        if refusal:
            self.refusals[(("reason", refusal),)] += 1


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def written(meter: Meter, gauges: Mapping[str, tuple[str, Mapping[Labels, float]]]) -> str:
    """The page of `/metrics`; `gauges`: name → what it means, value by labels."""
    lines: list[str] = []
    for name, told, counts in (
        ("youju_requests_total", "HTTP requests by route and status", meter.requests),
        ("youju_degradations_total", "Parts of answers that failed and were done without", meter.degradations),
        ("youju_refusals_total", "Refused answers by reason", meter.refusals),
    ):
        lines += [*_head(name, told, "counter"), *(_line(name, labels, n) for labels, n in sorted(counts.items()))]
    lines += _histogram("youju_chat_seconds", "Seconds until a chat was answered whole", meter.chats)
    for name, (told, values) in gauges.items():
        lines += [*_head(name, told, "gauge"), *(_line(name, labels, value) for labels, value in values.items())]
    return "\n".join(lines) + "\n"


def _histogram(name: str, told: str, one: Histogram) -> list[str]:
    lines, below = _head(name, told, "histogram"), 0
    for bound, count in zip([*map(str, BOUNDS_S), "+Inf"], one.counts, strict=True):
        below += count
        lines.append(_line(f"{name}_bucket", (("le", bound),), below))
    return [*lines, _line(f"{name}_sum", (), round(one.total, 6)), _line(f"{name}_count", (), below)]


def _head(name: str, told: str, kind: str) -> list[str]:
    return [f"# HELP {name} {told}", f"# TYPE {name} {kind}"]


def _line(name: str, labels: Sequence[tuple[str, str]], value: float) -> str:
    inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels)
    return f"{name}{{{inside}}} {value:g}" if inside else f"{name} {value:g}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
