"""In which language a document and its pages are written, told by scripts alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal

from youju.types import ParsedDocument

Language = Literal["zh", "en", "mixed", "other"]
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_CHINESE = re.compile(f"[{_HAN}]")
_WORD = re.compile(rf"[^\W\d_{_HAN}]+")
_MOST = 0.7
_READ = 4000  # characters of a page: more does not change what it is
_PIECES = 20
_RUNS = 40


def language(text: str) -> Language | None:
    """The language with at least 0.7 of the letters, "mixed" where Chinese and English have that together, or "other".

    A Chinese character counts like an English word; of a word with any other letter each letter counts: Japanese is
    "other" for its kana, German for its umlauts. English is what is written in plain Latin letters. None without any.
    """
    return _named(_counts(text))


def languages(document: ParsedDocument) -> dict[str, str]:
    """For the quality of a version: `language` of the document, and `language_pages`: zh 1-118, en 119-120.

    Of each page, and of twenty places of a text without pages, at most 4 000 characters are read. Pages without letters
    belong to no run; after forty runs an ellipsis follows.
    """
    counts = {page.n: _counts(page.text[:_READ]) for page in document.pages}
    named = {n: found for n, one in counts.items() if (found := _named(one))}
    whole = _named(_sum(counts.values() if counts else map(_counts, _spread(document.text))))
    runs = list(_runs(named))
    pages = {"language_pages": ", ".join(runs[:_RUNS]) + (" …" if len(runs) > _RUNS else "")} if runs else {}
    return {"language": whole or "other", **pages}


def _spread(text: str) -> Iterator[str]:
    """Pieces of the text at equal distances; all of it where it is short."""
    step = max(len(text) // _PIECES, _READ)
    return (text[at : at + _READ] for at in range(0, len(text), step))


def _counts(text: str) -> Counter[str]:
    words = _WORD.findall(text)
    foreign = [word for word in words if not word.isascii()]
    others = sum(map(len, foreign))
    return Counter({"zh": len(_CHINESE.findall(text)), "en": len(words) - len(foreign), "other": others})


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    total = Counter[str]()
    for one in counts:
        total.update(one)
    return total


def _named(counts: Counter[str]) -> Language | None:
    total = counts.total()
    if not total:
        return None
    if counts["zh"] >= _MOST * total:
        return "zh"
    if counts["en"] >= _MOST * total:
        return "en"
    return "mixed" if counts["zh"] + counts["en"] >= _MOST * total else "other"


def _runs(named: dict[int, Language]) -> Iterator[str]:
    for name, group in groupby(named.items(), key=lambda one: one[1]):
        pages = [n for n, _ in group]
        yield f"{name} {pages[0]}" + (f"-{pages[-1]}" if len(pages) > 1 else "")
