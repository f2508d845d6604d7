"""Sections of questions and answers: a question with its answer is one."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def sections(blocks: Sequence[Block]) -> list[Section]:
    """One section a question, the question at the end of its path; a question in the text stays in the text too."""
    found: list[Section] = []
    for section in by_structure.sections(blocks):
        number = 0
        marks = []
        for block in section.blocks:
            number += is_question(block)
            marks.append((number, block))
        for _, group in groupby(marks, key=lambda mark: mark[0]):
            inside = tuple(block for _, block in group)
            asked = inside[0].text.split("\n")[0]
            path = (*section.path, asked[:_NAME_MAX]) if is_question(inside[0]) else section.path
            found.append(Section(path, inside))
    return found
