"""A line as older exports and other hands wrote it → the fields of a case, and what is wrong with its names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from youju.lab.dataset.schema import Attack, Case, Category, Evidence, Fact, Near

Json = Mapping[str, object]
OLDER = {
    "expected_doc_names": "expected_docs",
    "expected_answer_keywords": "expected_keywords",
    "kb_ids": "collections",
    "source": "author",
}
NEGATIVE = "is_negative"
MEANT = {
    "answer": "reference_answer",
    "ground_truth": "reference_answer",
    "standard_answer": "reference_answer",
    "canary": "attack",
    "docs": "expected_docs",
    "documents": "expected_docs",
    "doc_ids": "document_ids",
    "facts": "key_facts",
    "key_points": "key_facts",
    "keywords": "expected_keywords",
    "kind": "category",
    "type": "category",
    "page": "pages",
    "query": "question",
    "quote": "text",
    "negative": "is_negative",
}
"""Names that say plainly which field was meant: left unread, they would make a case easier than its author thinks."""
GRADED = ("expected", "evidence", "key_fact", "reference")
"""Beginnings of the fields that figures rest on; nothing else may begin like them."""
CLOSE = 0.86
"""Of `difflib`: `expected_doc` and `evidnce` are slips; `question_id` and `category_id` are other tools' fields."""
CATEGORIES = {"negative": "unanswerable", "how-to": "howto", "multi-hop": "multihop"}
NESTED: Mapping[str, type[BaseModel]] = {"evidence": Evidence, "key_facts": Fact, "attack": Attack, "near": Near}


FIELDS: Mapping[str, FieldInfo] = dict(Case.model_fields)


@dataclass
class Named:
    """The fields of a case as far as their names are known. `faults` are (field, what is wrong)."""

    fields: dict[str, object] = field(default_factory=dict)
    faults: list[tuple[str, str]] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)


def named(row: Json) -> Named:
    """The fields of a line under the names of `Case`.

    Older names and camelCase are read; categories in any case; a name close to a known one is a fault, any other is
    `unused`. `answerable` is what the category says where the line does not.
    """
    found = Named()
    for name, value in row.items():
        _place(name, value, found)
    for name, model in NESTED.items():
        for place, part in _parts(found.fields.get(name)):
            _check(part, model, f"{name}{place}", found)
    _negative(found)
    return found


def _place(name: str, value: object, found: Named) -> None:
    plain = snake(name)
    known = OLDER.get(plain, plain)
    if known not in FIELDS and known != NEGATIVE:
        _unknown(name, Case, name, found)
    elif known in found.fields:
        found.faults.append((name, f"与 {known} 是同一项，写了两次"))
    else:
        found.fields[known] = _value(plain, value)


def _value(plain: str, value: object) -> object:
    """As a case has it."""
    flat = isinstance(value, list) and all(isinstance(one, str) for one in value)
    if plain == "expected_doc_names" and flat:
        return [value] if value else []
    if plain in {"kb_ids", "collections", "document_ids"} and isinstance(value, list):
        return [_text(one) for one in value]
    if plain == "id":
        return _text(value)
    if plain in {"category", "sub_kind"} and isinstance(value, str):
        word = value.strip().lower().replace("_", "-").replace(" ", "-")
        return CATEGORIES.get(word, word) if plain == "category" else word
    if plain == "split" and isinstance(value, str):
        return value.strip().lower()
    # Spreadsheets and older tools write null for what they have nothing to say of.
    return _absent(plain) if value is None and plain not in {"id", "category", "question"} else value


def _text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _absent(plain: str) -> object:
    info = FIELDS.get(OLDER.get(plain, plain))
    return None if info is None or info.is_required() else info.default


def _negative(found: Named) -> None:
    """`isNegative`, and what the category says of being answerable."""
    fields = found.fields
    negative = fields.pop(NEGATIVE, None)
    if negative not in {True, False, None}:
        found.faults.append(("isNegative", "应为 true 或 false"))
    if negative is True:
        if fields.get("category") in {None, *get_args(Category)} - {"adversarial"}:
            fields["category"] = "unanswerable"
        if fields.get("answerable") is True:
            found.faults.append(("isNegative", "与 answerable 相互矛盾"))
        fields["answerable"] = False
    if fields.get("answerable") is None:
        fields["answerable"] = fields.get("category") != "unanswerable"


def _parts(value: object) -> Iterator[tuple[str, Json]]:
    """The objects inside a field, with their places."""
    if isinstance(value, dict):
        yield "", value
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from ((f".{number}{place}", part) for place, part in _parts(one))


def _check(part: Json, model: type[BaseModel], place: str, found: Named) -> None:
    for name in part:
        if name not in model.model_fields:
            _unknown(name, model, f"{place}.{name}", found)


def _unknown(name: str, model: type[BaseModel], place: str, found: Named) -> None:
    plain = snake(name)
    known = [*model.model_fields, *((*OLDER, NEGATIVE) if model is Case else ())]
    close = difflib.get_close_matches(plain, known, n=1, cutoff=CLOSE)
    meant = MEANT.get(plain) if MEANT.get(plain) in known else next(iter(close), None)
    if meant:
        found.faults.append((place, f"没有这一项，是不是想写 {meant}？"))
    elif model is Case and plain.startswith(GRADED):
        found.faults.append((place, f"没有这一项；以 {'、'.join(GRADED)} 开头的只能是 {'、'.join(_graded())}"))
    else:
        found.unused.append(re.sub(r"\.\d+", "", place))


def _graded() -> list[str]:
    return [name for name in FIELDS if name.startswith(GRADED)]


@lru_cache(maxsize=256)
def snake(name: str) -> str:
    """expectedDocNames, Expected-Doc-Names → expected_doc_names."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip()).lower().replace("-", "_").replace(" ", "_")
