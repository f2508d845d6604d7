"""Evaluations: question sets, runs and what may be concluded from them."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from youju.api.bodies import JsonBody, JsonRoute
from youju.api.declared import BODY, failing, form
from youju.api.deps import Served
from youju.api.evaluating import begun, kept, resumed, run_view
from youju.api.schemas.evals import (
    AuditBody,
    CompareAsked,
    CompareBody,
    GateAsked,
    GateBody,
    ReportBody,
    RunAsked,
    RunBody,
    RunsBody,
    SetBody,
    SetsBody,
    StartedBody,
)
from youju.lab.desk import RUN
from youju.lab.shelf import NAME

router = APIRouter(route_class=JsonRoute, prefix="/api/evals", tags=["评测 Evaluations"])
uploading = APIRouter(prefix="/api/evals", tags=["评测 Evaluations"])
Name = Annotated[str, Path(description="题目集的名称 / name of a set", pattern=NAME)]
Id = Annotated[str, Path(description="运行的编号 / name of a run", pattern=RUN)]
Number = Annotated[int, Query(ge=1, le=1_000_000, description="第几页，从 1 起 / page, from 1")]
Size = Annotated[int, Query(ge=1, le=200, description="每页几项 / items a page")]
MARKDOWN = "text/markdown; charset=utf-8"
PAGE = "text/html; charset=utf-8"
TEXT = {"schema": {"type": "string"}}


@uploading.post(
    "/sets",
    status_code=201,
    responses=failing(409, *BODY),
    response_model=SetBody,
    openapi_extra=form("name"),
    summary="上传题目集 / Upload a set",
)
async def upload(request: Request, served: Served) -> Response:
    """一个题目集（JSON 行，至多 32 MiB）；有误的行在 `errors` 里一一列出，至多二十处。

    A question set; its faulty lines are listed in `errors`, up to twenty. The same again changes nothing.
    """
    return await kept(request, served)


@router.get("/sets", responses=failing(), response_model=SetsBody, summary="列出题目集 / List sets")
async def sets(served: Served) -> JSONResponse:
    """所有题目集，按名称。 All sets by name."""
    found = await asyncio.to_thread(served.evals.sets.listed)
    return JsonBody({"sets": [asdict(one) | {"changed_at": one.changed_at.isoformat()} for one in found]})


@router.get("/sets/{name}", responses=failing(404, 422), response_model=SetBody, summary="题目集 / A set")
async def show_set(name: Name, served: Served) -> JSONResponse:
    """一个题目集里有什么。 What is in a set."""
    return JsonBody(asdict(await asyncio.to_thread(served.evals.sets.described, name)))


@router.delete(
    "/sets/{name}", status_code=204, responses=failing(404, 413, 415, 422), summary="删除题目集 / Delete a set"
)
async def delete_set(name: Name, served: Served) -> None:
    """删除题目集；已有的运行不受影响。 Runs of it stay."""
    await asyncio.to_thread(served.evals.sets.delete, name)


@router.post(
    "/sets/{name}/audit",
    responses=failing(404, 413, 415, 422),
    response_model=AuditBody,
    summary="审核题目集 / Audit a set",
)
async def audit(name: Name, served: Served) -> JSONResponse:
    """核对题目集与现有资料；没有通过的不应拿来评测。 Checks a set against what can be answered from now."""
    found = await served.evals.audited(name)
    return JsonBody(
        {"passed": found.passed, "digest": found.digest, "findings": [asdict(one) for one in found.findings]}
    )


@router.post("/runs", status_code=202, responses=failing(404, 409, *BODY), summary="开始评测 / Begin a run")
async def begin(asked: RunAsked, served: Served) -> StartedBody:
    """在后台评测，每次一个，提问优先；用 `GET /api/evals/runs/{run}` 看进度。

    In the background, one at a time; questions go first.
    """
    return await begun(served, asked)


@router.get("/runs", responses=failing(422), response_model=RunsBody, summary="列出运行 / List runs")
async def runs(served: Served, page: Number = 1, per_page: Size = 50) -> JSONResponse:
    """评测运行，新的在前。 Newest first."""
    found, total = await asyncio.to_thread(served.evals.listed, (page - 1) * per_page, per_page)
    return JsonBody({"runs": [run_view(one) for one in found], "total": total, "page": page, "per_page": per_page})


@router.get("/runs/{run}", responses=failing(404, 422), response_model=RunBody, summary="一次运行 / A run")
async def show(run: Id, served: Served) -> JSONResponse:
    """一次运行的状态与进度；`interrupted` 的可以接着跑。 How it stands; what was interrupted can be resumed."""
    return JsonBody(run_view(await asyncio.to_thread(served.evals.get, run)))


@router.post(
    "/runs/{run}/resume", status_code=202, responses=failing(404, 409, 413, 415, 422), summary="接着跑 / Resume"
)
async def resume(run: Id, served: Served) -> StartedBody:
    """接着跑中断或失败的运行，已有的回答不再重问。 Goes on with a run; what was answered is not asked again."""
    return await resumed(served, run)


@router.delete(
    "/runs/{run}", status_code=204, responses=failing(404, 409, 413, 415, 422), summary="删除运行 / Delete a run"
)
async def delete(run: Id, served: Served) -> None:
    """删除一次运行和它的报告。 With its reports."""
    await asyncio.to_thread(served.evals.delete, run)


@router.get(
    "/runs/{run}/report.json", responses=failing(404, 409, 422), response_model=ReportBody, summary="报告 / Report"
)
async def report_json(run: Id, served: Served) -> Response:
    """报告，供程序读取。 The report for programs."""
    return Response(await asyncio.to_thread(served.evals.report, run, "json"), media_type="application/json")


@router.get(
    "/runs/{run}/report.md",
    responses={200: {"content": {MARKDOWN: TEXT}}, **failing(404, 409, 422)},
    response_class=PlainTextResponse,
    summary="报告 / Report",
)
async def report_md(run: Id, served: Served) -> PlainTextResponse:
    """报告，Markdown。 The report as Markdown."""
    return PlainTextResponse(await asyncio.to_thread(served.evals.report, run, "md"), media_type=MARKDOWN)


@router.get(
    "/runs/{run}/report.html",
    responses={200: {"content": {PAGE: TEXT}}, **failing(404, 409, 422)},
    response_class=HTMLResponse,
    summary="报告 / Report",
)
async def report_html(run: Id, served: Served) -> HTMLResponse:
    """报告，带图的网页。 The report as a page, with its plots."""
    return HTMLResponse(await asyncio.to_thread(served.evals.report, run, "html"))


@router.post("/compare", responses=failing(404, 409, *BODY), response_model=CompareBody, summary="比较 / Compare")
async def compare(asked: CompareAsked, served: Served) -> JSONResponse:
    """两次运行的差异，只看相同的题；与 `youju eval compare --json` 相同。 Two runs, over the cases both have."""
    work = partial(served.evals.compared, asked.before, asked.after, arm=asked.arm, other=asked.other)
    return JsonBody(await asyncio.to_thread(work))


@router.post("/gate", responses=failing(404, 409, *BODY), response_model=GateBody, summary="门禁 / Gate")
async def gate(asked: GateAsked, served: Served) -> JSONResponse:
    """这次改动能不能上线；与 `youju eval gate --json` 相同。 Whether a change may ship."""
    gated = served.evals.gated
    work = partial(gated, asked.baseline, asked.run, arm=asked.arm, primary=asked.primary, margin=asked.margin)
    return JsonBody(await asyncio.to_thread(work))
