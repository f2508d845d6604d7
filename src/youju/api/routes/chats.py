"""The log of questions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse

from youju.api.bodies import JsonBody, JsonRoute
from youju.api.declared import BODY, failing
from youju.api.deps import Served
from youju.api.evaluating import collected
from youju.api.schemas.evals import CaseAsked, CaseBody
from youju.api.schemas.log import Deleted, Opinion, TraceBody, TracesBody
from youju.chat.log import Feedback
from youju.chat.trace_views import summary_view, trace_view

router = APIRouter(route_class=JsonRoute, prefix="/api/chats", tags=["问答记录 Log"])
ID = "^[0-9a-f]{32}$"
Id = Annotated[str, Path(description="记录的编号 / trace id", pattern=ID)]


@router.get("", responses=failing(404, 422), response_model=TracesBody, summary="列出记录 / List")
async def list_(
    served: Served,
    limit: Annotated[int, Query(ge=1, le=1000, description="最多几条 / at most")] = 50,
    before: Annotated[str | None, Query(pattern=ID, description="只列这条之前的 / older than this one")] = None,
    refused: Annotated[bool | None, Query(description="只列拒答的，或只列没有拒答的 / refused ones, or others")] = None,
    conversation_id: Annotated[str | None, Query(max_length=100, description="这次对话的 / of a conversation")] = None,
    document_id: Annotated[str | None, Query(max_length=64, description="召回过这份文档的 / that met it")] = None,
) -> JSONResponse:
    """问答记录，新的在前。 Newest first."""
    found = await served.app.log.listed(
        limit=limit, before=before, refused=refused, conversation_id=conversation_id, document_id=document_id
    )
    following = found[-1].id if len(found) == limit else None
    return JsonBody({"chats": [summary_view(one) for one in found], "next": following})


@router.get("/{trace_id}", responses=failing(404, 422), response_model=TraceBody, summary="查看 / Show")
async def show(trace_id: Id, served: Served) -> JSONResponse:
    """一次提问的全部：范围、每一步、每个片段的名次、回答与核对。 Everything that is known about a question."""
    return JsonBody(trace_view(await served.app.log.find(trace_id)))


@router.delete("/{trace_id}", responses=failing(404, 413, 415, 422), summary="删除 / Delete")
async def delete(trace_id: Id, served: Served) -> Deleted:
    """删除一条记录。 Delete a trace."""
    return Deleted(deleted=await served.app.log.delete([trace_id]))


@router.post("/{trace_id}/feedback", status_code=204, responses=failing(404, *BODY), summary="评价 / Rate")
async def feedback(trace_id: Id, said: Opinion, served: Served) -> None:
    """对回答，或其中一个来源的评价；新的取代旧的。 What a person thinks of an answer, or of one of its sources."""
    await served.app.log.feedback(trace_id, Feedback(said.rating, said.source, said.note))


@router.post(
    "/{trace_id}/case", status_code=201, responses=failing(404, 409, *BODY), summary="收为题目 / Make it a case"
)
async def case(trace_id: Id, asked: CaseAsked, served: Served) -> CaseBody:
    """把评价过的回答收进题目集，待人补全与复核。 A rated answer becomes a case, for a person to finish."""
    return await collected(served, trace_id, asked.set)
