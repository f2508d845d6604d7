"""Terms of the keyword index and of queries: the same text gives the same terms on both sides."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from string import ascii_letters
from typing import Literal, NamedTuple

from youju.text import units
from youju.text.normal import clean
from youju.text.numbers import Quantity, quantities
from youju.text.sections import references
from youju.text.words import FUNCTION_WORDS, INTENTS, PARTICLES

NO_WORDS: frozenset[str] = frozenset()

_LONGEST = 100
_PHRASE = 12
_Kind = Literal["word", "part", "key", "number", "section", "own"]
_STRONG = frozenset({"key", "number", "section", "own"})

_L = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f"
_LATIN = re.compile(
    rf"(?<![{_L}\d])(?:[A-Za-z]\+\+|[A-Za-z]#(?![{_L}\d]))|_{{0,2}}[{_L}\d]+(?:(?:::|[._\-/\\@]{{1,2}})[{_L}\d]+)*_{{0,2}}"
)
_CAMEL = re.compile(r"[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])")
_RANGE = re.compile(r"\d+(?:[.\-/]\d+)+")
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,}|v\d+(?:\.\d+)+")
_AMOUNT = re.compile(r"\d+(?:\.\d+)?[A-Za-z]{1,5}")
_LETTERS_DIGITS = re.compile(r"\d+|\D+")
_PHRASES = re.compile(
    r"「([^「」]{1,40})」|『([^『』]{1,40})』|“([^“”]{1,40})”|《([^《》]{1,40})》|\"([^\"\n]{1,40})\""
)
_SINGLE = re.compile("(?<![比条惯事案病])[图表例式]")


@dataclass(frozen=True, slots=True)
class Term:
    """`strong`: an exact signal (key, code, version, number with unit, section, quoted or own word), never pruned."""

    text: str
    strong: bool


class _Found(NamedTuple):
    text: str
    kind: _Kind
    start: int


def index_terms(text: str, dictionary: frozenset[str] = NO_WORDS) -> list[str]:
    """Every term of a passage, with repeats, in order: NFKC, lower case, without white space or quotes.

    Words cut by rjieba in search mode; keys, codes, versions, numbers with units, section references and the words of
    `dictionary` whole, beside their parts. Particles, punctuation and symbols are left out. Never raises; linear time.
    """
    return [found.text for found in _terms(_prepared(text), dictionary)]


def query_terms(text: str, dictionary: frozenset[str] = NO_WORDS) -> list[Term]:
    """The distinct terms of a question in order of appearance, a subset of its `index_terms`.

    Without function words, question words, punctuation; empty if nothing else is there. The words inside 「」 “” 《》
    of up to 12 characters are strong.
    """
    prepared = _prepared(text)
    quoted = _quoted(prepared)
    shouting = not any(c.islower() or "\u4e00" <= c <= "\u9fff" for c in prepared)
    strong: dict[str, bool] = {}
    for found in _terms(prepared, dictionary):
        if found.text in FUNCTION_WORDS and (found.kind not in _STRONG or shouting):
            continue
        in_quotes = any(start <= found.start < end for start, end in quoted)
        strong[found.text] = strong.get(found.text, False) or found.kind in _STRONG or in_quotes
    return [Term(term, is_strong) for term, is_strong in strong.items()]


def variants(text: str, dictionary: frozenset[str] = NO_WORDS) -> dict[str, list[str]]:
    """What the keyword channel makes of a question, for the log; groups without members are left out."""
    prepared = _prepared(text)
    terms = _terms(prepared, dictionary)
    quoted = [prepared[start:end] for start, end in _quoted(prepared)]
    groups = {
        "强信号": [*_distinct(terms, "key", "own"), *quoted],
        "数字条件": _distinct(terms, "number"),
        "章节表达": _distinct(terms, "section"),
        "意图词": [name for name, words in INTENTS.items() if any(word in prepared.lower() for word in words)],
    }
    return {name: list(dict.fromkeys(values)) for name, values in groups.items() if values}


def _distinct(terms: list[_Found], *kinds: _Kind) -> list[str]:
    return [found.text for found in terms if found.kind in kinds]


def _prepared(text: str) -> str:
    # A full-width comma parts a list, an ASCII one may part thousands; NFKC would make them one.
    return unicodedata.normalize("NFKC", clean(text).replace("，", "、")).replace("\n", " ")


def _quoted(prepared: str) -> list[tuple[int, int]]:
    spans = [match.span(match.lastindex or 0) for match in _PHRASES.finditer(prepared)]
    return [(start, end) for start, end in spans if end - start <= _PHRASE]


def _terms(prepared: str, dictionary: frozenset[str]) -> list[_Found]:
    masked = list(prepared)
    found: list[_Found] = []
    for reference in references(prepared):
        found.append(_Found(reference.name, "section", reference.start))
        if reference.name[0] == "§":
            found.append(_Found(reference.number, "part", reference.start))
        if reference.name[0] in "§第" or _SINGLE.match(reference.name):
            masked[reference.start : reference.end] = " " * (reference.end - reference.start)
    for match in _LATIN.finditer("".join(masked)):
        found.extend(_latin(match.group(), match.start()))
        masked[match.start() : match.end()] = " " * (match.end() - match.start())
    found.extend(_own(prepared.lower(), dictionary))
    for quantity in quantities(prepared):
        found.extend(_quantity(quantity, prepared))
    found.extend(_words("".join(masked).lower()))
    found.sort(key=lambda term: term.start)
    return [term for term in map(_fit, found) if term.text]


def _fit(found: _Found) -> _Found:
    """The term as an index can hold it; without text if it cannot be one."""
    text = found.text.lower()
    # Nearly every term is as it should be, and this is called for each.
    if not text.isalnum():
        text = "".join(c for c in text if not c.isspace() and c not in "\"'")
        text = text if any(c.isalnum() for c in text) else ""
    text = text if len(text) <= _LONGEST else ""
    return found if text == found.text else found._replace(text=text)


def _words(masked: str) -> Iterator[_Found]:
    # Without the model for unknown words: it cuts them by their context, so that question and passage disagree.
    # Measured on 1002 CMRC questions among 3256 passages: 996 against 989 in the first five.
    # Its dictionary takes .1 s to load, which commands that cut no words need not pay.
    import rjieba  # noqa: PLC0415

    for word, start, _ in rjieba.tokenize(masked, "search", hmm=False):
        if word not in PARTICLES and not word.isspace():
            yield _Found(word, "word", start)


@lru_cache(maxsize=8)
def _folded(dictionary: frozenset[str]) -> tuple[frozenset[str], tuple[int, ...]]:
    """The words as they stand in lowered text, and the lengths they have."""
    words = frozenset(_prepared(word).strip().lower() for word in dictionary) - {""}
    return words, tuple(sorted({len(word) for word in words}))


def _own(lowered: str, dictionary: frozenset[str]) -> Iterator[_Found]:
    words, lengths = _folded(dictionary)
    for length in lengths:
        for start in range(len(lowered) - length + 1):
            word = lowered[start : start + length]
            if word in words and not _inside_latin(lowered, start, start + length):
                yield _Found(word, "own", start)


def _inside_latin(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is cut out of a longer Latin word: the api of capital."""
    edges = (text[start - 1 : start + 1] if start else "", text[end - 1 : end + 1])
    return any(len(edge) == 2 and edge.isascii() and edge.isalnum() for edge in edges)  # noqa: PLR2004


def _latin(run: str, start: int) -> Iterator[_Found]:
    whole = run.strip("_").replace("\\", "/")
    lower = whole.lower()
    if whole.isdigit():
        yield _Found(lower, "word", start)
        return
    if _RANGE.fullmatch(whole) and not _VERSION.fullmatch(whole):
        yield from _digits(whole, start)
        return
    if units.lookup(whole).name:  # the MiB of "9 MiB" is no camel-case name
        yield _Found(lower, "word", start)
        return
    yield _Found(lower, "key" if _is_key(whole) else "word", start)
    if _VERSION.fullmatch(lower):
        yield _Found(lower.removeprefix("v"), "key", start)
        return
    if _AMOUNT.fullmatch(whole):
        yield _Found(whole.rstrip(ascii_letters), "part", start)
        return
    parts = {part.lower() for segment in re.split(r"[./:@]+", whole) for part in _parts(segment)}
    # The file name of a path, the host of an address: people ask for these alone.
    parts |= {piece.lower() for piece in re.split(r"[/:@]+", whole) if _is_key(piece)}
    yield from (_Found(part, "part", start) for part in sorted(parts - {lower}) if len(part) > 1 or part.isdigit())


def _digits(whole: str, start: int) -> Iterator[_Found]:
    """3.5 is a word, 010-12345678 a key, 3-5 two words."""
    if whole.count(".") == 1 and "-" not in whole and "/" not in whole:
        yield _Found(whole, "word", start)
        return
    numbers = re.split(r"[-/]", whole)
    yield _Found(whole, "key" if sum(map(len, numbers)) >= 7 else "part", start)  # noqa: PLR2004
    yield from (_Found(number, "word", start) for number in numbers)


def _is_key(run: str) -> bool:
    mixed = any(c.isdigit() for c in run) and any(c.isalpha() for c in run)
    return mixed or not run.isalnum() or _CAMEL.search(run) is not None or (len(run) > 1 and run.isupper())


def _parts(segment: str) -> Iterator[str]:
    """A segment of a key, its words, and the words of a camel-case word."""
    yield segment
    for word in re.split(rf"[^{_L}\d]+", segment):
        yield word
        for piece in _CAMEL.sub(lambda m: m.group() + " ", word).split():
            yield piece
            yield from _LETTERS_DIGITS.findall(piece)
        yield from _LETTERS_DIGITS.findall(word)


def _quantity(quantity: Quantity, text: str) -> Iterator[_Found]:
    """`30秒`, `5%`, `2025年3月1日`; a bare number only where its value is not what is written (1.5万)."""
    start = quantity.start
    if quantity.kind == "date":
        yield from _date(quantity, start)
        return
    value = _plain(quantity.value)
    written = text[start : quantity.end]
    casual = quantity.unit in units.COUNTS and not any(c.isdigit() for c in written)  # 两次, 三个
    if quantity.unit:
        yield _Found(f"{value}{quantity.unit}", "part" if casual else "number", start)
    if value not in written and len(value) > 1:
        yield _Found(value, "part", start)


def _date(quantity: Quantity, start: int) -> Iterator[_Found]:
    digits = _plain(quantity.value)
    if quantity.unit in {"日", "年月"}:
        year, month, day = digits[:4], int(digits[4:6]), digits[6:]
        yield _Found(f"{year}年{month}月" + (f"{int(day)}日" if day else ""), "number", start)
        yield _Found(f"{year}年", "part", start)
        yield _Found(f"{month}月" + (f"{int(day)}日" if day else ""), "part", start)
    elif quantity.unit == "月日":
        yield _Found(f"{int(digits) // 100}月{int(digits) % 100}日", "number", start)
    else:
        yield _Found(f"{digits}{quantity.unit}", "number", start)


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
