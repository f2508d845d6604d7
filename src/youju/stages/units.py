"""The pieces of a chunk that can be quoted whole: a sentence, a list with its lead-in, a table row with its heads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from youju.text.injection import is_instruction
from youju.text.sentences import split
from youju.text.tables import RULE
from youju.types import Chunk, Span

ITEM = re.compile(r"\s*(?:[-*•·]\s|\d{1,2}[.、)）]\s?|[（(][一二三四五六七八九十\d]{1,3}[)）]|[①-⑳])")
ASKED = re.compile(r"\s*(?:问|[Qq](?:uestion)?)\s*[:：]")
LABEL = re.compile(r"\s*(?:答|[Aa](?:nswer)?)\s*[:：]\s*")
SHORT = 60
LEANING = re.compile(
    r"(?:这|那|其|该|此|它|他|她|因此|所以|但是?|然而|而且|并且|同时|另外|否则|于是|从而|反之|相反|也就是说|即|前者|后者|上述|以上|两者)"
)
# 试用期员工除外。 What takes back or ends the sentence before it.
EXCEPTION = re.compile(
    r"\s*(?:但|不过|然而|除非)|除外|不在此(?:列|限)|不适用|例外|(?:停止|不再|暂停)(?:执行|适用|施行)|失效|作废|另有(?:规定|约定)"
)
LIST_MAX = 420


@dataclass(frozen=True)
class Unit:
    """`span` is what is quoted; `leans`: it needs the sentence before.

    `lead` is shown before it and not quoted: the heads of a table, what introduces a long list.
    """

    span: Span
    text: str
    lead: str = ""
    leans: bool = False
    listed: bool = False

    @property
    def excepts(self) -> bool:
        """Whether it limits the sentence before it, which must then not be quoted alone."""
        return EXCEPTION.match(self.text) is not None or (
            len(self.text) <= SHORT and EXCEPTION.search(self.text) is not None
        )


def units(chunk: Chunk) -> list[Unit]:
    """The quotable pieces of a chunk in reading order, without those that try to instruct the machine.

    A list short enough is one unit together with the line that introduces it; a long one gives a unit an item. A table
    gives a unit a row. Code is one unit.
    """
    if chunk.kind == "code":
        found = [Unit(Span(0, len(chunk.text)), chunk.text)]
    else:
        found = list(_lists(chunk.text, list(_pieces(chunk.text))))
    # In a question-and-answer chunk the question is the heading, or stands after 问：; the answer begins after 答：.
    asked = chunk.section[-1:]
    told = [_without_label(unit) for unit in found if unit.text.strip() not in asked and not ASKED.match(unit.text)]
    return [unit for unit in told if unit.text.strip() and not is_instruction(unit.text)]


def _without_label(unit: Unit) -> Unit:
    label = LABEL.match(unit.text)
    if not label:
        return unit
    return replace(unit, span=Span(unit.span.start + label.end(), unit.span.end), text=unit.text[label.end() :])


def _pieces(text: str) -> Iterator[Unit]:
    head: list[str] = []
    in_table, in_item, end = False, False, 0
    for span in split(text):
        piece = text[span.start : span.end]
        # What follows an item on its line belongs to it: steps are often told in two sentences.
        in_item = ITEM.match(piece) is not None or (in_item and "\n" not in text[end : span.start])
        end = span.end
        if not piece.lstrip().startswith("|"):
            in_table = False
            leans = LEANING.match(piece.lstrip()) is not None
            yield Unit(span, piece, leans=leans, listed=in_item)
        elif not in_table:
            in_table, head = True, [piece]
        elif RULE.fullmatch(piece.strip()):
            head.append(piece)
        else:
            yield Unit(span, piece, lead="\n".join(line.strip() for line in head))


def _lists(text: str, pieces: list[Unit]) -> Iterator[Unit]:
    at = 0
    while at < len(pieces):
        stop = at
        while stop < len(pieces) and pieces[stop].listed:
            stop += 1
        introduced = at + 1 < len(pieces) and pieces[at + 1].listed and pieces[at].text.rstrip().endswith((":", "："))
        if stop == at and introduced:
            stop = at + 1
            while stop < len(pieces) and pieces[stop].listed:
                stop += 1
        whole = stop - at > 1 and pieces[stop - 1].span.end - pieces[at].span.start <= LIST_MAX
        if whole:
            span = Span(pieces[at].span.start, pieces[stop - 1].span.end)
            yield Unit(span, text[span.start : span.end], leans=pieces[at].leans, listed=True)
        else:
            # All of it: looked at again from its second item on, the rest of a long list would pass for a short one.
            stop = max(stop, at + 1)
            lead = pieces[at].text.strip() if introduced and not pieces[at].listed else ""
            # 下列费用不得报销： an item of a long list means nothing, or the opposite, without what introduces it.
            yield from (replace(one, lead=lead) if one.listed and lead else one for one in pieces[at:stop])
        at = stop
