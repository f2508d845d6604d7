"""From scores of rowids to hits: the k best, ties by chunk id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.storage.chunks import among, by_rowid
from youju.storage.tables import chunk as table
from youju.types import Hit, Span

NO_SPANS: Mapping[int, Span] = MappingProxyType({})


def leading(scores: npt.NDArray[np.floating], k: int) -> npt.NDArray[np.intp]:
    """Places of the k highest scores and of all that tie with the last of them, in no order."""
    if k >= len(scores):
        return np.arange(len(scores))
    last = np.partition(scores, len(scores) - k)[len(scores) - k]
    return np.flatnonzero(scores >= last)


def hits(
    tx: Connection, scores: Mapping[int, float], k: int, channel: str, spans: Mapping[int, Span] = NO_SPANS
) -> list[Hit]:
    """The k best of the scored rowids as hits, best first, ties by chunk id, with rank and score of the channel."""
    rows = tx.execute(select(table.c.id, table.c.chunk_id).where(among(table.c.id, scores)))
    names = {row.id: row.chunk_id for row in rows}
    best = sorted(names, key=lambda rowid: (-scores[rowid], names[rowid]))[:k]
    chunks = by_rowid(tx, best)
    return [
        Hit(
            chunks[rowid],
            scores[rowid],
            ranks={channel: rank},
            scores={channel: scores[rowid]},
            span=spans.get(rowid),
        )
        for rank, rowid in enumerate(best, start=1)
    ]
