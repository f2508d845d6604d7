"""Who works on a version: one at a time, over all processes that use a store."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from youju.errors import StoreError

UPLOAD = "upload-"
"""Begins the names of leases of uploads: their files say that there is something to be removed (see `Arrivals`)."""
LOOK_S = 0.05
"""Seconds between two looks at a lease that another holds."""


@asynccontextmanager
async def lease(folder: Path, name: str) -> AsyncIterator[None]:
    """The right to work on `name`, waited for as long as another holds it.

    It is a lock of the operating system on a file in `folder`: one that dies, however, gives it back at once, and no
    clock has to be right.

    Raises:
        StoreError: the folder cannot be written.
    """
    path = folder / f"{name}.lock"
    while (handle := _asked(path)) is None:  # noqa: ASYNC110 - another process gives it back; no event tells
        await asyncio.sleep(LOOK_S)
    try:
        yield
    finally:
        _give_back(path, handle)


@contextmanager
def lease_if_free(folder: Path, name: str) -> Iterator[bool]:
    """Whether nobody works on `name`; then the right to do so is ours until the block ends.

    Raises:
        StoreError: the folder cannot be written.
    """
    path = folder / f"{name}.lock"
    handle = _asked(path)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            _give_back(path, handle)


def forget(folder: Path) -> None:
    """Remove the files of leases that nobody holds: those of processes that were killed, but for uploads."""
    for path in folder.glob("*.lock"):
        if path.name.startswith(UPLOAD):
            continue
        with contextlib.suppress(OSError):
            handle = _taken(path)
            if handle is not None:
                _give_back(path, handle)


def _asked(path: Path) -> int | None:
    try:
        return _taken(path)
    except OSError as error:
        raise StoreError(
            f"资料库不可写：{str(path)!r}：{error.strerror}", remedy="请检查文件夹的权限", code="store_unwritable"
        ) from error


def _taken(path: Path) -> int | None:
    """The open, locked file; None while another has it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    if _lock(handle) and _is_still(path, handle):
        return handle
    os.close(handle)
    return None


def _is_still(path: Path, handle: int) -> bool:
    """False when the one before removed the file after it was opened here: others lock a new one."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _give_back(path: Path, handle: int) -> None:
        # An open file cannot be removed there; it is empty and stays.
        del path
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
        os.close(handle)

else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _give_back(path: Path, handle: int) -> None:
        path.unlink(missing_ok=True)
        os.close(handle)
