"""The worker of a server: brings every version that waits to READY or FAILED, one after the other.

The table of versions is its queue: it reads one version at a time and remembers none. Turn by turn it takes the one
that came first and the smallest one: so a note does not wait for all the books before it, and no book waits for ever.
Where one takes long, those that are much smaller are done beside it, one after the other: a book may take an hour.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Sequence
from functools import partial

from youju.documents import queueing
from youju.errors import ProviderError, YoujuError
from youju.ingest.service import Documents

LOG = logging.getLogger(__name__)
POLL_S = 5.0
"""Seconds between two looks at an idle table: other processes may add to it."""
DELAYS_S = (2.0, 10.0, 30.0, 60.0)
"""Seconds before the next try: after the first failure, the second …; the last one stays."""
PATIENCE_S = 5.0
"""Seconds that a version is worked on before smaller ones are done beside it."""
TRIES = 3
"""Failures of a model or server in a row after which a version is FAILED rather than tried again."""


class Worker:
    """Made for the documents of an open store; `start` it in the loop of the server, `aclose` it before the store.

    A version whose model or server fails (a ProviderError) waits, and with it all others, since they need the same;
    after `TRIES` failures in a row it is FAILED, and so is every next one at once, until one is READY again. Where the
    store itself fails the worker waits, too. Nothing but `aclose` ends it.
    """

    def __init__(
        self,
        documents: Documents,
        *,
        poll_s: float = POLL_S,
        delays_s: Sequence[float] = DELAYS_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._documents = documents
        self._poll_s = poll_s
        self._patience_s = patience_s
        self._delays_s = delays_s
        self._woken = asyncio.Event()
        self._turns = itertools.cycle((False, True))
        self._refused = 0
        self._idle = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, with what earlier processes left. A second call does nothing."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._work(), name="youju-worker")

    @property
    def idle(self) -> bool:
        """Whether it found nothing to do, and waits."""
        return self._idle

    def wake(self) -> None:
        """Look at the table now: something was accepted. To be called in the worker's loop."""
        self._woken.set()

    async def aclose(self) -> None:
        """End at once. What is being worked on stays unfinished; the next start, or the next retry, takes it up."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _work(self) -> None:
        failures = 0
        while True:
            try:
                await self._documents.sweep()
                while await self._one():
                    failures = 0
            except Exception as error:  # noqa: BLE001 - whatever happens, the next version must have its turn
                _tell(error)
                await asyncio.sleep(self._delays_s[min(failures, len(self._delays_s) - 1)])
                failures += 1
            else:
                failures = 0
                await self._rest()

    async def _rest(self) -> None:
        self._idle = True
        try:
            await self._called()
        finally:
            self._idle = False

    async def _called(self) -> None:
        """Return when woken, or when it is time to look again."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._poll_s):
                await self._woken.wait()

    async def _one(self) -> bool:
        """Whether there was a version to work on; it was worked on."""
        self._woken.clear()
        smallest = next(self._turns)
        elsewhere: set[int] = set()
        while (version_id := await self._documents.waiting(smallest=smallest, without=elsewhere)) is not None:
            if await self._worked(version_id):
                return True
            elsewhere.add(version_id)
        return False

    async def _worked(self, version_id: int) -> bool:
        ended = asyncio.Event()
        beside = asyncio.create_task(self._beside(version_id, ended), name="youju-worker-beside")
        try:
            status = await self._documents.take_up(version_id, hopeful=self._refused < TRIES - 1)
        except ProviderError:
            self._refused += 1
            raise
        else:
            ended.set()
            self._woken.set()
            await beside
        finally:
            beside.cancel()
            await asyncio.gather(beside, return_exceptions=True)
        if status == "READY":
            self._refused = 0
        return status is not None

    async def _beside(self, version_id: int, ended: asyncio.Event) -> None:
        """Until the version has `ended`, work on those that are much smaller, once it has taken long enough."""
        try:
            async with asyncio.timeout(self._patience_s):
                await ended.wait()
        except TimeoutError:
            pass
        elsewhere: set[int] = set()
        try:
            while not ended.is_set():
                self._woken.clear()
                look = partial(queueing.beside, version_id=version_id, without=elsewhere)
                small = await self._documents.store.read(look)
                if small is None:
                    elsewhere.clear()
                    await self._called()
                elif await self._documents.take_up(small, hopeful=True) is None:
                    elsewhere.add(small)
        except Exception as error:  # noqa: BLE001 - whatever it is, what waits is taken up when the version has ended
            _tell(error)


def _tell(error: Exception) -> None:
    if isinstance(error, YoujuError):
        LOG.warning("worker.waits code=%s", error.code)
    else:
        LOG.error("worker.failed", exc_info=error)
