"""Documents as JSON, in the shape of the HTTP contract; the CLI's `--json` prints the same."""

from __future__ import annotations

from dataclasses import asdict

from youju.types import Chunk, Document, Page, Version

Json = dict[str, object]


def document_view(one: Document) -> Json:
    """A document as `GET /api/documents/{id}` shows it."""
    version = one.active or one.pending
    pending = one.pending if one.active else None
    failure = version.failure if version else None
    return {
        "document_id": one.id,
        "title": one.title,
        "file_name": one.file_name,
        "collection": one.collection,
        "enabled": one.enabled,
        "version": version.number if version else None,
        "status": one.status,
        "pending": {
            "version": pending.number,
            "status": pending.status,
            "failure": asdict(pending.failure) if pending.failure else None,
        }
        if pending
        else None,
        "failure": asdict(failure) if failure else None,
        "pages": version.pages if version else 0,
        "chunks": version.chunks if version else 0,
        "quality": dict(version.quality) if version else {},
        "warnings": list(version.warnings) if version else [],
        "timeline": [{"phase": phase, "seconds": seconds} for phase, seconds in version.timeline] if version else [],
        "strategy": _strategy(version) if version else None,
        "events": [
            {"at": at, "version": each.number, "event": name, "detail": detail}
            for each in (one.active, one.pending)
            if each
            for at, name, detail in each.events
        ],
    }


def _strategy(version: Version) -> Json:
    """What was asked for, and what the chunks were made by: null before they are made."""
    return {
        "asked": version.strategy or None,
        "name": version.divided.get("strategy"),
        "reasons": version.divided.get("reasons", []),
    }


def chunk_view(chunk: Chunk) -> Json:
    """A chunk as `GET /api/documents/{id}/chunks` shows it."""
    return {
        "chunk_id": chunk.id,
        "role": chunk.role,
        "parent_id": chunk.parent_id or None,
        "kind": chunk.kind,
        "section": list(chunk.section),
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "label_start": chunk.label_start or None,
        "label_end": chunk.label_end or None,
        "locator": chunk.locator or None,
        "text": chunk.text,
    }


def markdown(title: str, pages: list[Page]) -> str:
    """The parsed text with a mark before each page; page 0 is the text of a format without pages, and has none."""
    parts = [f"# {title}"]
    for page in pages:
        if page.n:
            label = f"，印 {page.label}" if page.label and page.label != str(page.n) else ""
            parts.append(f"<!-- 第 {page.n} 页{label} -->")
        parts.append(page.text.strip())
    return "\n\n".join(part for part in parts if part) + "\n"
