"""The original files, each under the hash of its bytes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from youju.errors import InputError, StoreError, TooLargeError

HEX = frozenset("0123456789abcdef")
PARTIAL = "partial-"
ABANDONED_S = 3600
BINARY = getattr(os, "O_BINARY", 0)
"""Without it Windows would change line ends."""


class Kept(NamedTuple):
    sha256: str
    size_bytes: int


def _unasked(kept: Kept) -> None:
    """For callers who want to know nothing before a file gets its name."""


@dataclass(frozen=True)
class Blobs:
    """Files in `folder`, named by their sha256; the same bytes are kept once.

    Args:
        limit: bytes a file may have, None = no limit.
    """

    folder: Path
    limit: int | None = None

    def put(self, pieces: Iterable[bytes], *, token: str = "", before: Callable[[Kept], object] = _unasked) -> Kept:
        """The hash and size of what was stored. It is on the disk, whole, or not there at all.

        Args:
            pieces: the bytes.
            token: names the file while it is not whole; none = by chance.
            before: told, in this thread, before the file gets its name; where it raises, nothing is kept.

        Raises:
            TooLargeError: over the limit; nothing is kept.
            StoreError: the folder cannot be written, or the disk is full.
        """
        partial = self.partial(token or secrets.token_hex(8))
        try:
            with self._explained():
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                file = os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600), "wb")
            with file:
                kept = self._spool(pieces, file)
            before(kept)
            with self._explained():
                self._settle(partial, self.path(kept.sha256))
        finally:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
        return kept

    def path(self, sha256: str) -> Path:
        """Where the file with this hash is, or would be.

        Raises:
            InputError: not a sha256 in lower-case hexadecimal.
        """
        if len(sha256) != hashlib.sha256().digest_size * 2 or not HEX.issuperset(sha256):
            raise InputError(f"不是 SHA-256：{sha256!r}", remedy="应为 64 位小写十六进制")
        return self.folder / sha256[:2] / sha256

    def partial(self, token: str) -> Path:
        """Where the file is that is received under this token."""
        return self.folder / f"{PARTIAL}{token}"

    def drop(self, sha256: str) -> bool:
        """Remove the file; false where there was none."""
        try:
            self.path(sha256).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise unwritable(self.folder, error) from error
        # The folder stays: another thread may be about to put a file there.
        return True

    def all(self) -> list[str]:
        """The hashes of all files, in order."""
        return sorted(path.name for path in self.folder.glob("??/*") if HEX.issuperset(path.name))

    def sweep(self) -> int:
        """How many half-written files of interrupted uploads were removed. Only while nothing is being stored."""
        left = list(self.folder.glob(f"{PARTIAL}*"))
        for path in left:
            path.unlink(missing_ok=True)
        return len(left)

    def interrupted(self) -> list[Path]:
        """Half-written files of uploads that ended without an end: nothing was added to them for an hour."""
        border = time.time() - ABANDONED_S
        return sorted(path for path in self.folder.glob(f"{PARTIAL}*") if path.stat().st_mtime < border)

    def _spool(self, pieces: Iterable[bytes], file: BinaryIO) -> Kept:
        digest, size = hashlib.sha256(), 0
        # What goes wrong with the source of the pieces is not ours to explain.
        for piece in self._bounded(pieces):
            digest.update(piece)
            with self._explained():
                size += file.write(piece)
        with self._explained():
            file.flush()
            os.fsync(file.fileno())
        return Kept(digest.hexdigest(), size)

    def _settle(self, partial: Path, path: Path) -> None:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        partial.replace(path)
        # A renamed file survives a power cut only once its folder is on the disk, too.
        for folder in (path.parent, self.folder):
            sync_folder(folder)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise unwritable(self.folder, error) from error

    def _bounded(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        size = 0
        for piece in pieces:
            size += len(piece)
            check_size(size, self.limit)
            yield piece


def check_size(size: int, limit: int | None) -> None:
    """Raises TooLargeError for a file of more than `limit` bytes."""
    if limit is not None and size > limit:
        raise TooLargeError(f"文件超过上限 {limit / 2**20:.0f} MiB", remedy="请拆分文件，或调高 ingest.max_file_mib")


def unwritable(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        f"原始文件所在的文件夹不可写：{str(folder)!r}：{error.strerror}",
        remedy="请检查文件夹的权限与剩余空间",
        code="blob_unwritable",
    )


def sync_folder(folder: Path) -> None:
    """Return once what was renamed, made or removed in `folder` is on the disk."""
    if os.name == "nt":
        # Windows can neither open nor sync a folder.
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
