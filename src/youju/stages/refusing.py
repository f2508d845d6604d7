"""Is what a model begins to write a refusal? Held back until that is known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from youju.text.normal import fold

ENDS, BEGINS = "。.!！", "“\"'*#>：:"
COURTESY = re.compile(r"(?:非常|很|十分)?(?:抱歉|对不起|不好意思|遗憾)[，,。！!]?")
# How a first sentence may begin that refuses in other words; folded.
LEADS = (
    *("根据", "从", "在", "以上", "上述", "所给", "给出", "提供", "现有", "当前", "目前", "已有", "相关", "这些", "该"),
    *("资料", "材料", "文档", "内容", "上下文", "文本", "无法", "没有", "未", "抱歉", "对不起", "不好意思", "遗憾"),
    *("非常抱歉", "很抱歉", "十分抱歉", "很遗憾", "sorry", "i'm", "iam", "the", "these", "based", "no"),
)
REFUSES = re.compile(
    r"(?:没有|并未|未|无|不足以|不够)(?:能|曾|明确|直接|具体|足够|任何|相关)*的?"
    r"(?:找到|提到|提及|说明|涉及|包含|给出|规定|记载|提供|依据|信息|内容|回答|支持|答案)|无法(?:回答|确定|判断|得知)|不足以|"
    r"(?:doesnot|donot|doesn.t|don.t|cannot|can.t|no)(?:contain|provide|mention|specify|state|include|find|answer|information)"
)
FIRST_MAX = 80
"""Characters of a first sentence that is held; a longer one is no refusal."""


def refuses(clause: str) -> bool:
    """Whether a clause says that the material does not tell."""
    return REFUSES.search(fold(clause)) is not None


@dataclass
class Refusing:
    """Passes an answer on, and holds back what may be a refusal.

    The refusal sentence itself at the beginning, a word of regret before it or not, is one; what the model adds to it
    is dropped. A first sentence that refuses in other words holds the whole answer back: `suspect` until its end, when
    whoever asked knows whether anything in it rests on the material.
    """

    sentence: str
    held: str = ""
    open: bool = True
    refused: bool = False
    suspect: bool = False

    def feed(self, text: str, *, ended: bool = False) -> str:
        if self.refused:
            return ""
        if not self.open:
            return text
        self.held += text
        judged = "wait" if self.suspect else self._judged(ended=ended)
        self.refused, self.suspect = judged == "refused", self.suspect or judged == "suspect"
        return self.release() if judged == "passed" else ""

    def release(self) -> str:
        """All that is held; it was no refusal."""
        self.open, self.suspect, text, self.held = False, False, self.held, ""
        return text

    def _judged(self, *, ended: bool) -> Literal["wait", "passed", "suspect", "refused"]:
        wanted = fold(self.sentence).rstrip(ENDS)
        # Folding drops line ends, which end a sentence as well as a full stop does.
        said = fold(self.held.strip().replace("\n", "。")).lstrip(BEGINS)
        bare = COURTESY.sub("", said, count=1).lstrip(BEGINS)
        after = bare[len(wanted) :].lstrip("*”\"'")
        if bare.startswith(wanted) and (after[:1] in {*ENDS, "，", ","} if after else ended):
            return "refused"
        if not ended and (wanted.startswith(bare) or (bare.startswith(wanted) and not after)):
            return "wait"
        first, end, _ = re.sub("[.!！?？；;]", "。", bare).partition("。")
        possible = len(first) <= FIRST_MAX and any(said.startswith(lead) or lead.startswith(said) for lead in LEADS)
        if possible and not end and not ended:
            return "wait"
        return "suspect" if possible and refuses(first) else "passed"
