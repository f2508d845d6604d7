"""The words that turn a sentence round: negations, prohibitions, waivers, exceptions, bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping

from youju.text.normal import fold

# Looked for first and passed over: words with 不, 非, 无, 未 or 免 in them that turn nothing round.
_NEUTRAL = """
不得不 不能不 不可不 无不 无非 不可避免 不可或缺 不仅 不但 不只 不光 不论 不管 不断 不同 不等 不久 不过 不少 不一定
不妨 不如 不止 不动产 不锈钢 不定 不良 不足 不满 差不多 了不起 对不起 来不及 不可抗力 是不是 能不能 要不要 可不可以
会不会 有没有 是否 否则 非常 非洲 除非 未来 未婚 未遂 未知 未必不 无论 无线 无限 无机 无理 无穷 无锡 无意 无形
无障碍 无人机 没收 避免 难免 以免 未免 豁免权 免疫 免得 除法 除数 除以 整除 删除 解除 消除 排除 扣除 清除 移除 去除
非营利
"""
# The order is the order of reading: 不得超过 is a bound before it is a prohibition.
_CHINESE: tuple[tuple[str, str], ...] = (
    (
        "at_most",
        "不得超过 不能超过 不应超过 不超过 不得高于 不高于 不得多于 不多于 不大于 不晚于 不迟于 至多 最多 以内 之内",
    ),
    ("at_least", "不得少于 不能少于 不应少于 不少于 不得低于 不低于 不小于 不早于 至少 最少"),
    ("over", "超过 高于 多于 大于 晚于 迟于 超出"),
    ("under", "少于 低于 小于 早于 未满"),
    ("neutral", _NEUTRAL),
    ("forbidden", "不得 禁止 严禁 不准 不许 不可以 不能够 不能 不可 不允许 不应当 不应该 不应 不宜 切勿 请勿 勿"),
    ("unneeded", "无需 无须 毋须 毋需 不需要 不需 不必 不用 免于 免除 免费 减免 免"),
    ("without", "未经"),
    ("except", "除外 例外 除了 除"),
    ("not", "并不 并非 不会 不是 不 没有 没 未 非 无"),
)
_ENGLISH: tuple[tuple[str, str], ...] = (
    ("at_most", r"no (?:more|later|longer) than|at most"),
    ("at_least", r"no (?:less|fewer|earlier) than|at least"),
    ("neutral", r"not only|no doubt"),
    ("forbidden", r"(?:must|shall|may|can) ?not|mustn't|can't|prohibit\w*|forbid\w*"),
    ("unneeded", r"need(?: not|n't)|not (?:required|necessary)|no need"),
    ("without", r"without"),
    ("except", r"except|unless|exclud\w+"),
    ("not", r"not|\w+n't|no|never|none"),
)


def _chinese() -> re.Pattern[str]:
    groups: list[str] = []
    for name, words in _CHINESE:
        ordered = sorted(words.split(), key=lambda word: (-len(word), word))
        groups.append(f"(?P<{name}>{'|'.join(ordered)})")
    return re.compile("|".join(groups))


_IN_CHINESE = _chinese()
_IN_ENGLISH = re.compile(r"\b(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _ENGLISH) + r")\b")
_CONFLICTS: Mapping[str, frozenset[str]] = {
    "at_most": frozenset({"over", "at_least"}),
    "at_least": frozenset({"under", "at_most"}),
    "over": frozenset({"at_most", "under"}),
    "under": frozenset({"at_least", "over"}),
}


def polarity(text: str) -> frozenset[str]:
    """Which classes of words the text holds: not, forbidden, unneeded, without, except, and the bounds
    at_most, at_least, over, under. Words such as 不同, 不仅 or 非常 belong to none.
    """
    found = [match.lastgroup for match in _IN_CHINESE.finditer(fold(text))]
    found += [match.lastgroup for match in _IN_ENGLISH.finditer(text.lower().replace("’", "'"))]
    return frozenset(name for name in found if name and name != "neutral")


def same_polarity(a: str, b: str) -> bool:
    """Whether two sentences about one thing agree as far as negation and bounds go.

    Negations must be the same, where a prohibition counts as a plain negation (不能 … 不 …). Bounds may be left out
    (3天以内, 3天) but must not be opposed (至少, 至多; 超过, 不超过).
    """
    one, two = polarity(a), polarity(b)
    if _negations(one) != _negations(two):
        return False
    return not any((_CONFLICTS.get(bound, frozenset()) & two) - one for bound in one)


def _negations(classes: frozenset[str]) -> frozenset[str]:
    return frozenset("not" if name == "forbidden" else name for name in classes if name not in _CONFLICTS)
