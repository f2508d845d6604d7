"""Which ranking a measure looks at."""

from __future__ import annotations

from collections.abc import Mapping

from youju.lab.score import Score, not_applicable
from youju.lab.seen import Seen
from youju.types import Chunk

CHANNELS: Mapping[str, str] = {"vector": "向量通道", "keyword": "关键词通道"}


def ranked(seen: Seen, name: str) -> tuple[Chunk, ...] | Score:
    """The chunks of a ranking, best first; or n/a where the arm retrieves nothing or has no such channel.

    No final ranking in an arm that retrieves is an empty one: nothing was found, and that is the arm's doing.
    """
    if not seen.retrieves:
        return not_applicable("这个变体不检索资料")
    chunks = seen.ranking(name)
    if chunks is None and name in CHANNELS:
        return not_applicable(f"没有{CHANNELS[name]}")
    return chunks or ()
