"""Where sentences begin and end, in Chinese, English and the mixture of both."""

from __future__ import annotations

import re

from youju.types import Span

LONG = 120
"""Beyond so many characters a sentence is also cut at a semicolon."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CLOSERS = "”’」』）)]】》〉］"
_END = re.compile(r"[。！？｡!?]+|[.．]+|[；;]")
_ENUMERATOR = re.compile(r"\s*(?:[（(][一二三四五六七八九十百\d]{1,4}[）)]|[①-⑳])")
_NUMBERING = re.compile(r"\s*(?:[-*+]\s+|[（(])?(?:[\d０-９]{1,4}(?:[.．][\d０-９]{1,4})*|[A-Za-z]|[IVXivx]{1,5})")
_ABBREVIATION = re.compile(
    r"(?:^|[^A-Za-z])(?:e\.g|i\.e|etc|cf|vs|al|approx|mr|mrs|ms|dr|prof|st|fig|figs|eq|no|nos|sec|ch|vol|pp?|ed|inc|ltd"
    r"|co|[a-z](?:\.[a-z])*)\Z",
    re.IGNORECASE,
)
_FACTORIAL = re.compile(r"(?:\d|(?:^|[^A-Za-z])[a-z])\Z")
_REST = re.compile(r"\s*\Z")
_IS_HAN = re.compile(f"[{_HAN}]")
_STARTS = re.compile(rf"[ \t\u3000]+[A-Z{_HAN}\d“‘「『（(《\"']")


def split(text: str) -> list[Span]:
    """The sentences of `text` in order; together they hold every character that is not white space.

    A sentence ends at 。！？!? ．, at an English full stop, at a line end, and at ； where it is longer than `LONG` or
    an enumerator follows. Closing quotes and brackets stay with it. A list item begins one, a table row is one.
    Decimal points, versions, abbreviations, numbering and addresses end none. Never raises; linear time.
    """
    spans: list[Span] = []
    start = 0
    for line in text.splitlines(keepends=True):
        spans.extend(_of_line(text, start, start + len(line)))
        start += len(line)
    return spans


def windows(text: str, most: int) -> list[Span]:
    """Runs of whole sentences of at most `most` characters, in order, without overlap; a longer sentence is alone."""
    runs: list[Span] = []
    for span in split(text):
        if runs and span.end - runs[-1].start <= most:
            runs[-1] = Span(runs[-1].start, span.end)
        else:
            runs.append(span)
    return runs


def _of_line(text: str, start: int, end: int) -> list[Span]:
    cuts = [] if text[start:end].lstrip().startswith("|") else _cuts(text, start, end)
    spans: list[Span] = []
    for begin, stop in zip([start, *cuts], [*cuts, end], strict=True):
        piece = text[begin:stop]
        if not piece.strip():
            continue
        first = begin + len(piece) - len(piece.lstrip())
        last = begin + len(piece.rstrip())
        if spans and not any(c.isalnum() for c in piece):  # punctuation alone says nothing: it joins what it closes
            spans[-1] = Span(spans[-1].start, last)
        else:
            spans.append(Span(first, last))
    return spans


def _cuts(text: str, start: int, end: int) -> list[int]:
    cuts: list[int] = []
    begin = start
    for match in _END.finditer(text, start, end):
        stop = match.end()
        if stop <= begin or not _ends(text, begin, match, end):
            continue
        begin = _with_closers(text, begin, stop, end)
        cuts.append(begin)
    return cuts


def _ends(text: str, begin: int, match: re.Match[str], end: int) -> bool:
    mark = match.group()
    after = text[match.end() : min(match.end() + 4, end)]
    if mark[0] in "。！？｡":
        return True
    if mark[0] in "!?":
        return _ends_ascii_mark(text, match.start(), after)
    if mark[0] in "；;":
        return match.end() - begin > LONG or _ENUMERATOR.match(text, match.end(), end) is not None
    return _ends_full_stop(text, begin, match, end)


def _ends_ascii_mark(text: str, at: int, after: str) -> bool:
    """Whether ! or ? ends a sentence: not in a?b=c, !=, or a factorial."""
    if not after or after[0].isspace() or after[0] in _CLOSERS + "\"'":
        return True
    if after[0].isascii():
        return False
    return text[at] != "!" or not _FACTORIAL.search(text[max(0, at - 2) : at])


def _ends_full_stop(text: str, begin: int, match: re.Match[str], end: int) -> bool:
    before = text[max(begin, match.start() - 12) : match.start()]
    after = text[match.end() : min(match.end() + 2, end)]
    if len(match.group()) > 1:  # an ellipsis ends a sentence only where the line ends
        return not after.strip()
    if _numbers(text, begin, match.start()) or (before[-1:].isdigit() and after[:1].isdigit()):
        return False
    if match.group() == "．":  # the full stop of Chinese mathematics books
        return not (after[:1].isascii() and after[:1].isalnum())
    if _REST.match(text, match.end(), end) or after[0] in _CLOSERS:
        return True
    if _ABBREVIATION.search(before):
        return False
    glued = _IS_HAN.match(after) is not None and not before[-1:].isdigit()
    return glued or _STARTS.match(text, match.end(), end) is not None


def _numbers(text: str, begin: int, stop: int) -> bool:
    """Whether all there is before the full stop is the number of a heading or list item."""
    return stop - begin < 24 and _NUMBERING.fullmatch(text, begin, stop) is not None  # noqa: PLR2004


def _with_closers(text: str, begin: int, stop: int, end: int) -> int:
    """The index after the closing quotes and brackets that follow `stop`."""
    while stop < end and (text[stop] in _CLOSERS or (text[stop] == '"' and text.count('"', begin, stop) % 2)):
        if text[stop] in "[［【":
            break
        stop += 1
    return stop
