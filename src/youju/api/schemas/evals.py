"""Evaluations, as the HTTP contract writes them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from youju.api.schemas.chat import Asked
from youju.api.schemas.documents import FailureBody
from youju.lab.dataset.schema import Category
from youju.lab.desk import RUN, State

ARM_MAX = 64
MEASURE = Field("hit@5", min_length=1, max_length=64, description="决定去留的指标 / the measure that decides")


class SetListed(BaseModel):
    name: str
    size_bytes: int
    changed_at: datetime


class SetsBody(BaseModel):
    sets: list[SetListed]


class SetBody(BaseModel):
    name: str
    cases: int
    hash: str = Field(description="内容的哈希，与次序无关 / of the contents, in any order")
    categories: dict[str, int]
    splits: dict[str, int] = Field(description="空名：不属于任何一部分 / the empty name: of no split")
    warnings: list[str]


class CaseAsked(Asked):
    set: str = Field(min_length=1, max_length=60, description="放入哪个题目集，没有就新建 / into which set")


class CaseBody(BaseModel):
    set: str
    id: str = Field(description="题目的编号 / id of the case")
    cases: int = Field(description="题目集现在有几题 / cases in the set now")


class FindingBody(BaseModel):
    check: str
    case: str = Field(description="题目编号；空：关于整个题目集 / case id, empty for the whole set")
    severity: Literal["error", "warning", "person"]
    message: str
    evidence: str


class AuditBody(BaseModel):
    passed: bool
    digest: str
    findings: list[FindingBody]


class RunAsked(Asked):
    set: str = Field(min_length=1, max_length=60, description="题目集的名称 / name of the set")
    arms: list[str] | None = Field(
        None, min_length=1, max_length=20, description="要比较的方案；不写为 V0 到 V6 与 chat / arms to compare"
    )
    split: Literal["dev", "test"] | None = Field(None, description="只跑这一部分 / of this split only")
    categories: list[Category] = Field(default=[], max_length=20, description="只跑这些类别 / of these only")
    limit: int | None = Field(None, ge=1, le=1_000_000, description="最多几题，均匀抽取 / at most so many cases")
    repeats: int = Field(1, ge=1, le=50, description="每题回答几次 / how often each case is answered")
    measures: Literal["retrieval", "answers", "full"] = Field(
        "answers", description="full 要用裁判模型，须由设置 eval.enabled 允许 / full needs a judge, and leave to use it"
    )
    despite_audit: bool = Field(default=False, description="没有通过审核也照跑；报告中会写明 / run it all the same")


class StartedBody(BaseModel):
    run: str
    state: State


class ProgressBody(BaseModel):
    doing: str = Field(description="asking、timing、judging 或 reporting；不在进行时为空 / empty unless it is running")
    done: int
    total: int


class RunBody(BaseModel):
    run: str
    state: State
    progress: ProgressBody
    set: str
    arms: list[str]
    measures: Literal["retrieval", "answers", "full"]
    begun_at: datetime
    finished_at: datetime | None
    verdict: str | None = Field(description="完成后的结论 / in words, once it is done")
    error: FailureBody | None


class RunsBody(BaseModel):
    runs: list[RunBody]
    total: int
    page: int
    per_page: int


class ReportBody(BaseModel):
    verdict: list[str]
    manifest: dict[str, object]
    summary: dict[str, object]
    outcomes: list[dict[str, object]]
    rows: list[dict[str, object]]
    latency: dict[str, object]
    judge: dict[str, object]


class CompareAsked(Asked):
    before: str = Field(pattern=RUN, description="之前的运行 / the run to start from")
    after: str = Field(pattern=RUN, description="之后的运行；可以是同一次 / may be the same")
    arm: str = Field("chat", min_length=1, max_length=ARM_MAX, description="比较哪个方案 / which arm")
    other: str = Field("", max_length=ARM_MAX, description="之后的运行里的另一个方案 / another arm of the second run")


class CompareBody(BaseModel):
    before: str
    after: str
    cases: int
    changed: list[str] = Field(description="两边不同、没有比较的题 / cases that were left out")
    measures: list[dict[str, object]]


class GateAsked(Asked):
    baseline: str = Field(pattern=RUN, description="作为标准的运行 / the run that was good")
    run: str = Field(pattern=RUN, description="要判断的运行 / the run to judge")
    arm: str = Field("chat", min_length=1, max_length=ARM_MAX, description="看哪个方案 / which arm")
    primary: str = MEASURE
    margin: float = Field(0.03, ge=0, le=1_000_000, description="容许它降低多少 / how much of it may be lost")


class GateBody(BaseModel):
    reason: str
    code: Literal[0, 1, 2] = Field(description="0 通过，1 不通过，2 题目太少 / 0 pass, 1 fail, 2 inconclusive")
    reasons: list[str]
    checks: list[dict[str, object]]
    cases: int
    needed: int | None
    changed: list[str]
