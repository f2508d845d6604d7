"""The pages of docs/reference that are written from the code: python scripts/docs.py [--check].

Everything in them comes from the registries themselves (settings, errors, stages, providers, commands), so that a page
cannot say what the program does not do. `--check` writes nothing and fails when a page is stale.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click
from pydantic import BaseModel

import youju
from youju import errors
from youju.cli import frame
from youju.cli.main import group
from youju.lab.measures.base import Measure
from youju.lab.measures.registry import MEASURES
from youju.lab.results import MeasureInfo
from youju.providers.registry import PROVIDERS
from youju.settings import DATA_DIR, PREFIX, Knobs, Settings
from youju.stages import recipes
from youju.stages.base import Beside, Stage, When

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
MENDERS = {"caller": "提问或上传的人", "operator": "维护这台机器的人", "nobody": "无需处理"}
ROLES = {
    "embedder": "嵌入模型",
    "vectors": "向量索引",
    "words": "关键词索引",
    "reranker": "重排模型",
    "llm": "语言模型",
    "parser": "解析器",
    "renderer": "页面图像",
}
FAMILIES = {
    "retrieval": "检索",
    "checks": "硬性检查",
    "answer": "回答",
    "citation": "标注",
    "consistency": "与原文一致",
    "refusal": "拒答",
    "injection": "注入攻击",
    "cost": "用量",
    "judge": "裁判",
}
WIDTH = 96


def pages() -> dict[str, str]:
    """File name → the whole page."""
    made = {
        "settings.md": ("设置", _settings()),
        "errors.md": ("错误", _errors()),
        "stages.md": ("阶段", _stages()),
        "providers.md": ("提供者", _providers()),
        "measures.md": ("评测指标", _measures()),
        "cli.md": ("命令", _commands()),
    }
    note = "<!-- 由 `make docs` 根据代码生成，请勿手改。 Written from the code by `make docs`. -->"
    return {name: f"# {title}\n\n{note}\n\n{body.rstrip()}\n" for name, (title, body) in made.items()}


def stale(folder: Path = REFERENCE) -> list[str]:
    """The pages in `folder` that are missing or say something else than the code."""
    return [name for name, text in pages().items() if _read(folder / name) != text]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "".join(_line(cells) for cells in (heads, ["---"] * len(heads), *rows))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n"


# --- settings --------------------------------------------------------------------------------------------------------


def _settings() -> str:
    told = (
        "来源依次为：默认值、当前文件夹里的 `youju.toml`、环境变量、命令行选项；后者胜出。"
        "`youju settings` 列出每一项现在的值与来源。\n"
    )
    parts = [
        told,
        _table(("设置", "类型与范围", "默认", "环境变量", "含义"), [_row("", "data", Settings)]),
    ]
    for name, field in Settings.model_fields.items():
        section = _section(field.annotation)
        if section:
            parts.append(f"\n## [{name}]\n")
            nested = {key: inner for key, one in section.model_fields.items() if (inner := _section(one.annotation))}
            rows = [_row(name, inner, section) for inner in section.model_fields if inner not in nested]
            parts.append(_table(("设置", "类型与范围", "默认", "环境变量", "含义"), rows))
            parts += [_nested(name, nested)] if nested else []
            if section is Knobs:
                parts.append("\n这一节的设置也可以只为一次提问改变：`--set rrf_k=30`。\n")
    return "\n".join(parts)


def _section(kind: object) -> type[BaseModel] | None:
    return kind if inspect.isclass(kind) and issubclass(kind, BaseModel) else None


def _nested(section: str, nested: Mapping[str, type[BaseModel]]) -> str:
    """The settings of equal sections inside a section, told once."""
    (model,) = set(nested.values())
    first = f"{section}.{next(iter(nested))}"
    named = "、".join(f"`[{section}.{name}]`" for name in nested)
    rows = [_row(first, inner, model) for inner in model.model_fields]
    table = _table(("设置", "类型与范围", "默认", "环境变量", "含义"), rows)
    return f"\n各有自己的设置，名称与含义都相同：{named}。以第一个为例：\n\n{table}"


def _row(section: str, name: str, model: type[BaseModel]) -> tuple[str, ...]:
    schema = model.model_json_schema()["properties"][name]
    full = f"{section}.{name}" if section else name
    variable = PREFIX + full.replace(".", "__").upper() if section else DATA_DIR
    default = model.model_fields[name].default
    shown = "空" if default in (None, "") else f"`{default}`"
    return f"`{full}`", _kind(schema), shown, f"`{variable}`", schema["description"]


def _kind(schema: Mapping[str, Any]) -> str:
    """整数 1–1000, 小数 ＞ 0, 文字, one of …; 或空 where nothing is a value."""
    if "anyOf" in schema:
        return "，".join("或空" if one.get("type") == "null" else _kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return "、".join(f"`{value}`" for value in schema["enum"])
    if schema.get("format") == "path":
        return "路径"
    word = {"integer": "整数", "number": "小数", "string": "文字", "boolean": "是否"}[schema["type"]]
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{word} {low:g}–{high:g}"
    if low is not None:
        return f"{word} ≥ {low:g}"
    above = schema.get("exclusiveMinimum")
    return f"{word} > {above:g}" if above is not None else word


# --- errors ----------------------------------------------------------------------------------------------------------


class Raised(NamedTuple):
    kind: str
    code: str
    message: str
    remedy: str


def _errors() -> str:
    tree = [
        (
            f"{'　' * depth}`{kind.__name__}`",
            f"`{kind.default_code}`",
            str(kind.status),
            MENDERS[kind.mender],
        )
        for depth, kind in _family(errors.YoujuError)
    ]
    codes = [(f"`{one.code}`", f"`{one.kind}`", one.message, one.remedy) for one in sorted(set(_raised()))]
    return (
        "每个错误都有代码（供程序使用）、说明和补救办法；命令行把后两者打印到标准错误，退出码为 1。"
        "HTTP 一列供计划中的服务使用。\n\n"
        + _table(("错误", "代码", "HTTP", "谁能处理"), tree)
        + "\n## 代码一览\n\n由代码给出固定代码的每一处；… 处填入当时的值。\n\n"
        + _table(("代码", "错误", "说明", "补救"), codes)
    )


def _family(kind: type[errors.YoujuError], depth: int = 0) -> Iterator[tuple[int, type[errors.YoujuError]]]:
    yield depth, kind
    # Only those of errors.py: a test may have defined more.
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _family(child, depth + 1)


def _raised() -> Iterator[Raised]:
    names = {kind.__name__ for _, kind in _family(errors.YoujuError)}
    for file in sorted(Path(youju.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                given = {word.arg: _literal(word.value) for word in node.keywords}
                message = _literal(node.args[0]) if node.args else ""
                if given.get("code", "…") != "…":
                    yield Raised(node.func.id, given["code"], message, given.get("remedy", ""))


def _literal(node: ast.expr) -> str:
    """The text of a string, f-string or sum of them, with … for what is filled in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_literal(part) for part in node.values)
    if isinstance(node, ast.BinOp):
        return _literal(node.left) + _literal(node.right)
    return "…"


# --- stages ----------------------------------------------------------------------------------------------------------


def _stages() -> str:
    nothing: Any = None
    reranker: Any = object()
    parts = recipes.Parts(nothing, nothing, nothing, nothing, nothing, nothing, reranker=reranker)
    found = list(_flat(recipes.chat(parts, Knobs()).stages))
    rows = [(f"`{type(stage).__name__}`", where, _fields(stage.reads), _fields(stage.writes)) for stage, where in found]
    told = (
        "一个问题依次走过下列阶段；每个阶段读写 `Turn` 的哪些字段在建立流水线时检查。"
        "`retrieve` 走到 `GradeEvidence` 为止，与 `chat` 是同一批对象。`Rerank` 仅在配置了重排模型时加入。\n"
    )
    text = [
        told,
        _table(("阶段", "何时", "读", "写"), rows),
    ]
    for stage, _ in found:
        kind = type(stage)
        text.append(f"## {kind.__name__}\n\n{inspect.getdoc(sys.modules[kind.__module__])}\n")
        text.append(_quoted(kind) if _described(kind) else "")
    return "\n".join(part for part in text if part)


def _flat(stages: tuple[Stage, ...], where: str = "") -> Iterator[tuple[Stage, str]]:
    for stage in stages:
        if isinstance(stage, Beside):
            yield from _flat(stage.stages, "并行")
        elif isinstance(stage, When):
            yield from _flat(stage.stages, f"`{stage.test.__name__}`")
        else:
            yield stage, where


def _fields(names: frozenset[str]) -> str:
    return " ".join(sorted(names))


def _described(kind: type) -> bool:
    # A dataclass without a docstring gets its signature as one.
    return not (kind.__doc__ or "").startswith(f"{kind.__name__}(")


def _quoted(kind: type) -> str:
    return f"```text\n{inspect.getdoc(kind)}\n```\n"


# --- measures --------------------------------------------------------------------------------------------------------


def _measures() -> str:
    told = (
        "评测的每个指标对一道题给出数值、不适用或错误三者之一，从不用默认值代替。"
        "“门禁”一列：硬性 = 一次失败即拦下；差异 = 与基线相比变差才拦下。由 `youju eval` 使用。\n"
    )
    parts = [told]
    for family, title in FAMILIES.items():
        known = [one for one in MEASURES if one.info.family == family]
        parts.append(f"## {title}\n")
        modules = dict.fromkeys(_function(one).__module__ for one in known)
        parts += [f"```text\n{inspect.getdoc(sys.modules[name])}\n```\n" for name in modules]
        parts.append(_table(("指标", "名称", "方向", "单位", "门禁"), [_measure(one.info) for one in known]))
        about: dict[str, list[str]] = {}
        for one in known:
            about.setdefault(_about(one), []).append(f"`{one.info.name}`")
        parts += [f"{'、'.join(names)}\n\n```text\n{text}\n```\n" for text, names in about.items()]
    return "\n".join(parts)


def _measure(info: MeasureInfo) -> tuple[str, ...]:
    better = {"higher": "越高越好", "lower": "越低越好", "neither": "无好坏"}[info.better]
    gate = {"hard": "硬性", "delta": "差异", "none": "无"}[info.gate]
    unit = "是否" if info.binary else info.unit or "0–1"
    return f"`{info.name}`", info.title, better, unit, gate


def _function(measure: Measure) -> Callable[..., object]:
    """What computes a measure: the function it is made of, else its class."""
    found: Callable[..., object] = getattr(measure, "compute", type(measure))
    return found.func if isinstance(found, partial) else found


def _about(measure: Measure) -> str:
    """What the function says, and the functions it was given."""
    given = getattr(getattr(measure, "compute", None), "keywords", {}).values()
    said = [inspect.getdoc(one) or "" for one in (_function(measure), *(one for one in given if callable(one)))]
    return "\n\n".join(said)


# --- providers and commands ------------------------------------------------------------------------------------------


def _providers() -> str:
    rows = []
    for role, known in PROVIDERS.items():
        for name, spec in known.items():
            module, _, attribute = spec.partition(":")
            said = inspect.getdoc(getattr(import_module(module), attribute)) or ""
            rows.append((ROLES[role], f"`{name}`", f"`{spec}`", said.partition("\n")[0]))
    return (
        "与模型、索引或文件格式打交道的部分，按名字登记；名字出现在设置里（解析器按扩展名）。"
        "加一个提供者 = 一个文件 + 登记表里的一行。\n\n" + _table(("角色", "名字", "实现", "说明"), rows)
    )


def _commands() -> str:
    blocks = [f"## {path}\n\n```text\n{text}\n```\n" for path, text in _helps(group, "youju", None)]
    codes = "退出码：0 完成；1 失败（文件未就绪、出错、体检有问题）；2 用法有误；130 被中断。\n"
    return codes + "\n" + "\n".join(blocks)


def _helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    context = frame.Context(command, parent=parent, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    yield context.command_path, "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                yield from _helps(found, inner, context)


def main(argv: list[str]) -> int:
    if "--check" in argv:
        old = stale()
        print("\n".join(f"docs/reference/{name} 已过时，请运行 make docs" for name in old))
        return 1 if old else 0
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
