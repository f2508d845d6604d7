"""A run's verdicts for people to check, and what they said kept with the run."""

from __future__ import annotations

from dataclasses import replace

from youju.errors import InputError
from youju.lab.assembling import sights
from youju.lab.judge.calibration import Calibration
from youju.lab.judge.labels import Item, items
from youju.lab.runs import Folder
from youju.lab.summary.plain import plain


def judged_claims(folder: Folder) -> list[Item]:
    """All claims that the judge of a run gave a verdict on.

    Raises:
        InputError: nothing was judged.
    """
    judgements = folder.judgements().read()
    seens = sights(folder, folder.cases())
    found = [
        item
        for key, seen in seens.items()
        for item in items(key[0], key[2], replace(seen, judgement=judgements.get(key)))
    ]
    if not found:
        raise InputError("这次运行没有裁判的判定", remedy="请先用 youju eval run … --judge", code="not_judged")
    return found


def keep(folder: Folder, done: Calibration) -> None:
    """What people said of the judge, for reports and gates from now on."""
    manifest = folder.manifest
    judge = manifest["judge"] | {"calibrated": done.calibrated, "calibration": plain(done)}
    folder.describe(manifest | {"judge": judge})
