"""Text as others can bear it: without invisible or unstorable characters, and folded for comparing quotes."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# C0 but \n, DEL, C1, soft hyphen, zero-width and direction marks, BOM, lone surrogates, noncharacters.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufffe\uffff"
    "\ud800-\udfff]"
)


def clean(text: str) -> str:
    r"""The text without what cannot be stored, shown or compared.

    Control characters, lone surrogates, BOM, zero-width and direction marks go; every kind of line end becomes `\n`,
    a tab becomes a space. Never raises; idempotent.
    """
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text)).replace("\t", " ")


@dataclass(frozen=True, slots=True)
class Folded:
    """`offsets[i]` is the index in the original of the character that `text[i]` comes from; never decreasing."""

    text: str
    offsets: tuple[int, ...]


def fold(text: str) -> str:
    """NFKC, lower case, no white space, nothing invisible: two texts that read alike fold alike."""
    # Almost no text has combining marks, and then each character is on its own.
    return fold_with_offsets(text).text if _combined(text) else "".join(map(_fold_cluster, text))


def fold_with_offsets(text: str) -> Folded:
    """`fold(text)` with the way back: quotes found in the folded text can be shown in the original.

    Folding goes character by character (with its combining marks), so that an expansion such as ㎡ → m2 points to the
    one character it comes from.
    """
    if not _combined(text):
        alone = list(map(_fold_cluster, text))
        return Folded("".join(alone), tuple(at for at, piece in enumerate(alone) for _ in piece))
    pieces: list[str] = []
    offsets: list[int] = []
    start = 0
    while start < len(text):
        end = cluster_end(text, start)
        piece = _fold_cluster(text[start:end])
        pieces.append(piece)
        offsets.extend([start] * len(piece))
        start = end
    return Folded("".join(pieces), tuple(offsets))


def cluster_end(text: str, start: int) -> int:
    """The index after the character at `start` and the combining marks that belong to it."""
    end = start + 1
    # A handful of marks is writing; thousands are an attack on whoever normalises them.
    while end < len(text) and end - start < 8 and text[end] > "\u02ff" and unicodedata.combining(text[end]):  # noqa: PLR2004
        end += 1
    return end


def _combined(text: str) -> bool:
    return not text.isascii() and any(map(unicodedata.combining, text))


@lru_cache(maxsize=65536)
def _fold_cluster(cluster: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean(cluster)).lower())
    if folded[:1].isspace():  # ´ is NFKC "space + mark"; a mark alone would join the letter before it
        return ""
    return "".join(folded.split())
