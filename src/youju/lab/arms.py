"""The arms of a run: recipes by name, what each adds to its base, and why one cannot work."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from youju.errors import InputError
from youju.lab.results import ArmInfo
from youju.settings import Knobs, explained
from youju.stages import recipes
from youju.stages.base import Pipeline, Stage
from youju.stages.recipes import Parts
from youju.stages.variants import closed_book, open_book

Build = Callable[[Parts, Knobs, str], Pipeline]


@dataclass(frozen=True)
class Spec:
    """An arm as it is known by name. `needs`: of "llm" and "reranker"; `unbuilt`: what the product has not yet."""

    name: str
    title: str
    base: str
    build: Build
    needs: frozenset[str] = frozenset()
    unbuilt: str = ""
    retrieves: bool = True


@dataclass(frozen=True)
class Arm:
    """An arm of a run. `pipeline` is None where it cannot work; `info.missing` says why."""

    info: ArmInfo
    spec: Spec
    knobs: Knobs
    pipeline: Pipeline | None


def _open(name: str, *with_: str) -> Build:
    return lambda parts, knobs, persona: open_book(name, parts, knobs, persona, with_=frozenset(with_))


def _spec(name: str, title: str, base: str, *with_: str, unbuilt: str = "") -> Spec:
    needs = frozenset({"reranker"}) if "rerank" in with_ else frozenset()
    return Spec(name, title, base, _open(name, *with_), needs, unbuilt)


SPECS: tuple[Spec, ...] = (
    Spec("V0", "只有模型", "", lambda parts, _knobs, _persona: closed_book(parts), frozenset({"llm"}), retrieves=False),
    _spec("V1", "向量", ""),
    _spec("V2", "＋关键词与 RRF", "V1", "words"),
    _spec("V3", "＋重排", "V2", "words", "rerank"),
    _spec("V4", "＋只打分的反思", "V3", "words", "rerank", "reflect"),
    _spec("V4-rewrite", "＋重写的反思", "V3", "words", "rerank", "reflect", unbuilt="重写式反思（rewrite）"),
    _spec("V4-before", "＋生成前的反思", "V3", "words", "rerank", "reflect", unbuilt="生成前反思（before_generation）"),
    _spec("V3+decompose", "V3＋问题分解", "V3", "words", "rerank", unbuilt="问题分解（Decompose）"),
    _spec("V5", "＋问题分解", "V4", "words", "rerank", "reflect", unbuilt="问题分解（Decompose）"),
    _spec("V6", "＋评级、闸门与补救检索", "V5", "words", "rerank", "reflect", "gate", unbuilt="补救检索（Compensate）"),
    _spec("V2+gate", "V2＋评级与闸门", "V2", "words", "gate"),
    _spec("V4+gate", "V4＋评级与闸门", "V4", "words", "rerank", "reflect", "gate"),
    Spec("chat", "线上流程", "", recipes.chat),
)
KNOWN: Mapping[str, Spec] = {spec.name: spec for spec in SPECS}
LADDER = ("V0", "V1", "V2", "V3", "V4", "V5", "V6", "chat")
LACKING: Mapping[str, str] = {
    "llm": "没有设置语言模型（llm.base_url 与 llm.model）",
    "reranker": "没有设置重排（reranker.provider）",
}


class Own(BaseModel):
    """An arm of the user's: a known one with other knobs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base: str
    set: dict[str, object] = {}
    title: str = ""


def own(path: Path) -> dict[str, Own]:
    """The arms of a TOML file, one table each: `[wide]`, `base = "V3"`, `set = {vector_top_k = 30}`.

    Raises:
        InputError: the file cannot be read, or a table is no arm.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise _bad(f"读不了方案文件 {path}：没有这个文件", "请检查 --arms-file 的路径") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _bad(f"读不了方案文件 {path}：{error}") from error
    try:
        found = {name: Own.model_validate(table) for name, table in tables.items()}
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise _bad(f"方案文件 {path} 有误：{field} {first['msg']}") from error
    for name, one in found.items():
        if name in KNOWN:
            raise _bad(f"自定义方案不能与内置方案同名：{name}")
        if one.base not in KNOWN:
            raise _bad(f"方案 {name} 的 base {one.base!r} 不存在")
    return found


def chosen(names: Sequence[str], parts: Parts, knobs: Knobs, persona: str, mine: Mapping[str, Own]) -> tuple[Arm, ...]:
    """The arms by name, in the order given, each built and described before anything is spent.

    Raises:
        InputError: an unknown or repeated name, or a knob of one's own that is none.
    """
    if len(set(names)) != len(names):
        raise _bad(f"方案重复：{'、'.join(names)}")
    return tuple(_arm(name, parts, knobs, persona, mine) for name in names)


def _arm(name: str, parts: Parts, usual: Knobs, persona: str, mine: Mapping[str, Own]) -> Arm:
    knobs = usual
    if name in mine:
        one = mine[name]
        spec = replace(KNOWN[one.base], name=name, title=one.title or f"{one.base}，{_told(one.set)}", base=one.base)
        knobs = _changed(knobs, one)
    elif name in KNOWN:
        spec = KNOWN[name]
    else:
        names = "、".join([*(name for name, spec in KNOWN.items() if not spec.unbuilt), *mine])
        raise _bad(f"没有名为 {name!r} 的方案", f"可用的方案：{names}")
    missing = missed(spec, parts)
    if missing:
        return Arm(ArmInfo(name, spec.title, spec.base, missing=missing, retrieves=spec.retrieves), spec, knobs, None)
    pipeline = spec.build(parts, knobs, persona)
    adds, removes = _difference(spec, pipeline, parts, usual, persona)
    info = ArmInfo(name, spec.title, spec.base, adds, removes, repr(pipeline), retrieves=spec.retrieves)
    return Arm(info, spec, knobs, pipeline)


def missed(spec: Spec, parts: Parts) -> str:
    """Why an arm cannot work here, in the user's language; "" if it can."""
    if spec.unbuilt:
        return f"还没有这一步：{spec.unbuilt}"
    there = {"llm": parts.llm is not None, "reranker": parts.reranker is not None}
    return "；".join(LACKING[need] for need in sorted(spec.needs) if not there[need])


def _difference(
    spec: Spec, pipeline: Pipeline, parts: Parts, knobs: Knobs, persona: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What an arm has that its base has not, and the other way round, by the identities of the stages."""
    if not spec.base or missed(KNOWN[spec.base], parts):
        return (), ()
    mine = [repr(one) for one in flat(pipeline.stages)]
    theirs = [repr(one) for one in flat(KNOWN[spec.base].build(parts, knobs, persona).stages)]
    return tuple(one for one in mine if one not in theirs), tuple(one for one in theirs if one not in mine)


def flat(stages: Sequence[Stage]) -> Iterator[Stage]:
    """The stages that do the work, in order, without what holds them together."""
    for stage in stages:
        inner: Sequence[Stage] | None = getattr(stage, "stages", None)
        if inner is None:
            yield stage
        else:
            yield from flat(inner)


def _changed(knobs: Knobs, one: Own) -> Knobs:
    unknown = sorted(set(one.set) - set(Knobs.model_fields))
    if unknown:
        raise _bad(f"没有名为 {unknown[0]!r} 的检索设置", f"可用的设置：{'、'.join(sorted(Knobs.model_fields))}")
    try:
        return Knobs.model_validate({**knobs.model_dump(), **one.set})
    except ValidationError as error:
        name, reason = explained(error)
        raise _bad(f"检索设置 {name} 的值不合适：{reason}") from error


def _told(knobs: Mapping[str, object]) -> str:
    return "，".join(f"{name}={value}" for name, value in knobs.items()) or "同名设置"


def _bad(message: str, remedy: str = "方案的写法见文档“评测”一章") -> InputError:
    return InputError(message, remedy=remedy, code="bad_arm")
