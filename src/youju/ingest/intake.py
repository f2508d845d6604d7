"""Files that come in piece by piece: on the disk below the store, never in memory, gone if they do not become whole."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from youju.ingest.lease import UPLOAD, lease_if_free
from youju.storage.blobs import BINARY, Blobs, check_size, unwritable
from youju.storage.engine import LEASES

BUFFER = 256 << 10
"""Bytes gathered before they are written: small enough for many uploads at once."""


@dataclass
class Spool:
    """A file that is being received; `flush` whenever it is `full`, and once at the end."""

    path: Path
    file: BinaryIO
    limit: int | None
    size: int = 0
    waiting: bytearray = field(default_factory=bytearray)

    def add(self, piece: bytes) -> None:
        """Take the next piece.

        Raises:
            TooLargeError: the file is over the limit.
        """
        self.size += len(piece)
        check_size(self.size, self.limit)
        self.waiting += piece

    @property
    def full(self) -> bool:
        return len(self.waiting) >= BUFFER

    async def flush(self) -> None:
        """Write what was gathered.

        Raises:
            StoreError: the disk is full, or the folder gone.
        """
        piece, self.waiting = bytes(self.waiting), bytearray()
        try:
            await asyncio.to_thread(_write, self.file, piece)
        except OSError as error:
            raise unwritable(self.path.parent, error) from error


@contextlib.asynccontextmanager
async def spooled(blobs: Blobs) -> AsyncIterator[Spool]:
    """An empty file to receive into, removed at the end of the block.

    It lies among the originals under the name of an unfinished one, and has a lease: should its process die, the next
    sweep finds it.

    Raises:
        StoreError: the folder cannot be written.
    """
    token = secrets.token_hex(8)
    with lease_if_free(blobs.folder.with_name(LEASES), UPLOAD + token):
        async with _received(blobs, token) as spool:
            yield spool


@contextlib.asynccontextmanager
async def _received(blobs: Blobs, token: str) -> AsyncIterator[Spool]:
    path = blobs.partial(token)
    try:
        blobs.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600), "wb", buffering=0)
    except OSError as error:
        raise unwritable(blobs.folder, error) from error
    try:
        with file:
            yield Spool(path, file, blobs.limit)
    finally:
        path.unlink(missing_ok=True)


def _write(file: BinaryIO, piece: bytes) -> None:
    """All of it: a disk that is nearly full takes a part and says so only the next time."""
    left = memoryview(piece)
    while left:
        left = left[file.write(left) :]
