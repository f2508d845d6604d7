"""A backup of a store that is in use: one archive, as the store was at one moment."""

from __future__ import annotations

import hashlib
import io
import os
import secrets
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

from youju import __version__
from youju.errors import ConflictError, InputError, StoreError
from youju.storage.archive import BLOCK, MANIFEST, Entry, Manifest, Report, blob_name, check_room, unreported
from youju.storage.blobs import sync_folder
from youju.storage.engine import FILE_NAME, explained
from youju.storage.snapshot import counts, opened, revision

PAGES = 4096
"""Pages of the database copied between two reports."""
SNAPSHOTS = 20
"""Snapshots taken at most, until one names no original that was deleted before it could be copied."""


class Backup(NamedTuple):
    path: Path
    manifest: Manifest


def back_up(folder: Path, to: Path, report: Report = unreported, *, into: bool = False) -> Backup:
    """Write the store in `folder` into one archive, while others may read and write it.

    Args:
        folder: of the store. Nothing in it is changed.
        to: the file to make; a folder = a file in it that is named by the time.
        report: told how far it is.
        into: `to` is a folder, to be made if it is not there.

    Returns:
        Where the archive is, and what it holds. It is whole, or not there; only its owner can read it.

    Raises:
        StoreError: no store, a damaged one, one of a newer Youju; no room.
        InputError, ConflictError: a place where no backup can be, or where there is something already.
    """
    if not (folder / FILE_NAME).is_file():
        raise StoreError(f"这里没有资料库：{str(folder)!r}", remedy="请用 --data 指明资料库", code="no_store")
    path = _destination(folder, to, into=into)
    partial = path.with_name(f"{path.name}.partial-{secrets.token_hex(4)}")
    copy = partial.with_name(f"{partial.name}.db")
    try:
        with explained(folder), _writable(path), closing(opened(folder)) as source:
            with _private(partial) as file, _private(copy):
                manifest = Copying(folder, source, copy, file, report).done()
                file.flush()
                os.fsync(file.fileno())
            _settle(partial, path)
    finally:
        partial.unlink(missing_ok=True)
        copy.unlink(missing_ok=True)
    return Backup(path, manifest)


@dataclass
class Copying:
    """The work on one archive, `file`. `copy` is the place for the snapshot of the database."""

    folder: Path
    source: sqlite3.Connection
    copy: Path
    file: BinaryIO
    report: Report
    files: dict[str, Entry] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    copied: int = 0
    total: int = 0

    def done(self) -> Manifest:
        """The manifest of what was written."""
        originals = self._named()
        self.total = sum(originals.values()) + self._pages()
        check_room(self.copy.parent, self.total + self._pages())
        with tarfile.open(fileobj=self.file, mode="w", format=tarfile.PAX_FORMAT) as tar:
            # The long part comes before the moment that counts: little can be added or deleted after it.
            self._add_originals(tar, originals)
            manifest = self._with_snapshot(tar)
            data = manifest.encoded()
            tar.addfile(_member(MANIFEST, len(data)), io.BytesIO(data))
        self._blank(set(self.files) - set(manifest.files))
        return manifest

    def _with_snapshot(self, tar: tarfile.TarFile) -> Manifest:
        for _ in range(SNAPSHOTS):
            named, manifest = self._snapshot()
            lost = self._add_originals(tar, named)
            if lost <= set(self._named()):
                # What the catalogue still names was lost by the store, not deleted a moment ago.
                break
        else:
            raise StoreError("备份时资料库一直在删除文档", remedy="请稍后再试", code="store_busy")
        with self.copy.open("rb") as file:
            self._add(tar, FILE_NAME, file)
        kept = {FILE_NAME, *(blob_name(sha256) for sha256 in set(named) - lost)}
        files = {name: entry for name, entry in self.files.items() if name in kept}
        return Manifest(manifest.created_at, __version__, manifest.schema, manifest.counts, files, tuple(sorted(lost)))

    def _snapshot(self) -> tuple[dict[str, int], Manifest]:
        """The database at one moment, in `copy`; the originals it names, and what it holds."""
        self.source.execute("BEGIN")
        try:
            named = self._named()
            moment = datetime.now(UTC).isoformat(timespec="seconds")
            manifest = Manifest(moment, __version__, str(revision(self.source)), counts(self.source), {})
            with closing(sqlite3.connect(self.copy, isolation_level=None)) as copy:
                # It is thrown away when anything goes wrong: no journal.
                copy.execute("PRAGMA journal_mode = OFF")
                copy.execute("PRAGMA synchronous = OFF")
                self.source.backup(copy, pages=PAGES, progress=lambda *_: self._tell())
                said = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            self.source.execute("COMMIT")
        if said != "ok":
            raise StoreError(f"资料库已损坏，无法备份：{said}", remedy="请从较早的备份恢复", code="store_damaged")
        return named, manifest

    def _named(self) -> dict[str, int]:
        """The sha256 of every original the catalogue has, and its bytes."""
        return dict(self.source.execute("SELECT sha256, max(size_bytes) FROM version GROUP BY sha256 ORDER BY sha256"))

    def _pages(self) -> int:
        pages, size = (self.source.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        return int(pages * size)

    def _add_originals(self, tar: tarfile.TarFile, named: dict[str, int]) -> set[str]:
        """Those that are not there, or not as they were; the others are in the archive then."""
        lost = set()
        for sha256 in named:
            name = blob_name(sha256)
            if name not in self.files:
                try:
                    file = (self.folder / name).open("rb")
                except FileNotFoundError:
                    lost.add(sha256)
                    continue
                with file:
                    self._add(tar, name, file)
            if self.files[name].sha256 != sha256:
                # Other bytes under this name would be refused when they are restored.
                lost.add(sha256)
        return lost

    def _add(self, tar: tarfile.TarFile, name: str, file: BinaryIO) -> None:
        member = _member(name, os.fstat(file.fileno()).st_size)
        hashing = _Hashing(file, self.file)
        tar.addfile(member, hashing)
        self.files[name] = Entry(hashing.digest.hexdigest(), member.size)
        self.places[name] = hashing.place
        self.copied += member.size
        self._tell()

    def _tell(self) -> None:
        self.report(self.copied, max(self.copied, self.total))

    def _blank(self, names: set[str]) -> None:
        """What was deleted while it was being copied must not live on in the archive."""
        for name in names:
            self.file.seek(self.places[name])
            for at in range(0, self.files[name].size, BLOCK):
                self.file.write(bytes(min(BLOCK, self.files[name].size - at)))


@dataclass
class _Hashing:
    """A file read once, from the place in `out` where its bytes go."""

    file: BinaryIO
    out: BinaryIO
    place: int = -1
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    def read(self, size: int = -1) -> bytes:
        if self.place < 0:
            self.place = self.out.tell()
        block = self.file.read(size)
        self.digest.update(block)
        return block


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    member.mtime = int(datetime.now(UTC).timestamp())
    return member


def _destination(folder: Path, to: Path, *, into: bool) -> Path:
    into = into or to.is_dir()
    path = _named(to) if into else to
    if path.resolve().is_relative_to(folder.resolve()):
        raise InputError(
            f"备份不能放在资料库里面：{path}", remedy="请放到别的文件夹，最好是另一块磁盘", code="backup_inside"
        )
    if into and not os.path.lexists(to) and to.parent.is_dir():
        with _writable(path):
            to.mkdir(mode=0o700)
    if not path.parent.is_dir():
        raise InputError(f"没有这个文件夹：{path.parent}", remedy="请先建立它，或换一个位置", code="no_such_folder")
    _check_free(path)
    return path


def _named(folder: Path) -> Path:
    """A file by the moment, with a number where two fall into one second."""
    moment = f"youju-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    names = (f"{moment}.tar", *(f"{moment}-{n}.tar" for n in range(2, 100)))
    return next((folder / name for name in names if not os.path.lexists(folder / name)), folder / names[0])


def _check_free(path: Path) -> None:
    if os.path.lexists(path):
        raise ConflictError(f"已有这个文件：{path}", remedy="请换一个文件名，或先移走它", code="backup_exists")


@contextmanager
def _private(path: Path) -> Iterator[BinaryIO]:
    """A new file for its owner alone."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o600), "w+b") as file:
        yield file


def _settle(partial: Path, path: Path) -> None:
    try:
        # Unlike a renaming, a link never replaces what has come meanwhile.
        path.hardlink_to(partial)
    except OSError:
        # There is something, or the file system has no links.
        _check_free(path)
        partial.rename(path)
    sync_folder(path.parent)


@contextmanager
def _writable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"备份没有完成：{path}：{error.strerror or error}",
            remedy="请检查文件夹的权限与剩余空间",
            code="backup_unwritable",
        ) from error
