"""Originals on their way in: noted before they get their names, so that an upload which dies leaves none behind."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import Connection

from youju.documents import leftovers
from youju.errors import StoreError
from youju.ingest.lease import UPLOAD, lease_if_free
from youju.storage.blobs import PARTIAL, Blobs, Kept, sync_folder
from youju.storage.engine import Store


@dataclass(frozen=True)
class Arrivals:
    """`leases`: the folder where an upload is known to live by a lease under its token."""

    store: Store
    blobs: Blobs
    leases: Path

    @contextlib.asynccontextmanager
    async def arriving(self) -> AsyncIterator[str]:
        """The token of an upload that lives as long as the block; at its end goes what no version has taken over.

        Raises:
            StoreError: the folder of the leases cannot be written.
        """
        token, ended = secrets.token_hex(8), False
        try:
            with lease_if_free(self.leases, UPLOAD + token):
                await asyncio.to_thread(sync_folder, self.leases)
                try:
                    yield token
                finally:
                    # What ended the block says more than that the store cannot be written.
                    with contextlib.suppress(StoreError):
                        await self._end(token)
                        ended = True
        finally:
            # Its file stays as the sign of an upload that is not over.
            with contextlib.suppress(OSError):
                self._lock(token).unlink(missing_ok=True) if ended else self._lock(token).touch(mode=0o600)

    async def keep(self, token: str, pieces: Iterable[bytes]) -> Kept:
        """As `Blobs.put`; noted before the file is there. When it ends, by cancelling too, nothing goes on."""

        def note(kept: Kept) -> None:
            self.store.write_now(lambda tx: leftovers.expect(tx, token, kept.sha256))

        work = asyncio.ensure_future(asyncio.to_thread(self.blobs.put, pieces, token=token, before=note))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.wait([work])
            raise

    async def sweep(self) -> None:
        """Remove what uploads left that were killed; those that live keep theirs.

        A note without the file of its lease came with an older copy of the catalogue: it says nothing about the files
        of today, and none of them goes.
        """
        for token in await asyncio.to_thread(self._tokens) | set(await self.store.read(leftovers.expected)):
            known = await asyncio.to_thread(self._lock(token).exists)
            with lease_if_free(self.leases, UPLOAD + token) as dead:
                if dead:
                    await asyncio.to_thread(self.blobs.partial(token).unlink, missing_ok=True)
                    await self._end(token, drops=known)

    def _tokens(self) -> set[str]:
        locks = {path.stem.removeprefix(UPLOAD) for path in self.leases.glob(f"{UPLOAD}*.lock")}
        return locks | {path.name.removeprefix(PARTIAL) for path in self.blobs.folder.glob(f"{PARTIAL}*")}

    def _lock(self, token: str) -> Path:
        return self.leases / f"{UPLOAD}{token}.lock"

    async def _end(self, token: str, *, drops: bool = True) -> None:
        def end(tx: Connection) -> None:
            sha256 = leftovers.expected(tx).get(token, "")
            leftovers.arrived(tx, token)
            others = leftovers.expected(tx).values()
            # Under the write lock: nobody enters a version of the same bytes meanwhile.
            if drops and sha256 not in others and leftovers.unneeded(tx, [sha256]) and sha256:
                self.blobs.drop(sha256)

        if token in await self.store.read(leftovers.expected):
            await self.store.write(end)
