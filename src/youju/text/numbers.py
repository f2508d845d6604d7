"""Numbers, dates, times, percentages and sums of money in a text, written in whichever way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from youju.text import units
from youju.text.numerals import CHARS, parse_cn
from youju.text.polarity import polarity, same_polarity
from youju.text.units import Kind

__all__ = ["Quantity", "parse_cn", "polarity", "quantities", "respelt", "same_polarity"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with its unit, at text[start:end].

    Dates are numbers that read like them: unit "日" YYYYMMDD, "年月" YYYYMM, "年" YYYY, "月日" MMDD, "月" MM. A time of
    day has the unit "点" and counts minutes. Percentages are in percent; a fraction is a number.
    """

    value: Decimal
    unit: str
    kind: Kind
    start: int
    end: int


_FULL = (
    "".join(chr(c) for c in [*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B)]) + "％．／－＋￥"
)
_HALF = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz%./-+¥"
_NARROW = str.maketrans(_FULL, _HALF)

_CN = f"[{CHARS}]"
_N = rf"(?:\d{{1,4}}|{_CN}{{1,4}})"
_ARABIC = r"\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?"
_SCALE = "万亿|十万|百万|千万|亿|万(?![能一分])|千(?![米克瓦帕焦卡赫伏安字])|百(?!分)"
_UNIT = units.pattern()
_SECTION = "编|篇|部分|卷|章|回|节|条|款|项|页|次|届|期|天|个|名|位|步|行|列|题|册|课|单元|学期"
_SCALES = {"": 1, "百": 10**2, "千": 10**3, "万": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7, "亿": 10**8,
           "万亿": 10**12}  # fmt: skip
_PER = {"百": 1, "千": 10, "万": 100}
_CURRENCY = {"$": "美元", "us$": "美元", "usd": "美元", "¥": "元", "rmb": "元", "cny": "元", "€": "欧元", "£": "英镑"}

# Leftmost alternative first: what names a thing is consumed before its digits can look like a quantity.
_TOKEN = re.compile(
    rf"""
    (?P<numbering>^[ ]{{0,8}}(?:[-*+][ ])?(?:\d{{1,3}}(?:[、)）]|\.(?!\d))|[(（]\d{{1,2}}[)）]))
  | (?P<law>[〔\[（(]\d{{4}}[〕\]）)][ ]?第?\d{{1,5}}号)
  | (?P<date>(?P<y>(?<!\d)\d{{4}}|(?<!{_CN}){_CN}{{4}})[ ]?年
        (?:[ ]?(?P<mo>{_N})[ ]?月(?:份|[ ]?(?P<d>{_N})[ ]?[日号])?)?)
  | (?P<iso>(?<![\d.\-/A-Za-z])(?P<iy>[12]\d{{3}})(?P<sep>[-/.])
        (?P<im>\d{{1,2}})(?:(?P=sep)(?P<id>\d{{1,2}}))?(?![\d.\-/A-Za-z]*\d))
  | (?P<month>(?<![\d{CHARS}几数每])(?P<mm>{_N})[ ]?月(?![球饼经亮光])(?:份|(?P<md>{_N})[ ]?[日号])?)
  | (?P<clock>(?P<pm>下午|晚上|傍晚|晚)?[ ]?(?P<h>(?<![\d.:])\d{{1,2}})(?:[:：](?P<min>\d{{2}})(?::\d{{2}})?(?![\d:])
        |[点时](?:(?P<cm>\d{{1,2}})分|(?P<half>半)|整|钟|(?![\d钟差数击]))))
  | (?P<money>(?i:US\$|USD|RMB|CNY|[$¥€£])[ ]?(?P<ma>{_ARABIC})[ ]?(?P<ms>{_SCALE})?)
  | (?P<skip>[A-Za-z_][A-Za-z0-9_]*(?:[.\-/][A-Za-z0-9_]+)*
        |第[ ]?(?:[\d{CHARS}][ ]?){{1,16}}(?:[-–—~～至到、和][ ]?第?[ ]?(?:\d{{1,5}}|{_CN}{{1,8}})[ ]?)?
         (?:{_SECTION})?(?:之{_CN})?
        |(?:(?<![代列发])[图表例式]|定义|定理|附件|附录|公式|习题|练习|§)[ ]?[(（]?\d{{1,4}}(?:[.\-]\d{{1,4}})*
        |\d+(?:\.\d+)+[ ]?(?:小节|节|条|款|章)|\d+(?:\.\d+){{2,}})
  | (?P<percent>(?P<base>[百千万])分之(?P<pc>(?:{_CN}{{1,6}}|\d+(?:\.\d+)?))(?:点(?P<pd>{_CN}{{1,4}}))?)
  | (?P<part>(?<!{_CN})(?P<den>{_CN}{{1,4}}|\d{{1,4}})分之(?P<of>{_CN}{{1,4}}|\d{{1,4}}))
  | (?P<ratio>(?<![\d/.])\d{{1,3}}/\d{{1,3}}(?![\d/.]))
  | (?P<halves>(?<![上下前后大多{CHARS}])(?:(?P<hn>\d{{1,4}}|{_CN}{{1,3}})个)?半个?
        (?P<hu>小时|钟头|年(?![度级])|天|日|月|学期|学年|周|分钟)
        |(?<![第\d{CHARS}])(?P<hm>\d{{1,4}}|{_CN}{{1,3}})(?P<hv>年|天|小时|周)半)
  | (?P<number>(?P<sign>(?<![\w)\]）%‰℃°])[-−]|零下)?(?P<a>{_ARABIC})(?:[ ]?(?P<rate>[%‰]|个百分点)
        |[ ]?(?P<scale>{_SCALE})?[多余]?[ ]?(?P<unit>{_UNIT})|[ ]?(?P<bare>{_SCALE})?(?![A-Za-z_\d]|\.\d)))
  | (?P<word>\d+[A-Za-z_][A-Za-z0-9_]*)
  | (?P<chinese>(?<![几数第成统唯之单同任某另逐不划归专周期拜哪那{CHARS}])
        (?P<c>{_CN}{{1,16}}+)(?:点(?P<cd>{_CN}{{1,8}}+))?
        (?P<some>[多余几])?[ ]?(?P<cu>{_UNIT})?)
    """,
    re.VERBOSE | re.MULTILINE,
)
_FORMULA_BEFORE = re.compile(r"(?:(?:^|[^A-Za-z])[A-Za-z](?:\([A-Za-z]\))?\s?[=<>≤≥]\s?|[+*^(]\s?)\Z")
_FORMULA_AFTER = re.compile(r"\s?[-+*/^=<>(≤≥]")
_BETWEEN = re.compile(r"\s?(?:[-–—−~～至到]|to)\s?")


@dataclass(frozen=True, slots=True)
class _Found:
    quantity: Quantity
    scale: int = 1


def quantities(text: str) -> list[Quantity]:
    """Every quantity in the order of the text; numbers inside names (QW-4031, v3.2, 第三章) are none.

    三 = 3 = ３, 1.5万 = 15000, 百分之五 = 5%, 3-5天 is two; units by one name each (km → 公里). Never raises.
    """
    narrow = text.translate(_NARROW)
    found = [item for match in _TOKEN.finditer(narrow) for item in _read(match)]
    return list(_with_shared_units(narrow, found))


def respelt(text: str) -> str:
    """The text with every quantity in one spelling: 三天 and 3 天 say the same, and become the same characters."""
    done, at = "", 0
    for found in quantities(text):
        if found.start >= at:  # 五六天 is two quantities in one place
            done, at = f"{done}{text[at : found.start]}{found.value.normalize():f}{found.unit}", found.end
    return done + text[at:]


def _read(match: re.Match[str]) -> list[_Found]:
    kind = match.lastgroup or ""
    reader = _READERS.get(next((name for name in _READERS if match[name] is not None), kind))
    return reader(match) if reader else []


def _at(match: re.Match[str], value: Decimal | int, unit: str = "", kind: Kind = "number") -> list[_Found]:
    return [_Found(Quantity(Decimal(value), unit, kind, *_trimmed(match)))]


def _trimmed(match: re.Match[str]) -> tuple[int, int]:
    whole = match.group()
    return match.end() - len(whole.lstrip(" ")), match.start() + len(whole.rstrip(" "))


def _date(match: re.Match[str]) -> list[_Found]:
    year, month, day = (parse_cn(match[name] or "") for name in ("y", "mo", "d"))
    if year is None or not (1000 <= year < 3000):  # noqa: PLR2004
        return _at(match, year or 0, "年", "time") if year else []
    return _calendar(match, year, month, day)


def _iso(match: re.Match[str]) -> list[_Found]:
    if match["id"] is None and (match["sep"] != "-" or len(match["im"]) != 2):  # noqa: PLR2004
        return _at(match, Decimal(f"{match['iy']}.{match['im']}")) if match["sep"] == "." else []
    return _calendar(match, int(match["iy"]), int(match["im"]), int(match["id"] or 0) or None)


def _calendar(match: re.Match[str], year: int, month: int | None, day: int | None) -> list[_Found]:
    if not 1 <= (month or 1) <= 12 or not 1 <= (day or 1) <= 31:  # noqa: PLR2004
        return []
    if month is None:
        return _at(match, year, "年", "date")
    return _at(match, year * 100 + month, "年月", "date") if day is None else _at(
        match, year * 10000 + month * 100 + day, "日", "date")  # fmt: skip


def _month(match: re.Match[str]) -> list[_Found]:
    month, day = parse_cn(match["mm"]), parse_cn(match["md"] or "")
    if month is None or not 1 <= month <= 12:  # noqa: PLR2004
        return []
    return _at(match, month, "月", "date") if day is None else _at(match, month * 100 + day, "月日", "date")


def _clock(match: re.Match[str]) -> list[_Found]:
    hours, minutes = int(match["h"]), 30 if match["half"] else int(match["min"] or match["cm"] or 0)
    if hours > 24 or minutes > 59:  # noqa: PLR2004
        return []
    return _at(match, (hours + 12 * bool(match["pm"] and hours < 12)) * 60 + minutes, "点", "time")  # noqa: PLR2004


def _money(match: re.Match[str]) -> list[_Found]:
    sign = re.match(r"[^\d ]+", match.group())
    unit = _CURRENCY.get(sign.group().lower() if sign else "", "元")
    return _at(match, Decimal(match["ma"].replace(",", "")) * _SCALES[match["ms"] or ""], unit, "money")


def _percent(match: re.Match[str]) -> list[_Found]:
    value = _decimal(match["pc"], match["pd"])
    return [] if value is None else _at(match, value / _PER[match["base"]], "%", "percent")


def _part(match: re.Match[str]) -> list[_Found]:
    return _fraction(match, parse_cn(match["of"]), parse_cn(match["den"]))


def _ratio(match: re.Match[str]) -> list[_Found]:
    over, under = match.group().split("/")
    return _fraction(match, int(over), int(under))


def _fraction(match: re.Match[str], over: int | None, under: int | None) -> list[_Found]:
    return _at(match, round(Decimal(over) / Decimal(under), 6)) if over is not None and under else []


def _number(match: re.Match[str]) -> list[_Found]:
    value = Decimal(match["a"].replace(",", "")) * (-1 if match["sign"] else 1)
    if match["rate"]:
        unit = "百分点" if match["rate"] == "个百分点" else "%"
        return _at(match, value / 10 if match["rate"] == "‰" else value, unit, "percent")
    if match["unit"] and len(match["unit"]) == 1 and match["unit"].isascii() and _in_formula(match):
        return []
    name, kind = units.lookup(match["unit"] or "")
    scale = _SCALES[match["scale"] or match["bare"] or ""]
    return [_Found(Quantity(value * scale, name, kind, *_trimmed(match)), scale)]


def _halves(match: re.Match[str]) -> list[_Found]:
    """半年, 两个半小时, 一年半."""
    whole = parse_cn(match["hn"] or match["hm"] or "零")
    written = match["hu"] or match["hv"]
    unit = units.lookup({"钟头": "小时", "月": "个月"}.get(written, written))
    return [] if whole is None else _at(match, whole + Decimal("0.5"), unit.name, unit.kind)


def _in_formula(match: re.Match[str]) -> bool:
    around = match.string
    before = around[max(0, match.start() - 8) : match.start()]
    return bool(_FORMULA_AFTER.match(around, match.end()) or _FORMULA_BEFORE.search(before))


def _chinese(match: re.Match[str]) -> list[_Found]:
    written, unit = match["c"], units.lookup(match["cu"] or "")
    value = _decimal(written, match["cd"])
    scored = match["cu"] == "分" and len(written) > 1  # 八十分 is a mark, 十分 is "very"
    if (
        value is None
        or match["some"] == "几"
        or (match["cu"] and match["cu"] not in units.AFTER_CHINESE and not scored)
    ):
        return []
    digits = not set(written) & set("十百千万亿拾佰仟萬億廿卅")
    if digits and len(written) == 2 and unit.name and "〇" not in written:  # noqa: PLR2004 - 五六天: five or six
        low, high = (Decimal(parse_cn(c) or 0) for c in written)
        return _at(match, low, unit.name, unit.kind) + _at(match, high, unit.name, unit.kind)
    if not _means_it(match, value, digits=digits):
        return []
    return _at(match, value, unit.name, unit.kind)


def _means_it(match: re.Match[str], value: Decimal, *, digits: bool) -> bool:
    """Whether a Chinese numeral counts something: 三天 and 三百 do, 一般, 一个 and 三元方程 do not."""
    written, unit = match["c"], match["cu"]
    if written[0] in "百千万亿" or (not unit and match["cd"] is None and len(written) == 1):
        return bool(_BETWEEN.match(match.string, match.end())) and written[0] not in "百千万亿"
    if not unit:
        return match["cd"] is not None or not digits or len(written) > 2  # noqa: PLR2004
    if unit == "元" and len(written) == 1:
        return (
            re.match(r"钱|整|/|每|以|人民币|[，。；、）)\s]|\Z", match.string[match.end() : match.end() + 3])
            is not None
        )
    return unit in units.MEASURES or value > 1 or unit in {"次", "倍", "岁", "周岁", "页", "人"}


def _decimal(whole: str, fraction: str | None) -> Decimal | None:
    if re.fullmatch(r"\d+(?:\.\d+)?", whole, re.ASCII):
        return Decimal(whole)
    value = parse_cn(whole)
    if value is None or fraction is None:
        return None if value is None else Decimal(value)
    digits = [parse_cn(c) for c in fraction]
    if any(d is None or d > 9 for d in digits):  # noqa: PLR2004
        return None
    return Decimal(f"{value}.{''.join(map(str, digits))}")


_READERS = {"date": _date, "iso": _iso, "month": _month, "clock": _clock, "money": _money, "percent": _percent,
            "part": _part, "ratio": _ratio, "halves": _halves, "number": _number, "chinese": _chinese}  # fmt: skip


def _with_shared_units(text: str, found: list[_Found]) -> Iterator[Quantity]:
    """3-5万元: the first number of a range has the unit and the scale of the second."""
    for one, two in zip(found, [*found, None][1:], strict=True):
        quantity = one.quantity
        if two and not quantity.unit and two.quantity.kind != "date":
            between = _BETWEEN.fullmatch(text, quantity.end, max(quantity.end, two.quantity.start))
            if between and (two.quantity.unit or two.scale > 1):
                scale = two.scale if one.scale == 1 else 1
                quantity = replace(
                    quantity, value=quantity.value * scale, unit=two.quantity.unit, kind=two.quantity.kind
                )
        yield quantity
