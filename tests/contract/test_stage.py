"""What every stage keeps to, and that every provider that has a name can be loaded and fits its port."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from inspect import getmembers, isclass, iscoroutinefunction, signature

import pytest

import youju.stages
from builders import turn
from library import library as opened
from youju import ports
from youju.errors import ConfigError
from youju.providers.fakes import FakeLLM, FakeReranker
from youju.providers.registry import PROVIDERS, load
from youju.settings import Knobs
from youju.stages import recipes
from youju.stages.base import GIVEN, TURN_FIELDS, Beside, Pipeline, Recoverable, Retry, Stage, When
from youju.stages.variants import closed_book
from youju.types import Turn

FRAME = {Pipeline, Beside, When, Retry}
PORTS = {
    "embedder": ports.Embedder,
    "vectors": ports.VectorIndex,
    "words": ports.KeywordIndex,
    "reranker": ports.Reranker,
    "llm": ports.LLM,
    "parser": ports.Parser,
    "renderer": ports.Renderer,
}
NAMED = [(role, name) for role, known in PROVIDERS.items() for name in known]


def stages() -> list[type]:
    """Every class in the package that can be called with a turn."""
    modules = [import_module(f"youju.stages.{found.name}") for found in pkgutil.iter_modules(youju.stages.__path__)]
    return [
        cls
        for module in modules
        for _, cls in getmembers(module, isclass)
        if cls.__module__ == module.__name__ and is_dataclass(cls) and hasattr(cls, "reads") and cls not in FRAME
    ]


STAGES = stages()


def flat(stage: Stage) -> Iterator[Stage]:
    if isinstance(stage, Pipeline | Beside | When | Retry):
        for inner in stage.stages:
            yield from flat(inner)
    else:
        yield stage


def test_there_are_stages():
    assert len(STAGES) >= 13


@pytest.mark.parametrize("cls", STAGES)
def test_a_stage_is_a_frozen_dataclass_called_with_a_turn(cls):
    assert cls.__dataclass_params__.frozen
    assert iscoroutinefunction(cls.__call__)
    assert list(signature(cls.__call__).parameters) == ["self", "turn", "emit"]


@pytest.mark.parametrize("cls", STAGES)
def test_a_stage_reads_and_writes_fields_of_a_turn(cls):
    assert isinstance(cls.reads, frozenset)
    assert cls.reads | cls.writes <= TURN_FIELDS
    assert not cls.writes & {"asked", "scope", "scope_report", "history", "persona", "steps", "notes"}
    assert not {"reads", "writes", "channel"} & {field.name for field in fields(cls)}


@pytest.mark.parametrize("cls", [cls for cls in STAGES if hasattr(cls, "fallback")])
def test_a_fallback_takes_the_turn_and_the_error(cls):
    assert issubclass(cls, Recoverable)
    assert list(signature(cls.fallback).parameters) == ["self", "turn", "error"]


def test_what_is_given_is_part_of_a_turn():
    assert {field.name for field in fields(Turn)} > GIVEN


async def test_every_stage_is_served_or_the_lab_s_and_names_itself_by_what_it_does(tmp_path):
    async with opened(tmp_path / "store") as library:
        parts = replace(library.parts, reranker=FakeReranker(), llm=FakeLLM())
    served = [*flat(recipes.chat(parts, Knobs())), *flat(closed_book(parts))]
    assert {type(one) for one in served} == set(STAGES)
    for one in served:
        assert isinstance(one, Stage)
        assert repr(one).startswith(f"{type(one).__name__}(")
        assert " at 0x" not in repr(one)


async def test_a_stage_writes_nothing_but_what_it_says(tmp_path):
    async with opened(tmp_path / "store") as library:
        await library.put({"a": "婚假为十三天，应当一次休完。", "b": "试用期最长六个月。"})
        now = turn("婚假多少天？")
        llm = FakeLLM(["婚假为十三天。[1]"])
        for stage in flat(recipes.chat(replace(library.parts, reranker=FakeReranker(), llm=llm), Knobs())):
            after = await stage(now, quiet)
            changed = {name for name in TURN_FIELDS if getattr(after, name) != getattr(now, name)}
            # A refusal, what failed and a note may come from anywhere.
            assert changed - {"notes", "refusal", "degradations"} <= stage.writes, stage
            now = after
    assert now.confidence is not None


async def quiet(event: object) -> None: ...


@pytest.mark.parametrize("role, name", NAMED)
def test_every_registered_name_loads_a_class_with_the_methods_of_its_port(role, name):
    loaded = load(role, name)
    assert isclass(loaded)
    wanted = {member for member in vars(PORTS[role]) if not member.startswith("_")}
    assert wanted <= set(dir(loaded))
    for member in wanted:
        asked, made = vars(PORTS[role])[member], getattr(loaded, member)
        if not isinstance(asked, property):
            assert list(signature(made).parameters)[: len(signature(asked).parameters)] == list(
                signature(asked).parameters
            )


@pytest.mark.parametrize("suffix", PROVIDERS["parser"])
def test_a_parser_reads_the_suffix_it_is_registered_for(suffix):
    parser = load("parser", suffix)()
    assert isinstance(parser, ports.Parser)
    assert suffix in parser.suffixes
    assert " at 0x" not in repr(parser)


def test_every_suffix_a_parser_reads_is_registered():
    read = {suffix for name in PROVIDERS["parser"] for suffix in load("parser", name)().suffixes}
    assert read == set(PROVIDERS["parser"])


@pytest.mark.parametrize("role", PROVIDERS)
def test_an_unknown_name_is_a_clear_error(role):
    with pytest.raises(ConfigError, match="没有名为 'nothing'") as caught:
        load(role, "nothing")
    assert all(name in caught.value.remedy for name in PROVIDERS[role])
