from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.exc import IntegrityError

from shelf import NOW, catalogue
from youju.errors import StoreError
from youju.storage.engine import FILE_NAME, Store, _store_error
from youju.storage.tables import collection, document, meta, version


@pytest.fixture
def store(tmp_path):
    store = Store.open(tmp_path / "store")
    yield store
    store.close()


def put(key: str, value: str = ""):
    return lambda tx: tx.execute(insert(meta), {"key": key, "value": value})


def keys(tx) -> list[str]:
    return list(tx.execute(select(meta.c.key).order_by(meta.c.key)).scalars())


def python(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_new_folder_is_closed_to_others(tmp_path):
    Store.open(tmp_path / "deep" / "store").close()
    assert (tmp_path / "deep" / "store").stat().st_mode & 0o777 == 0o700


def test_a_folder_may_have_any_name(tmp_path):
    folder = tmp_path / "100% 资料?#"
    Store.open(folder).close()
    assert (folder / FILE_NAME).is_file()


async def test_what_was_written_is_there_after_reopening(tmp_path):
    store = Store.open(tmp_path)
    await store.write(put("a"))
    await store.aclose()
    store = Store.open(tmp_path)
    assert await store.read(keys) == ["a"]
    await store.aclose()


def test_a_store_of_a_newer_program_is_refused(tmp_path):
    store = Store.open(tmp_path)
    store.write_now(lambda tx: tx.execute(text("UPDATE alembic_version SET version_num = '0999'")))
    store.close()
    with pytest.raises(StoreError, match="更新版本") as caught:
        Store.open(tmp_path)
    assert (caught.value.code, caught.value.remedy) == ("store_newer", "请升级有据后再打开")


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / FILE_NAME).write_text("这不是数据库。" * 1000)
    with pytest.raises(StoreError, match="不是资料库") as caught:
        Store.open(tmp_path)
    assert caught.value.code == "store_damaged"
    assert caught.value.remedy


def test_a_damaged_database_is_named_as_such(tmp_path):
    store = Store.open(tmp_path)
    store.write_now(put("a"))
    store.close()
    path = tmp_path / FILE_NAME
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x5a" * (size - 4096))

    def use() -> None:
        store = Store.open(tmp_path)
        try:
            store.read_now(keys)
        finally:
            store.close()

    with pytest.raises(StoreError) as caught:
        use()
    assert caught.value.code == "store_damaged"


def test_the_database_of_another_program_is_left_alone(tmp_path):
    with sqlite3.connect(tmp_path / FILE_NAME) as other:
        other.execute("CREATE TABLE somebodys (x)")
    other.close()
    with pytest.raises(StoreError) as caught:
        Store.open(tmp_path)
    assert caught.value.code == "store_foreign"
    with sqlite3.connect(tmp_path / FILE_NAME) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("somebodys",)]
    other.close()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="file/store") as caught:
        Store.open(tmp_path / "file" / "store")
    assert caught.value.code == "store_unwritable"


def test_a_database_file_that_is_a_folder_is_refused(tmp_path):
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(StoreError) as caught:
        Store.open(tmp_path)
    assert caught.value.code == "store_unwritable"


def test_a_read_only_database_is_explained(tmp_path):
    Store.open(tmp_path).close()
    raw = sqlite3.connect(f"file:{tmp_path / FILE_NAME}?mode=ro", uri=True)
    with pytest.raises(sqlite3.OperationalError) as caught:
        raw.execute("DELETE FROM meta")
    raw.close()
    error = _store_error(caught.value, tmp_path)
    assert (error.code, error.remedy) == ("store_unwritable", "请检查文件夹的权限与磁盘是否只读")


@pytest.mark.skipif(os.name == "nt", reason="folders have no modes there")
def test_a_store_in_a_read_only_folder_is_refused():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        Store.open(folder).close()
        (folder / FILE_NAME).chmod(0o444)
        folder.chmod(0o555)
        # Root may write anywhere, so the other process becomes somebody else.
        refused = python(
            "import os, sys; from pathlib import Path\n"
            "from youju.errors import StoreError; from youju.storage.engine import Store\n"
            "if os.geteuid() == 0: os.seteuid(65534)\n"
            "try: Store.open(Path(sys.argv[1]))\n"
            "except StoreError as error: print(error.code)",
            folder,
        )
        folder.chmod(0o755)
    assert (refused.stdout, refused.stderr) == ("store_unwritable\n", "")


async def test_a_write_that_raises_leaves_nothing_not_even_tables(store):
    def half(tx) -> None:
        put("a")(tx)
        tx.execute(text("CREATE TABLE extra (x)"))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await store.write(half)
    assert await store.read(keys) == []
    assert not await store.read(lambda tx: tx.execute(text("SELECT 1 FROM sqlite_master WHERE name = 'extra'")).all())


def test_a_process_killed_in_the_middle_of_a_write_leaves_nothing(store):
    killed = python(
        "import os, sys; from pathlib import Path; from sqlalchemy import insert\n"
        "from youju.storage.engine import Store; from youju.storage.tables import meta\n"
        "store = Store.open(Path(sys.argv[1]))\n"
        "def half(tx):\n"
        "    tx.execute(insert(meta), [{'key': str(n), 'value': 'x' * 9999} for n in range(500)])\n"
        "    os.kill(os.getpid(), 9)\n"
        "store.write_now(half)",
        store.folder,
    )
    assert killed.returncode == -9
    assert store.read_now(keys) == []
    store.write_now(put("after"))
    assert store.read_now(lambda tx: tx.execute(text("PRAGMA integrity_check")).scalar()) == "ok"


async def test_writers_of_a_loop_and_of_threads_take_turns(store):
    await store.write(put("n", "0"))

    def add_one(tx) -> None:
        value = int(tx.execute(select(meta.c.value)).scalar_one())
        tx.execute(meta.update().values(value=str(value + 1)))

    threads = [threading.Thread(target=store.write_now, args=(add_one,)) for _ in range(20)]
    for thread in threads:
        thread.start()
    await asyncio.gather(*(store.write(add_one) for _ in range(20)))
    for thread in threads:
        await asyncio.to_thread(thread.join)
    assert await store.read(lambda tx: tx.execute(select(meta.c.value)).scalar_one()) == "40"


def test_readers_are_not_held_up_by_a_writer_and_see_what_was_committed(store):
    def write(tx) -> list[str]:
        put("a")(tx)
        return store.read_now(keys)

    assert store.write_now(write) == []
    assert store.read_now(keys) == ["a"]


def test_a_reader_keeps_its_view_while_others_commit(store):
    def read(tx) -> tuple[list[str], list[str]]:
        before = keys(tx)
        store.write_now(put("a"))
        return before, keys(tx)

    assert store.read_now(read) == ([], [])


def test_a_reader_cannot_write(store):
    with pytest.raises(StoreError):
        store.read_now(put("a"))
    assert store.read_now(keys) == []


def test_a_violated_constraint_is_left_to_the_caller(store):
    store.write_now(put("a"))
    with pytest.raises(IntegrityError):
        store.write_now(put("a"))
    with pytest.raises(IntegrityError):
        store.write_now(lambda tx: tx.execute(insert(document), row("d", "no such collection")))


def row(id_: str, collection_id: str = "c1") -> dict[str, object]:
    return {"id": id_, "collection_id": collection_id, "title": "t", "file_name": "f", "created_at": NOW}


async def test_twenty_uploads_of_the_same_bytes_become_one_version(store):
    def upload(n: int):
        def write(tx) -> int:
            tx.execute(upsert(collection).on_conflict_do_nothing(), {"id": "c1", "name": "c", "created_at": NOW})
            found = tx.execute(
                upsert(document).on_conflict_do_nothing().returning(document.c.id), row(f"d{n}")
            ).scalar()
            mine = {"collection_id": "c1", "sha256": "same", "status": "UPLOADED", "suffix": ".md", "size_bytes": 1}
            if found:
                mine |= {"document_id": found, "number": 1, "created_at": NOW}
                tx.execute(upsert(version).on_conflict_do_nothing(), mine)
            return tx.execute(select(version.c.id).where(version.c.sha256 == "same", version.c.living)).scalar_one()

        return write

    ids = await asyncio.gather(*(store.write(upload(n)) for n in range(20)))
    assert set(ids) == {1}
    assert await store.read(lambda tx: tx.execute(select(func.count()).select_from(document)).scalar()) == 1


def test_the_database_refuses_a_second_living_version_of_the_same_bytes(store):
    def second(tx, *, living: bool) -> None:
        catalogue(tx, "d2")
        first = version.c.document_id == "d1"
        tx.execute(version.update().where(first).values(living=living))
        tx.execute(version.update().where(version.c.document_id == "d2").values(sha256="d1-1"))

    store.write_now(lambda tx: catalogue(tx, "d1"))
    with pytest.raises(IntegrityError):
        store.write_now(lambda tx: second(tx, living=True))
    store.write_now(lambda tx: second(tx, living=False))


def test_the_database_refuses_a_second_active_version(store):
    def activate(tx) -> None:
        tx.execute(version.update().values(active=True))

    store.write_now(lambda tx: (catalogue(tx, "d1"), catalogue(tx, "d1", number=2)))
    with pytest.raises(IntegrityError):
        store.write_now(activate)


def test_moments_come_back_aware_and_in_utc(store):
    store.write_now(lambda tx: catalogue(tx, "d1"))
    assert store.read_now(lambda tx: tx.execute(select(document.c.created_at)).scalar_one()) == NOW


async def test_closing_twice_is_harmless_and_leaves_one_file(tmp_path):
    store = Store.open(tmp_path)
    await store.write(put("a"))
    await store.aclose()
    await store.aclose()
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_processes_that_open_a_new_store_at_once_agree(tmp_path):
    code = "import sys; from pathlib import Path; from youju.storage.engine import Store; Store.open(Path(sys.argv[1]))"
    started = [
        subprocess.Popen([sys.executable, "-c", code, tmp_path], stderr=subprocess.PIPE)  # noqa: S603
        for _ in range(3)
    ]
    for process in started:
        assert process.communicate(timeout=60)[1] == b""
        assert process.returncode == 0


def test_opening_a_store_that_is_up_to_date_does_not_import_alembic(tmp_path: Path):
    Store.open(tmp_path).close()
    code = (
        "import sys; from pathlib import Path; from youju.storage.engine import Store\n"
        "Store.open(Path(sys.argv[1])).close(); sys.exit('alembic' in sys.modules)"
    )
    assert python(code, tmp_path).returncode == 0


async def test_a_checkpoint_gives_up_on_a_reader_and_writers_wait_as_long_as_before(store):
    started, ended = threading.Event(), threading.Event()

    def read(tx) -> None:
        keys(tx)
        started.set()
        ended.wait(30)

    reading = asyncio.create_task(store.read(read))
    await asyncio.to_thread(started.wait)
    await store.write(put("a"))
    before = time.monotonic()
    await asyncio.to_thread(store.checkpoint)
    waited = time.monotonic() - before
    ended.set()
    await reading
    assert waited < 10
    assert await store.write(lambda tx: tx.execute(text("PRAGMA busy_timeout")).scalar()) == 30_000


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_whatever_the_folder_and_the_umask_only_the_owner_can_read(tmp_path) -> None:
    tmp_path.chmod(0o755)
    for name in ("blobs", "leases"):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(0o755)
    before = os.umask(0)
    try:
        Store.open(tmp_path).close()
        (tmp_path / "youju.db").chmod(0o644)
        store = Store.open(tmp_path)
        store.write_now(lambda tx: tx.exec_driver_sql("INSERT INTO meta VALUES ('a', 'b')"))
        modes = {path.name: oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(before)
    files = dict.fromkeys(("youju.db", "youju.db-wal", "youju.db-shm"), "0o600")
    assert modes == files | dict.fromkeys(("blobs", "leases"), "0o700")


@pytest.mark.parametrize("left", [None, b""])
def test_originals_without_a_catalogue_are_a_lost_store_and_not_a_new_one(tmp_path, left) -> None:
    Store.open(tmp_path).close()
    original = tmp_path / "blobs" / "ab" / ("ab" * 32)
    original.parent.mkdir(parents=True)
    original.touch()
    (tmp_path / "youju.db").unlink()
    if left is not None:
        (tmp_path / "youju.db").write_bytes(left)
    with pytest.raises(StoreError) as caught:
        Store.open(tmp_path)
    assert caught.value.code == "store_lost"


async def test_a_store_that_a_newer_youju_has_changed_meanwhile_is_no_longer_written(tmp_path):
    store = Store.open(tmp_path)
    with closing(sqlite3.connect(tmp_path / "youju.db")) as newer, newer:
        newer.execute("CREATE TABLE novelty (id INTEGER)")
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError) as caught:
        await store.write(lambda tx: tx.exec_driver_sql("DELETE FROM document"))
    assert caught.value.code == "store_newer"
    await store.aclose()
