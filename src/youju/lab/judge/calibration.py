"""How far the judge's verdicts agree with people's, and the figure that people would have found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from youju.lab.judge.labels import Item
from youju.lab.judgement import YesNo
from youju.lab.stats.agreement import Kappa, kappa
from youju.lab.stats.correction import Corrected, ppi

CLASSES: tuple[YesNo, ...] = ("yes", "no", "unknown")
SUBSTANTIAL = 0.6
"""κ from which a judge may stand for people (Landis, Koch 1977: "substantial")."""
LABELS_MIN = 30
"""Below, κ = 1 may be luck: 30 labels leave its interval about ± .3."""
_TWO = 2


@dataclass(frozen=True, slots=True)
class Calibration:
    """`table`: a row a class that people named, a column a class that the judge named, both as in `CLASSES`.

    `judged` is the share of claims that the judge calls founded; `corrected` the share that people would, by PPI++;
    None where too few are labelled or nothing else is left. Claims of one answer are taken as independent.
    """

    table: tuple[tuple[int, ...], ...]
    agreement: Kappa
    judged: float
    corrected: Corrected | None

    @property
    def calibrated(self) -> bool:
        value = self.agreement.kappa
        return value is not None and value >= SUBSTANTIAL and self.agreement.n >= LABELS_MIN


def calibrate(known: Sequence[Item], labels: Mapping[str, YesNo]) -> Calibration | None:
    """The judge beside people; None where nobody has labelled anything.

    Args:
        known: all judged claims of a run, or of one arm of it.
        labels: by id, of a sample that stands for `known`, as `labels.draw` makes it; those of other items are ignored.
    """
    labelled = [item for item in known if item.id in labels]
    if not labelled:
        return None
    pairs = [(labels[item.id], item.claim.founded) for item in labelled]
    table = tuple(tuple(pairs.count((human, judge)) for judge in CLASSES) for human in CLASSES)
    rest = [_yes(item.claim.founded) for item in known if item.id not in labels]
    enough = len(labelled) >= _TWO and rest
    corrected = ppi([_yes(judge) for _, judge in pairs], [_yes(human) for human, _ in pairs], rest) if enough else None
    judged = sum(_yes(item.claim.founded) for item in known) / len(known)
    return Calibration(table, kappa(table), judged, corrected)


def _yes(verdict: YesNo) -> float:
    return float(verdict == "yes")
