"""For those who watch the service."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel
from starlette.responses import Response

from youju.api import metrics, problems
from youju.api.declared import failing
from youju.api.deps import Served
from youju.errors import BusyError

router = APIRouter(tags=["运行 Operation"])
MEDIA_TYPE = "text/plain; version=0.0.4"


class Alive(BaseModel):
    status: Literal["alive"] = "alive"


class Ready(BaseModel):
    status: Literal["ready"] = "ready"


@router.get("/healthz", responses=failing(), summary="进程还活着吗 / Is it alive")
async def healthz() -> Alive:
    """进程在运行；不触及资料库。 The process runs; the store is not touched."""
    return Alive()


@router.get("/readyz", responses=failing(), response_model=Ready, summary="可以作答了吗 / Can it answer")
async def readyz(served: Served) -> Ready | Response:
    """资料库可读、嵌入模型已载入为 200，否则 503 并给出 `reasons`。 Store readable and model loaded, else 503."""
    reasons = await served.readiness.reasons()
    if not reasons:
        return Ready()
    error = BusyError("还不能作答：" + "；".join(reasons), remedy="请稍后再试", code="not_ready")
    return problems.answered(error, reasons=reasons)


@router.get(
    "/metrics",
    responses={200: {"content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}, **failing()},
    response_class=PlainTextResponse,
    summary="Prometheus 指标 / Metrics",
)
async def metrics_(served: Served) -> PlainTextResponse:
    """自服务启动以来的计数，文档数与队列长度。 Counts since the start, documents and queue."""
    return PlainTextResponse(metrics.written(served.meter, await served.gauges()), media_type=MEDIA_TYPE)
