"""The lab: question sets through arms, kept on the disk, measured as often as one likes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from youju.errors import ConfigError, ConflictError, InputError
from youju.lab import corpus, manifest
from youju.lab.arms import Arm, chosen
from youju.lab.bill import Bill, OverspentError, first
from youju.lab.calls import Calls, Remembering
from youju.lab.dataset import Case
from youju.lab.embedding import EachOnce
from youju.lab.forgetting import Forgetting
from youju.lab.judging import Asked, Judging
from youju.lab.lines import Lines
from youju.lab.plan import Estimate, Plan, Price, estimate
from youju.lab.runner import Record, Runner, timed
from youju.lab.runs import CALLS, Folder, begun, runs
from youju.lab.seen import Material
from youju.settings import Knobs
from youju.stages.recipes import Parts
from youju.storage.engine import Store
from youju.types import Turn


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `doing`: asking, timing or judging; `cost` None where a price is unknown."""

    doing: str
    done: int
    total: int
    calls: int
    cost: float | None


Show = Callable[[Progress], None]


def unseen(progress: Progress) -> None:
    """A `Show` for callers who do not look."""


Wait = Callable[[], Awaitable[None]]


async def at_once() -> None:
    """A `Wait` for a process that does nothing else."""


@dataclass(frozen=True)
class Lab:
    """Args: the store and the parts of the served chain; `judge` judges where a run asks for it.

    `turn` is awaited before each question: who serves others meanwhile lets them go first.
    """

    store: Store
    parts: Parts
    knobs: Knobs
    persona: str
    judge: Asked | None = None
    answer_price: Price = field(default_factory=Price)
    judge_price: Price = field(default_factory=Price)
    turn: Wait = field(default=at_once, kw_only=True)

    def arms(self, plan: Plan, parts: Parts | None = None) -> tuple[Arm, ...]:
        """The arms of a plan, those that cannot work too.

        Raises:
            InputError: an unknown arm or persona.
        """
        return chosen(plan.arms, parts or self.parts, self.knobs, plan.persona, plan.own)

    def estimate(self, plan: Plan, cases: Sequence[Case]) -> Estimate:
        """What a run would cost at most; nothing is asked."""
        return estimate(plan, cases, self.arms(plan), answer=self.answer_price, judge=self.judge_price)

    async def documents(self) -> dict[str, Material]:
        return await self.store.read(corpus.ready)

    async def run(
        self, plan: Plan, cases: Sequence[Case], out: Path, *, about: Mapping[str, object], show: Show = unseen
    ) -> Folder:
        """A run of its own folder in `out`, finished; or cut off at the bound of its cost, and still valid.

        Args:
            plan: what to do.
            cases: already selected.
            out: where runs, reports and the answers of paid models are kept.
            about: the set in the manifest: name, hash, cases (id → hash), audit.
            show: told how far it is.

        Raises:
            InputError: no arm can work, or nothing can be judged.
        """
        folder = await self.begin(plan, cases, out, about=about)
        await self._finish(folder, plan, cases, show)
        return folder

    async def begin(self, plan: Plan, cases: Sequence[Case], out: Path, *, about: Mapping[str, object]) -> Folder:
        """The folder of a run, in which nothing is asked yet; arguments and errors as of `run`."""
        documents = await self.documents()
        return begun(out, self._manifest(plan, self._able(plan), documents, about), cases)

    async def resume(
        self, plan: Plan, cases: Sequence[Case], out: Path, *, about: Mapping[str, object], show: Show = unseen
    ) -> Folder:
        """The newest run of `out`, taken up where it ended; a finished one as it is. No paid call is repeated.

        Raises:
            InputError: there is none, or it is a run of something else; the message says of what.
        """
        there = runs(out)
        if not there:
            raise InputError(f"{out} 中没有可以继续的运行", remedy="请去掉 --resume", code="nothing_to_resume")
        await self.take_up(there[-1], plan, cases, about=about, show=show)
        return there[-1]

    async def take_up(
        self, folder: Folder, plan: Plan, cases: Sequence[Case], *, about: Mapping[str, object], show: Show = unseen
    ) -> None:
        """Bring this run to its end; nothing to do for a finished one.

        Raises:
            InputError: it is a run of something else; the message says of what.
        """
        now = await self.unchanged(folder, plan, about)
        if not folder.finished:
            folder.describe(folder.manifest | {"plan": now["plan"]})
            await self._finish(folder, plan, cases, show)

    async def unchanged(self, folder: Folder, plan: Plan, about: Mapping[str, object]) -> Mapping[str, Any]:
        """The manifest that this run would have if it began now.

        Raises:
            InputError: the run was of something else; the message says of what.
        """
        before, now = folder.manifest, self._manifest(plan, self._able(plan), await self.documents(), about)
        other = manifest.differences(before, now)
        if other:
            raise InputError(
                f"上一次运行的{'、'.join(other)}与现在的不同，不能接着跑",
                remedy="请用同样的题目集、方案、资料与设置，或去掉 --resume 另起一次",
                code="other_run",
            )
        return now

    def _able(self, plan: Plan) -> tuple[Arm, ...]:
        arms = self.arms(plan)
        if not any(arm.pipeline for arm in arms):
            reasons = "；".join(f"{arm.info.name} {arm.info.missing}" for arm in arms)
            raise InputError(f"没有一个方案能运行：{reasons}", remedy="请换一个方案，或补上所缺", code="no_arm")
        if plan.measuring == "full" and self.judge is None:
            raise ConfigError(
                "没有设置裁判模型", remedy="请设置 judge.base_url 与 judge.model，或不用 --judge", code="no_judge"
            )
        expected = self.estimate(plan, [_ANY])
        for section, cost in (("llm", expected.model_cost), ("judge", expected.judge_cost)):
            if plan.max_cost is not None and cost is None:
                raise InputError(
                    "不知道价格，无法控制费用",
                    remedy=f"请设置 {section}.prompt_price 与 {section}.completion_price",
                    code="no_price",
                )
        return arms

    def _manifest(
        self, plan: Plan, arms: Sequence[Arm], documents: Mapping[str, Material], about: Mapping[str, object]
    ) -> dict[str, object]:
        judge = self.judge.llm if self.judge and plan.measuring == "full" else None
        return manifest.of(plan, arms, documents, about) | manifest.chain(self.parts, self.knobs, judge)

    async def _finish(self, folder: Folder, plan: Plan, cases: Sequence[Case], show: Show) -> None:
        def shown(progress: Progress) -> None:
            _still_whole(folder)
            show(progress)

        try:
            await self._work(folder, plan, cases, shown)
        finally:
            # What was under way when a document went was written after its text had left the run.
            if gone := folder.blanked:
                await asyncio.to_thread(Forgetting(folder.path.parent).forget, gone)

    async def _work(self, folder: Folder, plan: Plan, cases: Sequence[Case], show: Show) -> None:
        kept = Lines(folder.path / CALLS if plan.fresh else folder.path.parent / CALLS)
        calls = await asyncio.to_thread(Calls.opened, kept, folder.name)
        judged_by = repr(self.judge.llm) if self.judge else ""
        bill = Bill(plan.max_cost, calls, self.answer_price, self.judge_price, judged_by)
        once = EachOnce(self.parts.embedder)
        by_repeat = [
            self._repeat(plan, replace(self.parts, embedder=once), calls, repeat) for repeat in range(plan.repeats)
        ]
        stopped = await self._ask(folder, plan, cases, by_repeat, bill, show)
        if plan.measuring != "retrieval" and self.parts.llm is None and plan.timing_cases and not stopped:
            show(_progress("timing", bill, 0, 1))
            some = [cases[at * len(cases) // plan.timing_cases] for at in range(min(plan.timing_cases, len(cases)))]
            folder.keep_timing(await timed(self._begin, _able(self.arms(plan)), some))
        judge: dict[str, object] = {}
        if plan.measuring == "full" and self.judge is not None and not stopped:
            judge, stopped = await Judging(self.judge, calls, plan).of(
                folder, cases, partial(_told, "judging", bill, show)
            )
        ended = {"finished_at": datetime.now(UTC).isoformat(timespec="seconds"), "stopped": stopped, "judge": judge}
        spent = {"calls": calls.spent, "cost": bill.cost()}
        folder.describe(folder.manifest | ended | {"spent": spent})

    async def _ask(
        self, folder: Folder, plan: Plan, cases: Sequence[Case], arms: Sequence[Sequence[Arm]], bill: Bill, show: Show
    ) -> str:
        """Asks what is not answered yet; why it stopped before the end, "" if it did not."""
        answers = await asyncio.to_thread(folder.answers)
        known, total = answers.done, len(cases) * len(arms)
        done = sum(
            all((arm.info.name, case.id, repeat) in known for arm in each)
            for repeat, each in enumerate(arms)
            for case in cases
        )

        async def keep(records: Sequence[Record]) -> None:
            nonlocal done
            await asyncio.to_thread(answers.keep, records)
            done += 1
            _told("asking", bill, show, done, total)

        runner = Runner(self._begin, arms, plan.measuring == "retrieval", plan.concurrency)
        stopped = ""
        try:
            await runner.run(cases, known, keep)
        except* OverspentError as errors:
            stopped = first(errors)
        return stopped

    def _repeat(self, plan: Plan, parts: Parts, calls: Calls, repeat: int) -> tuple[Arm, ...]:
        """The arms that can work, with a model whose answers are kept."""
        llm = parts.llm and Remembering(parts.llm, calls, repeat)
        return _able(self.arms(plan, replace(parts, llm=llm)))

    async def _begin(self, case: Case) -> Turn:
        await self.turn()
        fingerprint = self.parts.embedder.profile.fingerprint
        return await self.store.read(partial(corpus.asked, case=case, fingerprint=fingerprint))


def _progress(doing: str, bill: Bill, done: int, total: int) -> Progress:
    return Progress(doing, done, total, bill.calls.spent, bill.cost())


def _told(doing: str, bill: Bill, show: Show, done: int, total: int) -> None:
    """Raises OverspentError where no more may be asked."""
    show(_progress(doing, bill, done, total))
    bill.check()


def _still_whole(folder: Folder) -> None:
    if folder.frozen:
        raise ConflictError("评测期间删除了它要用的文档，运行已停止", remedy="请另起一次评测", code="document_deleted")


def _able(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    return tuple(arm for arm in arms if arm.pipeline is not None)


_ANY = Case(id="-", category="factual", question="-", answerable=True)
