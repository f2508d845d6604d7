from __future__ import annotations

import asyncio
import hashlib
import threading

import pytest

from apps import MANUAL, RULES, added, opened, written
from youju.compose import App
from youju.documents import leftovers
from youju.errors import ConflictError
from youju.ingest.intake import spooled
from youju.storage.blobs import Kept

BYTES = b"# bytes of an upload"
HASH = hashlib.sha256(BYTES).hexdigest()


def kept(app: App) -> list[str]:
    return app.documents.blobs.all()


async def wrong(app: App) -> set[str]:
    return {one.check for one in await app.doctor.examine() if one.level != "ok"}


async def left(app: App, token: str, *, lease: bool = True) -> None:
    """What a process leaves that is killed between the name of its file and the row of its version."""
    await app.documents.store.write(lambda tx: leftovers.expect(tx, token, HASH))
    app.documents.blobs.put([BYTES])
    if lease:
        app.documents.leases.mkdir(exist_ok=True)
        (app.documents.leases / f"upload-{token}.lock").touch()


async def test_the_file_of_a_dead_upload_goes_with_its_note_and_its_lease(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await left(app, "a1")
        assert await wrong(app) == {"待清除的原始文件"}
        await app.documents.sweep()
        assert (kept(app), await app.documents.store.read(leftovers.expected)) == ([], {})
        assert list(app.documents.leases.iterdir()) == []
        assert await wrong(app) == set()


async def test_the_file_of_a_living_upload_stays_whatever_is_swept_or_repaired(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await added(app, written(tmp_path, "手册.md", MANUAL))
        before = kept(app)
        async with app.documents.arrivals.arriving() as token:
            assert (await app.documents.arrivals.keep(token, [BYTES])).sha256 == HASH
            await app.documents.sweep()
            await app.documents.purge.residue()
            assert HASH in kept(app)
            assert "残留原始文件" not in await wrong(app)
        # It ended without a version.
        assert kept(app) == before


async def test_a_dead_upload_takes_no_file_from_a_living_one_or_from_a_version(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        async with app.documents.arrivals.arriving() as token:
            await app.documents.arrivals.keep(token, [BYTES])
            await left(app, "a1")
            await app.documents.sweep()
            assert kept(app) == [HASH]
            assert set(await app.documents.store.read(leftovers.expected)) == {token}
        await added(app, written(tmp_path, "x.md", BYTES + b"\n\nwords that are found"))
        (one,) = kept(app)
        await app.documents.store.write(lambda tx: leftovers.expect(tx, "a2", one))
        (app.documents.leases / "upload-a2.lock").touch()
        await app.documents.sweep()
        assert kept(app) == [one]


async def test_a_note_in_an_older_copy_of_the_catalogue_removes_no_file_of_today(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        await left(app, "a1", lease=False)
        await app.documents.sweep()
        assert (kept(app), await app.documents.store.read(leftovers.expected)) == ([HASH], {})


async def test_an_upload_that_is_refused_leaves_no_file(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        document = await added(app, written(tmp_path, "a/规定.md", RULES))
        before = kept(app)
        with pytest.raises(ConflictError):
            await app.documents.accept(written(tmp_path, "b/规定.md", MANUAL), kept=frozenset({document.id}))
        assert kept(app) == before
        assert await wrong(app) == set()


async def test_a_file_received_over_http_is_swept_once_its_process_is_dead(tmp_path) -> None:
    async with opened(tmp_path / "store") as app:
        blobs = app.documents.blobs
        async with spooled(blobs) as spool:
            await app.documents.sweep()
            assert spool.path.exists()
        await asyncio.to_thread(blobs.partial("a1").write_bytes, b"half")
        await app.documents.sweep()
        assert not list(blobs.folder.glob("partial-*"))
        assert list(app.documents.leases.iterdir()) == []


async def test_an_upload_that_is_cancelled_while_it_is_written_leaves_nothing(tmp_path) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def pieces():
        asked.set()
        go_on.wait(20)
        yield BYTES

    async with opened(tmp_path / "store") as app:

        async def upload() -> Kept:
            async with app.documents.arrivals.arriving() as token:
                return await app.documents.arrivals.keep(token, pieces())

        work = asyncio.ensure_future(upload())
        await asyncio.to_thread(asked.wait, 20)
        work.cancel()
        await asyncio.sleep(0)
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert (kept(app), await app.documents.store.read(leftovers.expected)) == ([], {})
        assert not list(app.documents.blobs.folder.glob("partial-*"))
