"""What a judging model is asked for, and how strictly its reply is read: one verdict an id, or none, never a guess."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Strict, ValidationError

from youju.text.align import locate
from youju.text.normal import fold

QUOTE_MAX = 60
_QUOTE_MIN = 2
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("empty")
    return text


Named = Annotated[str, AfterValidator(_filled)]
Numbers = Annotated[tuple[int, ...], Strict(strict=False)]


class Verdict(BaseModel):
    """One item of a reply; numbers as strings and words outside of a choice are no verdicts."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")
    id: Named


V = TypeVar("V", bound=Verdict)
V_co = TypeVar("V_co", bound=Verdict, covariant=True)


@dataclass(frozen=True, slots=True)
class Part(Generic[V_co]):
    """A list in the reply. `ids` are those asked for; None where the model itself finds the items."""

    name: str
    kind: type[V_co]
    ids: tuple[str, ...] | None = None


class UnusableError(ValueError):
    """A reply that cannot be read; its message may be told to the model, it holds none of the reply's words."""


@dataclass(frozen=True, slots=True)
class Reply:
    """`found`: part → verdicts, in the order asked. `missing`: part → ids without a valid verdict."""

    found: Mapping[str, tuple[Verdict, ...]]
    missing: Mapping[str, tuple[str, ...]]

    def of(self, part: Part[V]) -> tuple[V, ...]:
        return tuple(one for one in self.found.get(part.name, ()) if isinstance(one, part.kind))

    def joined(self, later: Reply, parts: Sequence[Part[Verdict]]) -> Reply:
        """This reply, with the verdicts that it lacks taken from `later`."""
        found, missing = dict(self.found), dict[str, tuple[str, ...]]()
        for part in parts:
            if part.ids is None:
                continue
            known = {one.id: one for one in (*later.found.get(part.name, ()), *self.found.get(part.name, ()))}
            found[part.name] = tuple(known[id_] for id_ in part.ids if id_ in known)
            lacking = tuple(id_ for id_ in part.ids if id_ not in known)
            missing |= {part.name: lacking} if lacking else {}
        return Reply(found, missing)


def schema(parts: Sequence[Part[Verdict]]) -> dict[str, object]:
    """The reply as JSON Schema, in the order of the fields, so that evidence is written before the verdict."""
    lists = {part.name: {"type": "array", "items": _item(part.kind)} for part in parts}
    return {"type": "object", "properties": lists, "required": list(lists), "additionalProperties": False}


def read(text: str, parts: Sequence[Part[Verdict]]) -> Reply:
    """The valid verdicts of a reply.

    Items that are not valid and ids that are answered twice in different ways count as missing; ids that were not asked
    for are left out.

    Raises:
        UnusableError: no JSON object, a list of found items that is not whole, or not one of the asked ids answered.
    """
    reply = _object(text)
    found: dict[str, tuple[Verdict, ...]] = {}
    missing: dict[str, tuple[str, ...]] = {}
    for part in parts:
        items = reply.get(part.name)
        valid = _valid(items if isinstance(items, list) else [], part.kind)
        if part.ids is None:
            whole = isinstance(items, list) and len(valid) == len(items)
            if not whole or len({one.id for one in valid}) != len(valid):
                raise UnusableError(f"{part.name} 应是一个列表，每项字段齐全、取值合法、id 不重复")
            found[part.name] = tuple(valid)
            continue
        known = _agreed(valid)
        found[part.name] = tuple(known[id_] for id_ in part.ids if id_ in known)
        lacking = tuple(id_ for id_ in part.ids if id_ not in known)
        missing |= {part.name: lacking} if lacking else {}
    if missing and not any(found.values()):
        raise UnusableError(f"{'、'.join(missing)} 里没有一项是字段齐全、取值合法并带有所问 id 的")
    return Reply(found, missing)


def quoted(quote: str, texts: Sequence[str]) -> bool:
    """Whether the quote stands in one of the texts, regardless of white space, case and width."""
    return len(fold(quote)) >= _QUOTE_MIN and any(locate(quote, text) for text in texts)


def _item(kind: type[Verdict]) -> dict[str, object]:
    made = kind.model_json_schema()
    fields: Mapping[str, Mapping[str, object]] = made["properties"]
    bare = {name: {key: value for key, value in field.items() if key != "title"} for name, field in fields.items()}
    return {"type": "object", "properties": bare, "required": list(bare), "additionalProperties": False}


def _object(text: str) -> Mapping[str, object]:
    """The one JSON object of a reply, with or without thoughts, fences and words around it."""
    without = _THOUGHT.sub("", text)
    fenced = _FENCE.findall(without)
    for candidate in (text, without, *(fenced if len(fenced) == 1 else ()), _between(without)):
        try:
            found = json.loads(candidate, object_pairs_hook=_once)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise UnusableError("不是一个 JSON 对象")


def _between(text: str) -> str:
    """From the first brace to the last; two objects are no JSON, so none is chosen."""
    return text[text.find("{") : text.rfind("}") + 1]


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _valid(items: Sequence[object], kind: type[V]) -> list[V]:
    valid = []
    for item in items:
        try:
            valid.append(kind.model_validate(item))
        except ValidationError:
            continue
    return valid


def _agreed(items: Sequence[V]) -> dict[str, V]:
    """The verdicts by id, without ids that have two different ones."""
    different = {(one.id, one) for one in items}
    times = Counter(id_ for id_, _ in different)
    return {id_: one for id_, one in different if times[id_] == 1}
