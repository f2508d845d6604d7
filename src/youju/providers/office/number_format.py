"""A number as a spreadsheet shows it: with its percent sign, currency, date."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from types import MappingProxyType

BUILT_IN: Mapping[int, str] = MappingProxyType(
    {
        1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy/m/d",
        15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
        22: "yyyy/m/d h:mm", 27: 'yyyy"年"m"月"', 28: 'm"月"d"日"', 29: 'm"月"d"日"', 30: "m/d/yy",
        31: 'yyyy"年"m"月"d"日"', 32: 'h"时"mm"分"', 33: 'h"时"mm"分"ss"秒"', 36: 'yyyy"年"m"月"', 37: "#,##0",
        38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 48: "0.0E+0",
        50: 'yyyy"年"m"月"', 51: 'm"月"d"日"', 57: 'yyyy"年"m"月"', 58: 'm"月"d"日"',
    }
)  # fmt: skip
"""What the built-in formats mean where the language is Chinese."""

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[(?P<bracket>[^\]]*)\]|_.|\*.|(?P<half>AM/PM|A/P|上午/下午)'
    r"|(?P<general>General|G/通用格式)|(?P<date>y+|m+|d+|h+|s+|a{3,4})|(?P<number>[0#?][0#?,.]*(?:E[+-][0#?]+)?|\.[0#?]+)"
    r"|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_WEEKDAYS = "一二三四五六日"
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
_MOST_DAYS = 2_958_466  # the last day a spreadsheet knows, 9999-12-31
_LEAP_BUG = 60
_MOST_DECIMALS = 20
_NOON = 12
_EXACT = 1e15


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str


def shown(value: float, form: str, *, from_1904: bool = False) -> str:
    """The number as the format `form` shows it; as it is where the format is unknown or cannot show it."""
    sections = _sections(form)
    section = _chosen(value, sections)
    tokens = _tokens(section)
    if any(token.kind in {"date", "elapsed"} for token in tokens):
        return _date(value, tokens, from_1904=from_1904) or general(value)
    if not any(token.kind == "number" for token in tokens):
        plain = "".join(token.text for token in tokens if token.kind == "text")
        return f"{plain}" if plain and len(sections) > 1 and not _general(tokens) else general(value)
    magnitude = abs(value) if len(sections) > 1 and value < 0 else value
    return _number(magnitude, tokens)


def general(value: float) -> str:
    """A number without a format: whole where it is, else ten digits."""
    if value == int(value) and abs(value) < _EXACT:
        return str(int(value))
    return f"{value:.10g}"


def is_date(form: str) -> bool:
    """Whether a format shows a number as a date or time."""
    return any(token.kind in {"date", "elapsed"} for token in _tokens(_sections(form)[0]))


def _general(tokens: tuple[_Token, ...]) -> bool:
    return any(token.kind == "general" for token in tokens)


@lru_cache(maxsize=1024)
def _sections(form: str) -> tuple[str, ...]:
    return tuple(re.findall(r'(?:"[^"]*"|\\.|[^;"\\])+|(?<=;)(?=;|$)', form[:400])) or (form[:400],)


def _chosen(value: float, sections: tuple[str, ...]) -> str:
    if value < 0 and len(sections) > 1:
        return sections[1]
    if value == 0 and len(sections) > 2:  # noqa: PLR2004 (positive, negative, zero)
        return sections[2]
    return sections[0]


@lru_cache(maxsize=1024)
def _tokens(section: str) -> tuple[_Token, ...]:
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(section):
        kind, text = match.lastgroup or "", match.group()
        if kind == "bracket":
            inside = match.group("bracket")
            if inside.startswith("$"):
                tokens.append(_Token("text", inside[1:].split("-")[0]))
            elif inside.lower() in {"h", "hh", "m", "mm", "s", "ss"}:
                tokens.append(_Token("elapsed", inside.lower()))
        elif kind in {"quoted", "escaped", "other"}:
            tokens.append(_Token("text", match.group(kind)))
        elif kind:
            tokens.append(_Token(kind, text))
    return tuple(tokens)


def _number(value: float, tokens: tuple[_Token, ...]) -> str:
    value *= 100 ** sum(token.text.count("%") for token in tokens if token.kind == "text")
    parts: list[str] = []
    told = False
    for token in tokens:
        if token.kind == "text":
            parts.append(token.text)
        elif token.kind == "number" and not told:
            parts.append(_digits(value, token.text))
            told = True
    text = "".join(parts).strip()
    return text if "/" not in text else general(value)


def _digits(value: float, form: str) -> str:
    mantissa, exponent, _ = form.upper().partition("E")
    whole, _, decimals = mantissa.partition(".")
    scale = len(mantissa) - len(mantissa.rstrip(","))
    places = min(sum(char in "0#?" for char in decimals), _MOST_DECIMALS)
    if exponent:
        return f"{value:.{places}E}"
    text = f"{abs(value) / 1000**scale:,.{places}f}"
    optional = len(decimals) - len(decimals.rstrip("#"))
    if optional and "." in text:
        kept = text.rstrip("0")
        text = text[: max(len(kept), len(text) - optional)].rstrip(".")
    if "," not in whole.rstrip(","):
        text = text.replace(",", "")
        text = text.zfill(whole.count("0") + (len(text) - len(text.partition(".")[0])))
    return ("-" if value < 0 and any(char in "123456789" for char in text) else "") + text


def _date(value: float, tokens: tuple[_Token, ...], *, from_1904: bool) -> str:
    if not 0 <= value < _MOST_DAYS:
        return ""
    # The first spreadsheets took 1900 for a leap year; days before its March count from one day later.
    epoch = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if value >= _LEAP_BUG else 31)  # noqa: DTZ001
    moment = epoch + timedelta(seconds=round(value * 86400))
    twelve = any(token.kind == "half" for token in tokens)
    return "".join(_shown(at, token, tokens, moment, value, twelve=twelve) for at, token in enumerate(tokens)).strip()


def _shown(at: int, token: _Token, tokens: tuple[_Token, ...], moment: datetime, value: float, *, twelve: bool) -> str:
    text = token.text.lower()
    if token.kind == "text":
        return "" if token.text == "@" else token.text
    if token.kind == "half":
        return ("上午" if moment.hour < _NOON else "下午") if "上" in text else "AM" if moment.hour < _NOON else "PM"
    if token.kind == "elapsed":
        return str(int(value * {"h": 24, "m": 1440, "s": 86400}[text[0]]))
    if token.kind == "number":
        return ""
    if text[0] == "m" and _is_minute(at, tokens):
        return _padded(moment.minute, text)
    return _part(text, moment, twelve=twelve)


def _part(text: str, moment: datetime, *, twelve: bool) -> str:
    long = len(text) > 2  # noqa: PLR2004 (names instead of numbers)
    if text[0] == "y":
        return f"{moment.year:04d}" if long else f"{moment.year % 100:02d}"
    if text[0] == "m":
        return _MONTHS[3 * moment.month - 3 : 3 * moment.month] if long else _padded(moment.month, text)
    if text[0] == "a" or (text[0] == "d" and long):
        name = _WEEKDAYS[moment.weekday()]
        return name if text == "aaa" else f"星期{name}"
    hour = (moment.hour - 1) % _NOON + 1 if twelve else moment.hour
    return _padded({"d": moment.day, "h": hour, "s": moment.second}[text[0]], text)


def _padded(number: int, text: str) -> str:
    return f"{number:02d}" if len(text) > 1 else str(number)


def _is_minute(at: int, tokens: tuple[_Token, ...]) -> bool:
    """Whether an m stands for minutes: after hours or before seconds."""
    times = [(place, token.text.lower()[0]) for place, token in enumerate(tokens) if token.kind in {"date", "elapsed"}]
    here = next(index for index, (place, _) in enumerate(times) if place == at)
    before = times[here - 1][1] if here else ""
    after = times[here + 1][1] if here + 1 < len(times) else ""
    return before == "h" or after == "s"
