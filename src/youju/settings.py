"""All settings, one class a section. Pure data: `compose` reads them once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator

from youju.errors import ConfigError

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


class Chunking(Section):
    child_min_chars: int = Field(120, ge=1, le=5000, description="子片段的期望下限（字符）")
    child_max_chars: int = Field(450, ge=50, le=8000, description="子片段的上限（字符）")
    overlap_chars: int = Field(0, ge=0, le=500, description="相邻子片段的重叠（字符）")
    window_chars: int = Field(130, ge=0, le=2000, description="片段内另算向量的句组长度（字符）；0 = 只算整个片段")
    parent_max_chars: int = Field(1800, ge=200, le=20_000, description="父片段的上限（字符）")

    @model_validator(mode="after")
    def _in_order(self) -> Chunking:
        if not self.child_min_chars <= self.child_max_chars <= self.parent_max_chars:
            raise ValueError("须满足 child_min_chars ≤ child_max_chars ≤ parent_max_chars")
        if self.overlap_chars * 2 > self.child_max_chars:
            raise ValueError("overlap_chars 不能超过 child_max_chars 的一半")
        return self


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
    refusal: str = Field(REFUSAL, min_length=1, description="拒答时的原句")
    nothing_found: str = Field("未找到相关资料内容", min_length=1, description="检索一无所获时的说明")
    citation_style: Literal["n", "source_n"] = Field("n", description="引用标记的写法：[1] 或 [来源1]")


class Settings(Section):
    data: Path = Field(Path(".youju"), description="资料库所在的文件夹")
    retrieval: Knobs = Field(default_factory=Knobs)
    chunking: Chunking = Field(default_factory=Chunking)
    embedding: Embedding = Field(default_factory=Embedding)
    keyword: Keyword = Field(default_factory=Keyword)
    ingest: Ingest = Field(default_factory=Ingest)
    answering: Answering = Field(default_factory=Answering)

    @field_validator("data", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        if isinstance(value, str) and not value.strip():
            # As a path it would mean the present folder.
            raise ValueError("不能为空")
        return value


PREFIX = "YOUJU_"
DATA_DIR = "YOUJU_DATA_DIR"
FILE = "youju.toml"
Values = dict[str, object]


@dataclass(frozen=True, slots=True)
class Entry:
    """One setting as a person sees it. `origin`: 默认, the file's path, 环境变量 NAME, or 命令行."""

    name: str
    value: object
    origin: str
    description: str
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Loaded:
    settings: Settings
    entries: tuple[Entry, ...]


def load(folder: Path, environ: Mapping[str, str], options: Mapping[str, object] | None = None) -> Loaded:
    """Settings from defaults, `folder/youju.toml`, the environment and options; the later one wins.

    Environment: `YOUJU_<SECTION>__<NAME>`, and YOUJU_DATA_DIR for the data folder.

    Raises:
        ConfigError: an unknown name, a bad value, or a file that is not TOML; with the place it came from.
    """
    file = folder / FILE
    layers: list[tuple[str, Values]] = []
    if file.is_file():
        layers += [(str(file), dict(_flat(_toml(file))))]
    layers += [(f"环境变量 {name}", {key: value}) for name, key, value in _environment(environ)]
    layers += [("命令行", dict(options or {}))]
    origins: dict[str, str] = {}
    merged: Values = {}
    for origin, values in layers:
        for key, value in values.items():
            merged[key], origins[key] = value, origin
    settings = _validated(merged, origins)
    return Loaded(settings, tuple(_entries(settings, origins)))


def _toml(file: Path) -> Values:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} 不是有效的 TOML：{error}", remedy="请改正该文件，或删除它以使用默认设置") from error
    except OSError as error:
        raise ConfigError(f"无法读取 {file}：{error.strerror}", remedy="请检查该文件的权限") from error


def _flat(values: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _environment(environ: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name, value in sorted(environ.items()):
        if name == DATA_DIR:
            # Set but empty is how scripts unset a variable; as a path it would mean this folder.
            if value:
                yield name, "data", value
        elif name.startswith(PREFIX) and "__" in name:
            yield name, name.removeprefix(PREFIX).lower().replace("__", ".", 1), value


def _validated(merged: Values, origins: Mapping[str, str]) -> Settings:
    nested: dict[str, object] = {}
    for key, value in merged.items():
        section, _, name = key.partition(".")
        if name:
            inner = nested.setdefault(section, {})
            if isinstance(inner, dict):
                inner[name] = value
        else:
            nested[section] = value
    try:
        return Settings.model_validate(nested)
    except ValidationError as error:
        key, reason = explained(error)
        # What is wrong with a whole section has no origin of its own: name what was set in it.
        places = [origin for name, origin in origins.items() if name == key or name.startswith(f"{key}.")]
        raise ConfigError(
            f"设置 {key} 有误（来自 {'、'.join(dict.fromkeys(places)) or '默认'}）：{reason}",
            remedy="请改正或删去它；含义与默认值见 youju settings",
        ) from error


REASONS: Mapping[str, str] = MappingProxyType(
    {
        "extra_forbidden": "没有这个设置",
        "missing": "没有给出值",
        "int_parsing": "应为整数",
        "int_type": "应为整数",
        "int_from_float": "应为整数",
        "float_parsing": "应为数字",
        "float_type": "应为数字",
        "finite_number": "应为有限的数字",
        "string_type": "应为文字",
        "string_too_short": "不能为空",
        "path_type": "应为路径",
        "model_type": "应为一组设置，不是单个值",
        "greater_than_equal": "不能小于 {ge}",
        "greater_than": "必须大于 {gt}",
        "less_than_equal": "不能大于 {le}",
        "less_than": "必须小于 {lt}",
        "literal_error": "只能是 {expected} 之一",
        "value_error": "{error}",
    }
)
"""Pydantic's kinds of error in our users' language."""


def explained(error: ValidationError) -> tuple[str, str]:
    """The dotted name of the first wrong setting, and in Chinese what is wrong with it. Never shows the value."""
    first = error.errors()[0]
    context = {
        name: str(value).replace(", ", "、").replace(" or ", "、") for name, value in first.get("ctx", {}).items()
    }
    reason = REASONS.get(first["type"], "值不合适").format_map(context)
    return ".".join(str(part) for part in first["loc"]), reason


def _entries(settings: Settings, origins: Mapping[str, str]) -> Iterator[Entry]:
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        if not isinstance(value, Section):
            yield Entry(name, value, origins.get(name, "默认"), field.description or "")
            continue
        for inner, detail in type(value).model_fields.items():
            key = f"{name}.{inner}"
            extra = detail.json_schema_extra
            secret = isinstance(extra, dict) and bool(extra.get("secret"))
            yield Entry(key, getattr(value, inner), origins.get(key, "默认"), detail.description or "", secret)
