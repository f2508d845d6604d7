"""Sections of laws and regulations: an article is one, with its paragraphs, items, tables and notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from youju.ingest.chunkers import by_structure
from youju.ingest.chunkers.base import Section
from youju.types import Block

ARTICLE = re.compile(
    r"^\s*第\s*[零〇○一二三四五六七八九十百千两廿卅壹贰叁肆伍陆柒捌玖拾佰仟\d０-９]+(?:\s*[零〇一二三四五六七八九十百千\d０-９]+)*"
    r"\s*条(?:\s*之\s*[一二三四五六七八九十\d]+)?(?=[\s　:：【（(]|$)"
)
_GAP = re.compile(r"\s+")


def article(text: str) -> str:
    """The number an article's first line begins with (第十二条), without inner spaces; "" where it begins with none."""
    found = ARTICLE.match(text)
    return _GAP.sub("", found.group()) if found else ""


def sections(blocks: Sequence[Block]) -> list[Section]:
    """The articles in reading order; what stands before the first one of a chapter is a section by itself."""
    found: list[Section] = []
    for section in by_structure.sections(blocks):
        number = 0
        marks = []
        for block in section.blocks:
            number += bool(article(block.text))
            marks.append((number, block))
        for _, group in groupby(marks, key=lambda mark: mark[0]):
            found.append(_named(section, tuple(block for _, block in group)))
    return found


def _named(section: Section, blocks: tuple[Block, ...]) -> Section:
    """The section with the article's number at the end of its path, so that a source can name it."""
    name = article(blocks[0].text)
    path = section.path
    if name and not (path and article(path[-1])):
        path = (*path, name)
    return replace(section, path=path, blocks=blocks)
