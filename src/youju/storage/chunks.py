"""Writing chunks, reading them back, and the one condition that says which of them a search may see."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Integer, RowMapping, String, and_, bindparam, delete, insert, select, true, update
from sqlalchemy.engine import Connection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from youju.storage.changes import note
from youju.storage.engine import Store
from youju.storage.tables import chunk as table
from youju.storage.tables import page
from youju.types import Box, Chunk, Page, Place, Scope

REFUSED = re.compile("[\0\ud800-\udfff]")


class _Listed(FunctionElement[Any]):
    """The values of a JSON list: one parameter whatever the length, where `IN (?, ?, …)` meets a limit."""

    inherit_cache = True
    kind = "text"


class _Numbers(_Listed):
    inherit_cache = True
    kind = "bigint"


@compiles(_Listed)
def _listed_sqlite(element: _Listed, compiler: SQLCompiler, **kw: Any) -> str:  # noqa: ANN401
    return f"(SELECT value FROM json_each({compiler.process(element.clauses, **kw)}))"  # noqa: S608 - a bound parameter


@compiles(_Listed, "postgresql")
def _listed_postgres(element: _Listed, compiler: SQLCompiler, **kw: Any) -> str:  # noqa: ANN401
    array = f"CAST({compiler.process(element.clauses, **kw)} AS jsonb)"
    return f"(SELECT CAST(jsonb_array_elements_text({array}) AS {element.kind}))"


def among(column: ColumnElement[Any], values: Iterable[str] | Iterable[int]) -> ColumnElement[bool]:
    """`column IN values`, with any number of values; none at all is never true."""
    kind = _Numbers if isinstance(column.type, Integer) else _Listed
    return column.bool_op("IN")(kind(bindparam(None, json.dumps(list(values)), String)))


def within(scope: Scope) -> ColumnElement[bool]:
    """The SQL condition on `chunk` for what may be found in `scope`: active, and in the collections and documents."""
    condition: ColumnElement[bool] = table.c.active == true()
    if scope.collections is not None:
        condition = and_(condition, among(table.c.collection_id, scope.collections))
    if scope.document_ids is not None:
        condition = and_(condition, among(table.c.document_id, scope.document_ids))
    return condition


def write(tx: Connection, chunks: Sequence[Chunk], version_id: int) -> None:
    """Store the chunks of a version, not yet active: nothing finds them before `activate`.

    NUL and lone surrogates, which databases refuse, become spaces; offsets into the text stay true.
    """
    if chunks:
        tx.execute(insert(table), [_row(chunk, version_id) for chunk in chunks])


def activate(tx: Connection, version_ids: Sequence[int], *, active: bool) -> None:
    """Let searches see the chunks of these versions, or no longer; the caches of all processes follow."""
    tx.execute(update(table).where(among(table.c.version_id, version_ids)).values(active=active))
    note(tx, version_ids)


def drop(tx: Connection, version_ids: Sequence[int]) -> None:
    """Remove what was written for these versions: chunks, with them their vectors and terms, and the text of pages."""
    tx.execute(delete(table).where(among(table.c.version_id, version_ids)))
    tx.execute(delete(page).where(among(page.c.version_id, version_ids)))
    note(tx, version_ids)


def rowids_of(tx: Connection, chunk_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Rowid and version id of each of these chunks.

    Raises:
        ValueError: one of them was not written; a mistake in the code, hence no YoujuError.
    """
    rows = tx.execute(
        select(table.c.chunk_id, table.c.id, table.c.version_id).where(among(table.c.chunk_id, chunk_ids))
    )
    found = {row.chunk_id: (row.id, row.version_id) for row in rows}
    missing = set(chunk_ids) - set(found)
    if missing:
        raise ValueError(f"chunks to be indexed before they were written: {sorted(missing)[:3]}")
    return found


def chunk_of(row: RowMapping) -> Chunk:
    """The chunk of a row of the table; `version` is the id of its version."""
    return Chunk(
        id=row["chunk_id"],
        document_id=row["document_id"],
        version=row["version_id"],
        collection=row["collection_id"],
        book=row["book"],
        section=tuple(row["section"]),
        kind=row["kind"],
        text=row["text"],
        ordinal=row["ordinal"],
        page_start=row["page_start"],
        page_end=row["page_end"],
        label_start=row["label_start"],
        label_end=row["label_end"],
        locator=row["locator"],
        parent_id=row["parent_id"],
        role=row["role"],
        boxes=tuple(Box(*box) for box in row["boxes"]),
        places=tuple(Place(*place) for place in row["places"]),
    )


def by_rowid(tx: Connection, rowids: Iterable[int]) -> dict[int, Chunk]:
    """The chunks with these rowids, active or not: whoever has rowids has looked at the scope before."""
    rows = tx.execute(select(table).where(among(table.c.id, rowids))).mappings()
    return {row["id"]: chunk_of(row) for row in rows}


def of_version(tx: Connection, version_id: int) -> list[Chunk]:
    """All chunks of a version, visible or not: children in reading order, then their parents."""
    rows = tx.execute(
        select(table).where(table.c.version_id == version_id).order_by(table.c.role, table.c.ordinal)
    ).mappings()
    return [chunk_of(row) for row in rows]


class SqlChunks:
    """The `Chunks` port on the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __repr__(self) -> str:
        return "sqlite-chunks"

    async def get(self, chunk_ids: Sequence[str], scope: Scope) -> list[Chunk]:
        found = await self._store.read(lambda tx: _by_id(tx, chunk_ids, scope))
        return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]

    async def parents(self, chunk_ids: Sequence[str], scope: Scope) -> Mapping[str, Chunk]:
        def read(tx: Connection) -> dict[str, Chunk]:
            children = _by_id(tx, chunk_ids, scope)
            parents = _by_id(tx, {child.parent_id for child in children.values()}, scope)
            return {id_: parents[child.parent_id] for id_, child in children.items() if child.parent_id in parents}

        return await self._store.read(read)

    async def pages(self, chunk: Chunk) -> list[Page]:
        return await self._store.read(lambda tx: _pages(tx, chunk))

    async def neighbours(self, chunk_id: str, n: int, scope: Scope) -> list[Chunk]:
        return await self._store.read(lambda tx: _neighbours(tx, chunk_id, n, scope))


def _by_id(tx: Connection, chunk_ids: Iterable[str], scope: Scope) -> dict[str, Chunk]:
    rows = tx.execute(select(table).where(among(table.c.chunk_id, chunk_ids), within(scope))).mappings()
    return {row["chunk_id"]: chunk_of(row) for row in rows}


def _pages(tx: Connection, chunk: Chunk) -> list[Page]:
    if chunk.page_start is None or chunk.page_end is None:
        return []
    stands = (page.c.version_id == chunk.version, page.c.n.between(chunk.page_start, chunk.page_end))
    rows = tx.execute(select(page).where(*stands).order_by(page.c.n))
    return [Page(row.n, row.text, row.label, row.width, row.height) for row in rows]


def _neighbours(tx: Connection, chunk_id: str, n: int, scope: Scope) -> list[Chunk]:
    middle = _by_id(tx, [chunk_id], scope).get(chunk_id)
    if middle is None:
        return []
    # The scope holds whole documents: what stands beside a chunk of it is in it, too.
    siblings = select(table).where(table.c.version_id == middle.version, table.c.role == "child")
    place = table.c.ordinal
    before = siblings.where(place < middle.ordinal).order_by(place.desc()).limit(n)
    after = siblings.where(place > middle.ordinal).order_by(place).limit(n)
    earlier = [chunk_of(row) for row in tx.execute(before).mappings()]
    later = [chunk_of(row) for row in tx.execute(after).mappings()]
    return [*reversed(earlier), middle, *later]


def _row(chunk: Chunk, version_id: int) -> dict[str, object]:
    return {
        "role": chunk.role,
        "collection_id": chunk.collection,
        "document_id": chunk.document_id,
        "version_id": version_id,
        "ordinal": chunk.ordinal,
        "chunk_id": chunk.id,
        "parent_id": chunk.parent_id,
        "kind": chunk.kind,
        "book": storable(chunk.book),
        "section": [storable(part) for part in chunk.section],
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "label_start": storable(chunk.label_start),
        "label_end": storable(chunk.label_end),
        "locator": storable(chunk.locator),
        "text": storable(chunk.text),
        "boxes": [[box.page, box.x0, box.y0, box.x1, box.y1] for box in chunk.boxes],
        "places": [[place.start, storable(place.locator)] for place in chunk.places],
    }


def storable(text: str) -> str:
    """The text with a space for each character that a database refuses; its length stays."""
    return REFUSED.sub(" ", text)
