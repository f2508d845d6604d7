"""Chinese numerals: 一千二百六十, 〇, 两百, 廿三, 壹拾, 二〇二五, １２ → int."""

from __future__ import annotations

import re
import unicodedata

CHARS = "零〇○一二三四五六七八九十百千万亿两廿卅壹贰叁肆伍陆柒捌玖拾佰仟萬億兩貳參陸"
"""Every character a Chinese numeral is written with; for use inside a regex class."""

_LONGEST = 24
_PLAIN = str.maketrans("○〇零壹贰貳叁參肆伍陆陸柒捌玖拾佰仟萬億兩两", "000一二二三三四五六六七八九十百千万亿二二")
_DIGITS = str.maketrans("一二三四五六七八九", "123456789")
_BELOW_10000 = re.compile(r"(?:([1-9])千)?(0?)(?:([1-9])百)?(0?)(?:([1-9]?)(十))?(0?)([1-9]?)")


def parse_cn(text: str) -> int | None:
    """The number that `text` writes, None if it is no numeral.

    Chinese numerals (also the formal ones, 廿 卅, and the short 两千五 = 2500), digit strings (二〇二五) and Arabic
    digits of either width, all with inner white space.
    """
    plain = "".join(unicodedata.normalize("NFKC", text[: _LONGEST * 2]).split()).translate(_PLAIN)
    plain = plain.replace("廿", "二十").replace("卅", "三十").translate(_DIGITS)
    if not plain or len(text) > _LONGEST * 2 or len(plain) > _LONGEST:
        return None
    if plain.isascii():
        return int(plain) if plain.isdigit() else None
    return _value(plain)


def _value(text: str) -> int | None:
    for mark, scale in (("亿", 10**8), ("万", 10**4)):
        head, found, tail = text.rpartition(mark)
        if found:
            return None if mark in head else _joined(head, tail, scale)
    return _below_10000(text)


def _joined(head: str, tail: str, scale: int) -> int | None:
    high = int(head) if _is_digits(head) else _value(head)
    if high is None or not head:
        return None
    if len(tail) == 1 and tail in "123456789":  # 三万五 is 35000
        return high * scale + int(tail) * scale // 10
    low = 0 if not tail else int(tail) if _is_digits(tail) else _value(tail)
    return None if low is None or low >= scale else high * scale + low


def _below_10000(text: str) -> int | None:
    match = _BELOW_10000.fullmatch(text)
    if not match or not text:
        return None
    thousands, zero_a, hundreds, zero_b, tens, ten, zero_c, ones = match.groups(default="")
    last = int(ones or 0)
    if last and not ten and not (zero_a or zero_b or zero_c):  # 一百二 is 120, 两千五 is 2500
        last *= 10 if hundreds else 100 if thousands else 1
    return int(thousands or 0) * 1000 + int(hundreds or 0) * 100 + (int(tens or 1) * 10 if ten else 0) + last


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()
