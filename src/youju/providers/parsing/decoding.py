"""Bytes of a plain-text file → text, for parsers of formats that do not name their encoding.

A wrong guess must not pass unseen: Chinese in one double-byte encoding nearly always decodes in another, to rare
characters. So every candidate is scored by how much of it is what people write most, and the rest is measured as
garbage.
"""

from __future__ import annotations

import re
from pathlib import Path

from charset_normalizer import from_bytes

from youju.errors import DocumentError
from youju.providers.parsing.mojibake import misread
from youju.text.normal import clean

# The most frequent characters of written Chinese, simplified and traditional: about a third of any real text.
_FREQUENT = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年"
    "過这這個們來為國說時會對著與第及或所用其后後行方成分定作家法并從从本条條章等应應當当员員公司"
)
_PUNCTUATION = frozenset("，。、；：？！（）《》“”‘’「」—…　")
_MAGIC = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\x7fELF",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\xd0\xcf\x11\xe0",
    b"SQLite f",
    b"7z\xbc\xaf",
    b"Rar!",
)
_BYTE_ORDER_MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_UNASSIGNED = r"\ufdd0-\ufdef\ufffe\uffff\U00033480-\U000e0000\U000e0080-\U000e00ff\U000e01f0-\U000effff"  # wide gaps
_GARBAGE = re.compile(
    rf"[{_UNASSIGNED}\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff\x00-\x08\x0e-\x1f\x7f-\x9f]|\(cid:\d+\)"
)
_PRIVATE = re.compile(r"[\ue000-\uf8ff\U000f0000-\U0010ffff]")
_SPACE = re.compile(r"\s")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MAX_CONTROL = 0.01
_MIN_TELLING = 8
# In another encoding almost no sequence of bytes is UTF-8 by chance.
_GOOD_TO_BAD = 20


def garbage_ratio(text: str) -> float:
    """The share of characters nobody typed, in [0, 1]; 0 for no text.

    U+FFFD, private use, planes without characters, controls, `(cid:12)`, and what was read in a wrong encoding before.
    White space counts on neither side. A `(cid:…)` counts with all its characters.
    """
    solid = _SPACE.sub("", text)
    return min((_untyped(solid) + misread(text)) / len(solid), 1.0) if solid else 0.0


def _untyped(solid: str) -> int:
    return sum(len(match.group()) for match in _GARBAGE.finditer(solid))


def read_text(path: Path, max_garbage_ratio: float) -> tuple[str, float]:
    """The text of a file, cleaned but for its tabs, and its garbage ratio.

    Raises:
        DocumentError: empty, not_text (a binary file), garbled (more garbage than allowed).
    """
    data = path.read_bytes()
    if not data.strip():
        raise DocumentError("文件是空的，没有可读的内容", remedy="请检查文件是否保存完整后重新上传", code="empty")
    raw = decode(data)
    ratio = garbage_ratio(raw)
    refuse_garbage(ratio, max_garbage_ratio)
    raw = _PRIVATE.sub("\ufffd", raw)  # most screens show nothing there, and a sentence must not look whole
    # `clean` makes a tab one space, but tabs hold the columns of tables and the depth of code.
    text = "\t".join(clean(stretch) for stretch in raw.split("\t"))
    if not text.strip():
        raise DocumentError("文件里只有空白，没有可读的内容", remedy="请检查文件是否保存完整后重新上传", code="empty")
    return text, ratio


def refuse_garbage(ratio: float, allowed: float) -> None:
    """Nothing, unless `ratio` is above `allowed`.

    Raises:
        DocumentError: garbled.
    """
    if ratio > allowed:
        raise DocumentError(
            f"文字有 {ratio:.1%} 是乱码，超过允许的 {allowed:.1%}",
            remedy="文本文件请另存为 UTF-8；PDF 请从原文档重新导出，或用 OCR 识别后再上传",
            code="garbled",
        )


def decode(data: bytes) -> str:
    """The text in `data`, by byte order mark, else UTF-8, else the most plausible of UTF-16, GB18030, Big5 and guesses.

    Undecodable bytes in the best candidate become U+FFFD.

    Raises:
        DocumentError: not_text: the bytes are a binary format or no encoding makes text of them.
    """
    if data.startswith(_MAGIC):
        raise _not_text()
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _checked(data.decode(encoding, "replace"))
    if b"\x00" not in data:
        try:
            return _checked(data.decode("utf-8"))
        except UnicodeDecodeError:
            pass
        if text := _nearly_utf8(data):
            return _checked(text)
    names = ("gb18030", "utf-16-le", "utf-16-be", "big5hkscs")
    candidates = [text for encoding in names if (text := _strict(data, encoding) or _damaged(data, encoding))]
    # `max` keeps the first of equals, so a text too short to tell is read as GB18030, the most common by far.
    best = max(candidates, key=plausibility, default="")
    if plausibility(best) <= 0:
        guess = from_bytes(data).best()
        best = str(guess) if guess else best or _lossy(data)
    return _checked(best)


def plausibility(text: str) -> float:
    """How much a decoded text looks like one people wrote; larger is better, ≤ 0 means it does not."""
    solid = _SPACE.sub("", text)
    if not solid:
        return 0.0
    likely = sum(char in _FREQUENT or char in _PUNCTUATION or "0" <= char <= "z" for char in solid)
    return (likely - 5 * _untyped(solid)) / len(solid)


def _nearly_utf8(data: bytes) -> str:
    """The text with U+FFFD where single bytes are damaged, "" where the bytes are not UTF-8."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(char > "\x7f" for char in text) - bad
    return text if good >= _GOOD_TO_BAD * bad else ""


def _strict(data: bytes, encoding: str) -> str:
    """The text, or "" where the bytes are not in this encoding; a character cut off at the very end is forgiven."""
    for cut in (0, 1, 2, 3):
        try:
            return data[: len(data) - cut].decode(encoding)
        except UnicodeDecodeError as error:
            if error.start < len(data) - cut - 4:
                return ""
    return ""


def _damaged(data: bytes, encoding: str) -> str:
    """The text with U+FFFD where single bytes are damaged, "" where that is no rare thing or the encoding is UTF-16."""
    if encoding.startswith("utf-16"):
        return ""
    text = data.decode(encoding, "replace")
    return text if 0 < text.count("\ufffd") * _GOOD_TO_BAD <= len(text) else ""


def _lossy(data: bytes) -> str:
    """UTF-8 or GB18030 with replacement characters, whichever loses less: the garbage check then decides."""
    return min((data.decode(name, "replace") for name in ("utf-8", "gb18030")), key=garbage_ratio)


def _checked(text: str) -> str:
    if len(_CONTROL.findall(text)) > max(_MIN_TELLING, _MAX_CONTROL * len(text)) or _all_control(text):
        raise _not_text()
    return text


def _all_control(text: str) -> bool:
    solid = _SPACE.sub("", text)
    return bool(solid) and not _CONTROL.sub("", solid)


def _not_text() -> DocumentError:
    return DocumentError(
        "这不是文本文件：内容是二进制数据", remedy="请上传它本来的格式，或另存为 UTF-8 文本", code="not_text"
    )
