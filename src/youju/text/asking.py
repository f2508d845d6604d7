"""What kind of answer a question expects, and whether a sentence holds one."""

from __future__ import annotations

import re
from typing import Literal

from youju.text.numbers import quantities

AnswerKind = Literal["number", "date", "person", "place", "reason", "steps", "comparison", "other"]


def _any(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


# Order matters: the first pattern that matches decides ("几月几日" is a date although it holds 几).
ASKING: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    ("comparison", _any("区别|不同|差别|差异|相比|对比|比较|分别|各自|哪个更|还是|compare|difference")),
    ("reason", _any("为什么|为何|为啥|原因|理由|凭什么|why")),
    ("date", _any("什么时候|何时|哪一?年|哪一?天|几月|几号|几时|哪个月|日期|when")),
    ("person", _any("谁|哪位|什么人|由哪个(?:部门|人)|who")),
    ("place", _any("哪里|哪儿|何处|什么地方|在哪|哪座城市|where")),
    ("steps", _any("怎么|怎样|如何|步骤|流程|咋|操作方法|how to")),
    (
        "number",
        _any("多少|几[个天年次小分元条章倍级位种台页]|多[久长大高远]|第几|默认值|上限|下限"),
    ),
)
REASON = re.compile(r"因为|由于|因此|所以|以便|以免|为了|是由|原因|目的|之所以|导致|使得|才能|否则")
STEPS = re.compile(
    r"(?m)^\s*(?:\d+[.、)]|[-*•]|[（(][一二三四五六七八九十\d]+[)）]|[①-⑳])|首先|然后|接着|最后|步骤|再|先"
)
PERSON = re.compile("[\u4e00-\u9fff]{1,6}(?:[部处组室长员人师老叔伯爷奶婆妈爸哥姐弟妹]|经理|主管|先生|女士)")
PLACE = re.compile(
    r"[\u4e00-\u9fff]{1,8}(?:[省市县区镇乡村路街巷桥河江湖山站楼室园馆店厂院边里上下旁]|目录|文件夹)|[/\\]\w+"
)


QUESTION_MARK = re.compile(r"[?？][”’」』）)\s]*$")
# "求解析式时…" tells how to do it; "求解析式。" sets a task.
TASK = re.compile(
    r"\s*(?:\d{1,2}[.、)）]\s*|[（(]\d{1,2}[)）]\s*)?"
    r"(?:求(?![^。，]{0,6}时)|证明|判断|写出|计算|比较|画出|解(?:不等式|方程)|化简|试[求说写]|把.{1,30}(?:化成|写成|改写))"
)
TASK_END = re.compile(r"[，；。]\s*(?:试?求|证明|写出|判断)[^，。；]{1,24}[。．]?\s*$")
DAYS = frozenset({"年", "月", "日", "号", "点", "天"})


def kind_of(question: str) -> AnswerKind:
    """The kind of answer the question's wording asks for; "other" when it does not say."""
    return next((kind for kind, pattern in ASKING if pattern.search(question)), "other")


def holds(sentence: str, kind: AnswerKind) -> bool | None:
    """Whether the sentence could be an answer of that kind; None where that cannot be told from its surface."""
    if kind in {"number", "date"}:
        found = quantities(sentence)
        return bool(found) if kind == "number" else any(q.kind == "date" or q.unit in DAYS for q in found)
    pattern = {"reason": REASON, "steps": STEPS, "person": PERSON, "place": PLACE}.get(kind)
    return None if pattern is None else pattern.search(sentence) is not None


def asks(text: str) -> bool:
    """Whether a sentence, or the first item of a list, sets a question or a task instead of telling something."""
    first = text.strip().split("\n", 1)[0]
    return any(found for found in (QUESTION_MARK.search(first), TASK.match(first), TASK_END.search(first)))
