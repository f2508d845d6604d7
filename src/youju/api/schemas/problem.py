"""The one shape of every error."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class FieldError(BaseModel):
    field: str
    reason: str


class Problem(BaseModel):
    """RFC 9457, with a code for programs and a remedy for people."""

    model_config = ConfigDict(title="Problem")

    type: str = Field(description="urn:youju:problem:<code>")
    title: str
    status: int
    detail: str
    code: str = Field(description="供程序判断，不会改变 / stable, for programs")
    message: str = Field(description="发生了什么 / what happened")
    remedy: str = Field(description="可以怎么办，可能为空 / what can be done; may be empty")
    trace_id: str | None = Field(None, description="问答记录的编号 / id of the logged question")
    errors: list[FieldError] | None = Field(None, description="422：每个有误的字段 / each wrong field")
    reasons: list[str] | None = Field(None, description="503：还没有就绪的原因 / why it is not ready")
