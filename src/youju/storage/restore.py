"""A store out of a backup: checked whole before it takes its place, and never in the place of another one silently."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from youju.errors import ConflictError, InputError, StoreError
from youju.storage import schema
from youju.storage.archive import (
    BLOCK,
    Entry,
    Manifest,
    Report,
    blob_name,
    check_room,
    contents,
    damaged,
    reading,
    unreported,
)
from youju.storage.blobs import sync_folder
from youju.storage.engine import FILE_NAME, check_revision
from youju.storage.snapshot import counts

SHOWN = 5
"""Strange parts of a schema that are named."""


class Restored(NamedTuple):
    """`moved`: where what stood in the folder before is now. `missing`: originals that the catalogue names in vain."""

    manifest: Manifest
    moved: Path | None
    missing: tuple[str, ...]


def restore(archive: Path, folder: Path, *, force: bool = False, report: Report = unreported) -> Restored:
    """Make the store in `folder` out of a backup.

    Args:
        archive: as `back_up` wrote it.
        folder: where the store will be; made if it is not there.
        force: move aside what is in the folder, instead of refusing.
        report: told how far it is.

    Returns:
        What was restored. It is whole, or `folder` is as it was; every file is for its owner alone.

    Raises:
        InputError: no archive, a damaged one, one that somebody has changed, or one of a newer form.
        StoreError: the store in it is of a newer Youju; no room, or no permission.
        ConflictError: there is something in the folder, or a program uses it.
    """
    folder = folder.resolve()
    with _writable(folder), reading(archive) as tar:
        manifest, members = contents(tar, archive)
        check_revision(manifest.schema)
        _check_target(folder, force=force)
        folder.parent.mkdir(parents=True, exist_ok=True)
        check_room(folder.parent, manifest.size)
        made = folder.with_name(f".{folder.name}.restoring-{secrets.token_hex(4)}")
        try:
            missing = Unpacking(archive, tar, made, report).done(manifest, members)
            return Restored(manifest, _settle(made, folder), missing)
        finally:
            shutil.rmtree(made, ignore_errors=True)


@dataclass(frozen=True)
class Unpacking:
    archive: Path
    tar: tarfile.TarFile
    folder: Path
    report: Report

    def done(self, manifest: Manifest, members: dict[str, tarfile.TarInfo]) -> tuple[str, ...]:
        """The originals that the database names and the archive has not."""
        self.folder.mkdir(mode=0o700)
        done = 0
        for name, member in members.items():
            self._write(member, manifest.files[name])
            done += member.size
            self.report(done, manifest.size)
        return tuple(one for one in self._checked(manifest) if blob_name(one) not in members)

    def _write(self, member: tarfile.TarInfo, entry: Entry) -> None:
        # Nothing of the archive is believed but its bytes: not its modes, links, owners or absolute names.
        path = self.folder
        for part in Path(member.name).parent.parts:
            path /= part
            path.mkdir(mode=0o700, exist_ok=True)
        source, digest = self.tar.extractfile(member), hashlib.sha256()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(self.folder / member.name, flags, 0o600), "wb") as file:
            while source and (block := source.read(BLOCK)):
                digest.update(block)
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
        if digest.hexdigest() != entry.sha256:
            raise damaged(self.archive, f"{member.name!r} 的内容与清单不符")
        if member.name not in {FILE_NAME, blob_name(entry.sha256)}:
            raise tampered(self.archive, f"{member.name!r} 的内容与它的名字不符")

    def _checked(self, manifest: Manifest) -> list[str]:
        """The originals that the database names; it holds what the manifest says, and nothing that runs by itself."""
        address = f"file:{quote(str(self.folder / FILE_NAME))}?mode=ro&immutable=1"
        try:
            with closing(sqlite3.connect(address, uri=True)) as database:
                database.execute("PRAGMA trusted_schema = OFF")
                if database.execute("SELECT version_num FROM alembic_version").fetchall() != [(manifest.schema,)]:
                    raise damaged(self.archive, "数据库与清单不符")
                if names := schema.strange(database.execute(schema.QUERY), manifest.schema):
                    raise tampered(
                        self.archive, f"数据库的结构与版本 {manifest.schema} 不符：{'、'.join(names[:SHOWN])}"
                    )
                if counts(database) != dict(manifest.counts):
                    raise damaged(self.archive, "数据库与清单不符")
                return [str(one) for (one,) in database.execute("SELECT DISTINCT sha256 FROM version ORDER BY sha256")]
        except sqlite3.Error as error:
            raise damaged(self.archive, f"数据库打不开（{error}）") from error


def tampered(path: Path, why: str) -> InputError:
    return InputError(
        f"备份文件被人改动过：{path}：{why}",
        remedy="请不要使用它，改用另一份备份；资料库没有改动",
        code="archive_tampered",
    )


def _check_target(folder: Path, *, force: bool) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ConflictError(f"不是文件夹：{folder}", remedy="请为恢复另选一个文件夹", code="restore_target")
    if any(folder.iterdir()):
        if not force:
            raise ConflictError(
                f"文件夹不是空的：{folder}",
                remedy="请另选一个文件夹；或用 --force，原来的内容会移到旁边，不会删除",
                code="restore_target",
            )
        _check_unused(folder)


def _check_unused(folder: Path) -> None:
    """Raises ConflictError where a program has the database of the folder open."""
    path = folder / FILE_NAME
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as database:
            # Leaving the mode with a log is allowed to the only one that has it open; the next opening enters it again.
            database.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if str(getattr(error, "sqlite_errorname", "")).startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise ConflictError(
                f"资料库正被另一个程序使用：{folder}", remedy="请先停止 youju serve 与其他命令", code="store_in_use"
            ) from error
    except sqlite3.DatabaseError:
        # A damaged one may well be the reason to restore.
        return


def _settle(made: Path, folder: Path) -> Path | None:
    """Put what was made in its place; where the former content is now."""
    moved = None
    if folder.exists():
        if any(folder.iterdir()):
            moved = folder.with_name(f"{folder.name}.before-{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}")
            folder.rename(moved)
        else:
            folder.rmdir()
    try:
        made.rename(folder)
    except OSError:
        if moved is not None:
            moved.rename(folder)
        raise
    sync_folder(folder.parent)
    return moved


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"没有恢复到 {folder}：{error.strerror or error}",
            remedy="请检查权限与剩余空间；若它是挂载点，请恢复到其中的一个新文件夹",
            code="restore_unwritable",
        ) from error
