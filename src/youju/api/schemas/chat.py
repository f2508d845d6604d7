"""Questions and what is answered, as the HTTP contract writes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from youju.types import Level, RefusalReason, Support

TOP_K_MAX = 50
IDS_MAX = 1000


class Asked(BaseModel):
    """What a caller sends. Nothing is guessed: `"5"` is no number, and an unknown field is an error."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Question(Asked):
    question: str = Field(description="问题，至多 4000 个字符 / the question, at most 4,000 characters")
    top_k: int | None = Field(None, ge=1, le=TOP_K_MAX, description="送入上下文的片段数 / chunks in the context")
    document_ids: list[str] | None = Field(
        None, max_length=IDS_MAX, description="只在这些文档中查找 / search only these documents"
    )
    collection: str | None = Field(None, description="只在这个资料集中查找 / search only this collection")
    settings: dict[str, object] = Field(
        default_factory=dict, description="本次使用的检索设置，如 rrf_k / retrieval settings for this request"
    )


class ChatQuestion(Question):
    conversation_id: str | None = Field(None, max_length=64, description="接着这次对话问 / continue this conversation")
    persona: str | None = Field(None, max_length=64, description="回答者的角色，如 assistant、tutor / who answers")
    stream: bool = Field(default=False, description="true：以 SSE 事件逐步回答 / answer as server-sent events")


class Excluded(BaseModel):
    id: str
    status: str = Field(description="未参与的原因：状态，或 UNKNOWN、DISABLED、OUT_OF_COLLECTION")


class ScopeBody(BaseModel):
    asked: dict[str, object]
    documents: list[str] = Field(description="可以作答的文档 / documents that were eligible")
    excluded: list[Excluded]


class Place(BaseModel):
    chunk_id: str
    document_id: str
    book: str
    section: list[str]
    page_start: int | None = Field(description="文件中的页，从 1 起；没有页的格式为 null / physical page")
    page_end: int | None
    label_start: str | None = Field(description="印在页上的页码 / printed label")
    label_end: str | None
    locator: str | None


class ChunkBody(Place):
    text: str
    score: float = Field(description="最后一个排序阶段的分数 / score of the last ranking stage")
    ranks: dict[str, int] = Field(description="在每个通道中的名次，从 1 起 / rank in each channel")
    scores: dict[str, float]


class SourceBody(Place):
    n: int
    cited: bool
    quote: str = Field(description="片段中的原文 / verbatim from the chunk")


class GradeBody(BaseModel):
    level: Level
    reasons: list[str]
    features: dict[str, float]


class ConfidenceBody(BaseModel):
    value: Annotated[float, Field(ge=0, le=1)]
    reasons: list[str]


class VerdictBody(BaseModel):
    sentence: str
    verdict: Support
    n: int | None
    quote: str
    by: str


class DegradationBody(BaseModel):
    part: str
    reason: str


class Traced(BaseModel):
    scope: ScopeBody | None
    grade: GradeBody | None
    degraded: bool
    degradation_reason: str | None
    degradations: list[DegradationBody]
    trace_id: str


class Found(Traced):
    chunks: list[ChunkBody]


class ChatAnswer(Traced):
    answer: str
    sources: list[SourceBody]
    context_used: int = Field(description="模型看到的片段数 / chunks the model saw")
    refused: bool
    refusal_reason: RefusalReason | None
    nearest: list[ChunkBody] = Field(description="最接近但不足以回答的片段 / nearest, not sufficient")
    confidence: ConfidenceBody | None
    removed_markers: list[str] = Field(description="对不上任何片段、已去掉的编号 / numbers that resolved to nothing")
    verdicts: list[VerdictBody]
    conversation_id: str | None


StreamEvent = Literal["stage", "token", "sources", "verdicts", "confidence", "done", "error"]
