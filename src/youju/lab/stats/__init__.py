"""What may be said about the figures of a run."""

from __future__ import annotations

from youju.lab.stats.agreement import Kappa, kappa
from youju.lab.stats.correction import Corrected, ppi
from youju.lab.stats.interval import Interval, wilson
from youju.lab.stats.many import bh, holm
from youju.lab.stats.means import Means, means
from youju.lab.stats.noninferiority import noninferior
from youju.lab.stats.paired import Paired, paired
from youju.lab.stats.power import cases_needed, cases_to_exclude
from youju.lab.stats.repeats import Components, averaged, components

__all__ = [
    "Components",
    "Corrected",
    "Interval",
    "Kappa",
    "Means",
    "Paired",
    "averaged",
    "bh",
    "cases_needed",
    "cases_to_exclude",
    "components",
    "holm",
    "kappa",
    "means",
    "noninferior",
    "paired",
    "ppi",
    "wilson",
]
