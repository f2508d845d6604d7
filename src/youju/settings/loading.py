"""Settings from defaults, a file, the environment and options; each with its origin."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pydantic import ValidationError

from youju.errors import ConfigError
from youju.settings.sections import Section, Settings

PREFIX = "YOUJU_"
DATA_DIR = "YOUJU_DATA_DIR"
EVAL_ENABLED = "YOUJU_EVAL_ENABLED"
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

    Environment: `YOUJU_<SECTION>__<NAME>`, YOUJU_DATA_DIR for the data folder, and YOUJU_EVAL_ENABLED.

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
        elif name == EVAL_ENABLED:
            if value:
                yield name, "eval.enabled", value
        elif name.startswith(PREFIX) and "__" in name:
            yield name, name.removeprefix(PREFIX).lower().replace("__", "."), value


def _validated(merged: Values, origins: Mapping[str, str]) -> Settings:
    nested: dict[str, object] = {}
    for key, value in merged.items():
        *sections, name = key.split(".")
        inner: object = nested
        for section in sections:
            inner = inner.setdefault(section, {}) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            inner[name] = value
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


def _entries(section: Section, origins: Mapping[str, str], before: str = "", of: str = "") -> Iterator[Entry]:
    """The settings of a section and of those inside it; `before` begins their names, `of` what they mean."""
    for name, field in type(section).model_fields.items():
        key, value = f"{before}{name}", getattr(section, name)
        meaning = field.description or ""
        if isinstance(value, Section):
            yield from _entries(value, origins, f"{key}.", f"{meaning}：" if meaning else "")
            continue
        extra = field.json_schema_extra
        secret = isinstance(extra, dict) and bool(extra.get("secret"))
        yield Entry(key, value, origins.get(key, "默认"), f"{of}{meaning}", secret)
