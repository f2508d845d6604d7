"""Runs of a store, one at a time and beside other work: begun, watched, taken up again, reported, decided upon."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from youju.chat.service import innermost
from youju.errors import ConflictError, InputError, NotFoundError, YoujuError
from youju.lab.audit import Audit, audit, loaded
from youju.lab.dataset import Case
from youju.lab.plan import Plan, selected
from youju.lab.results import Results
from youju.lab.runs import PREFIX, Folder, reports, runs
from youju.lab.service import Lab, Progress
from youju.lab.sets import described
from youju.lab.shelf import Sets
from youju.ports import StepsBack

State = Literal["running", "done", "interrupted", "failed"]
Work = Coroutine[object, object, None]
RUN = r"^[0-9]{8}-[0-9]{6}-[0-9]{6}$"
"""The name of a run: the moment it began."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a run stands. `verdict` once it is done, `error` (code, message, remedy) where it failed."""

    name: str
    state: State
    doing: str
    done: int
    total: int
    manifest: Mapping[str, Any]
    verdict: str | None
    error: Mapping[str, str] | None


class Desk:
    """The evaluations of a store.

    Args:
        lab: as it stands behind the service; its embedder steps back already where it can.
        folder: `sets` and `runs` are in it.
        judging: whether a run may use the judge, which costs money.
        options: of the plan, which callers do not choose.
    """

    def __init__(self, lab: Lab, folder: Path, *, judging: bool, options: Mapping[str, Any]) -> None:
        self.sets = Sets(folder / "sets")
        self._lab = lab
        self._runs = folder / "runs"
        self._judging = judging
        self._options = options
        self._busy = ""
        self._progress: Progress | None = None

    async def audited(self, name: str) -> Audit:
        """The audit of a set against what can be answered from now.

        Raises:
            NotFoundError: there is no such set.
        """
        return await self._audited(await asyncio.to_thread(self.sets.cases, name))

    async def begin(self, name: str, asked: Mapping[str, Any]) -> tuple[Run, Work]:
        """A new run of a set, and the work that brings it to its end; both are the caller's.

        Args:
            name: of the set.
            asked: what the caller chose of the plan.

        Raises:
            NotFoundError: there is no such set.
            InputError: the set failed its audit, no case is left, an arm is unknown or none can work.
            ConflictError: another run is under way, or the judge is not allowed.
        """
        plan = Plan(**{**self._options, **asked})
        if plan.measuring == "full" and not self._judging:
            raise ConflictError(
                "裁判模型会产生费用，须明确允许",
                remedy="请设置 YOUJU_EVAL_ENABLED=true 后重启服务",
                code="judge_not_allowed",
            )
        file = self.sets.found(name)
        self._take("…")
        try:
            whole = await asyncio.to_thread(self.sets.cases, name)
            cases, about = await self._admitted(file, whole, plan)
            folder = await self._lab.begin(plan, cases, self._runs, about=about)
        except BaseException:
            self._busy = ""
            raise
        return self._started(folder, plan, cases)

    async def resume(self, name: str) -> tuple[Run, Work]:
        """As `begin`, of a run that was interrupted or failed; what it has is not asked again.

        Raises:
            NotFoundError: there is no such run.
            ConflictError: it is done, or one is under way.
            InputError: the material, models or settings are other ones now.
        """
        folder = self._folder(name)
        if _state(folder.manifest) == "done":
            raise ConflictError(f"运行 {name} 已经完成", remedy="请直接查看它的报告", code="run_done")
        self._take("…")
        try:
            manifest = folder.manifest
            plan, cases = _planned(manifest, self._options), await asyncio.to_thread(folder.cases)
            await self._lab.unchanged(folder, plan, manifest["set"])
        except BaseException:
            self._busy = ""
            raise
        folder.describe({key: one for key, one in manifest.items() if key != "failed"})
        return self._started(folder, plan, cases)

    def listed(self, skip: int, most: int) -> tuple[list[Run], int]:
        """Runs, newest first, and how many there are in all."""
        names = sorted((one.name for one in runs(self._runs)), reverse=True)
        return [self.get(name) for name in names[skip : skip + most]], len(names)

    def get(self, name: str) -> Run:
        """How a run stands.

        Raises:
            NotFoundError: there is no such run.
        """
        folder = self._folder(name)
        manifest = folder.manifest
        total = len(manifest["set"]["cases"]) * int(manifest["plan"]["repeats"])
        if name == self._busy:
            now = self._progress
            doing = (now.doing, now.done, now.total) if now else ("asking", 0, total)
            return Run(name, "running", *doing, manifest, None, None)
        state = _state(manifest)
        done = total if state == "done" else _done(folder)
        return Run(name, state, "", done, total, manifest, manifest.get("verdict"), manifest.get("failed"))

    def report(self, name: str, suffix: str) -> str:
        """The report of a run that is done, as `md`, `json` or `html`.

        Raises:
            NotFoundError: there is no such run.
            ConflictError: it is not done.
        """
        folder, file = self._whole(name), self._runs / f"report-{name}.{suffix}"
        if not file.exists():
            # It went with the text of a document that was deleted.
            _reported(folder, newest=False)
        return file.read_text(encoding="utf-8")

    def delete(self, name: str) -> None:
        """Remove a run and its reports. What models answered stays for other runs that ask the same.

        Raises:
            NotFoundError: there is no such run.
            ConflictError: it is under way.
        """
        folder = self._folder(name)
        if name == self._busy:
            raise ConflictError(f"运行 {name} 正在进行", remedy="请等它结束", code="run_busy")
        for one in reports(self._runs, name):
            one.unlink(missing_ok=True)
        # The manifest first: without it the rest is no run, should the process end here.
        (folder.path / "manifest.json").unlink(missing_ok=True)
        shutil.rmtree(folder.path)

    def results(self, name: str) -> Results:
        """The figures of a run that is done.

        Raises:
            NotFoundError: there is no such run.
            ConflictError: it is not done.
        """
        from youju.lab.assembling import results  # noqa: PLC0415 - brings numbers that asking does not need

        return results(self._whole(name))

    def compared(self, before: str, after: str, *, arm: str, other: str) -> dict[str, object]:
        """What `youju eval compare --json` says of two runs; errors as of `results`, and as of `compare`."""
        from youju.lab.compare import compare  # noqa: PLC0415 - see `results`
        from youju.lab.summary.plain import plain  # noqa: PLC0415

        first = self.results(before)
        second = first if after == before else self.results(after)
        found = plain(compare(first, second, arm=arm, other=other))
        return found if isinstance(found, dict) else {}

    def gated(self, baseline: str, run: str, *, arm: str, primary: str, margin: float) -> dict[str, object]:
        """What `youju eval gate --json` says of two runs; errors as of `results`, and as of `gate`."""
        from youju.lab.gate import gate  # noqa: PLC0415 - see `results`
        from youju.lab.report.deciding import paragraph  # noqa: PLC0415
        from youju.lab.summary.plain import plain  # noqa: PLC0415

        now = self.results(run)
        found = gate(self.results(baseline), now, arm=arm, primary=primary, margin=margin)
        facts = plain(found)
        return {"reason": paragraph(found, now.measures, arm), **(facts if isinstance(facts, dict) else {})}

    def _take(self, name: str) -> None:
        if self._busy:
            raise ConflictError(
                "已有一次评测正在进行", remedy="请等它结束；GET /api/evals/runs 看进度", code="run_busy"
            )
        self._busy = name

    def _started(self, folder: Folder, plan: Plan, cases: list[Case]) -> tuple[Run, Work]:
        self._busy, self._progress = folder.name, None
        return self.get(folder.name), self._finish(folder, plan, cases)

    async def _finish(self, folder: Folder, plan: Plan, cases: list[Case]) -> None:
        try:
            await self._lab.take_up(folder, plan, cases, about=folder.manifest["set"], show=self._show)
            self._progress = Progress("reporting", 0, 1, 0, None)
            verdict = await asyncio.to_thread(_reported, folder)
            folder.describe(folder.manifest | {"verdict": verdict})
        except Exception as error:
            folder.describe(folder.manifest | {"failed": _failure(error)})
            raise
        finally:
            self._busy, self._progress = "", None

    def _show(self, progress: Progress) -> None:
        self._progress = progress

    async def _audited(self, cases: list[Case]) -> Audit:
        return await asyncio.to_thread(audit, cases, await self._lab.store.read(loaded))

    async def _admitted(self, file: Path, whole: list[Case], plan: Plan) -> tuple[list[Case], dict[str, object]]:
        found = await self._audited(whole)
        if not found.passed and not plan.despite_audit:
            raise InputError(
                f"题目集没有通过审核：{found.digest}",
                remedy="请查看 POST /api/evals/sets/{name}/audit 并改正，或带上 despite_audit",
                code="audit_failed",
            )
        cases = selected(whole, plan)
        return cases, described([file], cases) | {"audit": {"passed": found.passed, "digest": found.digest}}

    def _whole(self, name: str) -> Folder:
        folder = self._folder(name)
        if name == self._busy or _state(folder.manifest) != "done":
            raise ConflictError(
                f"运行 {name} 还没有完成", remedy="请等它结束；中断的可用 resume 接着跑", code="run_unfinished"
            )
        return folder

    def _folder(self, name: str) -> Folder:
        folder = Folder(self._runs / f"{PREFIX}{name}")
        if not (folder.path / "manifest.json").is_file():
            raise NotFoundError(f"没有评测运行 {name}", remedy="GET /api/evals/runs 列出所有运行", code="no_such_run")
        return folder


def stepping_back(lab: Lab, **changes: Any) -> Lab:  # noqa: ANN401 - fields of the lab
    """The lab for work that nobody waits for: its embedder lets questions go first where it can."""
    embedder = lab.parts.embedder
    quiet = embedder.background() if isinstance(embedder, StepsBack) else embedder
    return replace(lab, parts=replace(lab.parts, embedder=quiet), **changes)


def _state(manifest: Mapping[str, Any]) -> State:
    if "failed" in manifest:
        return "failed"
    return "done" if "verdict" in manifest else "interrupted"


def _planned(manifest: Mapping[str, Any], options: Mapping[str, Any]) -> Plan:
    """The plan as the manifest of a run has it."""
    kept = manifest["plan"] | {name: tuple(manifest["plan"][name]) for name in ("arms", "categories")}
    return Plan(**{**options, **kept})


def _done(folder: Folder) -> int:
    """How many cases, once for each repeat, every arm has answered."""
    able = [one["name"] for one in folder.manifest["arms"] if not one["missing"]]
    done = folder.answers().done
    return sum(all((arm, case, repeat) in done for arm in able) for case, repeat in {key[1:] for key in done})


def _reported(folder: Folder, *, newest: bool = True) -> str:
    from youju.lab.reporting import reported  # noqa: PLC0415 - see `Desk.results`

    return reported(folder, newest=newest)


def _failure(error: Exception) -> dict[str, str]:
    one = innermost(error)
    if isinstance(one, YoujuError):
        return {"code": one.code, "message": one.message, "remedy": one.remedy}
    return {"code": "internal", "message": "程序出错", "remedy": "请报告这个问题；详情见服务的日志"}
