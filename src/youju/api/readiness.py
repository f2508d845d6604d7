"""Can questions be answered now?"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from sqlalchemy import text

from youju.compose import App
from youju.errors import YoujuError


@dataclass
class Readiness:
    """Loads the embedding model when the service begins, so that the first question need not wait for it."""

    app: App
    warm: asyncio.Task[object] | None = field(default=None)

    def begin(self) -> None:
        self.warm = asyncio.create_task(self.app.chat.parts.embedder.embed(["就绪"], "query"))

    async def end(self) -> None:
        if self.warm is not None:
            self.warm.cancel()
            await asyncio.gather(self.warm, return_exceptions=True)

    async def reasons(self) -> list[str]:
        """Why not, in the user's language; empty = ready. What failed is tried again."""
        reasons = []
        try:
            await self.app.documents.store.read(lambda tx: tx.execute(text("SELECT 1")).scalar())
        except YoujuError as error:
            reasons.append(error.message)
        if self.warm is None or not self.warm.done():
            reasons.append("嵌入模型还在载入")
        elif (failed := self.warm.exception()) is not None:
            reasons.append(failed.message if isinstance(failed, YoujuError) else "嵌入模型载入失败")
            self.begin()
        return reasons
