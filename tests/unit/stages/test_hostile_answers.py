"""Ten thousand answers of a hostile model on their way through the stages that write and cite them."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator

import pytest

from builders import chunk, context, hits, turn
from library import quiet
from marked import KNOWN, OWN, answer, pieces
from youju.ports import Piece, Prompt
from youju.providers.fakes import FakeLLM
from youju.stages.base import Event
from youju.stages.cite import ATTACHED, Cite
from youju.stages.generate import Generate
from youju.stages.prompt import template
from youju.types import Turn

CONTEXT = context(*(chunk(str(n), "".join(OWN[n - 1 :: len(KNOWN)])) for n in KNOWN))


class Scripted(FakeLLM):
    """Says one answer, in the pieces given."""

    def __init__(self, said: list[str]) -> None:
        super().__init__()
        self._said = said

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        for text in self._said:
            yield Piece(text)
        yield Piece(finish_reason="stop")


async def written(said: list[str]) -> tuple[Turn, str]:
    told: list[str] = []

    async def emit(event: Event) -> None:
        told.append(str(event.data["text"]))

    asked = turn("问题", context=CONTEXT, hits=hits("abc"))
    return await Generate(Scripted(said), template("assistant"), "没有依据。")(asked, emit), "".join(told)


class NoPages:
    async def pages(self, chunk: object) -> list[object]:
        return []


@pytest.mark.slow
async def test_every_number_resolves_what_was_told_is_the_answer_and_pieces_make_no_difference():
    dice = random.Random(20210307)  # noqa: S311 - the same answers each time
    for count in range(10_000):
        said, _ = answer(dice)
        streamed, told = await written(list(pieces(said, dice)))
        whole, _ = await written([said])
        assert streamed.answer == whole.answer
        assert streamed.removed_markers == whole.removed_markers
        assert streamed.answer.text == told
        cited = {n for one in streamed.answer.statements for n in one.cites}
        assert cited <= set(KNOWN)
        if count % 40 == 0:  # an answer without a number is held against all material, which takes its time
            final = await Cite(NoPages())(streamed, quiet)
            assert final.answer.text.partition(f"\n\n{ATTACHED}")[0].rstrip() == told.rstrip()
            assert {one.n for one in final.sources if one.cited} <= set(KNOWN)
