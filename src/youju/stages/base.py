"""The frame every question walks through: stages, the pipelines made of them, and `advance`, which runs one stage.

A stage is a frozen dataclass that takes a `Turn` and returns a new one; it never logs, times or retries.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Protocol, TypeVar, runtime_checkable

from youju.errors import ProviderError
from youju.types import Degradation, Step, StepHit, Turn


@dataclass(frozen=True, slots=True)
class Event:
    """Something a listener may show while the question is on its way.

    `kind` is one of the SSE events of the HTTP contract (stage, token, sources, verdicts, confidence, done, error).
    `turn` is how far the question has come, after a stage; it is not for the wire.
    """

    kind: str
    data: Mapping[str, object]
    turn: Turn | None = None


T = TypeVar("T")
Emit = Callable[[Event], Awaitable[None]]


async def silent(event: Event) -> None:
    """An `Emit` for callers who do not listen."""


@runtime_checkable
class Stage(Protocol):
    @property
    def reads(self) -> frozenset[str]:
        """Fields of `Turn` that must have been written before this stage runs."""
        ...

    @property
    def writes(self) -> frozenset[str]: ...

    async def __call__(self, turn: Turn, emit: Emit) -> Turn: ...


@runtime_checkable
class Recoverable(Protocol):
    def fallback(self, turn: Turn, error: ProviderError) -> Turn:
        """The turn as it goes on when the stage's collaborator failed: weaker, never looser."""
        ...


TURN_FIELDS = frozenset(field.name for field in fields(Turn))
GIVEN = frozenset({"asked", "question", "scope", "scope_report", "history", "persona", "streamed"})


async def advance(stage: Stage, turn: Turn, emit: Emit = silent) -> Turn:
    """The turn after `stage`, with one more Step. The only line in the project that calls a stage.

    A `ProviderError` in a stage that has a fallback becomes a degradation, named by the error's part; elsewhere it goes
    up unchanged.
    """
    started = time.perf_counter()
    before = len(turn.steps)
    turn = replace(turn, notes={})
    try:
        after = await stage(turn, emit)
    except ProviderError as error:
        if not isinstance(stage, Recoverable):
            raise
        after = stage.fallback(turn, error)
        after = replace(after, degradations=(*after.degradations, Degradation(error.part, error.code)))
    step = Step(
        stage=repr(stage),
        seconds=time.perf_counter() - started,
        hits=_ranked(stage, after),
        note=after.notes,
        inner=after.steps[before:],
    )
    after = replace(after, steps=(*after.steps[:before], step), notes={})
    told = {"stage": type(stage).__name__, "seconds": step.seconds, "hits": len(step.hits)}
    await emit(Event("stage", told, after))
    return after


def ranking_name(channel: str, number: int) -> str:
    """The key of a channel's ranking in `Turn.rankings`: the channel for the first query, then `channel#2` …"""
    return channel if number == 0 else f"{channel}#{number + 1}"


def _ranked(stage: Stage, turn: Turn) -> tuple[StepHit, ...]:
    """What the stage ranked or kept, best first, for the trace."""
    channel = getattr(stage, "channel", "")
    if channel:
        hits = turn.rankings.get(channel, ())
        return tuple(StepHit(hit.chunk.id, hit.score) for hit in hits)
    if "context" in stage.writes:
        return tuple(StepHit(item.hit.chunk.id, item.hit.score) for item in turn.context)
    if "hits" in stage.writes:
        return tuple(StepHit(hit.chunk.id, hit.score) for hit in turn.hits)
    return ()


@dataclass(frozen=True, repr=False)
class Pipeline:
    """Stages in order; itself a stage.

    Args:
        name: what the recipe is called in traces and reports.
        stages: run in this order.
        given: fields of `Turn` that are there before the first stage.

    Raises:
        ValueError: a stage reads what none before it wrote, or names a field that `Turn` has not; when it is built.
    """

    name: str
    stages: tuple[Stage, ...]
    given: frozenset[str] = GIVEN

    def __post_init__(self) -> None:
        written = set(self.given)
        for stage in self.stages:
            unknown = (stage.reads | stage.writes) - TURN_FIELDS
            if unknown:
                raise ValueError(f"{stage!r} names fields that Turn has not: {sorted(unknown)}")
            missing = stage.reads - written
            if missing:
                raise ValueError(f"{self.name}: {stage!r} reads {sorted(missing)}, which no stage before it writes")
            written |= stage.writes

    @property
    def reads(self) -> frozenset[str]:
        written: set[str] = set()
        needed: set[str] = set()
        for stage in self.stages:
            needed |= stage.reads - written
            written |= stage.writes
        return frozenset(needed)

    @property
    def writes(self) -> frozenset[str]:
        return frozenset().union(*(stage.writes for stage in self.stages))

    async def __call__(self, turn: Turn, emit: Emit = silent) -> Turn:
        for stage in self.stages:
            turn = await advance(stage, turn, emit)
        return turn

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(repr(stage) for stage in self.stages)})"


@dataclass(frozen=True, repr=False)
class Beside:
    """Run `stages` at the same time on the same turn and join what they add to `rankings` and `degradations`.

    For the search channels, which do not need each other. Their Steps keep the order of `stages`.
    """

    stages: tuple[Stage, ...]

    @property
    def reads(self) -> frozenset[str]:
        return frozenset().union(*(stage.reads for stage in self.stages))

    @property
    def writes(self) -> frozenset[str]:
        return frozenset({"rankings"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(advance(stage, turn, emit)) for stage in self.stages]
        turns = [task.result() for task in tasks]
        return replace(
            turn,
            rankings={name: hits for one in turns for name, hits in one.rankings.items()},
            degradations=_joined(turn.degradations, [one.degradations for one in turns]),
            steps=_joined(turn.steps, [one.steps for one in turns]),
        )

    def __repr__(self) -> str:
        return f"Beside({', '.join(repr(stage) for stage in self.stages)})"


def _joined(before: tuple[T, ...], afters: Sequence[tuple[T, ...]]) -> tuple[T, ...]:
    return before + tuple(item for after in afters for item in after[len(before) :])


Test = Callable[[Turn], bool]


@dataclass(frozen=True, repr=False)
class When:
    """Run `stages` only if `test(turn)`; the other way round it costs nothing and its Step has no inner steps."""

    test: Test
    stages: tuple[Stage, ...]

    @property
    def reads(self) -> frozenset[str]:
        return Pipeline("when", self.stages, given=TURN_FIELDS).reads

    @property
    def writes(self) -> frozenset[str]:
        # What may not happen cannot be relied on by a later stage.
        return frozenset()

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        if not self.test(turn):
            return replace(turn, notes={"ran": False})
        for stage in self.stages:
            turn = await advance(stage, turn, emit)
        return turn

    def __repr__(self) -> str:
        return f"When({self.test.__name__}, {', '.join(repr(stage) for stage in self.stages)})"


@dataclass(frozen=True, repr=False)
class Retry:
    """Run `stages` up to `times` times while `again(turn)`; `keep(before, after)` chooses which turn goes on."""

    stages: tuple[Stage, ...]
    again: Test
    keep: Callable[[Turn, Turn], Turn]
    times: int = 1

    @property
    def reads(self) -> frozenset[str]:
        return Pipeline("retry", self.stages, given=TURN_FIELDS).reads

    @property
    def writes(self) -> frozenset[str]:
        return frozenset()

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        for _ in range(self.times):
            if not self.again(turn):
                break
            after = turn
            for stage in self.stages:
                after = await advance(stage, after, emit)
            # Steps of a rejected try stay: the trace shows what was done.
            turn = replace(self.keep(turn, after), steps=after.steps)
        return turn

    def __repr__(self) -> str:
        inner = ", ".join(repr(stage) for stage in self.stages)
        return f"Retry({self.again.__name__}, {self.keep.__name__}, times={self.times}, {inner})"


def chain(stages: Sequence[Stage | None]) -> tuple[Stage, ...]:
    """The stages that are there, in order: recipes write optional parts as `part and Stage(part)`."""
    return tuple(stage for stage in stages if stage is not None)
