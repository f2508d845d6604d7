"""What routes ask for by type."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request

from youju.api.metrics import Labels, Meter
from youju.api.readiness import Readiness
from youju.api.slots import Slots
from youju.compose import App
from youju.documents import listing
from youju.errors import BusyError
from youju.settings import Settings

UPLOADS = 8
"""Files that may come in at once: each is a file on the disk until it is whole."""
PREVIEWS = 2
"""Each is a process that parses."""


@dataclass(frozen=True)
class Service:
    """The product behind the routes, and how much of it may be used at once."""

    app: App
    settings: Settings
    meter: Meter
    readiness: Readiness
    answers: Slots
    searches: Slots
    uploads: Slots = field(default_factory=lambda: Slots(UPLOADS, "上传"))
    previews: Slots = field(default_factory=lambda: Slots(PREVIEWS, "预览"))

    async def gauges(self) -> dict[str, tuple[str, dict[Labels, float]]]:
        """What stands now rather than since the start: documents by status, versions not yet worked on, answers."""
        states = await self.app.documents.store.read(listing.states)
        counts = Counter(one.status for one in states)
        waiting = sum(n for status, n in counts.items() if status not in {"READY", "FAILED"})
        by_status: dict[Labels, float] = {(("status", status),): n for status, n in sorted(counts.items())}
        return {
            "youju_documents": ("Documents by status", by_status),
            "youju_queue_length": ("Documents that are not yet READY or FAILED", {(): waiting}),
            "youju_answers_running": ("Chats that are being answered", {(): self.answers.taken}),
        }


def assembled(app: App, settings: Settings, meter: Meter) -> Service:
    """The service over an open product."""
    limit = settings.server.max_answers
    return Service(app, settings, meter, Readiness(app), Slots(limit, "提问"), Slots(limit, "检索"))


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
