"""The form of a backup: an uncompressed tar of `blobs/…`, `youju.db` and, last, `manifest.json` with every sha256.

The manifest comes last because it is known last; an archive without one was cut off.
"""

from __future__ import annotations

import json
import re
import shutil
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from youju.errors import InputError, StoreError
from youju.storage.engine import BLOBS, FILE_NAME

FORMAT = 1
MANIFEST = "manifest.json"
MANIFEST_MAX = 64 << 20
"""Bytes; about 400 000 originals."""
SHA256 = re.compile(r"[0-9a-f]{64}")
BLOCK = 1 << 20

Report = Callable[[int, int], None]
"""Told how many bytes of how many are done."""


def unreported(done: int, total: int) -> None:
    """A `Report` for callers who show nothing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the archive."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive holds. `counts` has the rows of each table, `missing` originals that the store had lost."""

    created_at: str
    youju: str
    schema: str
    counts: Mapping[str, int]
    files: Mapping[str, Entry]
    missing: tuple[str, ...] = ()
    format: int = FORMAT

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(one.size for one in self.files.values())

    def encoded(self) -> bytes:
        return json.dumps(asdict(self), indent=1, sort_keys=True).encode()


def blob_name(sha256: str) -> str:
    """Where an original stands in an archive, as in the folder of a store."""
    return f"{BLOBS}/{sha256[:2]}/{sha256}"


@contextmanager
def reading(path: Path) -> Iterator[tarfile.TarFile]:
    """The open archive.

    Raises:
        InputError: no such file, or not an archive, or one that was cut off, also found out while it is read.
    """
    try:
        with tarfile.open(path, "r:") as tar:
            yield tar
    except tarfile.TarError as error:
        raise damaged(path, "不是备份，或不完整") from error
    except OSError as error:
        if error.filename is None or Path(error.filename) != path:
            raise
        raise InputError(f"无法读取备份 {path}：{error.strerror}", remedy="请检查路径", code="no_such_file") from error


def check_room(folder: Path, needed: int) -> None:
    """Raises StoreError where the disk of `folder` has less than `needed` bytes left."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise StoreError(
            f"磁盘空间不足：需要 {needed / 2**20:.0f} MiB，{folder} 只剩 {free / 2**20:.0f} MiB",
            remedy="请腾出空间后重试，或换一个位置",
            code="store_full",
        )


def damaged(path: Path, why: str) -> InputError:
    return InputError(
        f"备份文件已损坏：{path}：{why}", remedy="请改用另一份备份；资料库没有改动", code="backup_damaged"
    )


def contents(tar: tarfile.TarFile, path: Path) -> tuple[Manifest, dict[str, tarfile.TarInfo]]:
    """The manifest, and the members it speaks of: regular files of the right size under names that a store has.

    Raises:
        InputError: the archive is damaged, or of a newer form.
    """
    members: dict[str, tarfile.TarInfo] = {}
    for one in tar.getmembers():
        if one.name in members:
            raise damaged(path, f"{one.name!r} 出现了两次")
        members[one.name] = one
    manifest = _manifest(tar, members.get(MANIFEST), path)
    for name, entry in manifest.files.items():
        found = members.get(name)
        if not _ours(name) or found is None or not found.isreg() or found.size != entry.size:
            raise damaged(path, f"{name!r} 不符合清单")
    if FILE_NAME not in manifest.files:
        raise damaged(path, f"其中没有 {FILE_NAME}")
    return manifest, {name: members[name] for name in manifest.files}


def _ours(name: str) -> bool:
    """Whether a store has a file of this name: so nothing can be written anywhere else."""
    sha256 = name.rpartition("/")[2]
    return name == FILE_NAME or bool(SHA256.fullmatch(sha256) and name == blob_name(sha256))


def _manifest(tar: tarfile.TarFile, member: tarfile.TarInfo | None, path: Path) -> Manifest:
    if member is None or not member.isreg() or member.size > MANIFEST_MAX:
        raise damaged(path, "不是备份，或不完整")
    file = tar.extractfile(member)
    try:
        said = json.loads(file.read() if file else b"")
        if int(said["format"]) > FORMAT:
            raise InputError(
                f"备份由更新版本的有据写成（格式 {said['format']}，本程序只认识到 {FORMAT}）",
                remedy="请升级有据后再恢复",
                code="backup_newer",
            )
        files = {str(name): Entry(str(one["sha256"]), int(one["size"])) for name, one in said["files"].items()}
        counts = {str(name): int(count) for name, count in said["counts"].items()}
        missing = tuple(str(one) for one in said["missing"])
        return Manifest(str(said["created_at"]), str(said["youju"]), str(said["schema"]), counts, files, missing)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise damaged(path, "清单无法读取") from error
