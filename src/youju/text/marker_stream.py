"""Citation markers cleaned while an answer is being written: what comes out, piece by piece, is `markers.clean`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from youju.text.brackets import (
    AHEAD,
    BRACKET,
    GAP,
    OPEN,
    OPENERS,
    REACH,
    SPACES,
    SPANS,
    Bracket,
    Rule,
    Span,
    bracket,
    narrow,
    settle,
    undecided,
)
from youju.text.normal import fold

_FENCES = ("```", "~~~")
_SPECIAL = re.compile(rf"[{re.escape(OPENERS)}`$~\\]")
_OPENER = re.compile(rf"[{re.escape(OPENERS)}]")
# What more characters can turn into something else: a fence, a formula, an amount.
_UNCERTAIN = re.compile(r"``?|~~?|\\|\$(?:[\d.,]{1,15}(?: [A-Za-z]?)?)?")
_STOPS = {span.opener: re.compile(span.stop) for span in SPANS}
_UNLESS = {span.opener: re.compile(span.unless) for span in SPANS}
_UNENDED = {span.opener: re.compile(span.unended) for span in SPANS}


class Cleaner:
    """The text without markers that resolve to none of `allowed`, as early as it is certain.

    However the text is cut into pieces, what `feed` and `end` give joins to `markers.clean(text, allowed, material)`.
    Prose comes out at once. What waits: spaces; a bracket until it is known whether the clause ends behind it; brackets
    in what may be code or a formula until that ends. Time is linear in the text.
    """

    def __init__(self, allowed: Iterable[int], material: str = "") -> None:
        self._rule = Rule(frozenset(allowed), fold(material))
        self._out: list[str] = []
        self._removed: list[str] = []
        self._rest = ""  # not yet walked through
        self._left = ""  # the end of what was, as it stays, code and formulas blotted out
        self._group: list[Bracket] = []
        self._fence = ""
        self._span: _Waiting | None = None
        self._ahead = 0  # characters that went out before they were walked through

    @property
    def text(self) -> str:
        """All that came out so far."""
        return "".join(self._out)

    @property
    def removed(self) -> tuple[str, ...]:
        """The markers, or parts of one, that were removed so far, in order of the text."""
        return tuple(self._removed)

    def feed(self, piece: str) -> str:
        """What is certain by now and did not come out before."""
        if self._span and not self._span.stops(piece):
            return self._given([self._certain(self._span, piece)])
        self._rest = self._span.whole() if self._span else self._rest + piece
        self._span = None
        return self._given(self._walk(final=False))

    def end(self) -> str:
        """The rest, once the text has ended."""
        if self._span:
            self._rest, self._span = self._span.whole(), None
        return self._given(self._walk(final=True))

    def _given(self, pieces: list[str]) -> str:
        given = "".join(pieces)
        self._out.append(given)
        return given

    def _walk(self, *, final: bool) -> list[str]:
        out: list[str] = []
        rest, at = self._rest, 0
        while at < len(rest) or (final and self._group):
            if self._fence:
                at, wait = self._fenced(rest, at, out), False
            elif self._group:
                at, wait = self._grouped(rest, at, out, final=final)
            else:
                at, wait = self._prose(rest, at, out, final=final)
            if wait:
                break
        self._rest = "" if self._span else rest[at:]
        return out

    def _emit(self, text: str, out: list[str], *, blot: bool = False) -> None:
        if not text:
            return
        self._left = (self._left + ("\x00" * min(len(text), REACH) if blot else text[-REACH:]))[-REACH:]
        out.append(text[self._ahead :])
        self._ahead = max(0, self._ahead - len(text))

    def _fenced(self, rest: str, at: int, out: list[str]) -> int:
        """Through code to the end of its fence, which may have begun in an earlier piece."""
        fence, begun = self._fence[:3], self._fence[3:]
        found = (begun + rest).find(fence) - len(begun) if begun else rest.find(fence, at)
        closed = found >= -len(begun) if begun else found >= 0
        end = found + len(fence) if closed else len(rest)
        self._emit(rest[at:end], out, blot=True)
        self._fence = "" if closed else fence + (begun + rest[at:])[-2:]
        return end

    def _grouped(self, rest: str, at: int, out: list[str], *, final: bool) -> tuple[int, bool]:
        """Another bracket of the group, or the group as it stays."""
        gap = GAP.match(rest, at)
        beside = gap.end() if gap else at
        more = BRACKET.match(rest, beside)
        if more:
            self._group.append(bracket(more, rest[at:beside]))
            return more.end(), False
        after = rest[at : at + AHEAD]
        if not final and (beside == len(rest) or OPEN.fullmatch(rest, beside) or undecided(after)):
            return at, True
        settled = settle(self._left, self._group, after, self._rule)
        self._emit(settled.text, out)
        self._removed += settled.removed
        self._group = []
        return at, False

    def _prose(self, rest: str, at: int, out: list[str], *, final: bool) -> tuple[int, bool]:
        special = _SPECIAL.search(rest, at)
        end = special.start() if special else len(rest)
        plain = rest[at:end]
        wide = self._left.endswith(tuple(SPACES)) and not plain.strip(SPACES)
        gap = "" if wide or (final and not special) else narrow(plain)
        self._emit(plain[: len(plain) - len(gap)], out)
        if not special:
            return end - len(gap), True
        if special.group() in OPENERS:
            return self._bracket(rest, end, gap, out, final=final)
        self._emit(gap, out)
        if not final and _UNCERTAIN.fullmatch(rest, end):
            return end, True
        return self._code(rest, end, out, final=final)

    def _bracket(self, rest: str, at: int, gap: str, out: list[str], *, final: bool) -> tuple[int, bool]:
        found = BRACKET.match(rest, at)
        if found:
            self._group = [bracket(found, gap)]
            return found.end(), False
        if not final and OPEN.fullmatch(rest, at):
            return at - len(gap), True
        self._emit(gap + rest[at], out)
        return at + 1, False

    def _code(self, rest: str, at: int, out: list[str], *, final: bool) -> tuple[int, bool]:
        """Through code or a formula, into a fence, or past a character that is neither."""
        if rest.startswith(_FENCES, at):
            self._fence = rest[at : at + 3]
            self._emit(self._fence, out, blot=True)
            return at + 3, False
        for span in SPANS:
            begin = at + len(span.opener)
            if not rest.startswith(span.opener, at) or not _UNLESS[span.opener].match(rest, begin):
                continue
            stop = _STOPS[span.opener].search(rest, begin)
            if stop and stop.group() == span.closer and _UNENDED[span.opener].match(rest, stop.start()):
                self._emit(rest[at : stop.end()], out, blot=True)
                return stop.end(), False
            if not stop and not final:
                self._span = _Waiting(span, rest[at:])
                out.append(self._certain(self._span, rest[at:]))
                return len(rest), True
        self._emit(rest[at], out)
        return at + 1, False

    def _certain(self, waiting: _Waiting, piece: str) -> str:
        """What of the piece is the same whether it is code or not, without what is out."""
        known = max(0, self._ahead - waiting.certain)
        new = waiting.sure(piece)
        self._ahead = max(self._ahead, waiting.certain)
        return new[known:]


class _Waiting:
    """What may be code or a formula, collected until its first stop."""

    def __init__(self, span: Span, text: str) -> None:
        self.certain = 0
        self._stop = _STOPS[span.opener]
        self._pieces = [text]
        self._recent = text[len(span.opener) :][-2:]
        self._blank: str | None = ""  # spaces that may go with a bracket; None behind the first bracket

    def stops(self, piece: str) -> bool:
        """Whether the first stop is in the text now, with the piece."""
        self._pieces.append(piece)
        recent = self._recent + piece
        self._recent = recent[-2:]
        return self._stop.search(recent) is not None

    def whole(self) -> str:
        """All of it."""
        return "".join(self._pieces)

    def sure(self, piece: str) -> str:
        """What comes before the first bracket and the spaces before it."""
        if self._blank is None:
            return ""
        found = _OPENER.search(piece)
        text = self._blank + (piece[: found.start()] if found else piece)
        blank = narrow(text)
        self._blank = None if found else blank
        new = text[: len(text) - len(blank)]
        self.certain += len(new)
        return new
