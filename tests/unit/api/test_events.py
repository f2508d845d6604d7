from __future__ import annotations

import asyncio
import json

import pytest
from starlette.requests import ClientDisconnect

from http_service import events, until
from youju.api.events import WAITING, EventStream
from youju.api.slots import Slots
from youju.errors import InputError, ProviderError
from youju.stages.base import Event


class Reader:
    """One end of an ASGI connection: takes `room` messages, then no more until it leaves."""

    def __init__(self, room: float = float("inf")) -> None:
        self.room = room
        self.taken: list[dict] = []
        self.left = asyncio.Event()

    async def receive(self) -> dict:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict) -> None:
        if len(self.taken) >= self.room:
            await asyncio.Event().wait()
        self.taken.append(message)

    @property
    def text(self) -> str:
        return b"".join(one.get("body", b"") for one in self.taken).decode()


async def listened(work, reader: Reader, **more) -> Reader:
    await EventStream(work, Slots(1, "提问"), **more)({"type": "http"}, reader.receive, reader.send)
    return reader


async def test_events_come_in_order_and_done_is_last():
    async def work(emit):
        await emit(Event("token", {"text": "甲\n乙"}))
        return {"answer": "甲\n乙"}

    reader = await listened(work, Reader())
    assert reader.taken[0]["status"] == 200
    assert events(reader.text) == [("token", {"text": "甲\n乙"}), ("done", {"answer": "甲\n乙"})]
    assert reader.taken[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


async def test_an_error_before_anything_was_said_is_an_ordinary_problem():
    async def work(emit):
        raise InputError("问题是空的", code="empty_question")

    reader = await listened(work, Reader())
    assert reader.taken[0]["status"] == 400
    assert json.loads(reader.text)["code"] == "empty_question"


@pytest.mark.parametrize(
    "error, code",
    [(ProviderError("坏了", part="llm", code="llm_broken"), "llm_broken"), (KeyError("秘密"), "internal")],
)
async def test_an_error_later_is_an_event(error, code):
    async def work(emit):
        await emit(Event("token", {"text": "甲"}))
        raise error

    reader = await listened(work, Reader())
    name, problem = events(reader.text)[-1]
    assert (name, problem["code"]) == ("error", code)
    assert "秘密" not in reader.text


async def test_silence_is_broken_by_comments():
    async def work(emit):
        await asyncio.sleep(0.2)
        return {}

    reader = await listened(work, Reader(), keep_alive_s=0.02)
    assert reader.text.startswith(": \n\n: \n\n")
    assert reader.text.endswith("event: done\ndata: {}\n\n")


async def test_a_reader_who_does_not_read_holds_the_work_up_and_is_dropped():
    told = 0

    async def work(emit):
        nonlocal told
        while True:
            await emit(Event("token", {"text": "x" * 1000}))
            told += 1

    with pytest.raises(ClientDisconnect):
        await listened(work, Reader(room=3), patience_s=0.2)
    # What was sent, what waits, and the one that does not fit.
    assert told <= 3 + WAITING + 1


async def test_a_reader_who_leaves_ends_the_work():
    cancelled = asyncio.Event()

    async def work(emit):
        await emit(Event("token", {"text": "甲"}))
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    reader, slots = Reader(), Slots(1, "提问")
    stream = asyncio.create_task(EventStream(work, slots)({"type": "http"}, reader.receive, reader.send))
    await until(lambda: reader.taken)
    assert slots.taken == 1
    reader.left.set()
    await stream
    assert cancelled.is_set()
    assert slots.taken == 0


async def test_a_character_that_no_encoding_takes_is_an_escape():
    async def work(emit):
        return {"answer": "\ud800"}

    assert events((await listened(work, Reader())).text) == [("done", {"answer": "\ud800"})]
