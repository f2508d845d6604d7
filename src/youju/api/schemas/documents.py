"""Documents and collections, as the HTTP contract writes them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from youju.api.schemas.chat import Asked
from youju.types import BlockKind, Status


class FailureBody(BaseModel):
    code: str
    message: str
    remedy: str


class PendingBody(BaseModel):
    version: int
    status: Status
    failure: FailureBody | None


class PhaseBody(BaseModel):
    phase: str
    seconds: float


class DividedBody(BaseModel):
    asked: str | None = Field(description="指定的方式；null：按资料集的设定，或自动 / what was asked for")
    name: str | None = Field(description="采用的方式；还没有切分时为 null / what was taken")
    reasons: list[str]


class EventBody(BaseModel):
    at: datetime
    version: int
    event: str
    detail: str


class DocumentBody(BaseModel):
    document_id: str
    title: str
    file_name: str
    collection: str
    enabled: bool = Field(description="false：停用，不参与回答 / false: does not answer")
    version: int | None = Field(description="正在作答的版本；还没有时是最新的一个 / the version that answers")
    status: Status
    pending: PendingBody | None = Field(description="处理中或失败的新版本 / a newer version on its way, or failed")
    failure: FailureBody | None
    pages: int
    chunks: int
    quality: dict[str, float | str]
    warnings: list[str]
    timeline: list[PhaseBody] = Field(description="每个阶段的秒数 / seconds per phase")
    strategy: DividedBody | None = Field(description="切分方式 / way of chunking")
    events: list[EventBody] = Field(description="经过，最早的在前 / what happened, oldest first")


class DocumentsBody(BaseModel):
    documents: list[DocumentBody]
    total: int
    page: int
    per_page: int


class AcceptedBody(BaseModel):
    document_id: str
    version: int
    status: Status
    duplicate: bool = Field(description="同样的内容已经在库中，无事可做 / the same bytes are here already")


class ReceiptBody(BaseModel):
    document_id: str
    title: str
    versions: int
    chunks: int
    vectors: int
    pages: int
    blobs: int


class DocumentChunk(BaseModel):
    chunk_id: str
    role: Literal["child", "parent"]
    parent_id: str | None
    kind: BlockKind
    section: list[str]
    page_start: int | None
    page_end: int | None
    label_start: str | None
    label_end: str | None
    locator: str | None
    text: str


class ChunksBody(BaseModel):
    document_id: str
    version: int
    chunks: list[DocumentChunk]
    total: int
    page: int
    per_page: int


class StrategyBody(BaseModel):
    name: str
    reasons: list[str]


class PreviewChunk(BaseModel):
    section: list[str]
    kind: BlockKind
    page_start: int | None
    page_end: int | None
    label_start: str | None
    label_end: str | None
    locator: str | None
    text: str


class SizesBody(BaseModel):
    """片段的字符数，以及在界限之外的比例。 Characters of chunks, and the shares outside the bounds."""

    least: int
    median: float
    most: int
    below_min: float
    above_max: float


class SectionBody(BaseModel):
    path: list[str]
    page: int | None
    chunks: int


class PreviewBody(BaseModel):
    title: str
    pages: int
    strategy: StrategyBody
    chunks: int = Field(description="片段总数 / number of chunks")
    coverage: float = Field(description="能被检索到的正文比例 / share of the text that can be found")
    pages_below: list[int] = Field(description="有文字检索不到的页 / pages with text that cannot be found")
    sizes: SizesBody
    sections: list[SectionBody] = Field(description="章节，按阅读顺序 / sections in reading order")
    warnings: list[str]
    first: list[PreviewChunk] = Field(description="最前面的几个片段 / the first chunks")


class CollectionBody(BaseModel):
    id: str
    name: str
    documents: int
    created_at: datetime
    strategy: str = Field(description="设定的切分方式；空 = 自动 / way of chunking, empty: automatic")


class CollectionsBody(BaseModel):
    collections: list[CollectionBody]


class CollectionName(Asked):
    name: str = Field(description="资料集的名称 / name of the collection")


class CollectionChange(Asked):
    name: str | None = Field(None, description="新的名称；不写则不变 / new name")
    strategy: str | None = Field(
        None, description="以后导入的文件的切分方式，auto 为自动；不写则不变 / way of chunking for what comes in later"
    )


class CollectionGone(BaseModel):
    id: str
    name: str
    documents: list[ReceiptBody] = Field(description="一并删除的文档的回执 / receipts of the documents deleted with it")
