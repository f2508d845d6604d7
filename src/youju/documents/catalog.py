"""Writing the catalogue: what comes in, what state it is in, what answers. Functions over an open transaction."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, func, insert, select, update
from sqlalchemy.engine import Connection

from youju.documents import events
from youju.documents.lifecycle import UNFINISHED, step
from youju.errors import ConflictError
from youju.storage import chunks
from youju.storage.chunks import storable
from youju.storage.tables import chunk, collection, document, version
from youju.types import Failure, Status

DEFAULT_COLLECTION = "默认"


@dataclass(frozen=True, slots=True)
class Upload:
    """What came in: the bytes are already in the blob folder under `sha256`."""

    file_name: str
    title: str
    collection: str
    sha256: str
    suffix: str
    size_bytes: int
    kept: frozenset[str] = frozenset()
    """Documents that other files of the same call stand for: this one must not replace them."""
    strategy: str = ""
    """How to divide it: "" = as the collection says, "auto", or a name."""


@dataclass(frozen=True, slots=True)
class Retired:
    """A document whose file now holds the bytes of another one: it goes once that other one answers."""

    document_id: str
    title: str
    version: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """Where an upload ended. `duplicate`: these bytes were already here and well; nothing is to be done."""

    document_id: str
    version_id: int
    version: int
    status: Status
    duplicate: bool
    retired: Retired | None = None


def ensure_collection(tx: Connection, name: str) -> str:
    """The id of the collection called `name`; made if there is none."""
    found = tx.execute(select(collection.c.id).where(collection.c.name == name)).scalar()
    if found is None:
        found = f"c{secrets.token_hex(4)}"
        tx.execute(insert(collection).values(id=found, name=name, settings={}, created_at=datetime.now(UTC)))
    return str(found)


def accept(tx: Connection, upload: Upload) -> Accepted:
    """Enter an upload. Same bytes in the collection = the same document; same name, other bytes = a new version.

    `tx` is a write transaction, of which there is one at a time over all processes; so what is read here stays true.
    """
    home = ensure_collection(tx, upload.collection)
    named = tx.execute(
        select(document.c.id, document.c.title).where(
            document.c.collection_id == home, document.c.file_name == upload.file_name, ~document.c.deleting
        )
    ).first()
    same = tx.execute(
        select(version, document.c.file_name)
        .join(document)
        .where(version.c.collection_id == home, version.c.sha256 == upload.sha256, version.c.living)
        .where(~document.c.deleting)
        .order_by(version.c.again)
    ).first()
    if same is not None:
        if same.active and same.file_name == upload.file_name:
            # The file is again what it was: a later version that failed or is on its way is no longer wanted.
            overtake(tx, same.document_id, but=upload.sha256)
        retired = None
        if named is not None and named.id != same.document_id:
            _check_free(named.id, upload)
            retired = Retired(named.id, named.title, newest(tx, named.id))
        if upload.strategy not in {"", same.strategy}:
            return replace(_divided_anew(tx, same, upload), retired=retired)
        if same.status != "FAILED":
            return Accepted(same.document_id, same.id, same.number, same.status, duplicate=True, retired=retired)
        retry(tx, same.document_id)
        return Accepted(same.document_id, same.id, same.number, "UPLOADED", duplicate=False, retired=retired)
    if named is not None:
        _check_free(named.id, upload)
    return new_version(tx, named.id if named else _new_document(tx, home, upload), home, upload)


def _divided_anew(tx: Connection, same: Row[Any], upload: Upload) -> Accepted:
    """A version of bytes that are here already, and are to be divided in another way than they were."""
    alike = (version.c.document_id == same.document_id, version.c.sha256 == upload.sha256, version.c.living)
    asked = (*alike, ~version.c.active, version.c.strategy == upload.strategy)
    there = tx.execute(select(version).where(*asked)).first()
    if there is None:
        return new_version(tx, same.document_id, same.collection_id, upload, again=same.active)
    if there.status == "FAILED":
        retry(tx, same.document_id)
        return Accepted(there.document_id, there.id, there.number, "UPLOADED", duplicate=False)
    return Accepted(there.document_id, there.id, there.number, there.status, duplicate=True)


def _check_free(document_id: str, upload: Upload) -> None:
    if document_id in upload.kept:
        raise ConflictError(
            f"{upload.file_name} 会替换本次导入的另一个文件所对应的文档",
            remedy="请改名，或用 --collection 放入不同的资料集",
            code="same_name",
        )


def newest(tx: Connection, document_id: str) -> int:
    """The number of the last version uploaded, 0 where none is left."""
    numbers = select(func.coalesce(func.max(version.c.number), 0)).where(version.c.document_id == document_id)
    return int(tx.execute(numbers).scalar_one())


def _new_document(tx: Connection, home: str, upload: Upload) -> str:
    document_id = f"d{secrets.token_hex(6)}"
    tx.execute(
        insert(document).values(
            id=document_id,
            collection_id=home,
            title=upload.title,
            file_name=upload.file_name,
            enabled=True,
            deleting=False,
            created_at=datetime.now(UTC),
        )
    )
    return document_id


def new_version(tx: Connection, document_id: str, home: str, upload: Upload, *, again: bool = False) -> Accepted:
    """Enter an upload as the next version of a document in collection `home`; `again`: the active one has its bytes."""
    overtake(tx, document_id)
    number = newest(tx, document_id) + 1
    made = tx.execute(
        insert(version).values(
            document_id=document_id,
            collection_id=home,
            number=number,
            status="UPLOADED",
            active=False,
            living=True,
            sha256=upload.sha256,
            suffix=upload.suffix,
            size_bytes=upload.size_bytes,
            strategy=upload.strategy,
            again=again,
            created_at=datetime.now(UTC),
        )
    )
    key = made.inserted_primary_key
    version_id = int(key[0]) if key else 0
    events.note(tx, version_id, "rechunk" if again else "accepted", upload.strategy)
    return Accepted(document_id, version_id, number, "UPLOADED", duplicate=False)


def overtake(tx: Connection, document_id: str, *, but: str = "") -> None:
    """A version on its way, or one that failed, gives way to a newer upload; the active one keeps answering.

    `but`: not one of the bytes with this sha256.
    """
    overtaken = and_(version.c.document_id == document_id, ~version.c.active, version.c.living, version.c.sha256 != but)
    tx.execute(update(version).where(overtaken).values(status="DELETING", living=False))


def status(tx: Connection, version_id: int) -> Status:
    """The state a version is in; DELETING also for one that is gone or whose document is going."""
    row = tx.execute(
        select(version.c.status, document.c.deleting).join(document).where(version.c.id == version_id)
    ).first()
    found: Status = "DELETING" if row is None or row.deleting else row.status
    return found


def move(tx: Connection, version_id: int, to: Status, **values: object) -> None:
    """Bring a version into another state, with other columns of its row.

    Raises:
        ConflictError: the version is gone, overtaken or being deleted, or the lifecycle does not allow it.
    """
    before = status(tx, version_id)
    if before == "DELETING":
        raise ConflictError("文档已被删除或替换", code="deleted")
    tx.execute(update(version).where(version.c.id == version_id).values(status=step(before, to), **values))
    events.note(tx, version_id, to)


def fail(tx: Connection, version_id: int, failure: Failure, timeline: Sequence[tuple[str, float]]) -> None:
    """FAILED with its reason; the bytes stay, so that a retry can begin."""
    move(
        tx,
        version_id,
        "FAILED",
        failure_code=failure.code,
        failure_message=storable(failure.message),
        failure_remedy=storable(failure.remedy),
        timeline=[list(entry) for entry in timeline],
    )
    events.note(tx, version_id, "reason", failure.code)


def publish(tx: Connection, version_id: int, values: Mapping[str, object]) -> None:
    """READY and active, in the place of the version that was active before; chunks follow in the same transaction."""
    move(tx, version_id, "READY", **values)
    document_id = tx.execute(select(version.c.document_id).where(version.c.id == version_id)).scalar_one()
    mine = version.c.document_id == document_id
    old = list(tx.execute(select(version.c.id).where(mine, version.c.active)).scalars())
    tx.execute(update(version).where(version.c.id.in_(old)).values(active=False, living=False, status="DELETING"))
    tx.execute(update(version).where(version.c.id == version_id).values(active=True, again=False))
    chunks.activate(tx, old, active=False)
    enabled = bool(tx.execute(select(document.c.enabled).where(document.c.id == document_id)).scalar_one())
    chunks.activate(tx, [version_id], active=enabled)


def retry(tx: Connection, document_id: str) -> int:
    """The version that is to be worked on again: one that failed, or that whoever worked on it left unfinished.

    Raises:
        ConflictError: nothing of the document has failed or is unfinished.
    """
    open_ = and_(version.c.document_id == document_id, version.c.status != "READY", version.c.living)
    row = tx.execute(select(version.c.id, version.c.status).where(open_)).first()
    if row is None:
        raise ConflictError(
            "这份文档没有失败或未完成的版本，无需重试", remedy="请用 youju docs show 查看状态", code="nothing_to_retry"
        )
    if row.status == "FAILED":
        move(tx, row.id, "UPLOADED", failure_code="", failure_message="", failure_remedy="")
    return int(row.id)


def cancel(tx: Connection, document_id: str) -> int:
    """The version that was on its way and is FAILED now; whoever works on it notices and stops.

    Raises:
        ConflictError: nothing of the document is on its way.
    """
    on_its_way = and_(version.c.document_id == document_id, version.c.status.in_(UNFINISHED), version.c.living)
    version_id = tx.execute(select(version.c.id).where(on_its_way)).scalar()
    if version_id is None:
        raise ConflictError(
            "这份文档没有正在处理的版本，无法取消", remedy="请用 youju docs show 查看状态", code="nothing_to_cancel"
        )
    fail(tx, version_id, Failure("cancelled", "处理已被取消", "需要时请用 youju docs retry 重新开始"), ())
    return int(version_id)


def enable(tx: Connection, document_id: str, *, enabled: bool) -> None:
    """Let a document answer, or not; its versions and indexes stay."""
    tx.execute(update(document).where(document.c.id == document_id).values(enabled=enabled))
    current = and_(version.c.document_id == document_id, version.c.active)
    chunks.activate(tx, list(tx.execute(select(version.c.id).where(current)).scalars()), active=enabled)


def begin_delete(tx: Connection, document_id: str) -> list[int]:
    """Make a document invisible at once; its version ids, for the purge."""
    tx.execute(update(document).where(document.c.id == document_id).values(deleting=True))
    mine = version.c.document_id == document_id
    version_ids = [int(id_) for id_ in tx.execute(select(version.c.id).where(mine)).scalars()]
    tx.execute(update(version).where(mine).values(status="DELETING", active=False, living=False))
    chunks.activate(tx, version_ids, active=False)
    return version_ids


def answering() -> ColumnElement[bool]:
    """The condition on `version` joined with `document` for chunks that searches may see."""
    return and_(version.c.active, version.c.status == "READY", document.c.enabled, ~document.c.deleting)


def show_as_listed(tx: Connection) -> None:
    """Make the chunks of every version as visible as the catalogue says; `activate` keeps them so by itself."""
    both = select(version.c.id).join(document).join(chunk, chunk.c.version_id == version.c.id).distinct()
    hide = list(tx.execute(both.where(chunk.c.active, ~answering())).scalars())
    show = list(tx.execute(both.where(~chunk.c.active, answering())).scalars())
    for version_ids, active in ((hide, False), (show, True)):
        if version_ids:
            chunks.activate(tx, version_ids, active=active)
