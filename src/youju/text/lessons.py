"""The blocks of textbooks: examples, exercises, definitions, theorems, proofs, solutions; how such a block begins."""

from __future__ import annotations

import re
from typing import NamedTuple

from youju.text.normal import clean
from youju.text.numerals import CHARS

_NUMBER = rf"[\dA-Z](?:\d{{0,2}})(?:[.．\-][\d０-９]{{1,3}}){{0,3}}|[{CHARS}]{{1,3}}(?![\u4e00-\u9fff])"
_NUMBERED = re.compile(
    r"(?P<open>[【\[]\s?)?(?P<name>例题|例|练习|习题|复习题|定义|定理|性质|推论|引理|命题|公理|法则|思考题|思考|探究|问题|公式|算法)\s?"
    rf"(?P<n>{_NUMBER})(?![A-Za-z\d年月日天个元%])(?P<gap>\s?[】\]]\s?|[\s:：、.．]*)(?P<title>.*)"
)
_NAMED = re.compile(
    r"(?:[【\[]\s?(?P<name>解答|解析|分析|证明|证|解|答案|定义|定理|性质|推论|引理|命题|公理|例题|例|小结|注意)\s?[】\]]"
    r"|(?P<said>解答|解析|证明|证|解|定义|定理|推论|引理|命题|公理)(?=[\s:：]|\Z))[\s:：]*(?P<title>.*)"
)
_ENGLISH = re.compile(
    r"(?P<name>Theorem|Definition|Example|Exercise|Lemma|Corollary|Proposition|Problem|Remark|Algorithm)\s"
    r"(?P<n>\d{1,3}+(?:\.\d{1,3}){0,3}+)(?![\w])(?P<gap>[\s:.()\-–—]*+)(?P<title>(?![a-z]).*)"
)
_ENGLISH_NAMED = re.compile(r"(?P<name>Proof|Solution)(?:[.:]\s?|\Z)(?P<title>.*)")
SOLUTIONS = frozenset({"解答", "解析", "分析", "证明", "证", "解", "答案", "Proof", "Solution"})
"""Names of what belongs to the block before it."""
STATEMENTS = frozenset(
    {"定义", "定理", "性质", "推论", "引理", "命题", "公理", "法则", "公式"}
    | {"Theorem", "Definition", "Lemma", "Corollary", "Proposition"}
)
"""Names of what is to be read in one piece."""
# 例1和例2, 定理3表明: a sentence about the block, not its beginning.
_ABOUT = re.compile(
    r"[的所中和与及或至到、，,。；;）)]|规定|内容|给出|表明|说明|告诉|可知|可得|得|保证|指出|成立|用到|推出|出|是|为|将|已|第"
)


class Opening(NamedTuple):
    """`name` as it is written (例, 证明, Theorem), `number` as well, "" for none; `title` is the rest of the line."""

    name: str
    number: str
    title: str


def opening(line: str) -> Opening | None:
    """How a block begins whose first line is `line`; None where it is no such block. Never raises."""
    text = " ".join(clean(line).replace("**", "").split())
    if found := _NUMBERED.match(text):
        about = not found["gap"] and _ABOUT.match(found["title"])
        return None if about else Opening(found["name"], found["n"], found["title"])
    if found := _NAMED.match(text):
        return Opening(found["name"] or found["said"], "", found["title"])
    if found := _ENGLISH.match(text):
        return Opening(found["name"], found["n"], found["title"])
    if found := _ENGLISH_NAMED.match(text):
        return Opening(found["name"], "", found["title"])
    return None
