"""The log of questions, as the HTTP contract writes it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from youju.api.schemas.chat import Asked, DegradationBody, Excluded, GradeBody, Place, SourceBody, VerdictBody
from youju.types import Level, RefusalReason

Rating = Literal["up", "down"]


class Summarised(BaseModel):
    trace_id: str
    created_at: datetime
    kind: Literal["ask", "retrieve"]
    question: str
    conversation_id: str | None
    status: Literal["ok", "error"]
    error_code: str | None
    refused: bool
    refusal_reason: RefusalReason | None
    degraded: bool
    seconds: float
    rating: Rating | None = Field(description="对整个回答的最后一次评价 / last rating of the whole answer")


class TraceSummary(Summarised):
    grade: Level | None
    confidence: float | None


class TracesBody(BaseModel):
    chats: list[TraceSummary]
    next: str | None = Field(description="下一页的 before；没有更多时为 null / `before` of the next page")


class TraceError(BaseModel):
    code: str
    message: str


class TraceScope(BaseModel):
    asked: dict[str, object]
    documents: list[str]
    excluded: list[Excluded]
    stale: list[str] = Field(description="还没有现在的向量的文档 / documents without present vectors")


class TraceConfidence(BaseModel):
    value: float
    reasons: list[str]


class TraceStatement(BaseModel):
    text: str
    cites: list[int]


class TraceVerdict(VerdictBody):
    reasons: list[str]


class TraceChunk(Place):
    text: str
    ranks: dict[str, int]
    scores: dict[str, float]
    n: int | None = Field(description="在上下文中的编号；没有进入上下文时为 null / number in the context")
    context_text: str | None
    cited: bool
    nearest: bool
    gone: bool = Field(description="文档已被删除 / its document was deleted")


class TraceHit(BaseModel):
    chunk_id: str
    score: float


class TraceStep(BaseModel):
    stage: str
    seconds: float
    hits: list[TraceHit]
    note: dict[str, object]
    inner: list[TraceStep]


class FeedbackBody(BaseModel):
    rating: Rating
    source: int | None
    note: str
    created_at: datetime | None


class TraceBody(Summarised):
    standalone_question: str
    error: TraceError | None
    grade: GradeBody | None
    confidence: TraceConfidence | None
    scope: TraceScope | None
    answer: str
    answered_by: str
    statements: list[TraceStatement]
    sources: list[SourceBody]
    verdicts: list[TraceVerdict]
    removed_markers: list[str]
    chunks: list[TraceChunk]
    steps: list[TraceStep]
    degradations: list[DegradationBody]
    knobs: dict[str, object]
    model: str | None
    temperature: float | None
    persona: str
    generation: dict[str, object]
    fingerprint: str
    recipe: str
    texts: bool
    blanked_at: datetime | None
    feedback: list[FeedbackBody]


class Opinion(Asked):
    rating: Rating
    source: int | None = Field(None, description="只评价这一个来源 / of this source only")
    note: str = Field("", description="备注，至多 2000 个字符 / a note, at most 2,000 characters")


class Deleted(BaseModel):
    deleted: int
