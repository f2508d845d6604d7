"""Sentences in the material that speak to the machine instead of to the reader."""

from __future__ import annotations

import re

# An order to disregard, or an order about the form of the answer: material has no business giving either.
DISREGARD = re.compile(
    r"(?:忽略|无视|忘记|忘掉|不要理会|抛开|绕过)[^。！？\n]{0,12}(?:以上|之前|前面|上述|所有|一切|原有|系统|其他)?[^。！？\n]{0,8}"
    r"(?:资料|规则|指令|提示|要求|说明|内容|设定|限制|材料)"
    r"|(?:ignore|disregard|forget)[^.!?\n]{0,24}(?:previous|above|prior|all|system)[^.!?\n]{0,24}"
    r"(?:instruction|rule|prompt|context|material|message)",
    re.IGNORECASE,
)
DICTATE = re.compile(
    r"(?:只|直接|必须|务必|一律|原样)(?:需要?)?(?:回答|回复|输出|复述|说)[^。！？\n]{0,6}[“\"「『:：]?\s*[A-Z][A-Z0-9_-]{4,}"
    r"|(?:system|assistant|系统)\s*(?:prompt|提示词|消息|message)\s*[:：]"
    r"|<\|?(?:im_start|system|endoftext)",
    re.IGNORECASE,
)


def is_instruction(sentence: str) -> bool:
    """Whether a sentence of the material tries to steer the answering machine; such a sentence is never quoted."""
    return DISREGARD.search(sentence) is not None or DICTATE.search(sentence) is not None
