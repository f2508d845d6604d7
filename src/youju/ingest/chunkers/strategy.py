"""Which way of chunking fits a document, with the reasons."""

from __future__ import annotations

import re
from typing import NamedTuple, get_args

from youju.ingest.chunkers.base import Strategy
from youju.ingest.chunkers.by_article import article
from youju.ingest.chunkers.by_question import is_question
from youju.text.lessons import opening
from youju.text.locators import is_slide
from youju.types import Block, ParsedDocument

_EXERCISES = re.compile(r"习题|练习|复习|小结|例题")
_MIN_SIGNS = 3
_MIN_ARTICLES = 4
_TABLE_SHARE = 0.6
_QUESTION_SHARE = 0.5


STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


class Choice(NamedTuple):
    name: Strategy
    reasons: tuple[str, ...]


def named(name: str) -> Strategy | None:
    """The strategy called `name`; None where it is to be chosen automatically."""
    return next((one for one in STRATEGIES if one == name), None)


def strategy(document: ParsedDocument, asked: Strategy | None = None) -> Choice:
    """The strategy and why, in Chinese: `asked` where that is given, else the one that fits."""
    return Choice(asked, ("按指定的方式切分",)) if asked else _fitting(document)


def _fitting(document: ParsedDocument) -> Choice:
    """The first that fits of: slides, law, qa, table, textbook, manual, plain."""
    if document.blocks and all(is_slide(block.locator) for block in document.blocks):
        return Choice("slides", (f"有 {len({block.locator for block in document.blocks})} 张幻灯片",))
    headings = [block for block in document.blocks if block.kind == "heading"]
    body = [block for block in document.blocks if block.kind != "heading"]
    return _by_opening(document, headings) or _by_body(headings, body)


def _by_opening(document: ParsedDocument, headings: list[Block]) -> Choice | None:
    """Law or qa, where enough blocks begin as theirs do."""
    articles = sum(bool(article(block.text)) for block in document.blocks)
    if articles >= _MIN_ARTICLES and articles * 2 > _sections(headings):
        return Choice("law", (f"有 {articles} 处以“第…条”开头",))
    questions = sum(is_question(block) for block in document.blocks)
    if questions >= _MIN_SIGNS and questions >= _QUESTION_SHARE * _sections(headings):
        return Choice("qa", (f"有 {questions} 个问句带着答案",))
    return None


def _by_body(headings: list[Block], body: list[Block]) -> Choice:
    share = _share(body, "table")
    if share > _TABLE_SHARE:
        return Choice("table", (f"表格占正文的 {share:.0%}",))
    lessons = sum(opening(block.text.split("\n", 1)[0]) is not None for block in body)
    lessons += sum(bool(_EXERCISES.search(block.text)) for block in headings)
    if len(headings) >= _MIN_SIGNS and lessons >= _MIN_SIGNS:
        return Choice("textbook", (f"有 {len(headings)} 个标题", f"有 {lessons} 处定义、例题或习题"))
    technical = sum(block.kind in {"code", "table", "list"} for block in body)
    if len(headings) >= _MIN_SIGNS and technical * 10 >= len(body):
        return Choice("manual", (f"有 {len(headings)} 个标题", f"有 {technical} 处代码、表格或列表"))
    return Choice("plain", (f"有 {len(headings)} 个标题，没有法规、问答、教材或手册的特征",))


def _sections(headings: list[Block]) -> int:
    deepest = max((heading.level for heading in headings), default=0)
    return sum(heading.level == deepest for heading in headings)


def _share(body: list[Block], kind: str) -> float:
    total = sum(len(block.text) for block in body)
    return sum(len(block.text) for block in body if block.kind == kind) / total if total else 0.0
