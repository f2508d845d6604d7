"""Which states a version may go through, as a table. The status in the database is the truth."""

from __future__ import annotations

from youju.errors import ConflictError
from youju.types import Status

TRANSITIONS: dict[Status, frozenset[Status]] = {
    "UPLOADED": frozenset({"PARSING", "FAILED", "DELETING"}),
    # Back to UPLOADED: the process that worked on it is gone, the work starts again.
    "PARSING": frozenset({"CHUNKING", "FAILED", "DELETING", "UPLOADED"}),
    "CHUNKING": frozenset({"EMBEDDING", "FAILED", "DELETING", "UPLOADED"}),
    "EMBEDDING": frozenset({"READY", "FAILED", "DELETING", "UPLOADED"}),
    "READY": frozenset({"DELETING"}),
    "FAILED": frozenset({"UPLOADED", "DELETING"}),
    "DELETING": frozenset(),
}
WORKING: frozenset[Status] = frozenset({"PARSING", "CHUNKING", "EMBEDDING"})


def step(before: Status, after: Status) -> Status:
    """`after`, if a version in `before` may go there.

    Raises:
        ConflictError: the table does not allow it.
    """
    if after not in TRANSITIONS[before]:
        raise ConflictError(f"状态不能从 {before} 变为 {after}", remedy="请用 youju docs show 查看文档现在的状态")
    return after


UNFINISHED: frozenset[Status] = WORKING | {"UPLOADED"}
