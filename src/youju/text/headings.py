"""Which lines are numbered headings, and what their numbers say about the structure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from youju.text.lessons import opening
from youju.text.normal import clean
from youju.text.numerals import CHARS, parse_cn
from youju.text.sentences import split

Kind = Literal["part", "chapter", "section", "article", "clause", "decimal", "appendix", "list", "block"]


@dataclass(frozen=True, slots=True)
class Numbering:
    """The number at the start of a line.

    `level` orders the kinds, 1 (编, 篇, 卷, 部分) to 6; only the order within one document means something. `number` is
    in Arabic digits ("3", "3.2", "20之1", "A"), "" for 附录 or 证明 alone. `title` is what follows, "" if nothing or if
    it is a sentence (条, 款, 定义).
    """

    level: int
    number: str
    title: str
    kind: Kind


_LONGEST_TITLE = 60
_LEVELS: Mapping[str, tuple[int, Kind]] = MappingProxyType(
    dict.fromkeys(("编", "篇", "卷", "册", "部分", "部", "分编"), (1, "part"))
    | dict.fromkeys(("章", "回", "单元", "讲", "课"), (2, "chapter"))
    | {"节": (3, "section"), "小节": (4, "section"), "条": (4, "article")}
    | {"款": (5, "clause"), "项": (6, "clause"), "目": (6, "clause")}
)
_ORDINAL = re.compile(
    rf"第\s?[（(]?\s?(?P<n>(?:[\d０-９{CHARS}]\s?){{1,16}}+)[）)]?\s?"
    r"(?P<unit>部\s?分|分编|单元|小\s?节|[编篇卷册部章回讲课节条款项目])"
    rf"(?:\s?之\s?(?P<sub>[\d{CHARS}]{{1,4}}))?(?P<gap>[\s:：、.．]*)(?P<title>.*)"
)
# After 第三章 without a space these go on with a sentence, or the ordinal was part of a word (第一节点).
_GOES_ON = re.compile(
    r"[的所中和与及或至到、，,。；;）)]|规定|内容|以[上下内外]|之[一二三四五六七八九十\d]|第|讲述|介绍了|已经|将|是|为|件|点|课|程|积|码|合"
    r"|给出|答|手机|文章|论文|课文|小说|电影|作品|学生|员工|用户"
    # Somewhere later: a verb that titles have not.
    r"|.{1,30}(?:已经|很|正在|了(?!解)|于\d)"
)
_DECIMAL = re.compile(r"(?:§\s?)?(?P<n>\d{1,3}(?:[.．]\d{1,3}){0,5})(?P<dot>[.．、]?)(?P<gap>[\s\u3000]*)(?P<title>.*)")
# 3.2的规定, 3天内: no space, and a sentence or an amount goes on. Titles that begin with the same character are spared.
_NO_TITLE_GLUED = re.compile(
    r"[的所和与及或至到后前]|中(?![央心])|规定|节(?![点能约])|条(?!件)|款|章(?!程)|版(?!本(?:管理|控制|号|说明|历史|记录|升级))"
    r"|元(?![素件数组])|天(?![体文线然])|日(?![常志期程])|月(?![球度报])|年(?![度级报龄代])|个(?![人体性别])|次(?![要数序级函])"
    r"|小时|分钟|秒|毫秒|[%％‰℃°]|米(?!勒)|公里|千米|厘米|毫米|千克|公斤|克|吨|升(?!级)|万(?!能)|亿|倍|岁|名(?!词)|位(?!置)"
    r"|周(?!期)|号(?!码)|度(?!量)|人(?![员工机])"
    r"|[台辆只把座支]|张(?!量)|层(?![次级])|根(?![据式])|种(?![群子植类])|项(?!目)|件|套(?!接)|时(?![间代刻序空差域钟滞])|比\d|分(?:\Z|[钟\s])"
    r"|(?:ms|s|min|h|kg|g|km|cm|mm|m|[KMGT]i?B)(?![A-Za-z])"
)
_NO_TITLE_SPACED = re.compile(
    r"(?:[万亿百千]?(?:美元|元|天|日|月|年|周|小时|分钟|秒|毫秒|米|公里|千米|厘米|毫米|千克|公斤|克|吨|升|倍|岁|名|位|次|人|台|份|页|号|度)"
    r"(?:[每的以之内外后前左/，,。；;、\-~～至到]|起|止|\s|\Z|\d)|个?(?:工作日|自然日|星期|小时|月[内后前])|[%％‰℃°]|万[元人个亿]|[分台套件项种版](?:\Z|\s)|比\s?\d|号[线楼门院]|中[给规所的]"
    r"|千克|公斤|公里|千米|厘米|毫米|吨|升(?![级降序华压])|米(?![制勒兰])|[xX×*]\s?\d"
    r"|(?:[kM]?Hz|GHz|[mk]?[VAW]|kWh|[kM]?Pa|[NJKLΩ]|mL|dB|rpm)(?:\Z|[\s，,。/](?![类级型组区相端]))"
    r"|(?:ms|s|min|h|kg|g|km|cm|mm|m|[KMGT]i?B)(?![A-Za-z])|倍)"
)
# After a whole number and a space: a measure word, unless a word begins with its character.
_MEASURE = re.compile(
    r"个(?![人体性别案])|天(?![体文线然堂空气])|日(?![常志期程])|只(?![读有能])|位(?![置移图姿])|号(?![码召])|台(?![账湾风])"
    r"|名(?![词称目单])|次(?![要数序级函生])|种(?![群子植类])|[件辆]|套(?![接餐])|元(?![素件数组宵])|摄氏|小时|分钟"
    r"|周(?![期边报])|月(?![球度报])|年(?![度级报龄代终])|人(?![员工机力才事文体物])|条(?![件款例码])|张(?![量力])|层(?![次级压])"
    r"|根(?![据式源])|页(?![面眉脚])|份(?!额)"
)
_FORMULA = re.compile(r"[=＝≠≤≥<>＋×÷±∈]|^[+\-*/−]")
_APPENDIX = re.compile(
    rf"(?P<name>附录|附件|附表|Appendix|APPENDIX|Annex)\s?(?P<n>[A-ZＡ-Ｚ](?:[.．]\d{{1,3}})*|[\d０-９]{{1,3}}|[{CHARS}]{{1,4}})?"
    r"(?![A-Za-z\d])(?P<gap>[\s:：、.．]*)(?P<title>.*)"
)
_LETTERED = re.compile(r"(?P<n>[A-Z](?:[.．]\d{1,3}){1,4})\s(?P<title>[\u4e00-\u9fffA-Z].*)")
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ENGLISH = re.compile(
    rf"(?P<name>Part|Chapter|Section|Sec\.|Article)\s(?P<n>\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}|[IVXLC]{{1,7}}|{'|'.join(_WORDS)})"
    r"(?![\w])[\s:.\-–—]*(?P<title>.*)",
    re.IGNORECASE,
)
_ROMAN: Mapping[str, int] = MappingProxyType({"I": 1, "V": 5, "X": 10, "L": 50, "C": 100})
_ENGLISH_LEVELS: Mapping[str, tuple[int, Kind]] = MappingProxyType(
    {
        "part": (1, "part"),
        "chapter": (2, "chapter"),
        "section": (3, "section"),
        "sec.": (3, "section"),
        "article": (4, "article"),
    }
)
_CHINESE_LIST = re.compile(
    rf"(?:(?P<n>[{CHARS}]{{1,4}})(?:[、．.]|(?P<space> )(?=[\u4e00-\u9fff]{{2}}))"
    rf"|(?P<open>[（(])\s?(?P<p>[{CHARS}]{{1,4}})\s?[）)])\s?(?P<title>.*)"
)
_TOC = re.compile(
    r"(?:(?:[.．·•・]\s?){4,}|[…‥⋯]{1,}\s*[…‥⋯.]*|_{4,}|-{5,})\s*[（(]?(?:\d{1,4}|[ivxlc]{1,7})[）)]?\s*\Z",
    re.IGNORECASE,
)
_TOC_GAP = re.compile(r"\S(?:\t+|[ \u3000]{3,})[（(]?\d{1,4}[）)]?\s*\Z")


def numbering(line: str) -> Numbering | None:
    """The numbering of a heading, article or block at the start of `line`; None for anything else.

    Not for sentences that merely begin with a number, list items (1. …), dates, amounts or lines of a table of
    contents. Never raises.
    """
    text = " ".join(clean(line).replace("**", "").split())
    if not text or is_toc_line(line) or len(text) > 5000:  # noqa: PLR2004
        return None
    if "㈠" <= text[0] <= "㈩":
        text = unicodedata.normalize("NFKC", text[0]) + text[1:]
    readers = (_ordinal, _english, _appendix, _lettered, _block, _chinese_list, _decimal)
    return next((found for reader in readers if (found := reader(text))), None)


def is_toc_line(line: str) -> bool:
    """Whether the line ends with a leader and a page number, as in a table of contents."""
    text = clean(line.replace("\t", "   ")).rstrip()
    if _TOC.search(text[-200:]):
        return True
    return bool(_TOC_GAP.search(text[-200:])) and any(
        pattern.match(text.strip()) for pattern in (_ORDINAL, _APPENDIX, _CHINESE_LIST, _DECIMAL, _ENGLISH)
    )


def _ordinal(text: str) -> Numbering | None:
    match = _ORDINAL.match(text)
    number = parse_cn(match["n"]) if match else None
    if not match or number is None:
        return None
    title, unit = match["title"], "".join(match["unit"].split())
    level, kind = _LEVELS[unit]
    runs_on = kind in {"article", "clause"} and title[:1] not in set("【[（(")
    if title and not match["gap"] and (runs_on or _GOES_ON.match(title)):
        return None
    if "、" in match["gap"] and title.startswith("第"):
        return None
    sub = parse_cn(match["sub"] or "")
    written = str(number) if sub is None else f"{number}之{sub}"
    if kind in {"article", "clause"}:
        return Numbering(level, written, _bracketed(title), kind)
    return Numbering(level, written, title, kind) if _is_title(title) else None


def _bracketed(title: str) -> str:
    """The title of an article: 【目的】…, （目的）… or all of a line that is no sentence."""
    match = re.match(r"[【\[（(]([^】\]）)]{1,30})[】\]）)]", title)
    return match[1] if match else title if _is_title(title) and len(title) <= 20 else ""  # noqa: PLR2004


def _english(text: str) -> Numbering | None:
    match = _ENGLISH.match(text)
    if not match or not _is_title(match["title"]) or match["title"][:1].islower():
        return None
    level, kind = _ENGLISH_LEVELS[match["name"].lower()]
    return Numbering(level, _english_number(match["n"]), match["title"], kind)


def _english_number(written: str) -> str:
    if written[0].isdigit():
        return written
    if written.lower() in _WORDS:
        return str(_WORDS.index(written.lower()) + 1)
    values = [_ROMAN[letter] for letter in written.upper()]
    return str(sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True)))


def _appendix(text: str) -> Numbering | None:
    match = _APPENDIX.match(text)
    if not match or not _is_title(match["title"]):
        return None
    if match["title"] and not match["gap"] and (not match["n"] or _GOES_ON.match(match["title"])):
        return None
    return Numbering(2 + (match["n"] or "").count("."), _arabic(match["n"] or ""), match["title"], "appendix")


def _lettered(text: str) -> Numbering | None:
    """A.1 …: a section of an appendix."""
    match = _LETTERED.match(text)
    if not match or not _is_title(match["title"]):
        return None
    number = _arabic(match["n"])
    return Numbering(min(2 + number.count("."), 6), number, match["title"], "appendix")


def _block(text: str) -> Numbering | None:
    found = opening(text)
    if found is None:
        return None
    return Numbering(6, _arabic(found.number), found.title if _is_title(found.title) else "", "block")


def _chinese_list(text: str) -> Numbering | None:
    match = _CHINESE_LIST.match(text)
    number = parse_cn(match["n"] or match["p"]) if match else None
    if not match or number is None or not match["title"] or not _is_title(match["title"]):
        return None
    return Numbering(5 if match["open"] else 4, str(number), match["title"], "list")


def _decimal(text: str) -> Numbering | None:
    match = _DECIMAL.match(text)
    marked = text[:1] == "§"
    if not match or (not match["title"] and match["dot"]) or (not marked and _is_address(match["n"])):
        return None
    number, title = unicodedata.normalize("NFKC", match["n"]), match["title"]
    depth = number.count(".")
    if not title:
        return Numbering(min(2 + depth, 6), number, "", "decimal") if marked or depth > 1 else None
    glued = not match["gap"] and not match["dot"]
    item = match["dot"] and not depth  # 1. is an item of a list
    amount = (_NO_TITLE_GLUED if glued else _NO_TITLE_SPACED).match(title) or (not depth and _MEASURE.match(title))
    if not marked and (item or amount or number.startswith("0") or (not depth and int(number) > 99)):  # noqa: PLR2004
        return None
    if glued and not "\u4e00" <= title[0] <= "\u9fff":
        return None
    return Numbering(min(2 + depth, 6), number, title, "decimal") if _is_title(title) and _begins_title(title) else None


def _is_address(number: str) -> bool:
    """192.168.1.1, 1.0.3: a network address or a version."""
    parts = [int(part) for part in number.replace("．", ".").split(".")]
    return max(parts[1:], default=0) > 99 or (len(parts) > 2 and 0 in parts)  # noqa: PLR2004 - of sections


def _begins_title(title: str) -> bool:
    return title[0].isalpha() or title[0] in "“‘「『《〈【"


def _arabic(number: str) -> str:
    value = parse_cn(number)
    return str(value) if value is not None else unicodedata.normalize("NFKC", number)


def _is_title(text: str) -> bool:
    """Whether what follows the number can be a title: short, one piece, no formula, no end of a sentence."""
    if not text:
        return True
    if len(text) > _LONGEST_TITLE or text[-1] in "。；;，,、：:" or _FORMULA.search(text):
        return False
    return len(split(text)) == 1 and text.count("，") + text.count(",") < 2 and not text.endswith(".")  # noqa: PLR2004
