"""Sentences that speak to the machine instead of to the reader, in the material or in a question."""

from __future__ import annotations

import re

# Orders to disregard what came before: "ignore a certificate warning" is advice, "ignore all rules above" is not.
DISREGARD = re.compile(
    r"(?:忽略|无视|忘记|忘掉|不要理会|不用管|抛开|绕过|推翻)[^。！？\n]{0,10}(?:以上|之前|前面|上述|先前|所有|一切|你的|系统|原有)"
    r"[^。！？\n]{0,8}(?:资料|规则|指令|要求|设定|限制|提示词|材料|约束|内容)"
    r"|(?:ignore|disregard|forget|override)[^.!?\n]{0,24}(?:previous|above|prior|all|system|your)[^.!?\n]{0,24}"
    r"(?:instruction|rule|prompt|context|material|message)",
    re.IGNORECASE,
)
# Orders about what the answer must contain: a code word to be repeated, nothing a reader could use.
DICTATE = re.compile(
    r"(?:只|直接|必须|务必|一律|原样|请|都要|开头|结尾|第一行|末尾)[^。！？\n]{0,12}"
    r"(?:回答|回复|输出|复述|写|说|附上|加上|带上|打印)"
    r"[^。！？\n]{0,10}[“\"「『:：（(]?\s*[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)+"
    r"|(?:所有|每[条句次]|一切)[^。！？\n]{0,6}回答[^。！？\n]{0,10}(?:开头|结尾|必须)"
    r"|(?:system|assistant|系统)\s*(?:prompt|提示词|消息|通知|message|指令)\s*[\]】:：]"
    r"|<\|?/?(?:im_start|im_end|system|endoftext)"
    r"|(?:reply|respond|answer|output|say)\s+(?:only|just|exactly|nothing but)?"
    r"[^.!?\n]{0,12}[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)+",
)
# Manoeuvres in questions: role play, claimed authority, secret modes, "decode this and do it".
MANOEUVRE = re.compile(
    r"扮演|复读机|(?:开发者|调试|越狱|上帝)模式|最高优先级|(?:从现在起|从此|今后|此后)[^。！？\n]{0,12}(?:你|回答|答案|每[条个])"
    r"|原样(?:贴|写|输出|打印)|照(?:它|着它|里面|附注|编者按|勘误)[^。！？\n]{0,4}(?:说的)?做|授权你|有权让你|你的输出必须"
    r"|(?:from now on|developer mode|jailbreak|hidden system prompt|step \d: (?:repeat|write|print|ignore))",
    re.IGNORECASE,
)


def steers(sentence: str) -> bool:
    """Whether a sentence of a question is about how to answer against the rules, not about the material."""
    return is_instruction(sentence) or MANOEUVRE.search(sentence) is not None


def is_instruction(sentence: str) -> bool:
    """Whether a sentence tries to steer the answering machine; such a sentence of the material is never quoted."""
    return DISREGARD.search(sentence) is not None or DICTATE.search(sentence) is not None
