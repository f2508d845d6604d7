"""Documents: in, looked at, hidden, out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse

from youju.api.bodies import JsonBody, JsonRoute
from youju.api.declared import BODY, failing, form
from youju.api.deps import Served
from youju.api.intake import accepted, previewed
from youju.api.schemas.documents import (
    AcceptedBody,
    ChunksBody,
    DocumentBody,
    DocumentsBody,
    PreviewBody,
    ReceiptBody,
)
from youju.documents.views import chunk_view, document_view
from youju.types import Status

router = APIRouter(route_class=JsonRoute, prefix="/api/documents", tags=["文档 Documents"])
uploading = APIRouter(prefix="/api/documents", tags=["文档 Documents"])
Id = Annotated[str, Path(description="文档编号 / document id", max_length=64)]
Number = Annotated[int, Query(ge=1, le=1_000_000, description="第几页，从 1 起 / page, from 1")]
Size = Annotated[int, Query(ge=1, le=200, description="每页几项 / items a page")]
Way = Annotated[
    str | None, Query(max_length=64, description="切分方式：auto 或方式的名字；不写则与上次相同 / way of chunking")
]
MARKDOWN = "text/markdown; charset=utf-8"
STATE = (404, 409, 413, 415)


@uploading.post(
    "",
    status_code=202,
    responses=failing(409, *BODY),
    openapi_extra=form("collection", "title", "strategy"),
    summary="上传 / Upload",
)
async def upload(request: Request, served: Served) -> AcceptedBody:
    """收下一个文件，随后在后台处理；用 `GET /api/documents/{id}` 看它何时 READY。

    Takes a file in; it is worked on in the background. Same bytes: the same document. Same name: a new version.
    """
    return await accepted(request, served)


@uploading.put(
    "/{document_id}/content",
    status_code=202,
    responses=failing(404, 409, *BODY),
    openapi_extra=form("strategy"),
    summary="新版本 / New version",
)
async def renew(document_id: Id, request: Request, served: Served) -> AcceptedBody:
    """这份文档的新内容，不论文件叫什么；就绪之前旧版本继续作答。 New content for this very document."""
    return await accepted(request, served, document_id)


@uploading.post("/preview", responses=failing(*BODY), openapi_extra=form("strategy"), summary="预览 / Preview")
async def preview(
    request: Request, served: Served, first: Annotated[int, Query(ge=0, le=1000, description="显示前几个片段")] = 3
) -> PreviewBody:
    """一个文件会怎样切分；不存入资料库。 What a file would become; nothing is stored."""
    return await previewed(request, served, first)


@router.get("", responses=failing(422), response_model=DocumentsBody, summary="列出文档 / List")
async def list_(
    served: Served,
    collection: Annotated[str | None, Query(description="只看这个资料集 / of this collection")] = None,
    status: Annotated[Status | None, Query(description="只看这个状态 / in this status")] = None,
    page: Number = 1,
    per_page: Size = 50,
) -> JSONResponse:
    """文档，最早的在前。 Documents, oldest first."""
    found = await served.desk.shown(collection, status, (page - 1) * per_page, per_page)
    views = [document_view(one) for one in found.documents]
    return JsonBody({"documents": views, "total": found.total, "page": page, "per_page": per_page})


@router.get("/{document_id}", responses=failing(404, 422), response_model=DocumentBody, summary="查看 / Show")
async def show(document_id: Id, served: Served) -> JSONResponse:
    """一份文档的版本、状态、质量与各阶段用时。 Version, status, quality and seconds per phase."""
    return JsonBody(document_view(await served.desk.get(document_id)))


@router.post(
    "/{document_id}/retry", responses=failing(*STATE, 422), response_model=DocumentBody, summary="重试 / Retry"
)
async def retry(document_id: Id, served: Served) -> JSONResponse:
    """重新处理失败或没有做完的版本。 Work again on the version that failed or was left unfinished."""
    one = await served.desk.retry(document_id)
    served.worker.wake()
    return JsonBody(document_view(one))


@router.post(
    "/{document_id}/cancel", responses=failing(*STATE, 422), response_model=DocumentBody, summary="取消 / Cancel"
)
async def cancel(document_id: Id, served: Served) -> JSONResponse:
    """停止处理中的版本；旧版本继续作答。 Stop the version on its way."""
    return JsonBody(document_view(await served.desk.cancel(document_id)))


@router.post(
    "/{document_id}/disable", responses=failing(*STATE, 422), response_model=DocumentBody, summary="停用 / Disable"
)
async def disable(document_id: Id, served: Served) -> JSONResponse:
    """保留在库中，但不参与回答。 Kept, but does not answer."""
    return JsonBody(document_view(await served.desk.enable(document_id, enabled=False)))


@router.post(
    "/{document_id}/enable", responses=failing(*STATE, 422), response_model=DocumentBody, summary="启用 / Enable"
)
async def enable(document_id: Id, served: Served) -> JSONResponse:
    """重新参与回答。 Answers again."""
    return JsonBody(document_view(await served.desk.enable(document_id, enabled=True)))


@router.post(
    "/{document_id}/rechunk",
    status_code=202,
    responses=failing(*STATE, 422),
    response_model=DocumentBody,
    summary="重新切分 / Rechunk",
)
async def rechunk(document_id: Id, served: Served, strategy: Way = None) -> JSONResponse:
    """在后台重新解析和切分同样的内容；就绪之前旧版本继续作答。 Divide the same bytes anew, in the background."""
    one = await served.desk.rechunk(document_id, strategy)
    served.worker.wake()
    return JsonBody(document_view(one), 202)


@router.post(
    "/{document_id}/reembed",
    status_code=202,
    responses=failing(*STATE, 422),
    response_model=DocumentBody,
    summary="重新嵌入 / Embed again",
)
async def reembed(document_id: Id, served: Served) -> JSONResponse:
    """在后台用现在的嵌入模型重新计算向量。 Make the vectors again, in the background."""
    one = await served.desk.to_reembed(document_id)
    served.later.start(served.app.documents.reembed(one.id), f"reembed {one.id}")
    return JsonBody(document_view(one), 202)


@router.delete("/{document_id}", responses=failing(404, 413, 415, 422), summary="删除 / Delete")
async def delete(document_id: Id, served: Served) -> ReceiptBody:
    """立即不可见，随后清除索引、页面与原始文件，并给出回执。 Gone at once, with a receipt of what was removed."""
    return ReceiptBody(**asdict(await served.desk.delete(document_id)))


@router.get(
    "/{document_id}/chunks", responses=failing(404, 409, 422), response_model=ChunksBody, summary="片段 / Chunks"
)
async def chunks(document_id: Id, served: Served, page: Number = 1, per_page: Size = 50) -> JSONResponse:
    """正在作答的版本的片段：子片段按阅读顺序，然后是父片段。 Children in reading order, then parents."""
    version, found = await served.desk.chunks(document_id)
    views = [chunk_view(one) for one in found[(page - 1) * per_page : page * per_page]]
    figures = {"total": len(found), "page": page, "per_page": per_page}
    return JsonBody({"document_id": document_id, "version": version.number, "chunks": views, **figures})


@router.get(
    "/{document_id}/content.md",
    responses={200: {"content": {MARKDOWN: {"schema": {"type": "string"}}}}, **failing(404, 409, 422)},
    response_class=PlainTextResponse,
    summary="正文 / Text",
)
async def content(document_id: Id, served: Served) -> PlainTextResponse:
    """解析得到的正文，每页之前有页码标记。 The text as it was parsed, with a mark before each page."""
    return PlainTextResponse(await served.desk.markdown(document_id), media_type=MARKDOWN)
