"""Is anybody still there? Work for a caller who has left is cancelled; one who does not go on is not waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive

from youju.errors import SlowError

PATIENCE_S = 60.0
"""Seconds without progress after which the other side is given up."""
T = TypeVar("T")


async def until_left(receive: Receive, work: Coroutine[object, object, T]) -> T:
    """What `work` returns; cancelled as soon as the caller leaves.

    Raises:
        ClientDisconnect: the caller left first.
    """
    task = asyncio.create_task(work)
    gone = asyncio.create_task(left(receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect
    finally:
        await ended(task, gone)


async def left(receive: Receive) -> None:
    """Returns when the caller has left; the body must have been read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def ended(*tasks: asyncio.Task[T] | asyncio.Task[None]) -> None:
    """Cancel the tasks and wait until they have cleaned up."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def patient(receive: Receive) -> Receive:
    """`receive`, but not for longer than a minute."""

    async def bounded() -> Message:
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await receive()
        except TimeoutError as error:
            raise SlowError("等待请求体太久", remedy="请检查网络后重试") from error

    return bounded
