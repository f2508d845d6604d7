"""What there was to answer from when a run began, and which of it a case may use."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy.engine import Connection

from youju.documents import listing, scope
from youju.lab.dataset import Case
from youju.lab.seen import Material
from youju.types import Document, Exclusion, Scope, ScopeReport, Turn, Version


def ready(tx: Connection) -> dict[str, Material]:
    """Every document that may answer, by id."""
    found = [(one, one.active) for one in listing.documents(tx) if one.enabled]
    return {one.id: _material(one, version) for one, version in found if version and version.status == "READY"}


def digest(documents: Mapping[str, Material]) -> str:
    """Changes whenever a document's bytes or name, or what is there, changes; the order does not matter."""
    rows = sorted(f"{one.collection}\x00{one.file_name}\x00{one.sha256}" for one in documents.values())
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]


def asked(tx: Connection, case: Case, fingerprint: str) -> Turn:
    """The turn of a case before its first stage, among what the case names; refused where nothing is eligible.

    Args:
        tx: an open transaction.
        case: its collections are names, its documents ids; both = documents of these collections, none = all.
        fingerprint: of the embedder; documents without its vectors are reported as stale.
    """
    only = case.document_ids or None
    found, report = _joined([scope.resolve(tx, only, name, fingerprint) for name in case.collections or (None,)])
    refusal = None if report.documents else "scope_empty"
    return Turn(asked=case.question, question=case.question, scope=found, scope_report=report, refusal=refusal)  # type: ignore[arg-type]  # one of two literals


def _joined(each: Sequence[tuple[Scope, ScopeReport]]) -> tuple[Scope, ScopeReport]:
    """The union of several scopes."""
    if len(each) == 1:
        return each[0]
    homes = {id_ for one, _ in each for id_ in one.collections or ()}
    documents = {id_ for _, report in each for id_ in report.documents}
    stale = {id_ for _, report in each for id_ in report.stale}
    excluded: dict[str, Exclusion] = {one.id: one for _, report in each for one in report.excluded}
    kept = tuple(one for id_, one in sorted(excluded.items()) if id_ not in documents)
    only = each[0][1].asked["document_ids"]
    allowed = None if only is None else tuple(sorted(documents))
    names = {"document_ids": only, "collections": [report.asked["collection"] for _, report in each]}
    report = ScopeReport(names, tuple(sorted(documents)), kept, tuple(sorted(stale)))
    return replace(each[0][0], collections=tuple(sorted(homes)), document_ids=allowed), report


def _material(one: Document, version: Version) -> Material:
    return Material(one.id, one.title, one.file_name, one.collection, version.number, version.pages, version.sha256)
