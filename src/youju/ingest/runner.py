"""A version worked on by one at a time, over all processes, and for no longer than it is wanted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy.engine import Connection

from youju.documents import catalog
from youju.documents.lifecycle import UNFINISHED, WORKING
from youju.errors import ProviderError
from youju.ingest.job import Job, Report, unreported
from youju.ingest.lease import lease, lease_if_free
from youju.storage.engine import Store
from youju.types import Status

LOOK_S = 0.5
"""Seconds between two looks whether a version is still wanted: another process may have cancelled or deleted it."""


@dataclass(frozen=True)
class Runner:
    store: Store
    job: Job
    leases: Path

    async def run(self, version_id: int, report: Report = unreported) -> Status:
        """What became of the version, worked on here, or by another who is waited for."""
        async with lease(self.leases, str(version_id)):
            return await self._held(version_id, report, hopeful=False)

    async def run_if_free(self, version_id: int, *, hopeful: bool) -> Status | None:
        """What became of the version; None when another works on it.

        Raises:
            ProviderError: a model or server failed, and we are `hopeful`: the version waits for another try.
        """
        with lease_if_free(self.leases, str(version_id)) as ours:
            return await self._held(version_id, unreported, hopeful=hopeful) if ours else None

    async def _held(self, version_id: int, report: Report, *, hopeful: bool) -> Status:
        begin = partial(_begun, version_id=version_id)
        try:
            status = await self.store.write(begin)
            while status == "UPLOADED":
                # Once more where it was cancelled and asked for again meanwhile.
                status = await self._watched(version_id, report, hopeful=hopeful)
        except ProviderError:
            await self.store.write(begin)
            raise
        finally:
            # A transaction goes on when its caller is cancelled; who holds the lease next must find it ended.
            await self.store.settled()
        return status

    async def _watched(self, version_id: int, report: Report, *, hopeful: bool) -> Status:
        work = asyncio.ensure_future(self.job.run(version_id, report, hopeful=hopeful))
        try:
            while not (await asyncio.wait([work], timeout=LOOK_S))[0]:
                if await self._status(version_id) not in UNFINISHED:
                    break
            else:
                return work.result()
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        await self.store.settled()
        return await self.job.given_up(version_id)

    async def tidy(self, version_id: int) -> None:
        """Remove what was written for a version that was cancelled, unless somebody works on it, who will do so."""
        with lease_if_free(self.leases, str(version_id)) as ours:
            if ours:
                await self.job.given_up(version_id)

    async def _status(self, version_id: int) -> Status:
        return await self.store.read(lambda tx: catalog.status(tx, version_id))


def _begun(tx: Connection, version_id: int) -> Status:
    """What is to be done with a version whose lease we hold; UPLOADED: all of it."""
    status = catalog.status(tx, version_id)
    if status not in WORKING:
        return status
    # Whoever worked on it is gone without an end.
    catalog.move(tx, version_id, "UPLOADED")
    return "UPLOADED"
