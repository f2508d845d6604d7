from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from builders import hits, turn
from youju.errors import ProviderError
from youju.stages.base import Beside, Emit, Event, Pipeline, Retry, When, advance
from youju.types import Turn


@dataclass(frozen=True)
class Note:
    """Writes `word` into the question."""

    word: str

    reads: ClassVar[frozenset[str]] = frozenset({"question"})
    writes: ClassVar[frozenset[str]] = frozenset({"question"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        return replace(turn, question=turn.question + self.word, notes={"word": self.word})


@dataclass(frozen=True)
class Broken:
    reads: ClassVar[frozenset[str]] = frozenset({"question"})
    writes: ClassVar[frozenset[str]] = frozenset({"hits"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        raise ProviderError("坏了", part="reranker", code="rerank_failed")


@dataclass(frozen=True)
class Mended(Broken):
    def fallback(self, turn: Turn, error: ProviderError) -> Turn:
        return replace(turn, hits=turn.hits[:1])


@dataclass(frozen=True)
class Channel:
    channel: str

    reads: ClassVar[frozenset[str]] = frozenset({"question"})
    writes: ClassVar[frozenset[str]] = frozenset({"rankings"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        return replace(turn, rankings={self.channel: hits("ab")})


async def test_advance_adds_a_step_named_by_the_stages_identity() -> None:
    after = await advance(Note("!"), turn("q"))
    assert after.question == "q!"
    assert [step.stage for step in after.steps] == ["Note(word='!')"]
    assert after.steps[0].note == {"word": "!"}
    assert after.steps[0].seconds >= 0


async def test_notes_of_one_stage_do_not_reach_the_step_of_the_next() -> None:
    after = await Pipeline("p", (Note("!"), Channel("vector")))(turn("q"))
    assert after.steps[1].note == {}


async def test_a_failing_stage_with_a_fallback_degrades_openly() -> None:
    after = await advance(Mended(), turn("q", hits=hits("abc")))
    assert [one.chunk.id for one in after.hits] == ["a"]
    assert [(mark.part, mark.reason) for mark in after.degradations] == [("reranker", "rerank_failed")]


async def test_a_failing_stage_without_a_fallback_goes_up() -> None:
    with pytest.raises(ProviderError):
        await advance(Broken(), turn("q"))


def test_a_pipeline_refuses_a_read_that_nothing_wrote_when_it_is_built() -> None:
    @dataclass(frozen=True)
    class Late:
        reads: ClassVar[frozenset[str]] = frozenset({"context"})
        writes: ClassVar[frozenset[str]] = frozenset()

        async def __call__(self, turn: Turn, emit: Emit) -> Turn:
            return turn

    with pytest.raises(ValueError, match="context"):
        Pipeline("p", (Note("!"), Late()))


def test_a_pipeline_refuses_a_field_that_a_turn_has_not() -> None:
    @dataclass(frozen=True)
    class Odd:
        reads: ClassVar[frozenset[str]] = frozenset()
        writes: ClassVar[frozenset[str]] = frozenset({"colour"})

        async def __call__(self, turn: Turn, emit: Emit) -> Turn:
            return turn

    with pytest.raises(ValueError, match="colour"):
        Pipeline("p", (Odd(),))


def test_what_only_may_happen_cannot_be_relied_on() -> None:
    def never(turn: Turn) -> bool:
        return False

    with pytest.raises(ValueError, match="rankings"):
        Pipeline("p", (When(never, (Channel("vector"),)), FuseLike()))


@dataclass(frozen=True)
class FuseLike:
    reads: ClassVar[frozenset[str]] = frozenset({"rankings"})
    writes: ClassVar[frozenset[str]] = frozenset({"hits"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        return turn


async def test_a_pipeline_is_a_stage_with_inner_steps() -> None:
    after = await advance(Pipeline("p", (Note("a"), Note("b"))), turn("q"))
    assert after.question == "qab"
    assert [step.stage for step in after.steps[0].inner] == ["Note(word='a')", "Note(word='b')"]


async def test_when_runs_only_if_its_test_holds() -> None:
    def long(turn: Turn) -> bool:
        return len(turn.question) > 3

    stage = When(long, (Note("!"),))
    assert (await advance(stage, turn("q"))).question == "q"
    assert (await advance(stage, turn("long"))).question == "long!"


async def test_retry_keeps_what_it_is_told_to_keep_and_shows_every_try() -> None:
    def short(turn: Turn) -> bool:
        return len(turn.question) < 3

    def later(before: Turn, after: Turn) -> Turn:
        return after

    after = await advance(Retry((Note("!"),), short, later, times=5), turn("q"))
    assert after.question == "q!!"
    assert len(after.steps[0].inner) == 2


async def test_retry_may_keep_the_turn_from_before() -> None:
    def always(turn: Turn) -> bool:
        return True

    def earlier(before: Turn, after: Turn) -> Turn:
        return before

    after = await advance(Retry((Note("!"),), always, earlier), turn("q"))
    assert after.question == "q"
    assert len(after.steps[0].inner) == 1


async def test_beside_joins_rankings_degradations_and_steps() -> None:
    @dataclass(frozen=True)
    class Down(Channel):
        async def __call__(self, turn: Turn, emit: Emit) -> Turn:
            raise ProviderError("坏了", part="embedder", code="down")

        def fallback(self, turn: Turn, error: ProviderError) -> Turn:
            return replace(turn, rankings={self.channel: ()})

    after = await advance(Beside((Down("vector"), Channel("keyword"))), turn("q"))
    assert {name: len(found) for name, found in after.rankings.items()} == {"vector": 0, "keyword": 2}
    assert [mark.part for mark in after.degradations] == ["embedder"]
    assert len(after.steps[0].inner) == 2


async def test_every_stage_is_announced() -> None:
    seen: list[Event] = []

    async def listen(event: Event) -> None:
        seen.append(event)

    await Pipeline("p", (Note("a"), Channel("vector")))(turn("q"), listen)
    assert [(event.kind, event.data["stage"]) for event in seen] == [("stage", "Note"), ("stage", "Channel")]
    assert seen[1].data["hits"] == 2
