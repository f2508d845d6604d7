"""Pictures of pages that were drawn once, kept until their version goes or the folder is full."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from youju.storage.blobs import unwritable

LIMIT_BYTES = 256 << 20


@dataclass(frozen=True)
class PictureCache:
    """Files in `folder`, one folder a version. Whoever calls `put` or `drop` holds the write lock of the store.

    A version's id alone is not enough for its name: a store that was restored gives ids again.
    """

    folder: Path
    limit_bytes: int = LIMIT_BYTES

    def get(self, version_id: int, sha256: str, name: str) -> bytes | None:
        """The picture, None where it is not kept."""
        try:
            return self._path(version_id, sha256, name).read_bytes()
        except FileNotFoundError:
            return None

    def put(self, version_id: int, sha256: str, name: str, data: bytes) -> None:
        """Keep a picture; what was kept longest goes when there is no room.

        Raises:
            StoreError: the folder cannot be written.
        """
        path = self._path(version_id, sha256, name)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            partial = path.with_suffix(".partial")
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(data)
            partial.replace(path)
            self._make_room()
        except OSError as error:
            raise unwritable(self.folder, error) from error

    def drop(self, version_ids: Collection[int]) -> None:
        """Remove the pictures of these versions.

        Raises:
            StoreError: one could not be removed.
        """
        for version_id, path in self._versions():
            if version_id in version_ids:
                self._remove(path)

    def keep(self, version_ids: Collection[int]) -> None:
        """Remove the pictures of all other versions."""
        self.drop(self.versions() - set(version_ids))

    def versions(self) -> set[int]:
        """Ids of the versions that have pictures."""
        return {version_id for version_id, _ in self._versions()}

    def _path(self, version_id: int, sha256: str, name: str) -> Path:
        return self.folder / f"{version_id}-{sha256[:16]}" / f"{name}.png"

    def _versions(self) -> Iterator[tuple[int, Path]]:
        for path in self.folder.glob("*-*"):
            number = path.name.partition("-")[0]
            if number.isdecimal():
                yield int(number), path

    def _remove(self, path: Path) -> None:
        try:
            shutil.rmtree(path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise unwritable(self.folder, error) from error

    def _make_room(self) -> None:
        kept = sorted(((path.stat(), path) for path in self.folder.glob("*/*")), key=lambda one: one[0].st_mtime_ns)
        over = sum(stat.st_size for stat, _ in kept) - self.limit_bytes
        for stat, path in kept[:-1]:
            if over <= 0:
                return
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
            over -= stat.st_size
