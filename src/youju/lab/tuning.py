"""Calibration and sweeps as whole pieces of work: run on one split, choose, tell on another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import tomlkit
from tomlkit.exceptions import ParseError

from youju.errors import InputError
from youju.lab import sets
from youju.lab.assembling import results, sights
from youju.lab.calibrate import Calibration, Point, calibrate, graded, point
from youju.lab.dataset import Case
from youju.lab.plan import Plan, selected
from youju.lab.results import Results
from youju.lab.seen import Seen
from youju.lab.service import Lab, Show, unseen
from youju.lab.sweep import Swept, chosen, grid, told

GATED = "chat"


@dataclass(frozen=True, slots=True)
class Search:
    """What a sweep tries: knob → values, and the measure that decides."""

    axes: Mapping[str, Sequence[object]]
    measure: str


@dataclass(frozen=True, slots=True)
class Calibrated:
    """`told`: what the bounds do on the other split; None where the set has none."""

    found: Calibration
    told: Point | None
    values: Mapping[str, Mapping[str, object]]


async def calibrated(lab: Lab, cases: Sequence[Case], plan: Plan, *, wanted: float, told_on: str = "") -> Calibrated:
    """Bounds for the served chain, chosen on the plan's split.

    Args:
        lab: whose parts they are for.
        cases: of the whole set.
        plan: split, limit and categories; everything else is as it must be.
        wanted: precision of refusals, in (0, 1].
        told_on: the split on which they are told; "" = none.

    Raises:
        InputError: see `calibrate.graded`.
    """
    plan = replace(plan, arms=(GATED,), measuring="retrieval", repeats=1, timing_cases=0)
    # Every hit must be there to be judged, whatever today's threshold lets pass.
    open_lab = replace(lab, knobs=lab.knobs.model_copy(update={"similarity_threshold": -1.0}))
    seens = await _seen(open_lab, plan, cases)
    found = calibrate(seens, lab.parts.grader, wanted)
    bounds = replace(lab.parts.grader, low=found.low, high=found.high)
    other = await _seen(open_lab, replace(plan, split=told_on), cases) if told_on else []
    after = point(graded(other), bounds) if other else None
    return Calibrated(found, after, _settings(lab, found, plan, len(seens)))


def _settings(lab: Lab, found: Calibration, plan: Plan, n: int) -> dict[str, dict[str, object]]:
    reached = found.chosen.precision.value
    low, high = found.chosen.precision.interval
    precision = "—" if reached is None else f"{reached:.3f} [{low:.3f}, {high:.3f}]"
    on = f"{datetime.now(UTC).date()}，{plan.split or '全部'} {n} 题"
    basis = f"{on}，拒答精度 {precision}（要求 {found.wanted:g}）"
    fingerprint = lab.parts.embedder.profile.fingerprint
    grading: dict[str, object] = {
        "low": found.low,
        "high": found.high,
        "calibrated_for": fingerprint,
        "calibrated_on": basis,
    }
    values: dict[str, dict[str, object]] = {"grading": grading}
    if found.threshold is not None:
        values["retrieval"] = {"similarity_threshold": found.threshold}
    return values


def write_settings(file: Path, values: Mapping[str, Mapping[str, object]]) -> None:
    """Put the values into a settings file; whatever else stands there stays as it is.

    Raises:
        InputError: the file is no TOML, or cannot be written.
    """
    try:
        document = tomlkit.parse(file.read_text(encoding="utf-8-sig")) if file.exists() else tomlkit.document()
        for section, pairs in values.items():
            table = document.setdefault(section, tomlkit.table())
            for name, value in pairs.items():
                table[name] = value
        file.write_text(tomlkit.dumps(document), encoding="utf-8")
    except (OSError, UnicodeDecodeError, ParseError) as error:
        raise InputError(f"写不了设置文件 {file}：{error}", remedy="请检查该文件", code="unwritable") from error


async def swept(
    lab: Lab, cases: Sequence[Case], plan: Plan, search: Search, *, told_on: str = "", show: Show = unseen
) -> Swept:
    """The best of a grid on the plan's split, against the usual settings on another.

    Args:
        lab: whose parts are used.
        cases: of the whole set.
        plan: its first arm is the base of the grid.
        search: what is tried, and what decides.
        told_on: the split on which the best is told; "" = none.
        show: told how far it is.

    Raises:
        InputError: see `sweep.grid` and `sweep.chosen`.
    """
    arms = grid(plan.arms[0], search.axes)
    plan = replace(plan, arms=tuple(arms), own=arms, timing_cases=0)
    # A knob that is none is told before anything about the questions.
    lab.arms(plan)
    tried, luck = chosen(await _figures(lab, plan, cases, show), search.measure, arms, plan.seed)
    best, usual = tried[0], next(one for one in tried if one.arm == "usual")
    after = None
    if told_on and best.arm != usual.arm:
        pair = replace(plan, arms=(usual.arm, best.arm), split=told_on)
        after = told(await _figures(lab, pair, cases, show), search.measure, usual.arm, best.arm)
    return Swept(search.measure, tuple(tried), best, usual, abs(best.mean - usual.mean), luck, after)


async def _figures(lab: Lab, plan: Plan, cases: Sequence[Case], show: Show) -> Results:
    some = selected(cases, plan)
    with TemporaryDirectory(prefix="youju-") as folder:
        return results(await lab.run(plan, some, Path(folder), about=sets.described((), some), show=show))


async def _seen(lab: Lab, plan: Plan, cases: Sequence[Case]) -> list[Seen]:
    some = selected(cases, plan)
    with TemporaryDirectory(prefix="youju-") as folder:
        run = await lab.run(plan, some, Path(folder), about=sets.described((), some))
        return list(sights(run, some).values())
