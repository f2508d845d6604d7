"""The log of questions: written without keeping an answer back, read, rated, and forgotten in time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from sqlalchemy.engine import Connection

from youju.errors import ConflictError, InputError, NotFoundError, StoreError
from youju.storage import traces
from youju.storage.chunks import storable
from youju.storage.engine import Store
from youju.storage.quotes import holding
from youju.storage.traces import Selection
from youju.text.normal import fold
from youju.trace import finding, reading
from youju.trace.entry import Entry, Feedback, Summary, Trace
from youju.trace.finding import Finding
from youju.trace.record import Record, record
from youju.trace.retention import border

__all__ = ["Entry", "Feedback", "Finding", "Log", "Summary", "Trace"]

log = logging.getLogger(__name__)
PATIENCE_S = 1.0
"""How long an answer waits for its trace; a document that is being indexed may hold the store for longer."""
PENDING_MAX = 200
SHORTEST = 4
"""Characters of an id that may stand for the whole."""
LISTED_MAX = 1000
BATCH = 500
"""Traces deleted in one transaction: others want to write, too."""
NOTE_MAX = 2000
DAY_S = 86_400


class Log:
    """The traces in the store.

    Args:
        store: where they are.
        keep_days: how long; None = for ever.
        texts: whether answers, quotes and the text of chunks are kept; ids, ranks, scores and figures always are.
        patience_s: how long `record` waits for the write before it goes on in the background.
    """

    def __init__(self, store: Store, keep_days: float | None, texts: bool, *, patience_s: float = PATIENCE_S) -> None:  # noqa: FBT001
        self.store = store
        self.keep_days = keep_days
        self.texts = texts
        self.patience_s = patience_s
        self._pending: set[asyncio.Task[None]] = set()

    async def record(self, entry: Entry) -> None:
        """Write a trace; returns when it is written, or after a second, while it is still being written.

        Whoever is cancelled while waiting does not cancel the write.

        Raises:
            StoreError: it could not be written within that second. One that fails later is told to the logging only.
        """
        try:
            rows = record(entry, texts=self.texts)
        except Exception as error:
            raise _unwritten(entry.turn.trace_id, error) from error
        while len(self._pending) >= PENDING_MAX:
            await asyncio.wait(self._pending, return_when=asyncio.FIRST_COMPLETED)
        task = asyncio.create_task(self._write(rows))
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)
        task.add_done_callback(_retrieved)
        done, _ = await asyncio.wait({task}, timeout=self.patience_s)
        if done:
            await task
        else:
            log.warning("trace.late id=%s", entry.turn.trace_id)

    async def _write(self, rows: Record) -> None:
        try:
            await self.store.write(lambda tx: traces.write(tx, rows.values, rows.met))
        except Exception as error:
            raise _unwritten(str(rows.values["id"]), error) from error

    async def aclose(self) -> None:
        """Wait until everything is written."""
        while self._pending:
            await asyncio.wait(self._pending)

    async def listed(
        self,
        *,
        limit: int = 50,
        before: str | None = None,
        refused: bool | None = None,
        kind: str | None = None,
        conversation_id: str | None = None,
        document_id: str | None = None,
    ) -> list[Summary]:
        """Traces, newest first.

        Args:
            limit: how many at most, 1 to 1000.
            before: only those older than the trace with this id, for the next page.
            refused: only refused ones, or only others.
            kind: only "ask" or "retrieve".
            conversation_id: only of this conversation.
            document_id: only those that met a chunk of this document.

        Raises:
            InputError: `limit` out of range.
            NotFoundError, ConflictError: `before` names no trace, or several.
        """
        if not 1 <= limit <= LISTED_MAX:
            raise InputError(f"limit 应在 1 到 {LISTED_MAX} 之间：{limit}", remedy="请改用范围内的数")
        border_id = await self._id(before) if before is not None else None
        chosen = Selection(border_id, refused, kind, conversation_id, document_id)
        rows = await self.store.read(lambda tx: traces.listed(tx, limit, chosen))
        return [reading.summary(row, row["rating"]) for row in rows]

    async def find(self, reference: str) -> Trace:
        """The trace with this id, or whose id alone begins with it (at least 4 characters).

        Raises:
            NotFoundError: none.
            ConflictError: several.
        """

        def read(tx: Connection) -> Trace:
            return reading.trace(traces.rows(tx, _one(tx, reference)))

        return await self.store.read(read)

    async def follow(self, trace: Trace, text: str) -> Finding:
        """What became of a text on the way of a question, told from the trace and the store of today.

        Raises:
            InputError: nothing is left of the text without white space and signs nobody sees.
        """
        if not fold(text):
            raise InputError("要查找的文字是空的", remedy="请给出答案或依据中的一段原文", code="usage")
        return finding.follow(trace, text, await self.store.read(lambda tx: holding(tx, text)))

    async def delete(
        self, references: Sequence[str] = (), *, everything: bool = False, older_than_days: float | None = None
    ) -> int:
        """Delete the traces named, all, or those older than so many days; how many went.

        All references are looked up before any goes.

        Raises:
            InputError: none of the three is given, or a negative number of days.
            NotFoundError, ConflictError: a reference names no trace, or several.
        """
        if references:
            ids = list(dict.fromkeys([await self._id(one) for one in references]))
            count = await self.store.write(lambda tx: traces.remove(tx, ids))
        elif everything:
            count = await self._forget(None)
        elif older_than_days is not None and older_than_days >= 0:
            count = await self._forget(border(datetime.now(UTC), older_than_days))
        else:
            raise InputError("没有说明要删除哪些记录", remedy="请给出记录编号、全部，或不小于 0 的天数", code="usage")
        return await self._gone(count)

    async def feedback(self, reference: str, said: Feedback) -> None:
        """Store what a person thinks of an answer, in the place of what was said of it before.

        Raises:
            InputError: an unknown rating, a note of more than 2000 characters, or a source the answer does not have.
            NotFoundError, ConflictError: no such trace, or several.
        """
        if said.rating not in {"up", "down"}:
            raise InputError(f"评价只能是 up 或 down：{said.rating!r}", remedy="请改用其中之一", code="bad_rating")
        if len(said.note) > NOTE_MAX:
            raise InputError(
                f"备注有 {len(said.note)} 个字符，超过上限 {NOTE_MAX}", remedy="请缩短备注", code="note_too_long"
            )
        await self.store.write(partial(_rate, reference=reference, said=said))

    async def tidy(self) -> int:
        """Delete what is older than the days to keep; how many traces went."""
        oldest = border(datetime.now(UTC), self.keep_days)
        return 0 if oldest is None else await self._gone(await self._forget(oldest))

    async def keep_tidy(self, every_s: float = DAY_S) -> None:
        """Never ends: what grows too old while a server runs goes, too. A store that fails is tried again later."""
        while True:
            await asyncio.sleep(every_s)
            try:
                await self.tidy()
            except StoreError as error:
                log.warning("trace.untidy code=%s", error.code)

    async def _forget(self, oldest: datetime | None) -> int:
        def some(tx: Connection) -> int:
            return traces.remove(tx, traces.older(tx, oldest, BATCH))

        total = 0
        while count := await self.store.write(some):
            total += count
        return total

    async def _gone(self, count: int) -> int:
        """What was deleted leaves the write-ahead log, too."""
        if count:
            await asyncio.to_thread(self.store.checkpoint)
        return count

    async def _id(self, reference: str) -> str:
        return await self.store.read(partial(_one, reference=reference))


def _one(tx: Connection, reference: str) -> str:
    reference = storable(reference.strip())
    found = traces.matching(tx, reference)
    if found != [reference] and len(reference) < SHORTEST:
        found = []
    if not found:
        remedy = "请用 youju log list 查看所有记录；编号可以只写开头，至少 4 个字符"
        raise NotFoundError(f"没有记录 {reference!r}", remedy=remedy)
    if len(found) > 1:
        raise ConflictError(f"{reference!r} 对应多条记录", remedy="请写得长一些：" + "、".join(found))
    return found[0]


def _rate(tx: Connection, reference: str, said: Feedback) -> None:
    id_ = _one(tx, reference)
    numbers = {row["n"] for row in traces.rows(tx, id_).chunks if row["n"] is not None}
    if said.source is not None and said.source not in numbers:
        shown = "、".join(str(n) for n in sorted(numbers)) or "没有"
        raise InputError(f"这条记录没有来源 {said.source}", remedy=f"它的来源：{shown}", code="bad_source")
    values = {"created_at": datetime.now(UTC), "rating": said.rating, "source": said.source}
    traces.rate(tx, id_, values | {"note": storable(said.note)})


def _unwritten(trace_id: str, error: Exception) -> StoreError:
    log.error("trace.unwritten id=%s", trace_id, exc_info=error)
    remedy = error.remedy if isinstance(error, StoreError) else "请查看日志，并运行 youju doctor"
    return StoreError(f"未能写入记录 {trace_id}：{error}", remedy=remedy, code="log_failed")


def _retrieved(task: asyncio.Task[None]) -> None:
    """Its failure was told to the logging: asyncio need not complain when nobody waits for it any more."""
    if not task.cancelled():
        task.exception()
