"""Work that a request began and does not wait for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field

from youju.api.problems import crash
from youju.errors import BusyError, YoujuError

LOG = logging.getLogger(__name__)
MOST = 100


@dataclass
class Later:
    """Its tasks end with the service; what they were about can be asked for again."""

    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self, work: Coroutine[object, object, object], name: str) -> None:
        """Begin it now.

        Raises:
            BusyError: a hundred others are under way.
        """
        if len(self.tasks) >= MOST:
            work.close()
            raise BusyError(f"后台任务已达上限 {MOST}", remedy="请稍后再试")
        task = asyncio.create_task(_told(work, name), name=name)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        # One that is cancelled before its first step never awaits it.
        task.add_done_callback(lambda _: work.close())

    async def aclose(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def _told(work: Coroutine[object, object, object], name: str) -> None:
    try:
        await work
    except YoujuError as error:
        LOG.warning("later.failed %s code=%s", name, error.code)
    except Exception as error:  # noqa: BLE001 - nobody waits for it
        LOG.error("later.crashed %s %s", name, crash(error))  # noqa: TRY400 - see `crash`
