"""Cases through arms: what arms have in common runs once, and one that fails stops nobody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from youju.chat.service import innermost, settled
from youju.errors import YoujuError
from youju.lab.arms import Arm
from youju.lab.dataset import Case
from youju.stages.base import Stage, advance
from youju.types import Step, Turn


@dataclass(frozen=True, slots=True)
class Record:
    """One case in one arm. `broke`: the error with which it ended; then `turn` is as far as it came."""

    arm: str
    case_id: str
    repeat: int
    turn: Turn
    broke: str = ""


Known = dict[tuple[str, ...], Turn]
Begin = Callable[[Case], Awaitable[Turn]]
Keep = Callable[[Sequence[Record]], Awaitable[None]]


@dataclass(frozen=True)
class Runner:
    """Asks every case in every arm.

    Args:
        begin: the turn of a case before its first stage.
        arms: those that can work, with the pipelines of each repeat: `pipelines[repeat]`.
        retrieval_only: stop before the stage that writes an answer.
        concurrency: cases at the same time; the arms of one case follow each other, so that a later one finds what an
            earlier one has done.
    """

    begin: Begin
    arms: Sequence[Sequence[Arm]]
    retrieval_only: bool = False
    concurrency: int = 4

    async def run(self, cases: Sequence[Case], done: frozenset[tuple[str, str, int]], keep: Keep) -> None:
        """Run what is not `done` (arm, case, repeat); `keep` gets the records of a case and repeat together."""
        gate = asyncio.Semaphore(self.concurrency)

        async def one(case: Case, repeat: int, arms: Sequence[Arm]) -> None:
            async with gate:
                records = await self.case(case, repeat, arms)
                await keep(records)

        async with asyncio.TaskGroup() as group:
            for repeat, arms in enumerate(self.arms):
                for case in cases:
                    wanted = [arm for arm in arms if (arm.info.name, case.id, repeat) not in done]
                    if wanted:
                        group.create_task(one(case, repeat, wanted))

    async def case(self, case: Case, repeat: int, arms: Sequence[Arm]) -> list[Record]:
        """The records of one case, an arm each, in their order."""
        known: Known = {}
        return [await self._record(case, repeat, arm, known) for arm in arms]

    async def _record(self, case: Case, repeat: int, arm: Arm, known: Known) -> Record:
        turn = Turn(asked=case.question)
        walk = Walk(known)
        try:
            turn = await self.begin(case)
            turn = await walk.to_the_end(turn, _stages(arm, retrieval_only=self.retrieval_only))
        except Exception as error:  # noqa: BLE001 - whatever breaks one case is that case's result
            return Record(arm.info.name, case.id, repeat, walk.turn or turn, told(error))
        return Record(arm.info.name, case.id, repeat, turn if self.retrieval_only else settled(turn))


@dataclass
class Walk:
    """Stages in order, with the turns that are known by the identities of the stages that made them."""

    known: Known
    turn: Turn | None = None

    async def to_the_end(self, turn: Turn, stages: Sequence[Stage]) -> Turn:
        """The turn after the stages; at once where nothing is eligible. Nothing degraded is known to the next."""
        key: tuple[str, ...] = ()
        self.turn = turn
        if turn.refusal is not None:
            return turn
        for stage in stages:
            key = (*key, repr(stage))
            self.turn = self.known.get(key) or await advance(stage, self.turn)
            if not self.turn.degradations:
                self.known[key] = self.turn
        return self.turn


def _stages(arm: Arm, *, retrieval_only: bool) -> tuple[Stage, ...]:
    """The stages of an arm, those that hold others as one; without those that answer if only searching is wanted."""
    if arm.pipeline is None:
        raise ValueError(f"{arm.info.name} cannot work here: {arm.info.missing}")
    stages = arm.pipeline.stages
    if not retrieval_only:
        return stages
    ends = next((at for at, stage in enumerate(stages) if _answers(stage)), len(stages))
    return stages[:ends]


def _answers(stage: Stage) -> bool:
    inner: Sequence[Stage] = getattr(stage, "stages", ())
    return "answer" in stage.writes or any(_answers(one) for one in inner)


def told(error: Exception) -> str:
    """An error as the record keeps it: its code and what it says."""
    one = innermost(error)
    return f"{one.code}：{one.message}" if isinstance(one, YoujuError) else f"internal：{type(one).__name__}：{one}"


Timing = Mapping[str, Mapping[str, tuple[float, ...]]]


async def timed(begin: Begin, arms: Sequence[Arm], cases: Sequence[Case]) -> Timing:
    """Seconds by arm and stage, a figure a case: one question after the other, nothing shared, twice.

    Running side by side distorts what is measured, hence a pass of its own. Keys ending in "#cold" are of the first
    time each question is asked; "total" is the whole way.
    """
    found: dict[str, dict[str, list[float]]] = {arm.info.name: {} for arm in arms}
    for case in cases:
        for arm in arms:
            for mark in ("#cold", ""):
                await _once(begin, arm, case, found[arm.info.name], mark)
    return {arm: {stage: tuple(each) for stage, each in stages.items()} for arm, stages in found.items()}


async def _once(begin: Begin, arm: Arm, case: Case, into: dict[str, list[float]], mark: str) -> None:
    turn = replace(await begin(case), steps=())
    started = time.perf_counter()
    try:
        turn = await Walk({}).to_the_end(turn, _stages(arm, retrieval_only=False))
    except Exception:  # noqa: BLE001 - a failure is counted where answers are, not here
        return
    into.setdefault(f"total{mark}", []).append(time.perf_counter() - started)
    for name, seconds in spent(turn).items():
        into.setdefault(f"{name}{mark}", []).append(seconds)


def spent(turn: Turn) -> dict[str, float]:
    """Seconds by name of stage, in the order in which they ran: those that do the work, not those that hold others."""
    seconds: dict[str, float] = {}
    for step in _working(turn.steps):
        name = step.stage.partition("(")[0]
        seconds[name] = seconds.get(name, 0.0) + step.seconds
    return seconds


def _working(steps: tuple[Step, ...]) -> Iterator[Step]:
    for step in steps:
        if step.inner:
            yield from _working(step.inner)
        elif step.note.get("ran") is not False:
            yield step
