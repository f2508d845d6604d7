"""Sentences that speak to the machine instead of to the reader, in the material or in a question."""

from __future__ import annotations

import re

CODE = r"[“\"「『:：（(]?\s*[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)+"
# Orders to disregard what came before. Advice is none: a warning or a rule that one may or must not ignore.
DISREGARD = re.compile(
    r"(?<!可以)(?<!不得)(?<!不能)(?<!不可)(?<!不要)(?:忽略|忽视|无视|忘记|忘掉|不要理会|不用管|抛开|绕过|推翻)"
    r"[^。！？\n]{0,10}(?:以上|之前|前面|前文|上述|先前|所有|一切|你的|系统|原有)"
    r"[^。！？\n]{0,8}(?:资料|规则|规定|指令|要求|设定|限制|提示词|材料|约束|内容)"
    r"|\b(?:ignore|disregard|forget)\b[^.!?\n]{0,24}\b(?:previous|above|prior|all|your)\b[^.!?\n]{0,24}"
    r"(?:instruction|rule|prompt|context|material|message)",
    re.IGNORECASE,
)
# The machine addressed: as what it is, or as what it shall now be.
ADDRESSED = re.compile(
    r"(?:从现在起|现在)[，,]?你(?:是|就是|不再是)|你(?:现在)?是一(?:个|名|台)[^。，\n]{0,10}(?:助手|模型|机器|程序)"
    r"|(?:AI|人工智能|智能|聊天|问答)(?:助手|模型|机器人|系统)|语言模型"
    r"|助手[^。！？\n]{0,12}(?:应|须|必须|请)[^。！？\n]{0,6}(?:告知|告诉|回答|回复|说)"
    r"|(?:system|assistant|系统)\s*(?:prompt|提示词?|消息|message|指令)\s*[\]】:：]"
    r"|\bif you are an? (?:ai|assistant|language model)\b|\bas an? (?:ai|language model)\b"
    r"|<\|?/?(?:im_start|im_end|endoftext)",
    re.IGNORECASE,
)
SAY = re.compile(
    r"(?:请|须|必须|应当?|一律|只|无论)[^。！？\n]{0,16}(?:说|回答|回复|输出|告知|告诉|声称|打印|停止)|\b(?:must|only|always)\b[^.!?\n]{0,16}"
    r"\b(?:say|answer|reply|respond|output|tell)\b",
    re.IGNORECASE,
)
# Only this code word, and nothing else.
DICTATE = re.compile(
    "|".join(
        (
            r"(?:只|直接|一律)(?:需要?|能|许|准)?(?:回答|回复|输出|复述|打印|写|说)[^。！？\n]{0,6}" + CODE,
            r"(?:所有|每[条句次]|一切)[^。！？\n]{0,6}回答[^。！？\n]{0,12}" + CODE,
            r"(?:系统|system)\s*(?:提示词?|prompt)\s*[:：][^。！？\n]{0,6}你",
            r"(?:reply|respond|answer|output|print|say)\s+(?:only|just|exactly|nothing but)[^.!?\n]{0,12}" + CODE,
        )
    )
)
# Manoeuvres in questions: role play, claimed authority, secret modes, "decode this and do it".
MANOEUVRE = re.compile(
    r"扮演|复读机|(?:开发者|调试|越狱|上帝)模式|最高优先级|(?:从现在起|从此|今后|此后)[^。！？\n]{0,12}(?:你|回答|答案|每[条个])"
    r"|原样(?:贴|写|输出|打印)|照(?:它|着它|里面|附注|编者按|勘误)[^。！？\n]{0,4}(?:说的)?做|授权你|有权让你|你的输出必须"
    r"|(?:所有|每[条句次]|一切)[^。！？\n]{0,6}回答[^。！？\n]{0,10}(?:开头|结尾|必须)|(?:system|系统)\s*(?:通知|消息)"
    r"|(?:from now on|developer mode|jailbreak|hidden system prompt|step \d: (?:repeat|write|print|ignore))",
    re.IGNORECASE,
)
APPENDED = re.compile(
    r"(?:必须|务必|一律|原样|请|都要|开头|结尾|末尾|第一行)[^。！？\n]{0,12}"
    r"(?:回答|回复|输出|复述|写|说|附上|加上|带上|打印)[^。！？\n]{0,10}" + CODE
)


def is_instruction(sentence: str) -> bool:
    """Whether a sentence of the material tries to steer the answering machine; such a sentence is never quoted."""
    if DISREGARD.search(sentence) or DICTATE.search(sentence):
        return True
    return ADDRESSED.search(sentence) is not None and SAY.search(sentence) is not None


def steers(sentence: str) -> bool:
    """Whether a sentence of a question is about how to answer against the rules, not about the material."""
    return any(found for found in (is_instruction(sentence), MANOEUVRE.search(sentence), APPENDED.search(sentence)))
