"""Sections of questions and answers: a question with its answer is one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from youju.ingest.chunkers import by_structure
from youju.ingest.chunkers.base import Section
from youju.types import Block

_ASKED = re.compile(r"^\s*(?:问题?|[Qq](?:uestion)?)\s*\d*\s*[:：.．、]\s*(?=\S)")
_NAME_MAX = 60


def is_question(block: Block) -> bool:
    """Whether a block asks: 问：…, Q1: …, or a heading that ends with a question mark."""
    asks = block.text.rstrip().endswith(("？", "?"))
    return bool(_ASKED.match(block.text)) or (block.kind == "heading" and asks)


def _with_question(section: Section) -> tuple[Block, ...]:
    """The section's blocks, after the heading itself where that is the question."""
    asked = section.path[-1] if section.path else ""
    first = section.blocks[0]
    if not is_question(replace(first, kind="heading", text=asked)) or is_question(first):
        return section.blocks
    return (replace(first, kind="text", text=asked, boxes=()), *section.blocks)


def sections(blocks: Sequence[Block]) -> list[Section]:
    """One section a question; the question is the end of its path and the beginning of its text.

    The text alone is embedded, and what people ask resembles the question more than the answer.
    """
    found: list[Section] = []
    for section in by_structure.sections(blocks):
        number = 0
        marks = []
        for block in _with_question(section):
            number += is_question(block)
            marks.append((number, block))
        for _, group in groupby(marks, key=lambda mark: mark[0]):
            inside = tuple(block for _, block in group)
            asked = inside[0].text.split("\n")[0]
            new = is_question(inside[0]) and asked not in section.path[-1:]
            path = (*section.path, asked[:_NAME_MAX]) if new else section.path
            found.append(Section(path, inside))
    return found
