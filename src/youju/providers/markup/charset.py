"""Bytes of a web page → text: byte order mark, declared encoding, else what the bytes look like."""

from __future__ import annotations

import codecs
import re

from youju.providers.parsing.decoding import decode, garbage_ratio

_DECLARED = re.compile(
    rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w.:\-]{2,40})|\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:\-]{2,40})",
    re.IGNORECASE,
)
_LOOKED_AT = 4096
# Pages say gb2312 and mean its superset; browsers read them so as well.
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "gb_2312-80": "gb18030", "iso-8859-1": "cp1252", "big5": "big5hkscs"}
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TOLERATED = 0.01


def decoded(data: bytes, told: str = "") -> str:
    """The text of a page.

    Args:
        data: the file.
        told: an encoding named outside the file, "" for none.

    Raises:
        DocumentError: not_text: the bytes are a binary format.
    """
    if not data.startswith(_MARKS):
        for name in filter(None, (told, _declared(data))):
            if text := _read(data, name):
                return text
    return decode(data)


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data[:_LOOKED_AT])
    return (found[1] or found[2]).decode("ascii", "ignore") if found else ""


def _read(data: bytes, name: str) -> str:
    """The text in the named encoding, "" where it is unknown or plainly wrong: the name then lies."""
    name = _WIDER.get(name.lower(), name)
    # ASCII that calls itself UTF-16 is not: the name itself could not have been read.
    if name.lower().startswith(("utf-16", "utf16", "ucs-2", "utf-7", "utf7")):
        return ""
    try:
        text = data.decode(name, "replace")
    except (LookupError, ValueError):  # an unknown name, or one of no text encoding (hex, rot13)
        return ""
    return text if garbage_ratio(text[: 1 << 20]) <= _TOLERATED else ""
