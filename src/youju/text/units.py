"""Units as people write them, each with the one name it goes by here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Kind = Literal["number", "percent", "date", "time", "money"]


class Unit(NamedTuple):
    name: str
    kind: Kind


# name: aliases. A working day is no calendar day and neither is plainly a day, so each keeps its name.
_TIME = """秒:秒钟 s sec secs second seconds|毫秒:ms|微秒:us μs µs|纳秒:ns|分钟:min mins minute minutes
小时:个小时 个钟头 h hr hrs hour hours|天:日 day days|工作日:个工作日|自然日:个自然日 日历日 个日历日|交易日:个交易日
周:星期 个星期 礼拜 个礼拜 week weeks|个月:month months|年:year years|季度:个季度|学期:个学期|学年:个学年
课时:个课时|学时:个学时"""
_MONEY = "元:人民币 元人民币 人民币元 块钱 rmb cny yuan|美元:美金 usd|欧元:eur|英镑:gbp|日元:jpy|港元:港币 hkd|角|分钱"
_MEASURE = """公里:千米 km|米:m|厘米:公分 cm|毫米:mm|微米:μm um|纳米:nm|英寸:inch inches|平方米:平米 ㎡ m² m2
平方公里:平方千米 km²|平方厘米:cm²|公顷|亩|立方米:m³ m3|升:L l|毫升:mL ml|千克:公斤 kg|克:g|毫克:mg|吨:t|斤
KB:kb|MB:mb M|GB:gb G|TB:tb T|PB|KiB:kib|MiB:mib|GiB:gib|TiB:tib|字节:bytes byte|bit:bits
Kbps:kbps|Mbps:mbps|Gbps:gbps|MB/s|GB/s|Hz:赫兹|kHz:KHz 千赫|MHz:mhz 兆赫|GHz:ghz|W:瓦|kW:KW 千瓦|kWh:千瓦时|V:伏 伏特
A:安|mA|mAh:毫安时|Ω:欧姆|℃:°C 摄氏度|°:度|px:像素|dpi|rpm|fps|QPS:qps|TPS:tps|dB:分贝|Pa:帕|kPa:千帕|MPa:兆帕
N:牛|J:焦|kcal:千卡|m/s:米/秒|km/h:公里/小时 千米/小时"""
_COUNT = """个|人:名|人次|位|次|遍|份|件|台|套|张|页|倍|级|条|项|种|类|门|步|层|题|股|户|家|辆|岁:周岁|学分|分|核|线程
行|列|字|折|票|本|册|章|节|款|号|组|批|段|篇|间|所|场|届|期|轮|笔|颗|只|头|棵|株|枚|片|块|根|支|盒|箱|袋|瓶|桶|道
点|人天|times"""

# What follows the unit shows that the character belongs to another word: 3个人 but 个人信息, 二次 but 二次函数.
_NOT_BEFORE = """天:体文线然|日:常期程志语本历报益夜|周:年期末一二三四五六边围长|年:级轻龄代度糕纪|米:饭粒勒|克:服隆制
升:级高序温学|元:一二三四次素函方组件旦|角:度形色落函|秒:杀表|度:假量数|分:之别类析配布为成支享页段数组部行区级解母子式辨
个:体性别税|人:民员工类口均们物士才体力事机|次:函方项幂型曲根多数序要级元|件:数|条:件例目理纹|级:别联数|位:置数于移图
项:目链数|种:类子植群|类:型别似|层:次级面|步:骤行长|台:阶湾风式账|页:面码眉脚|张:力|倍:数率|门:槛禁诊|题:目|家:庭长属
章:程|节:点约能|款:项式|号:码|组:织成合|批:准注|段:落|期:间限|道:路德|字:符节段母典|列:表|行:业为政动|股:份东权票|支:持付
块:链|根:据本|头:部|片:段|安:全装排|牛:奶|本:身|点:击"""


def _table(text: str, kind: Kind) -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for entry in text.replace("\n", "|").split("|"):
        name, _, aliases = entry.partition(":")
        table |= dict.fromkeys([name, *aliases.split()], Unit(name, kind))
    return table


MEASURES: Mapping[str, Unit] = MappingProxyType(
    _table(_TIME, "time") | _table(_MONEY, "money") | _table(_MEASURE, "number")
)
COUNTS: Mapping[str, Unit] = MappingProxyType(_table(_COUNT, "number"))
# After a Chinese numeral these are mostly something else: 十分, 三点建议, 四角, 八字, 百度.
AFTER_CHINESE = frozenset(MEASURES) | (frozenset(COUNTS) - frozenset("分点号字行列本支头根家"))


def lookup(written: str) -> Unit:
    """The unit behind what is written, in any case if it is a word (`MB` and `mb`, but `m` is not `M`)."""
    lower = written.lower()
    return (
        MEASURES.get(written) or COUNTS.get(written) or MEASURES.get(lower) or COUNTS.get(lower) or Unit("", "number")
    )


def pattern() -> str:
    """A regex for every unit, longest first, that stops at the bounds of words."""
    not_before = dict(entry.split(":") for entry in _NOT_BEFORE.replace("\n", "|").split("|"))
    found: list[str] = []
    for written in sorted({*MEASURES, *COUNTS}, key=lambda unit: (-len(unit), unit)):
        bound = f"(?![{not_before[written]}])" if written in not_before else ""
        if written[-1].isascii() and written[-1].isalnum():
            bound = "(?![A-Za-z0-9_])"
            written = f"(?i:{re.escape(written)})" if len(written) > 1 else written  # noqa: PLW2901
            found.append(written + bound)
        else:
            found.append(re.escape(written) + bound)
    return "|".join(found)
