"""What an audit says of a question set."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Severity = Literal["error", "warning", "person"]
WARNED = 0.10  # share of the cases that may carry a warning in a set that passes


@dataclass(frozen=True, slots=True)
class Finding:
    """`case` is the id, "" for what concerns the whole set. `evidence` is what was seen, as it stands.

    error: a figure of this case would be wrong. warning: it may be. person: a machine cannot tell, someone must look.
    """

    check: str
    case: str
    severity: Severity
    message: str
    evidence: str = ""


@dataclass(frozen=True)
class Audit:
    """The findings in the order of the checks, over `cases` cases."""

    findings: tuple[Finding, ...]
    cases: int

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.severity == severity)

    @cached_property
    def warned(self) -> float:
        """Share of the cases with at least one warning, in [0, 1]; 0 for an empty set."""
        named = {one.case for one in self.of("warning") if one.case}
        return len(named) / self.cases if self.cases else 0.0

    @property
    def passed(self) -> bool:
        """No error, and warnings on at most a tenth of the cases. What a person must look at does not count."""
        return self.cases > 0 and not self.of("error") and self.warned <= WARNED

    @property
    def digest(self) -> str:
        """One line: how many findings of each severity, and the checks behind the errors and warnings."""
        if not self.cases:
            return "题目集是空的"
        names: tuple[tuple[Severity, str], ...] = (("error", "错误"), ("warning", "提醒"), ("person", "待人看"))
        told = [f"{name} {len(self.of(one))}{_kinds(self.of(one)) if one != 'person' else ''}" for one, name in names]
        return f"{self.cases} 题：" + "，".join(told)


def _kinds(findings: tuple[Finding, ...]) -> str:
    counts = Counter(one.check for one in findings).most_common()
    return f"（{'、'.join(f'{check} {n}' for check, n in counts)}）" if counts else ""
