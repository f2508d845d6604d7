"""A request → which documents may answer it, as of this moment."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.engine import Connection

from youju.documents import listing
from youju.documents.listing import State
from youju.documents.names import printable
from youju.types import Exclusion, Scope, ScopeReport

OUTSIDE = "OUT_OF_COLLECTION"


def resolve(
    tx: Connection, document_ids: Sequence[str] | None, collection: str | None, fingerprint: str
) -> tuple[Scope, ScopeReport]:
    """The predicate for every search and the report for the answer.

    Args:
        tx: an open transaction.
        document_ids: only these; None = no restriction. Together with `collection`: their intersection.
        collection: a name.
        fingerprint: of the present embedder; eligible documents without its vectors are reported as stale.

    Returns:
        A scope and a report. `report.documents` empty = nothing is eligible, nothing may be searched.
    """
    collection = printable(collection) if collection is not None else None
    document_ids = [printable(id_) for id_ in document_ids] if document_ids is not None else None
    by_id = {one.id: one for one in listing.states(tx, document_ids)}
    asked = list(dict.fromkeys(document_ids)) if document_ids is not None else list(by_id)
    eligible: list[State] = []
    excluded: list[Exclusion] = []
    for id_ in asked:
        one = by_id.get(id_)
        status = _hindrance(one, collection)
        if one is not None and not status:
            eligible.append(one)
        elif document_ids is not None or status != OUTSIDE:
            # Of what was not asked for by id, the other collections are no news.
            excluded.append(Exclusion(id_, status))
    ids = tuple(sorted(one.id for one in eligible))
    stale = tuple(sorted(one.id for one in eligible if one.engine != fingerprint))
    home = (
        tuple(row.id for row in listing.collections(tx) if row.name == collection) if collection is not None else None
    )
    scope = Scope(collections=home, document_ids=ids if document_ids is not None else None)
    request = {"document_ids": document_ids, "collection": collection}
    return scope, ScopeReport(request, ids, tuple(excluded), stale)


def eligible(tx: Connection, document_ids: Sequence[str]) -> frozenset[str]:
    """Those of the documents that may answer at this moment."""
    return frozenset(one.id for one in listing.states(tx, document_ids) if not _hindrance(one, None))


def _hindrance(one: State | None, collection: str | None) -> str:
    """Why a document may not answer; empty if it may."""
    if one is None:
        return "UNKNOWN"
    if collection is not None and one.collection != collection:
        return OUTSIDE
    if one.status != "READY":
        return one.status
    return "" if one.enabled else "DISABLED"
