from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from apps import MANUAL, RULES, BrokenEmbedder, SqueezedEmbedder, added, opened, written
from youju.chat.service import Request
from youju.compose import App
from youju.documents import catalog
from youju.errors import ConflictError, StoreError
from youju.ingest.lease import lease
from youju.ingest.worker import TRIES, Worker
from youju.ports import Vectors
from youju.types import Side, Status


@asynccontextmanager
async def working(app: App, **how) -> AsyncIterator[Worker]:
    worker = Worker(app.documents, **({"poll_s": 30.0, "delays_s": (0.0,)} | how))
    worker.start()
    try:
        yield worker
    finally:
        await worker.aclose()


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(30):
        while not await holds():  # noqa: ASYNC110 - a table tells nobody that it has changed
            await asyncio.sleep(0.01)


async def until(app: App, document_id: str, *wanted: Status) -> None:
    async def there() -> bool:
        return (await app.documents.find(document_id)).status in wanted

    await eventually(there)


async def healthy(app: App) -> bool:
    return all(one.level == "ok" for one in await app.doctor.examine())


class Held(SqueezedEmbedder):
    """Embeds once it may."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()
        self.go = asyncio.Event()

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        self.reached.set()
        await self.go.wait()
        return await super().embed(texts, kind)


class Recovering(BrokenEmbedder):
    """Down for the first `n` calls."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.calls = itertools.count()
        self.n = n

    @property
    def profile(self):
        return SqueezedEmbedder().profile

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        if next(self.calls) < self.n:
            return await super().embed(texts, kind)
        return await SqueezedEmbedder().embed(texts, kind)


async def test_what_was_accepted_is_brought_to_ready_once_it_is_woken(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app, working(app) as worker:
        await asyncio.sleep(0.05)
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        assert accepted.status == "UPLOADED"
        worker.wake()
        await until(app, accepted.document_id, "READY")
        turn = await app.chat.ask(Request("出差住宿费的上限是多少？"))
        assert turn.answer is not None
        assert "三百二十" in turn.answer.text


async def test_it_begins_with_what_earlier_processes_left(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        waiting = await app.documents.accept(written(tmp_path, "x.md", RULES))
        left = await app.documents.accept(written(tmp_path, "y.md", MANUAL))
        await app.documents.store.write(lambda tx: catalog.move(tx, left.version_id, "PARSING"))
    async with opened(tmp_path / "store") as app, working(app):
        await until(app, waiting.document_id, "READY")
        await until(app, left.document_id, "READY")


async def test_it_finds_by_itself_what_others_add_without_waking_it(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app, working(app, poll_s=0.05):
        await asyncio.sleep(0.2)
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        await until(app, accepted.document_id, "READY")


async def test_a_small_file_waits_for_one_big_one_and_not_for_all(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        for n in range(4):
            await app.documents.accept(written(tmp_path, f"书{n}.md", f"# 书{n}\n\n{RULES * (n + 2)}"))
        await app.documents.accept(written(tmp_path, "便条.md", MANUAL))
        async with working(app):
            for one in await app.documents.listed():
                await until(app, one.id, "READY")
        seqs = await app.documents.store.read(
            lambda tx: list(tx.exec_driver_sql("SELECT version_id FROM change ORDER BY seq").scalars())
        )
    # The first (1), the smallest (5), the first (2), the smallest (3), the last one left (4).
    assert list(dict.fromkeys(seqs)) == [1, 5, 2, 3, 4]


class Engrossed(SqueezedEmbedder):
    """Is not done with a book before it may be; tells whether it has begun."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()
        self.go = asyncio.Event()

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        if any("大书" in text for text in texts):
            self.reached.set()
            await self.go.wait()
        return await super().embed(texts, kind)


BOOK = "# 大书\n\n" + "大书里的一句话，后面还有很多。" * 400


async def test_small_files_are_done_while_a_book_is_worked_on(tmp_path: Path) -> None:
    embedder = Engrossed()
    async with opened(tmp_path / "store", embedder) as app, working(app, patience_s=0.0) as worker:
        book = await app.documents.accept(written(tmp_path, "大书.md", BOOK))
        early = await app.documents.accept(written(tmp_path, "早.md", RULES))
        worker.wake()
        await embedder.reached.wait()
        late = [await app.documents.accept(written(tmp_path, f"{n}.md", f"{MANUAL}\n\n第 {n} 份")) for n in range(5)]
        worker.wake()
        for one in (early, *late):
            await until(app, one.document_id, "READY")
        assert (await app.documents.find(book.document_id)).status == "EMBEDDING"
        assert "三百二十" in (await app.chat.ask(Request("出差住宿费的上限是多少？"))).answer.text  # type: ignore[union-attr]
        embedder.go.set()
        await until(app, book.document_id, "READY")
        assert await healthy(app)


async def test_no_second_book_is_begun_beside_the_first(tmp_path: Path) -> None:
    embedder = Engrossed()
    async with opened(tmp_path / "store", embedder) as app:
        await app.documents.accept(written(tmp_path, "大书.md", BOOK))
        other = await app.documents.accept(written(tmp_path, "另一本.md", RULES * 40))
        small = await app.documents.accept(written(tmp_path, "便条.md", MANUAL))
        async with working(app, patience_s=0.0):
            await embedder.reached.wait()
            await until(app, small.document_id, "READY")
            assert (await app.documents.find(other.document_id)).status == "UPLOADED"
            embedder.go.set()
            await until(app, other.document_id, "READY")


async def test_closing_it_ends_what_is_done_beside_a_book_too(tmp_path: Path) -> None:
    small_begun = asyncio.Event()

    class Both(Engrossed):
        async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
            if not any("大书" in text for text in texts):
                small_begun.set()
                await asyncio.Event().wait()
            return await super().embed(texts, kind)

    embedder = Both()
    async with opened(tmp_path / "store", embedder) as app:
        await app.documents.accept(written(tmp_path, "大书.md", BOOK))
        async with working(app, patience_s=0.0) as worker:
            await embedder.reached.wait()
            await app.documents.accept(written(tmp_path, "便条.md", MANUAL))
            worker.wake()
            await small_begun.wait()
        assert {one.status for one in await app.documents.listed()} == {"EMBEDDING"}
    async with opened(tmp_path / "store") as app, working(app):
        for one in await app.documents.listed():
            await until(app, one.id, "READY")
        assert await healthy(app)


async def test_a_document_that_fails_does_not_stop_the_next_one(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        bad = await app.documents.accept(written(tmp_path, "x.md", "\n\n"))
        good = await app.documents.accept(written(tmp_path, "y.md", MANUAL))
        async with working(app):
            await until(app, bad.document_id, "FAILED")
            await until(app, good.document_id, "READY")


async def test_what_another_works_on_is_left_to_it_and_the_next_one_is_taken(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        first = await app.documents.accept(written(tmp_path, "x.md", RULES))
        second = await app.documents.accept(written(tmp_path, "y.md", MANUAL))
        async with working(app, poll_s=0.05):
            async with lease(app.documents.leases, str(first.version_id)):
                await until(app, second.document_id, "READY")
                assert (await app.documents.find(first.document_id)).status == "UPLOADED"
            await until(app, first.document_id, "READY")


async def test_a_foreground_add_waits_for_the_worker_and_does_not_work_twice(tmp_path: Path) -> None:
    embedder = Held()
    entered: list[str] = []
    async with opened(tmp_path / "store", embedder) as app, working(app) as worker:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        worker.wake()
        await embedder.reached.wait()
        foreground = asyncio.ensure_future(app.documents.process(accepted, lambda one: entered.append(one.phase)))
        await asyncio.sleep(0.1)
        embedder.go.set()
        assert await foreground == "READY"
    assert entered == []


async def test_closing_it_ends_a_job_at_once_and_the_next_start_takes_it_up(tmp_path: Path) -> None:
    embedder = Held()
    async with opened(tmp_path / "store", embedder) as app:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        async with working(app):
            await embedder.reached.wait()
        assert (await app.documents.find(accepted.document_id)).status == "EMBEDDING"
        turn = await app.chat.ask(Request("出差住宿费的上限是多少？"))
        assert turn.refusal == "scope_empty"
    async with opened(tmp_path / "store") as app, working(app):
        await until(app, accepted.document_id, "READY")
        assert await healthy(app)


async def test_closing_one_that_was_never_started_or_twice_does_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        worker = Worker(app.documents)
        await worker.aclose()
        worker.start()
        worker.start()
        await worker.aclose()
        await worker.aclose()


@pytest.mark.parametrize("down, status", [(TRIES - 1, "READY"), (TRIES, "FAILED")])
async def test_a_service_that_is_down_is_asked_again_before_a_version_fails(
    tmp_path: Path, down: int, status: Status
) -> None:
    async with opened(tmp_path / "store", Recovering(down)) as app, working(app) as worker:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        worker.wake()
        await until(app, accepted.document_id, "READY", "FAILED")
        document = await app.documents.find(accepted.document_id)
        assert document.status == status
        if document.pending is not None:
            assert document.pending.failure is not None
            assert document.pending.failure.code == "embedder_down"


async def test_while_a_service_stays_down_the_others_fail_without_waiting(tmp_path: Path) -> None:
    embedder = Recovering(TRIES + 1)
    async with opened(tmp_path / "store", embedder) as app:
        ids = [
            (await app.documents.accept(written(tmp_path, f"{n}.md", f"{RULES}\n\n第{n}份"))).document_id
            for n in range(3)
        ]
        async with working(app):
            for one in ids:
                await until(app, one, "READY", "FAILED")
        statuses = sorted([(await app.documents.find(one)).status for one in ids])
    assert statuses == ["FAILED", "FAILED", "READY"]
    assert next(embedder.calls) == TRIES + 2


async def test_between_two_tries_a_version_waits_and_can_be_worked_on_by_others(tmp_path: Path) -> None:
    async with opened(tmp_path / "store", Recovering(1)) as app, working(app, delays_s=(60.0,)) as worker:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        worker.wake()
        await asyncio.sleep(0)

        async def refused() -> bool:
            return worker._refused == 1

        await eventually(refused)
        assert (await app.documents.find(accepted.document_id)).status == "UPLOADED"
        assert await app.documents.process(accepted) == "READY"


async def test_a_store_that_fails_does_not_end_it(tmp_path: Path, monkeypatch, caplog) -> None:
    async with opened(tmp_path / "store") as app:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        waiting = type(app.documents).waiting
        errors = iter([StoreError("忙", code="store_busy"), ZeroDivisionError()])

        async def failing(self, **how):
            for error in errors:
                raise error
            return await waiting(self, **how)

        monkeypatch.setattr(type(app.documents), "waiting", failing)
        async with working(app):
            await until(app, accepted.document_id, "READY")
    assert "worker.waits code=store_busy" in caplog.text
    assert "worker.failed" in caplog.text


# --- cancelling ------------------------------------------------------------------------------------------------------


async def test_a_cancelled_version_fails_at_once_and_its_work_ends(tmp_path: Path) -> None:
    embedder = Held()
    async with opened(tmp_path / "store", embedder) as app, working(app) as worker:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        worker.wake()
        await embedder.reached.wait()
        await app.documents.cancel(accepted.document_id)
        failure = (await app.documents.find(accepted.document_id)).pending.failure  # type: ignore[union-attr]
        assert failure is not None
        assert failure.code == "cancelled"
        assert failure.remedy
        async with asyncio.timeout(5), lease(app.documents.leases, str(accepted.version_id)):
            assert (await app.documents.find(accepted.document_id)).status == "FAILED"
        embedder.go.set()
        assert await app.documents.retry(accepted.document_id) == "READY"
        assert await healthy(app)


async def test_a_version_that_nobody_works_on_can_be_cancelled_and_stays_so(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        await app.documents.cancel(accepted.document_id)
        async with working(app) as worker:
            other = await app.documents.accept(written(tmp_path, "y.md", MANUAL))
            worker.wake()
            await until(app, other.document_id, "READY")
        assert (await app.documents.find(accepted.document_id)).status == "FAILED"
        with pytest.raises(ConflictError) as caught:
            await app.documents.cancel(accepted.document_id)
        assert caught.value.code == "nothing_to_cancel"


async def test_nothing_stays_of_what_was_written_for_a_cancelled_version(tmp_path: Path) -> None:
    class Late(SqueezedEmbedder):
        """Embeds the first slice, and hangs at the second."""

        def __init__(self) -> None:
            super().__init__()
            self.calls = itertools.count()
            self.second = asyncio.Event()

        async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
            if next(self.calls) == 1:
                self.second.set()
                await asyncio.Event().wait()
            return await super().embed(texts, kind)

    async def rows(app: App) -> int:
        return await app.documents.store.read(
            lambda tx: tx.exec_driver_sql("SELECT count(*) FROM chunk").scalar_one()  # type: ignore[no-any-return]
        )

    book = "# 书\n\n" + "\n\n".join(f"## 第{n}节\n\n" + f"第{n}节的内容很长。" * 20 for n in range(60))
    for dies in (False, True):
        embedder = Late()
        async with opened(tmp_path / f"store{dies}", embedder) as app:
            accepted = await app.documents.accept(written(tmp_path, "x.md", book))
            async with working(app):
                await embedder.second.wait()
                assert await rows(app) > 0
                if not dies:
                    await app.documents.cancel(accepted.document_id)
                    async with asyncio.timeout(5), lease(app.documents.leases, str(accepted.version_id)):
                        pass
            if dies:
                await app.documents.cancel(accepted.document_id)
            assert await rows(app) == 0
            assert {one.check for one in await app.doctor.examine() if one.level != "ok"} == {"失败的版本"}


async def test_cancelling_a_replacement_leaves_the_version_that_answers(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        old = await added(app, written(tmp_path, "x.md", RULES))
        await app.documents.accept(written(tmp_path, "x.md", RULES.replace("三百二十", "九百")))
        await app.documents.cancel(old.id)
        document = await app.documents.find(old.id)
        assert document.status == "READY"
        assert document.pending is not None
        assert document.pending.status == "FAILED"
        turn = await app.chat.ask(Request("出差住宿费的上限是多少？"))
        assert turn.answer is not None
        assert "三百二十" in turn.answer.text


async def test_what_is_cancelled_and_asked_for_again_while_it_is_parsed_is_worked_on_again(
    tmp_path: Path, monkeypatch
) -> None:
    async with opened(tmp_path / "store") as app:
        accepted = await app.documents.accept(written(tmp_path, "x.md", RULES))
        parse = type(app.documents.job).parse
        begun: list[str] = []

        async def interrupted(self, path, suffix, *more):
            begun.append("parse")
            if len(begun) == 1:
                await app.documents.cancel(accepted.document_id)
                await app.documents.store.write(lambda tx: catalog.retry(tx, accepted.document_id))
            return await parse(self, path, suffix, *more)

        monkeypatch.setattr(type(app.documents.job), "parse", interrupted)
        assert await app.documents.process(accepted) == "READY"
        assert len(begun) == 2


# --- replacing one name by another's content -------------------------------------------------------------------------


async def test_a_document_whose_file_became_another_one_goes_when_the_worker_has_done_that_other_one(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path / "store") as app:
        old = await added(app, written(tmp_path, "A.md", "苹果的价格是三元。"))
        other = await app.documents.accept(written(tmp_path, "B.md", "香蕉的价格是五元。"))
        again = await app.documents.accept(written(tmp_path, "A.md", "香蕉的价格是五元。"))
        assert (again.document_id, again.duplicate) == (other.document_id, True)
        assert (await app.documents.find(old.id)).status == "READY"
    # As after a crash: nobody remembers what `accept` returned.
    async with opened(tmp_path / "store") as app:

        async def alone() -> bool:
            return [one.id for one in await app.documents.listed()] == [other.document_id]

        async with working(app) as worker:
            await eventually(alone)

            async def over() -> bool:
                return worker.idle and await healthy(app)

            await eventually(over)
        assert await app.documents.store.read(lambda tx: list(tx.exec_driver_sql("SELECT * FROM meta"))) == []


async def test_a_plan_to_retire_goes_with_either_of_the_two_documents(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as app:
        for gone in (0, 1):
            old = await added(app, written(tmp_path, "A.md", f"苹果的价格是三元，{gone}。"))
            other = await app.documents.accept(written(tmp_path, "B.md", "香蕉的价格是五元。"))
            await app.documents.accept(written(tmp_path, "A.md", "香蕉的价格是五元。"))
            await app.documents.delete((old.id, other.document_id)[gone])
            assert await app.documents.store.read(lambda tx: list(tx.exec_driver_sql("SELECT * FROM meta"))) == []
            assert len(await app.documents.listed()) == 1
            await app.documents.delete((other.document_id, old.id)[gone])
