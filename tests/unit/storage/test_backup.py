from __future__ import annotations

import asyncio
import hashlib
import io
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from apps import MANUAL, RULES, added, environment, opened, ran, started, written
from youju.chat.service import Request
from youju.compose import App
from youju.errors import ConflictError, InputError, StoreError, YoujuError
from youju.storage import archive
from youju.storage.backup import Backup, back_up
from youju.storage.engine import Store
from youju.storage.migrations import HEAD
from youju.storage.restore import restore

QUESTION = "出差住宿费的上限是多少？"
MARK = "紫螺旋鲸鱼灯塔"


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """A folder with a store of two documents in `store`, and its backup in `b.tar`."""
    folder = tmp_path_factory.mktemp("kept")

    async def fill() -> None:
        async with opened(folder / "store") as app:
            await added(app, written(folder, "in/规定.md", RULES))
            await added(app, written(folder, "in/手册.md", MANUAL))
            await app.chat.ask(Request(QUESTION))

    asyncio.run(fill())
    back_up(folder / "store", folder / "b.tar")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def rows(folder: Path) -> dict[str, list[object]]:
    """All rows of all tables, those of the keyword index too."""
    with closing(sqlite3.connect(folder / "youju.db")) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for name in tables}  # noqa: S608


def originals(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "blobs").rglob("*") if path.is_file()}


async def healthy(app: App) -> bool:
    return all(one.level == "ok" for one in await app.doctor.examine())


def forged(path: Path, members: dict[str, bytes], /, **said: object) -> Path:
    """An archive of these files, with a manifest that fits them but for what is `said`."""
    entries = {name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)} for name, data in members.items()}
    manifest = {
        "format": 1,
        "created_at": "2026-01-01",
        "youju": "0",
        "schema": HEAD,
        "counts": {},
        "missing": [],
        "files": entries,
    } | said
    with tarfile.open(path, "w") as tar:
        for name, data in {**members, "manifest.json": json.dumps(manifest).encode()}.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return path


# --- there and back --------------------------------------------------------------------------------------------------


async def test_a_restored_store_has_the_same_rows_files_and_answers_and_is_well(kept, tmp_path) -> None:
    made = restore(kept / "b.tar", tmp_path / "new")
    assert rows(tmp_path / "new") == rows(kept / "store")
    assert originals(tmp_path / "new") == originals(kept / "store")
    assert (made.moved, made.manifest.counts["document"], len(made.manifest.files)) == (None, 2, 3)
    async with opened(tmp_path / "new") as app:
        turn = await app.chat.ask(Request(QUESTION))
        assert turn.answer is not None
        assert "三百二十" in turn.answer.text
        assert await healthy(app)


def test_everything_in_it_is_for_its_owner_alone(kept, tmp_path) -> None:
    restore(kept / "b.tar", tmp_path / "new")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in [tmp_path / "new", *(tmp_path / "new").rglob("*")]}
    assert modes == {0o600, 0o700}
    assert stat.S_IMODE((kept / "b.tar").stat().st_mode) == 0o600


def test_in_a_folder_it_is_named_by_the_time(kept, tmp_path) -> None:
    made = back_up(kept / "store", tmp_path)
    assert made.path.parent == tmp_path
    assert made.path.name.startswith("youju-2")
    assert names(tmp_path) == [made.path.name]


def test_a_place_that_ends_with_a_separator_is_a_folder_and_made(kept, tmp_path) -> None:
    for count in (1, 2):
        done = ran(started(["backup", f"{tmp_path / '备份'}/", "--data", str(kept / "store")], tmp_path))
        assert (done.code, done.err) == (0, "")
        assert len(names(tmp_path / "备份")) == count
    assert stat.S_IMODE((tmp_path / "备份").stat().st_mode) == 0o700


def test_a_file_is_no_folder_however_it_is_written(kept, tmp_path) -> None:
    there = written(tmp_path, "b.tar", "mine")
    with pytest.raises(InputError, match="没有这个文件夹"):
        back_up(kept / "store", there, into=True)
    assert there.read_text() == "mine"


def test_progress_grows_to_all_bytes(kept, tmp_path) -> None:
    seen: list[tuple[int, int]] = []
    made = back_up(kept / "store", tmp_path / "b.tar", lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1][0] == made.manifest.size
    seen.clear()
    restore(tmp_path / "b.tar", tmp_path / "new", report=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (made.manifest.size, made.manifest.size)


async def test_a_store_of_an_older_schema_is_kept_as_it_is_and_brought_up_to_date_when_opened(tmp_path) -> None:
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine

    (tmp_path / "old").mkdir()
    engine = create_engine(f"sqlite:///{tmp_path / 'old' / 'youju.db'}")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(archive.__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    assert back_up(tmp_path / "old", tmp_path / "b.tar").manifest.schema == "0001"
    restore(tmp_path / "b.tar", tmp_path / "new")
    async with opened(tmp_path / "new") as app:
        assert await healthy(app)


# --- while the store is used -----------------------------------------------------------------------------------------


class At:
    """A report that does something once, when the first file has been copied."""

    def __init__(self, do: Callable[[], object]) -> None:
        self.do: Callable[[], object] | None = do

    def __call__(self, done: int, total: int) -> None:
        do, self.do = self.do, None
        if do is not None:
            do()


async def backed_up(app: App, to: Path, do: Callable[[], object]) -> Backup:
    """A backup in another thread, in the midst of which the coroutine of `do` runs here."""
    loop = asyncio.get_running_loop()
    meanwhile = At(lambda: asyncio.run_coroutine_threadsafe(do(), loop).result())  # type: ignore[arg-type]
    return await asyncio.to_thread(back_up, app.documents.store.folder, to, meanwhile)


async def test_what_is_deleted_meanwhile_is_in_no_part_of_the_archive(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        ids = [(await added(app, written(tmp_path, f"{n}.md", f"{MARK}，第 {n} 份。\n\n{RULES}"))).id for n in range(3)]
        stays = await added(app, written(tmp_path, "手册.md", MANUAL))

        async def delete() -> None:
            for one in ids:
                await app.documents.delete(one)

        made = await backed_up(app, tmp_path / "b.tar", delete)
    assert MARK.encode() not in made.path.read_bytes()
    assert len(made.manifest.files) == 2
    restore(made.path, tmp_path / "new")
    async with opened(tmp_path / "new") as app:
        assert [one.id for one in await app.documents.listed()] == [stays.id]
        assert await healthy(app)


async def test_what_is_added_meanwhile_is_in_it_whole(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await added(app, written(tmp_path, "手册.md", MANUAL))
        made = await backed_up(app, tmp_path / "b.tar", lambda: added(app, written(tmp_path, "规定.md", RULES)))
    assert (made.manifest.counts["document"], len(made.manifest.files)) == (2, 3)
    restore(made.path, tmp_path / "new")
    async with opened(tmp_path / "new") as app:
        assert len(await app.documents.listed()) == 2
        assert await healthy(app)


@pytest.mark.slow
async def test_backups_amid_constant_adding_and_deleting_are_all_well(tmp_path) -> None:
    ending = asyncio.Event()
    async with opened(tmp_path / "store") as app:

        async def churn(name: str) -> None:
            n = 0
            while not ending.is_set():
                n += 1
                document = await added(app, written(tmp_path, f"{name}.md", f"{RULES}\n\n{name} 第 {n} 份"))
                if n % 2:
                    await app.documents.delete(document.id)

        work = [asyncio.ensure_future(churn(name)) for name in "甲乙"]
        try:
            for n in range(8):
                await asyncio.to_thread(back_up, tmp_path / "store", tmp_path / f"{n}.tar")
        finally:
            ending.set()
            await asyncio.gather(*work)
    for n in range(8):
        restore(tmp_path / f"{n}.tar", tmp_path / f"new{n}")
        async with opened(tmp_path / f"new{n}") as app:
            assert not [one for one in await app.doctor.examine() if one.level == "fault"]


def test_originals_that_the_store_has_lost_are_named_and_do_not_stop_it(kept, tmp_path) -> None:
    restore(kept / "b.tar", tmp_path / "store")
    lost = next(path for path in (tmp_path / "store" / "blobs").rglob("*") if path.is_file())
    lost.unlink()
    made = back_up(tmp_path / "store", tmp_path / "b.tar")
    assert made.manifest.missing == (lost.name,)
    assert restore(tmp_path / "b.tar", tmp_path / "new").manifest.missing == (lost.name,)


# --- what is refused -------------------------------------------------------------------------------------------------


def test_a_backup_never_replaces_a_file(kept, tmp_path) -> None:
    there = written(tmp_path, "b.tar", "mine")
    with pytest.raises(ConflictError) as caught:
        back_up(kept / "store", there)
    assert caught.value.code == "backup_exists"
    assert there.read_text() == "mine"


@pytest.mark.parametrize(
    "to, code", [("store/b.tar", "backup_inside"), ("store", "backup_inside"), ("no/b.tar", "no_such_folder")]
)
def test_a_backup_has_to_be_somewhere_else(kept, to, code) -> None:
    with pytest.raises(InputError) as caught:
        back_up(kept / "store", kept / to)
    assert caught.value.code == code


def test_where_there_is_no_store_there_is_no_backup(tmp_path) -> None:
    for folder in (tmp_path / "nothing", tmp_path):
        with pytest.raises(StoreError) as caught:
            back_up(folder, tmp_path / "b.tar")
        assert caught.value.code == "no_store"
    (tmp_path / "empty").mkdir()
    sqlite3.connect(tmp_path / "empty" / "youju.db").close()
    with pytest.raises(StoreError) as caught:
        back_up(tmp_path / "empty", tmp_path / "b.tar")
    assert caught.value.code == "no_store"
    assert not (tmp_path / "b.tar").exists()


@pytest.mark.parametrize("text, code", [("9999", "store_newer"), ("abc", "store_foreign")])
def test_a_store_this_program_does_not_know_is_neither_backed_up_nor_restored(kept, tmp_path, text, code) -> None:
    restore(kept / "b.tar", tmp_path / "store")
    with closing(sqlite3.connect(tmp_path / "store" / "youju.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = ?", (text,))
    with pytest.raises(StoreError) as caught:
        back_up(tmp_path / "store", tmp_path / "c.tar")
    assert caught.value.code == code
    forged(tmp_path / "d.tar", {"youju.db": (tmp_path / "store" / "youju.db").read_bytes()}, schema=text)
    with pytest.raises(StoreError) as caught:
        restore(tmp_path / "d.tar", tmp_path / "new")
    assert caught.value.code == code
    assert not (tmp_path / "new").exists()


def test_a_damaged_database_is_not_backed_up(tmp_path) -> None:
    written(tmp_path, "store/youju.db", b"SQLite format 3\0" + b"\xff" * 5000)
    with pytest.raises(StoreError):
        back_up(tmp_path / "store", tmp_path / "b.tar")
    assert names(tmp_path) == ["store"]


def test_a_folder_with_something_in_it_is_only_replaced_by_force_and_then_kept(kept, tmp_path) -> None:
    written(tmp_path, "here/mine.txt", "mine")
    with pytest.raises(ConflictError) as caught:
        restore(kept / "b.tar", tmp_path / "here")
    assert caught.value.code == "restore_target"
    assert names(tmp_path) == ["here"]
    made = restore(kept / "b.tar", tmp_path / "here", force=True)
    assert made.moved is not None
    assert (made.moved / "mine.txt").read_text() == "mine"
    assert names(tmp_path / "here") == ["blobs", "youju.db"]


async def test_a_store_that_is_open_is_not_replaced_even_by_force(kept, tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        with pytest.raises(ConflictError) as caught:
            restore(kept / "b.tar", tmp_path / "store", force=True)
        assert caught.value.code == "store_in_use"
        await added(app, written(tmp_path, "手册.md", MANUAL))
        assert await healthy(app)
    made = restore(kept / "b.tar", tmp_path / "store", force=True)
    assert made.moved is not None
    async with opened(made.moved) as app:
        assert len(await app.documents.listed()) == 1


def test_an_empty_folder_and_one_whose_parents_are_missing_are_filled(kept, tmp_path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "some/where/else"):
        restore(kept / "b.tar", tmp_path / name)
        assert Store.there(tmp_path / name)


# --- what is damaged or forged ---------------------------------------------------------------------------------------


def test_an_archive_that_was_cut_off_anywhere_is_refused(kept, tmp_path) -> None:
    data = (kept / "b.tar").read_bytes()
    last = data.rindex(b'"youju":')
    for at in (0, 1, 100, 512, 513, 2000, 9000, len(data) // 2, last):
        cut = written(tmp_path, f"{at}.tar", data[:at])
        with pytest.raises(InputError) as caught:
            restore(cut, tmp_path / "new")
        assert caught.value.code == "backup_damaged"
        assert not (tmp_path / "new").exists()


def refusal(path: Path, folder: Path) -> str | None:
    try:
        restore(path, folder)
    except YoujuError as error:
        return error.code
    return None


def test_an_archive_with_any_changed_byte_is_refused_or_restores_the_same(kept, tmp_path) -> None:
    data = bytearray((kept / "b.tar").read_bytes())
    want = rows(kept / "store")
    refused = 0
    for n, at in enumerate(range(0, len(data), len(data) // 120)):
        data[at] ^= 0x55
        changed = written(tmp_path, "changed.tar", bytes(data))
        data[at] ^= 0x55
        folder = tmp_path / f"new{n}"
        if (code := refusal(changed, folder)) is None:
            assert rows(folder) == want
        else:
            refused += 1
            assert code == "backup_damaged"
            assert not folder.exists()
    assert refused > 100


@pytest.mark.parametrize(
    "name",
    [
        "../out.txt",
        "/out.txt",
        "blobs/../../out.txt",
        "blobs/aa/../../../out.txt",
        "blobs/aa/" + "b" * 64,
        "blobs/aa/" + "a" * 63,
        "blobs/" + "a" * 64,
        "youju.db-wal",
        "youju.toml",
        "leases/7.lock",
    ],
)
def test_no_other_name_than_those_of_a_store_is_written(kept, tmp_path, name) -> None:
    files = {"youju.db": (kept / "store" / "youju.db").read_bytes(), name: b"x"}
    with pytest.raises(InputError) as caught:
        restore(forged(tmp_path / "b.tar", files), tmp_path / "a" / "new")
    assert caught.value.code == "backup_damaged"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["b.tar"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE])
def test_links_folders_and_devices_are_no_files_of_a_store(kept, tmp_path, kind) -> None:
    with tarfile.open(kept / "b.tar") as source, tarfile.open(tmp_path / "b.tar", "w") as tar:
        for member in source.getmembers():
            data = source.extractfile(member)
            if member.name.startswith("blobs/"):
                member.type, member.linkname, data = kind, "/etc/passwd", None
            tar.addfile(member, data)
    with pytest.raises(InputError) as caught:
        restore(tmp_path / "b.tar", tmp_path / "new")
    assert caught.value.code == "backup_damaged"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "said",
    [
        {"files": 7},
        {"files": {"youju.db": {"sha256": "0" * 64, "size": 1}}},
        {"files": {}},
        {"counts": None},
        {"counts": {"document": 7}},
        {"schema": "0001"},
        {"format": "x"},
        {"missing": 3},
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(kept, tmp_path, said) -> None:
    base = {"youju.db": (kept / "store" / "youju.db").read_bytes()}
    fitting = {"counts": dict(back_up(kept / "store", tmp_path / "a.tar").manifest.counts)}
    assert refusal(forged(tmp_path / "c.tar", base, **fitting), tmp_path / "good") is None
    path = forged(tmp_path / "b.tar", base, **(fitting | said))
    with pytest.raises(InputError) as caught:
        restore(path, tmp_path / "new")
    assert caught.value.code == "backup_damaged"


def smuggled(kept: Path, folder: Path, *statements: str) -> Path:
    """The backup with these statements run in its database, and a manifest that fits it."""
    with tarfile.open(kept / "b.tar") as tar:
        members = {one.name: tar.extractfile(one).read() for one in tar.getmembers()}  # type: ignore[union-attr]
    said = json.loads(members.pop("manifest.json"))
    path = written(folder, "in.db", members["youju.db"])
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return forged(folder / "b.tar", members | {"youju.db": path.read_bytes()}, counts=said["counts"])


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON chunk BEGIN DELETE FROM page; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE t (a)",
        "CREATE INDEX i ON chunk (role)",
        "DROP INDEX version_active",
        "ALTER TABLE page ADD COLUMN x TEXT",
        "DROP TRIGGER chunk_words",
    ],
)
def test_a_database_whose_structure_is_not_that_of_its_schema_is_refused(kept, tmp_path, statement) -> None:
    assert refusal(smuggled(kept, tmp_path, statement), tmp_path / "new") == "archive_tampered"
    assert not (tmp_path / "new").exists()
    assert refusal(smuggled(kept, tmp_path, "ANALYZE"), tmp_path / "good") is None


def test_an_original_whose_content_does_not_fit_its_name_is_refused(kept, tmp_path) -> None:
    with tarfile.open(kept / "b.tar") as tar:
        members = {one.name: tar.extractfile(one).read() for one in tar.getmembers()}  # type: ignore[union-attr]
    said = json.loads(members.pop("manifest.json"))
    name = next(name for name in members if name.startswith("blobs/"))
    path = forged(tmp_path / "b.tar", members | {name: b"other"}, counts=said["counts"])
    assert refusal(path, tmp_path / "new") == "archive_tampered"


def test_originals_that_the_archive_has_not_are_named(kept, tmp_path) -> None:
    with tarfile.open(kept / "b.tar") as tar:
        members = {one.name: tar.extractfile(one).read() for one in tar.getmembers()}  # type: ignore[union-attr]
    said = json.loads(members.pop("manifest.json"))
    name = next(name for name in members if name.startswith("blobs/"))
    del members[name]
    path = forged(tmp_path / "b.tar", members, counts=said["counts"])
    done = ran(started(["restore", str(path), "--data", str(tmp_path / "new")], tmp_path))
    assert done.code == 0
    assert f"备份里没有 1 个原始文件：{name[-64:]}" in done.err
    assert restore(kept / "b.tar", tmp_path / "whole").missing == ()


def test_an_original_that_was_changed_does_not_spoil_the_backup(kept, tmp_path) -> None:
    shutil.copytree(kept / "store", tmp_path / "store")
    one = min(path for path in (tmp_path / "store" / "blobs").rglob("*") if path.is_file())
    one.write_bytes(b"other")
    assert back_up(tmp_path / "store", tmp_path / "b.tar").manifest.missing == (one.name,)
    assert restore(tmp_path / "b.tar", tmp_path / "new").missing == (one.name,)


def test_a_newer_form_of_archive_is_refused_with_a_remedy(tmp_path) -> None:
    with pytest.raises(InputError) as caught:
        restore(forged(tmp_path / "b.tar", {}, format=2), tmp_path / "new")
    assert (caught.value.code, caught.value.remedy) == ("backup_newer", "请升级有据后再恢复")


def test_what_is_no_archive_is_told_from_what_is_not_there(tmp_path) -> None:
    for path, code in (
        (written(tmp_path, "x.tar", "hello"), "backup_damaged"),
        (tmp_path / "no.tar", "no_such_file"),
        (tmp_path, "no_such_file"),
    ):
        with pytest.raises(InputError) as caught:
            restore(path, tmp_path / "new")
        assert caught.value.code == code


# --- what is interrupted ---------------------------------------------------------------------------------------------


def stop(done: int, total: int) -> None:
    raise KeyboardInterrupt


def test_an_interrupted_backup_leaves_nothing(kept, tmp_path) -> None:
    with pytest.raises(KeyboardInterrupt):
        back_up(kept / "store", tmp_path / "b.tar", stop)
    assert names(tmp_path) == []


def test_an_interrupted_restore_leaves_what_was_there(kept, tmp_path) -> None:
    written(tmp_path, "here/mine.txt", "mine")
    with pytest.raises(KeyboardInterrupt):
        restore(kept / "b.tar", tmp_path / "here", force=True, report=stop)
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["here", "mine.txt"]


KILLED = """
import os, signal, sys
from pathlib import Path
from youju.storage.backup import back_up

def stop(done, total):
    os.kill(os.getpid(), signal.SIGKILL)

back_up(Path(sys.argv[1]), Path(sys.argv[2]), stop)
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
def test_a_killed_backup_leaves_nothing_under_the_final_name_and_can_be_made_again(kept, tmp_path) -> None:
    command = [sys.executable, "-c", KILLED, str(kept / "store"), str(tmp_path / "b.tar")]
    assert subprocess.run(command, env=environment(), check=False).returncode == -9  # noqa: S603
    assert not (tmp_path / "b.tar").exists()
    back_up(kept / "store", tmp_path / "b.tar")
    restore(tmp_path / "b.tar", tmp_path / "new")
