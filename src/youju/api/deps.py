"""What routes ask for by type."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from youju.api.later import Later
from youju.api.metrics import Labels, Meter
from youju.api.readiness import Readiness
from youju.api.slots import Slots
from youju.compose import App
from youju.documents import paging
from youju.errors import BusyError
from youju.ingest.desk import Desk
from youju.ingest.worker import Worker
from youju.lab.desk import Desk as Evals
from youju.lab.desk import stepping_back
from youju.lab.service import Wait
from youju.settings import Settings

UPLOADS = 8
"""Files that may come in at once: each is a file on the disk until it is whole."""
PICTURES = 64
"""Pages that may wait to be drawn at once; how many are drawn at a time is another matter."""
TURN_S = 0.05
TURNS = 200
"""How often an evaluation looks, before each of its questions, whether somebody else is asking."""
PREVIEWS = 2
"""Each is a process that parses."""


@dataclass(frozen=True)
class Service:
    """The product behind the routes, and how much of it may be used at once."""

    app: App
    settings: Settings
    meter: Meter
    readiness: Readiness
    desk: Desk
    worker: Worker
    later: Later
    answers: Slots
    searches: Slots
    evals: Evals
    uploads: Slots = field(default_factory=lambda: Slots(UPLOADS, "上传"))
    upkeep: Later = field(default_factory=Later)
    evaluations: Later = field(default_factory=Later)
    previews: Slots = field(default_factory=lambda: Slots(PREVIEWS, "预览"))
    pictures: Slots = field(default_factory=lambda: Slots(PICTURES, "页面图像"))

    def start(self) -> None:
        """Begin what runs beside the requests: the worker, loading the model, forgetting what is too old."""
        self.worker.start()
        self.readiness.begin()
        self.upkeep.start(self.app.log.keep_tidy(), "log.tidy")

    async def aclose(self) -> None:
        await self.evaluations.aclose()
        await self.readiness.end()
        await self.later.aclose()
        await self.upkeep.aclose()
        await self.worker.aclose()

    def check_name(self, file_name: str) -> None:
        """Raises DocumentError for a file that nothing can parse."""
        self.app.documents.suffix(Path(file_name))

    async def gauges(self) -> dict[str, tuple[str, dict[Labels, float]]]:
        """What stands now rather than since the start: documents by status, versions not yet worked on, answers."""
        counts = await self.app.documents.store.read(paging.counts)
        waiting = sum(n for status, n in counts.items() if status not in {"READY", "FAILED"})
        by_status: dict[Labels, float] = {(("status", status),): n for status, n in sorted(counts.items())}
        return {
            "youju_versions": ("Living versions of documents by status", by_status),
            "youju_queue_length": ("Versions that are not yet READY or FAILED", {(): waiting}),
            "youju_answers_running": ("Chats that are being answered", {(): self.answers.taken}),
        }


def assembled(app: App, settings: Settings, meter: Meter) -> Service:
    """The service over an open product."""
    limit = settings.server.max_answers
    answers, searches = Slots(limit, "提问"), Slots(limit, "检索")

    async def free() -> None:
        # A question that hangs must not hold up an evaluation for ever.
        for _ in range(TURNS):
            if not answers.taken + searches.taken:
                return
            await asyncio.sleep(TURN_S)

    return Service(
        app=app,
        settings=settings,
        meter=meter,
        readiness=Readiness(app),
        desk=Desk(app.documents),
        worker=Worker(app.documents),
        later=Later(),
        answers=answers,
        searches=searches,
        evals=_evals(app, settings, free),
    )


def _evals(app: App, settings: Settings, free: Wait) -> Evals:
    options = {"persona": settings.answering.persona, "judge_mode": settings.judge.mode, "concurrency": 1}
    lab = stepping_back(app.lab, turn=free)
    return Evals(lab, settings.data / "evals", judging=settings.eval.enabled, options=options)


async def service(request: Request) -> Service:
    """The service of this application.

    Raises:
        BusyError: it is not open yet, or already closed.
    """
    found = getattr(request.app.state, "service", None)
    if not isinstance(found, Service):
        raise BusyError("服务还没有就绪", remedy="请稍后再试", code="not_ready")
    return found


Served = Annotated[Service, Depends(service)]
