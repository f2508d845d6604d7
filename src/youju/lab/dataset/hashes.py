"""What a set and a case are known by: hashes of what their figures rest on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from youju.lab.dataset.schema import Case

ASIDE = frozenset({"author", "reviewed_by", "notes", "near", "split"})
"""What no figure of the case itself rests on."""


def case_hash(case: Case) -> str:
    """16 hexadecimal digits; others whenever anything differs that a figure of the case may rest on.

    Who wrote or reviewed it, notes and the split do not count; nor do fields that say nothing, so that a set keeps its
    hash when the format learns a new one.
    """
    said = case.model_dump(mode="json", exclude=set(ASIDE), exclude_defaults=True)
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return _short(text)


def set_hash(cases: Iterable[Case]) -> str:
    """16 hexadecimal digits for all cases together, whatever their order."""
    return _short("\n".join(sorted(map(case_hash, cases))))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
