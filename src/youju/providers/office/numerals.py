"""Numbers as Word and PowerPoint write them in front of paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

_DIGITS = "〇一二三四五六七八九"
_FORMAL = str.maketrans("零一二三四五六七八九十百千", "零壹贰叁肆伍陆柒捌玖拾佰仟")
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
          (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip
_CIRCLED = 20
_LARGEST_ROMAN = 3999
_LETTERS = 26


def numeral(n: int, form: str) -> str:
    """The number `n` in a `w:numFmt`; Arabic digits where the form is unknown or has no sign for it."""
    return _FORMS.get(form, str)(n) or str(n)


def chinese(n: int) -> str:
    """一, 十一, 二十, 一百零五; Arabic from 10 000 on."""
    if not 0 < n < 10_000:  # noqa: PLR2004 (where 万 begins)
        return "零" if n == 0 else str(n)
    text, gap = "", False
    for unit, mark in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = n // unit % 10
        if digit:
            text += ("零" if gap else "") + _DIGITS[digit] + mark
        gap = bool(text) and not digit
    return text[1:] if text.startswith("一十") else text


def _formal(n: int) -> str:
    text = chinese(n)
    return ("一" + text if text.startswith("十") else text).translate(_FORMAL)


def _digits(n: int) -> str:
    return "".join(_DIGITS[int(digit)] for digit in str(n)) if n >= 0 else ""


def _roman(n: int) -> str:
    text = ""
    if 0 < n <= _LARGEST_ROMAN:
        for unit, mark in _ROMAN:
            text += mark * (n // unit)
            n %= unit
    return text


def _letters(n: int) -> str:
    """A … Z, AA, BB, as Word goes on."""
    return chr(ord("A") + (n - 1) % _LETTERS) * ((n - 1) // _LETTERS + 1) if 0 < n < _LETTERS * 20 else ""


def _sign(first: str, count: int) -> Callable[[int], str]:
    return lambda n: chr(ord(first) + n - 1) if 0 < n <= count else ""


def _cycle(signs: str) -> Callable[[int], str]:
    return lambda n: signs[n - 1] if 0 < n <= len(signs) else ""


def _wide(n: int) -> str:
    return str(n).translate({ord("0") + digit: ord("０") + digit for digit in range(10)})


_FORMS: Mapping[str, Callable[[int], str]] = MappingProxyType(
    dict.fromkeys(
        ("chineseCounting", "chineseCountingThousand", "japaneseCounting", "taiwaneseCounting",
         "taiwaneseCountingThousand", "koreanCounting", "ideographLegalTraditional"), chinese,
    )
    | dict.fromkeys(("ideographDigital", "japaneseDigitalTenThousand", "taiwaneseDigital"), _digits)
    | dict.fromkeys(("decimalEnclosedCircle", "decimalEnclosedCircleChinese"), _sign("①", _CIRCLED))
    | dict.fromkeys(("decimalFullWidth", "decimalFullWidth2"), _wide)
    | dict.fromkeys(("none", "bullet"), lambda _: " ")
    | {
        "chineseLegalSimplified": _formal,
        "decimalZero": lambda n: f"{n:02d}",
        "upperRoman": _roman,
        "lowerRoman": lambda n: _roman(n).lower(),
        "upperLetter": _letters,
        "lowerLetter": lambda n: _letters(n).lower(),
        "ideographTraditional": _cycle(_STEMS),
        "ideographZodiac": _cycle(_BRANCHES),
        "decimalEnclosedParen": _sign("⑴", _CIRCLED),
        "decimalEnclosedFullstop": _sign("⒈", _CIRCLED),
        "ideographEnclosedCircle": _sign("㊀", 10),
    }
)  # fmt: skip
