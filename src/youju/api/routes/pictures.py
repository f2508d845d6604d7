"""Pages of documents as pictures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Path, Query
from fastapi.responses import Response

from youju.api.declared import failing
from youju.api.deps import Served

router = APIRouter(prefix="/api/documents", tags=["文档 Documents"])
Id = Annotated[str, Path(description="文档编号 / document id", max_length=64)]
Page = Annotated[int, Path(description="物理页码，从 1 起 / physical page, from 1")]
Chunk = Annotated[str | None, Query(description="标出这个片段 / highlight this chunk", max_length=1000)]
PNG = "image/png"
DRAWN = {"description": "页面 / the page", "content": {PNG: {"schema": {"type": "string", "format": "binary"}}}}
UNCHANGED = {"description": "与 If-None-Match 给出的相同 / as the one in If-None-Match"}


@router.get(
    "/{document_id}/pages/{n}.png",
    responses={200: DRAWN, 304: UNCHANGED, **failing(404, 409, 422)},
    response_class=Response,
    summary="页面图像 / Page image",
)
async def page(
    document_id: Id,
    n: Page,
    served: Served,
    chunk: Chunk = None,
    if_none_match: Annotated[str | None, Header(description="已有图像的 ETag / of the image at hand")] = None,
) -> Response:
    """正在作答的版本的一页，标出片段所在之处；停用的文档也可以看。 A page of the version that answers, as a picture."""
    with served.pictures.one():
        wanted = await served.app.pictures.wanted(await served.desk.get(document_id), n, chunk)
        # Never kept by a shared cache, and asked for again each time: the document may be gone.
        headers = {"ETag": f'"{wanted.tag}"', "Cache-Control": "private, no-cache"}
        if _same(if_none_match, wanted.tag):
            return Response(status_code=304, headers=headers)
        return Response(await served.app.pictures.png(wanted), media_type=PNG, headers=headers)


def _same(header: str | None, tag: str) -> bool:
    tags = {one.strip().removeprefix("W/") for one in (header or "").split(",")}
    return "*" in tags or f'"{tag}"' in tags
