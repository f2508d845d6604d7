"""The store: one SQLite file in one folder, many readers side by side, one writer at a time."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from youju.errors import StoreError
from youju.storage import migrations

T = TypeVar("T")

FILE_NAME = "youju.db"
BLOBS = "blobs"
LEASES = "leases"
READERS = 8
BUSY_MS = 30_000
CHECKPOINT_MS = 1000
READER_CACHE_KIB = 8192
"""A connection; with 32 MiB a search in 100 000 chunks is not faster, and eight of them would be 256."""
WRITER_CACHE_KIB = 32_768
UNWRITTEN = tuple(f"SQLITE_IOERR_{what}" for what in ("WRITE", "FSYNC", "DIR_FSYNC", "TRUNCATE", "SHMSIZE", "SHMMAP"))
"""What SQLite says of a disk without room where the system does not say ENOSPC: a quota, a limit, a network disk."""
ROOM = "请检查剩余空间、配额、文件大小上限（ulimit -f）与权限后重试"
PRAGMAS = (
    f"busy_timeout = {BUSY_MS}",  # how long another process may hold the write lock
    "foreign_keys = ON",
    "synchronous = NORMAL",  # with WAL: a power cut may lose the last commits, never the consistency
    "secure_delete = ON",  # what is deleted is overwritten, not only unlinked
    "temp_store = MEMORY",  # sorting must not leave people's text in temporary files
)


class Store:
    """The database of one folder. Made by `Store.open`, ended by `aclose`; usable from any loop and any thread."""

    def __init__(self, folder: Path, reader: Engine, writer: Engine) -> None:
        self.folder = folder
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()
        self._schema = 0
        self._read_threads = ThreadPoolExecutor(READERS, thread_name_prefix="youju-read")
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="youju-write")

    @classmethod
    def open(cls, folder: Path) -> Store:
        """The store in `folder`; a missing one is created (mode 700), one of an older schema is brought up to date.

        Raises:
            StoreError: the folder or file cannot be read and written, is damaged, is not a store, or comes from a
                newer Youju.
        """
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"无法建立资料库文件夹 {str(folder)!r}：{error.strerror}",
                remedy="请检查路径与权限，或换一个文件夹",
                code="store_unwritable",
            ) from error
        path = folder / FILE_NAME
        try:
            _check_not_lost(folder)
            _keep_private(folder)
        except OSError as error:
            raise _store_error(None, folder, "SQLITE_CANTOPEN") from error
        store = cls(folder, _engine(path, "BEGIN", read_only=True), _engine(path, "BEGIN IMMEDIATE", read_only=False))
        try:
            store.write_now(_prepare)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def there(cls, folder: Path) -> bool:
        """Whether there is a store in `folder`, what is left of one, or something that `open` has to complain about."""
        try:
            if folder.exists() and not folder.is_dir():
                return True
            return (folder / FILE_NAME).exists() or any((folder / BLOBS).glob("??/*"))
        except OSError:
            return True

    async def read(self, fn: Callable[[Connection], T]) -> T:
        """What `fn` returns, run in a thread on one unchanging view of the data; it cannot write.

        Raises:
            StoreError: the database failed.
        """
        return await asyncio.get_running_loop().run_in_executor(self._read_threads, self.read_now, fn)

    async def write(self, fn: Callable[[Connection], T]) -> T:
        """What `fn` returns, run in the writing thread; committed when it returns, rolled back when it raises.

        A caller that is cancelled while `fn` runs does not stop it: the transaction still ends as `fn` does.

        Raises:
            StoreError: the database failed, or another process held it for 30 s.
            IntegrityError: a constraint of the tables was violated; for the caller to understand.
        """
        return await asyncio.get_running_loop().run_in_executor(self._write_thread, self.write_now, fn)

    async def settled(self) -> None:
        """Return once every transaction begun so far has ended, those nobody waits for any more included."""
        loop = asyncio.get_running_loop()
        await asyncio.shield(loop.run_in_executor(self._write_thread, lambda: None))

    def read_now(self, fn: Callable[[Connection], T]) -> T:
        """`read` for callers that are in a thread already."""
        with explained(self.folder), self._reader.begin() as connection:
            return fn(connection)

    def write_now(self, fn: Callable[[Connection], T]) -> T:
        """`write` for callers that are in a thread already. Not to be nested."""
        with self._lock, explained(self.folder), self._writer.begin() as connection:
            self._check_schema(connection)
            return fn(connection)

    def _check_schema(self, connection: Connection) -> None:
        """Raises StoreError once a newer Youju has changed the tables under us: what we know of them is over."""
        schema = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
        if schema != self._schema:
            check_revision(migrations.revision(connection))
            self._schema = schema

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database file and empty it, as far as readers allow within a second."""
        with self._lock, explained(self.folder):
            raw = self._writer.raw_connection()
            try:
                # It waits for readers with the write lock held: nobody should write later because somebody reads.
                raw.cursor().execute(f"PRAGMA busy_timeout = {CHECKPOINT_MS}")
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                raw.cursor().execute(f"PRAGMA busy_timeout = {BUSY_MS}")
                raw.close()

    async def aclose(self) -> None:
        """Wait for what is running, empty the write-ahead log, close every connection. A second call does nothing."""
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """`aclose` for callers without a loop."""
        self._read_threads.shutdown()
        self._write_thread.shutdown()
        self._reader.dispose()
        try:
            if (self.folder / FILE_NAME).exists():
                self.checkpoint()
        except StoreError:
            # Nothing is lost: the next opening replays the log.
            pass
        finally:
            self._writer.dispose()


def _check_not_lost(folder: Path) -> None:
    """Raises StoreError where originals stand beside no catalogue: an empty new one would make them residue."""
    holders = (folder / FILE_NAME, folder / f"{FILE_NAME}-wal")
    if any(path.exists() and path.stat().st_size for path in holders) or not any((folder / BLOBS).glob("??/*")):
        return
    raise StoreError(
        f"资料库的 {FILE_NAME} 不见了或是空的，而原始文件还在：{str(folder)!r}",
        remedy=f"请从备份恢复 {FILE_NAME}；或把这个文件夹移到别处，再用其中 {BLOBS} 里的原始文件重新导入",
        code="store_lost",
    )


def _keep_private(folder: Path) -> None:
    """Whatever the umask and the folder: the text of people's documents is for the owner alone."""
    path = folder / FILE_NAME
    # SQLite gives its log the mode of the database.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    parts = [(path.with_name(path.name + end), 0o600) for end in ("", "-wal", "-shm")]
    for part, mode in [*parts, (folder / BLOBS, 0o700), (folder / LEASES, 0o700)]:
        # Another's files cannot be changed; whether they can be used shows when they are.
        with suppress(OSError):
            if part.stat().st_mode & 0o077:
                part.chmod(mode)


def _engine(path: Path, begin: str, *, read_only: bool) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"check_same_thread": False},
        # Callers in threads of their own come on top of the readers of the pool.
        pool_size=READERS if read_only else 1,
        max_overflow=-1 if read_only else 0,
        json_serializer=partial(json.dumps, ensure_ascii=False),
    )

    def connected(raw: sqlite3.Connection, record: object) -> None:  # noqa: ARG001
        # The driver's own BEGIN comes late (before the first INSERT) and lets DDL and reads run outside.
        raw.isolation_level = None
        cache = READER_CACHE_KIB if read_only else WRITER_CACHE_KIB
        for pragma in (*PRAGMAS, f"cache_size = -{cache}", f"query_only = {int(read_only)}"):
            raw.execute(f"PRAGMA {pragma}")
        if not read_only:
            raw.execute("PRAGMA journal_mode = WAL")

    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine


def _prepare(connection: Connection) -> None:
    """Create or migrate the schema, in one transaction: of two processes that open a new store, one waits."""
    found = migrations.revision(connection)
    if found == migrations.HEAD:
        return
    check_revision(found)
    migrations.upgrade(connection)


def check_revision(found: str | None) -> None:
    """Raises StoreError for a database that this program cannot bring up to date; `found` as `migrations.revision`."""
    if found is None or (found and not found.isdigit()):
        raise StoreError(f"{FILE_NAME} 是别的程序的数据库", remedy="请为资料库另选一个文件夹", code="store_foreign")
    if found > migrations.HEAD:
        raise StoreError(
            f"资料库由更新版本的有据写成（结构 {found}，本程序只认识到 {migrations.HEAD}）",
            remedy="请升级有据后再打开",
            code="store_newer",
        )


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """What goes wrong with the database inside leaves as a StoreError."""
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, sqlite3.Error) as error:
        # Setting up a connection fails with the driver's own errors.
        raise _store_error(error.orig if isinstance(error, DBAPIError) else error, folder) from error


def _store_error(error: BaseException | None, folder: Path, name: str = "") -> StoreError:
    name = name or str(getattr(error, "sqlite_errorname", ""))
    file = str(folder / FILE_NAME)
    room = ("store_full", f"未能写入资料库（{name}）：磁盘已满，或超出了配额、文件大小上限", ROOM)
    known = {
        **dict.fromkeys(UNWRITTEN, room),
        "SQLITE_IOERR": ("store_io", f"读写资料库时磁盘出错（{name}）", "请检查磁盘与文件系统，必要时从备份恢复"),
        "SQLITE_BUSY": ("store_busy", "资料库正被另一个程序占用", "请稍后再试，或关闭另一个程序"),
        "SQLITE_LOCKED": ("store_busy", "资料库正被另一个程序占用", "请稍后再试，或关闭另一个程序"),
        "SQLITE_FULL": ("store_full", "磁盘空间不足，未能写入资料库", "请腾出空间后重试"),
        "SQLITE_READONLY": ("store_unwritable", f"资料库不可写：{file!r}", "请检查文件夹的权限与磁盘是否只读"),
        "SQLITE_CANTOPEN": ("store_unwritable", f"资料库打不开：{file!r}", "请检查文件夹的权限"),
        "SQLITE_NOTADB": ("store_damaged", f"文件不是资料库：{file!r}", "请从备份恢复，或移走该文件后重新导入"),
        "SQLITE_CORRUPT": ("store_damaged", f"资料库已损坏：{file!r}", "请从备份恢复，或移走该文件后重新导入"),
    }
    # SQLITE_READONLY_DIRECTORY and the like are kinds of SQLITE_READONLY.
    for prefix, (code, message, remedy) in known.items():
        if name.startswith(prefix):
            return StoreError(message, remedy=remedy, code=code)
    return StoreError(f"资料库出错：{error}", remedy="请查看日志", code="store")
