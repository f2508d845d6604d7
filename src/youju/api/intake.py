"""Uploads on their way into the product."""

from __future__ import annotations

from fastapi import Request

from youju.api.deps import Service
from youju.api.presence import until_left
from youju.api.schemas.documents import AcceptedBody, PreviewBody
from youju.api.uploads import received
from youju.ingest.preview import preview_view

FIELDS = frozenset({"collection", "title", "strategy"})
STRATEGY = frozenset({"strategy"})


async def accepted(request: Request, served: Service, document_id: str | None = None) -> AcceptedBody:
    """What became of an upload; with `document_id` it is new content for that document."""
    documents = served.app.documents
    if document_id is not None:
        # Said before a large file comes in vain.
        await served.desk.get(document_id)
    known = FIELDS if document_id is None else STRATEGY
    with served.uploads.one():
        async with received(request, documents.blobs, served.check_name, known) as one:
            done = await documents.accept(
                one.path,
                collection=one.fields.get("collection"),
                title=one.fields.get("title"),
                strategy=one.fields.get("strategy"),
                name=one.name,
                document_id=document_id,
            )
    served.worker.wake()
    return AcceptedBody(
        document_id=done.document_id, version=done.version, status=done.status, duplicate=done.duplicate
    )


async def previewed(request: Request, served: Service, first: int) -> PreviewBody:
    """What the file of a form would become."""
    documents = served.app.documents
    with served.uploads.one():
        async with received(request, documents.blobs, served.check_name, STRATEGY) as one:
            with served.previews.one():
                work = documents.preview(one.path, one.name, one.fields.get("strategy"))
                made = await until_left(request.receive, work)
    return PreviewBody.model_validate(preview_view(made, first))
