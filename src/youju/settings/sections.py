"""All settings, one class a section. Pure data: `compose` reads them once."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

REFUSAL = "当前资料中没有找到明确依据。"


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=(), allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _emptied(cls, value: object, info: ValidationInfo) -> object:
        """An empty text is "not set" where a setting may be unset: neither TOML nor the environment has a null."""
        kind = cls.model_fields[info.field_name or ""].annotation
        if isinstance(value, bool) and kind is not bool:
            # Python takes true for 1.
            raise ValueError("不能是 true 或 false")
        return None if value == "" and type(None) in get_args(kind) else value


class Knobs(Section):
    """The numbers of a question's way; the bounded list a request may change."""

    vector_top_k: int = Field(15, ge=0, le=200, description="向量通道取回的片段数；0 关闭该通道")
    keyword_top_k: int = Field(15, ge=0, le=200, description="关键词通道取回的片段数；0 关闭该通道")
    rrf_k: int = Field(60, ge=1, le=1000, description="RRF 的平滑常数")
    rrf_top_k: int = Field(30, ge=1, le=400, description="融合后保留的片段数")
    rerank_top_n: int = Field(5, ge=1, le=100, description="重排后保留的片段数")
    context_top_k: int = Field(5, ge=1, le=50, description="进入上下文的片段数")
    max_context_chars: int = Field(6000, ge=200, le=200_000, description="上下文的字符预算")
    similarity_threshold: float | None = Field(
        None, ge=-1, le=1, description="向量通道的余弦下限（含）；空 = 用嵌入模型自带的建议值"
    )
    expand: Literal["none", "neighbours", "parent"] = Field("none", description="送入上下文前如何扩展片段")
    max_answer_sentences: int = Field(5, ge=1, le=20, description="抽取式回答的最多句数")


class Bounds(Section):
    """What one way of chunking has otherwise than `Chunking` says for all."""

    child_min_chars: int | None = Field(None, ge=1, le=5000, description="子片段的期望下限；空 = 同通用设置")
    child_max_chars: int | None = Field(None, ge=50, le=8000, description="子片段的上限；空 = 同通用设置")
    overlap_chars: int | None = Field(None, ge=0, le=500, description="相邻子片段的重叠；空 = 同通用设置")
    parent_max_chars: int | None = Field(None, ge=200, le=20_000, description="父片段的上限；空 = 同通用设置")


class Chunking(Section):
    child_min_chars: int = Field(120, ge=1, le=5000, description="子片段的期望下限（字符）")
    child_max_chars: int = Field(450, ge=50, le=8000, description="子片段的上限（字符）")
    overlap_chars: int = Field(0, ge=0, le=500, description="相邻子片段的重叠（字符）")
    window_chars: int = Field(130, ge=0, le=2000, description="片段内另算向量的句组长度（字符）；0 = 只算整个片段")
    parent_max_chars: int = Field(1800, ge=200, le=20_000, description="父片段的上限（字符）")
    textbook: Bounds = Field(default_factory=Bounds, description="教材")
    law: Bounds = Field(default_factory=Bounds, description="法规制度")
    manual: Bounds = Field(default_factory=Bounds, description="手册")
    qa: Bounds = Field(default_factory=Bounds, description="问答")
    table: Bounds = Field(default_factory=Bounds, description="表格")
    slides: Bounds = Field(default_factory=Bounds, description="幻灯片")
    plain: Bounds = Field(default_factory=Bounds, description="普通文本")

    def of(self, strategy: str) -> Chunking:
        """The sizes as they are for one way of chunking."""
        own = getattr(self, strategy).model_dump(exclude_none=True)
        return self.model_copy(update=own)

    @model_validator(mode="after")
    def _in_order(self) -> Chunking:
        _check_sizes(self, "")
        for name, field in type(self).model_fields.items():
            if field.annotation is Bounds:
                _check_sizes(self.of(name), f"[chunking.{name}] ")
        return self


def _check_sizes(sizes: Chunking, place: str) -> None:
    if not sizes.child_min_chars <= sizes.child_max_chars <= sizes.parent_max_chars:
        raise ValueError(f"{place}须满足 child_min_chars ≤ child_max_chars ≤ parent_max_chars")
    if sizes.overlap_chars * 2 > sizes.child_max_chars:
        raise ValueError(f"{place}overlap_chars 不能超过 child_max_chars 的一半")


class Embedding(Section):
    provider: str = Field("e5", description="嵌入模型：e5（内置）、openai（兼容接口）或 fake（测试用）")
    base_url: str = Field("", description="兼容接口的地址，如 https://…/v1")
    api_key: str = Field("", description="兼容接口的密钥", json_schema_extra={"secret": True})
    model: str = Field("", description="兼容接口的模型名")
    dimensions: int | None = Field(None, ge=8, le=8192, description="请求的向量维度；空 = 模型默认")
    batch_size: int = Field(16, ge=1, le=512, description="每次请求的文本数")
    timeout_s: float = Field(30.0, gt=0, description="每次请求的时限（秒）")
    retries: int = Field(3, ge=0, le=10, description="失败后的重试次数")
    threshold: float = Field(0.70, ge=-1, le=1, description="兼容接口的建议相似度阈值")
    threads: int = Field(0, ge=0, le=64, description="内置模型的线程数；0 = 自动")


class Keyword(Section):
    dictionary: Path | None = Field(None, description="用户词典：每行一个词，检索时保持完整")
    df_budget: int = Field(20_000, ge=100, description="一次查询允许的文档频率总和，仅为控制延迟")


class Ingest(Section):
    max_file_mib: int = Field(200, ge=1, le=10_000, description="单个文件的上限（MiB）")
    parse_timeout_s: float = Field(300.0, gt=0, description="解析一个文件的时限（秒）")
    parse_memory_mib: int = Field(2048, ge=128, description="解析进程的内存上限（MiB）")
    max_garbage_ratio: float = Field(0.05, ge=0, le=1, description="乱码比例超过此值则判为失败")


class Answering(Section):
    persona: str = Field("assistant", min_length=1, description="回答的角色：assistant，或 tutor（需要语言模型）")
    refusal: str = Field(REFUSAL, min_length=1, description="拒答时的原句")
    nothing_found: str = Field("未找到相关资料内容", min_length=1, description="检索一无所获时的说明")
    citation_style: Literal["n", "source_n"] = Field("n", description="引用标记的写法：[1] 或 [来源1]")


class Llm(Section):
    provider: Literal["openai", "none"] = Field("openai", description="语言模型：openai（兼容接口），none 停用")
    base_url: str = Field("", description="兼容接口的地址，如 https://…/v1；空 = 不用语言模型，回答摘自原文")
    api_key: str = Field("", description="兼容接口的密钥", json_schema_extra={"secret": True})
    model: str = Field("", description="兼容接口的模型名")
    temperature: float = Field(0.0, ge=0, le=2, description="采样温度；0 = 每次尽量相同")
    max_tokens: int = Field(1024, ge=16, le=100_000, description="回答长度的上限（词元）")
    connect_timeout_s: float = Field(5.0, gt=0, description="建立连接的时限（秒）")
    first_token_timeout_s: float = Field(60.0, gt=0, description="等第一个词元的时限（秒）")
    between_tokens_timeout_s: float = Field(30.0, gt=0, description="两个词元之间的时限（秒）")
    total_timeout_s: float = Field(300.0, gt=0, description="一个回答的总时限（秒）")
    retries: int = Field(2, ge=0, le=10, description="第一个词元之前失败后的重试次数")
    stream: bool = Field(default=True, description="接口能否流式输出；false = 一次取回整个回答")
    prompt_price: float | None = Field(None, ge=0, description="每百万输入词元的价格；空 = 不知道，费用也不知道")
    completion_price: float | None = Field(None, ge=0, description="每百万输出词元的价格；空 = 不知道，费用也不知道")

    @property
    def wanted(self) -> bool:
        return self.provider != "none" and bool(self.base_url)


class Judging(Llm):
    max_tokens: int = Field(2048, ge=64, le=100_000, description="裁判每次回复长度的上限（词元）")
    deadline_s: float = Field(
        14_400.0, gt=0, description="一次评测里所有裁判请求合计的总时限（秒）；到时停下，可接着跑"
    )
    mode: Literal["staged", "single"] = Field("staged", description="staged 分步提问（默认）；single 一次问完，较省")


class Grading(Section):
    """Bounds of the grades in the place of the model's own; written by `youju eval calibrate`."""

    low: float | None = Field(None, ge=0, le=1, description="低于此概率判为 LOW 而拒答；空 = 用随模型校准的值")
    high: float | None = Field(None, ge=0, le=1, description="不低于此概率判为 HIGH；空 = 用随模型校准的值")
    calibrated_for: str = Field("", description="这两个值是为哪个嵌入模型校准的；与现用的不同则不用")
    calibrated_on: str = Field("", description="校准的依据：题目集、日期与达到的精度")

    @model_validator(mode="after")
    def _in_order(self) -> Grading:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("low 不能大于 high")
        return self


class Eval(Section):
    enabled: bool = Field(
        default=False, description="评测可以使用裁判模型（收费）；也可写作 YOUJU_EVAL_ENABLED=true 或 --judge"
    )
    concurrency: int = Field(4, ge=1, le=64, description="评测时同时进行的题数")


class Reranking(Section):
    provider: Literal["none", "dashscope", "jina", "tei"] = Field(
        "none", description="重排接口：none 不用，dashscope、jina（含 Cohere、SiliconFlow、vLLM 等同形接口）或 tei"
    )
    base_url: str = Field("", description="重排接口的地址")
    api_key: str = Field("", description="重排接口的密钥", json_schema_extra={"secret": True})
    model: str = Field("", description="重排接口的模型名")
    timeout_s: float = Field(10.0, gt=0, description="每次请求的时限（秒）；超过则沿用融合后的次序")
    retries: int = Field(1, ge=0, le=10, description="失败后的重试次数")
    max_chars: int = Field(1000, ge=50, le=100_000, description="每个片段送去重排的字符上限")


class Server(Section):
    host: str = Field("127.0.0.1", min_length=1, description="监听的地址；只接受本机地址")
    port: int = Field(8710, ge=0, le=65535, description="监听的端口；0 = 任选一个空闲端口")
    allowed_hosts: str = Field("", description="除本机名称外，允许的 Host（逗号分隔），如反向代理的域名")
    max_answers: int = Field(200, ge=1, le=10_000, description="同时进行的提问数；超过则回答 503")


class Log(Section):
    keep_days: int | None = Field(None, ge=1, le=36_500, description="问答记录保留的天数；空 = 一直保留")
    texts: bool = Field(default=True, description="记录里是否保存回答与片段的文字；false = 只保存编号、名次与分数")


class Settings(Section):
    data: Path = Field(Path(".youju"), description="资料库所在的文件夹")
    retrieval: Knobs = Field(default_factory=Knobs)
    chunking: Chunking = Field(default_factory=Chunking)
    embedding: Embedding = Field(default_factory=Embedding)
    keyword: Keyword = Field(default_factory=Keyword)
    ingest: Ingest = Field(default_factory=Ingest)
    answering: Answering = Field(default_factory=Answering)
    llm: Llm = Field(default_factory=Llm)
    reranker: Reranking = Field(default_factory=Reranking)
    grading: Grading = Field(default_factory=Grading)
    judge: Judging = Field(default_factory=Judging)
    eval: Eval = Field(default_factory=Eval)
    server: Server = Field(default_factory=Server)
    log: Log = Field(default_factory=Log)

    @field_validator("data", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        if isinstance(value, str) and not value.strip():
            # As a path it would mean the present folder.
            raise ValueError("不能为空")
        return value
