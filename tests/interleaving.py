"""Many people at one store at once, beside them a model of what may be answered.

Each name has an actor of its own, which uploads, replaces, deletes, disables, enables, retries and cancels in an order
of chance; the worker and somebody who asks run all the while. `python -m interleaving STORE SEED` does the same until
it is killed, and tells on standard output what it begins and what it has done.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import apps
from youju.chat.service import Request
from youju.compose import App
from youju.documents.catalog import Accepted
from youju.errors import ConflictError, DocumentError
from youju.ingest import job
from youju.ingest.desk import Desk
from youju.ingest.worker import Worker
from youju.providers.parse_markdown import MarkdownParser
from youju.types import Document, ParsedDocument, Turn

NAMES = ("苹果", "香蕉", "樱桃")
TOKEN = re.compile(r"QX\d+[a-z]+")
STEPS = 7
Tell = Callable[[str, "Book"], None]


@dataclass
class Book:
    """What is known of the document of a name. `earlier` are contents that may still answer until `latest` does."""

    name: str
    id: str = ""
    latest: str = ""
    earlier: set[str] = field(default_factory=set)
    settled: bool = False
    cancelled: bool = False
    enabled: bool = True

    @property
    def answers(self) -> set[str]:
        """Tokens that an answer may hold."""
        if not self.latest or not self.enabled:
            return set()
        now = set() if self.cancelled else {self.latest}
        return now if self.settled else now | self.earlier

    def begin(self, token: str) -> None:
        """A content comes; until it answers, what answered before may."""
        if token == self.latest and self.settled:
            return
        old = {self.latest} if self.latest else set()
        self.earlier = old if self.settled else self.earlier | old
        self.latest, self.settled, self.cancelled = token, False, False


def text_of(name: str, token: str) -> str:
    body = f"{name}的价格是每斤 {token} 元，由{name}的种植户每天早上报来。"
    return f"# {name}\n\n{body}\n\n## 说明\n\n" + f"{name}按 {token} 结算时不再打折。" * 12


def tokens(turn: Turn) -> set[str]:
    """Those an answer showed, cited or was built on."""
    said = [turn.answer.text] if turn.answer else []
    said += [hit.chunk.text for hit in turn.hits] + [source.quote for source in turn.sources]
    return set(TOKEN.findall(" ".join(said)))


async def parsed_here(spec: str, path: Path, **_: object) -> ParsedDocument:
    """Instead of a child process, for speed: it may be interrupted just as well."""
    await asyncio.sleep(0)
    return MarkdownParser().parse(path)


@dataclass
class Play:
    app: App
    folder: Path
    seed: int
    tell: Tell = lambda what, book: None
    books: dict[str, Book] = field(default_factory=lambda: {name: Book(name) for name in NAMES})
    made: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)  # noqa: S311 - no secret
        self.desk = Desk(self.app.documents)
        self.worker = Worker(self.app.documents, poll_s=0.05, delays_s=(0.0,))

    async def run(self, steps: int = STEPS) -> None:
        """Everybody at once; when it returns nothing is on its way."""
        self.worker.start()
        try:
            acting = asyncio.gather(*(self.act(book, steps) for book in self.books.values()))
            asking = asyncio.ensure_future(self.ask_all_the_while())
            try:
                await acting
            finally:
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
            await rest(self.app, self.worker)
        finally:
            await self.worker.aclose()

    async def act(self, book: Book, steps: int) -> None:
        acts = (self.upload, self.replace, self.delete, self.disable, self.enable, self.retry, self.cancel, self.look)
        for _ in range(steps):
            act = self.upload if not book.id else self.rng.choices(acts, (3, 2, 1, 1, 2, 2, 3, 3))[0]
            self.tell(f"begin {act.__name__}", book)
            await act(book)
            self.tell(f"done {act.__name__}", book)
            await asyncio.sleep(self.rng.choice((0, 0, 0, 0.001, 0.004, 0.02)))

    # --- acts --------------------------------------------------------------------------------------------------------

    async def upload(self, book: Book) -> None:
        await self._take_in(book, None)

    async def replace(self, book: Book) -> None:
        await self._take_in(book, book.id)

    async def _take_in(self, book: Book, document_id: str | None) -> None:
        again = book.earlier | {book.latest}
        token = self.rng.choice(sorted(again)) if book.latest and self.rng.random() < 0.2 else self.new()
        data = text_of(book.name, token)
        self.made[sha256(data.encode()).hexdigest()] = token
        book.begin(token)
        self.tell("begin take_in", book)
        path = apps.written(self.folder, f"{book.name}/{book.name}.md", data)
        accepted = await self.app.documents.accept(path, document_id=document_id)
        book.id = accepted.document_id
        if self.rng.random() < 0.3:
            await self.finish(accepted)
        else:
            self.worker.wake()

    def new(self) -> str:
        n = len(self.made)
        return f"QX{self.seed}{chr(97 + n // 26)}{chr(97 + n % 26)}"

    async def finish(self, accepted: Accepted) -> None:
        status = await self.app.documents.process(accepted)
        if status not in {"READY", "FAILED", "DELETING"}:
            self.faults.append(f"processed: {status}")

    async def delete(self, book: Book) -> None:
        await self.app.documents.delete(book.id)
        self.books[book.name].__init__(book.name)  # type: ignore[misc]  # everything about it is forgotten

    async def disable(self, book: Book) -> None:
        await self.desk.enable(book.id, enabled=False)
        book.enabled = False

    async def enable(self, book: Book) -> None:
        book.enabled = True
        self.tell("begin enabled", book)
        await self.desk.enable(book.id, enabled=True)

    async def retry(self, book: Book) -> None:
        before, book.cancelled = book.cancelled, False
        self.tell("begin retried", book)
        try:
            await self.desk.retry(book.id)
        except ConflictError:
            book.cancelled = before
            if before:
                self.faults.append(f"{book} cannot be retried")
        self.worker.wake()

    async def cancel(self, book: Book) -> None:
        try:
            await self.desk.cancel(book.id)
        except ConflictError:
            return
        book.cancelled = True
        if book.settled:
            self.faults.append(f"{book} was READY and could be cancelled")

    async def look(self, book: Book) -> None:
        self.settle(book, await self.desk.get(book.id))

    def settle(self, book: Book, one: Document) -> None:
        """What is seen to be READY has taken the place of what was before."""
        if one.active is not None and self.made[one.active.sha256] == book.latest and not book.cancelled:
            book.settled, book.earlier = True, set()

    # --- questions ---------------------------------------------------------------------------------------------------

    async def ask_all_the_while(self) -> None:
        while True:
            await self.ask(self.rng.choice(NAMES))
            await asyncio.sleep(self.rng.choice((0, 0.005, 0.02, 0.04)))

    async def ask(self, name: str) -> set[str]:
        """The tokens found; one that could not answer at any time while it was asked is a fault."""
        may = set(self.allowed())
        asking = asyncio.ensure_future(self.app.chat.ask(Request(f"{name}的价格是多少？")))
        while not asking.done():
            await asyncio.wait([asking], timeout=0.001)
            may |= self.allowed()
        found = tokens(asking.result())
        if wrong := found - may:
            self.faults.append(f"seed {self.seed}: {sorted(wrong)} was answered, allowed {sorted(may)}")
        return found

    def allowed(self) -> set[str]:
        return {token for book in self.books.values() for token in book.answers}


async def rest(app: App, worker: Worker) -> None:
    """Return once nothing is waiting and the worker has looked."""
    worker.wake()
    async with asyncio.timeout(60):
        while not worker.idle or await app.documents.waiting(smallest=True) is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    await app.documents.sweep()


async def ends(play: Play, books: Iterable[Book]) -> None:
    """Note what is otherwise than the model says, now that nothing is on its way."""
    there = {one.file_name.removesuffix(".md"): one for one in await play.app.documents.listed()}
    for book in books:
        one = there.pop(book.name, None)
        if (one is None) == bool(book.latest):
            play.faults.append(f"{book}: {one}")
        if one is None or not book.latest:
            continue
        active = play.made[one.active.sha256] if one.active else ""
        wanted = book.earlier | {""} if book.cancelled else {book.latest}
        if active not in wanted or one.enabled != book.enabled:
            play.faults.append(f"seed {play.seed}: {book} has {active!r}, {one}")
        book.latest, book.earlier, book.settled, book.cancelled = active, set(), True, False
    if there:
        play.faults.append(f"documents that nobody uploaded: {there}")
    for book in books:
        found = await play.ask(book.name)
        if book.latest and book.enabled and book.latest not in found:
            play.faults.append(f"seed {play.seed}: {book} does not answer: {found}")
    wrong = {one.check for one in await play.app.doctor.examine() if one.level != "ok"}
    if wrong - {"失败的版本"}:
        play.faults.append(f"seed {play.seed}: {wrong}")


# --- a process that will be killed -----------------------------------------------------------------------------------


def told(what: str, book: Book) -> None:
    row = {"what": what, **vars(book), "earlier": sorted(book.earlier)}
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


async def until_killed(store: Path, seed: int) -> None:
    if seed % 4:
        # Of every fourth the parsing is left to a real child, which loses its parent.
        job.parse_in_child = parsed_here
    async with apps.opened(store, log={"texts": False}) as app:
        await Play(app, store.parent / "in", seed, told).run(10_000)


if __name__ == "__main__":
    assert DocumentError
    asyncio.run(until_killed(Path(sys.argv[1]), int(sys.argv[2])))
