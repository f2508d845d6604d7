"""Words that say nothing about what a text is about, and words that say what a question wants."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PARTICLES = frozenset(
    "的了着过是在和与及或也都就还又再才很太更最且而但则若如由于对把被将从向往到自以为"
    "因其之此这那哪该每各某吗呢吧啊呀么嘛哦哈您你我他她它们谁几所者有可会能要请让给跟同比等个一"
)
"""Single characters that no index needs."""

_CHINESE = """
什么 怎么 怎样 怎么样 怎么办 如何 为什么 为何 为啥 干什么 干嘛 多少 几个 几次 几天 几年 几月 几号 几点 几种 几条
多久 多长 多大 多高 多远 哪些 哪个 哪里 哪儿 哪种 哪位 哪一 哪一个 哪年 哪天 哪项 何时 何处 何地 何人 何种 何为 是否
是不是 有没有 能不能 可不可以 会不会 要不要 能否 可否 有无 谁 请问 请教 请 帮我 帮忙 麻烦 告诉 告诉我 说说 讲讲 介绍
介绍一下 解释 解释一下 说明一下 列出 一下 一些 一个 一种 想知道 我想 想问 知道 了解 什么时候 时候 什么样 的话 以及
或者 还是 而且 并且 但是 可是 不过 然而 因为 所以 因此 由于 如果 假如 那么 这么 这样 那样 这个 那个 这些 那些 这里
那里 这种 那种 其中 其他 它们 他们 我们 你们 咱们 自己 大家 关于 对于 根据 按照 通过 进行 可以 能够 应该 应当 需要
必须 已经 正在 就是 也是 都是 不是 只是 还有 没有 以后 之后 之前 以前 的时候 之间 之类 等等 到底 究竟 里面 上面 下面
有关 相关 方面 情况 东西 事情 是什么 有哪些 有什么 吗 呢 吧 啊 嘛 呀 么 一 二者 两者 分别 各自 具体 主要 非常 比较好
一般 通常 大概 大约 左右 做 用 中 里 上 下 内 说 指 叫 叫做 称为 属于 书中 书里 文中 文档 资料 材料 提到 讲到 是 的
了 着 过 不 没 并 使 使得 被 把 将 从 向 往 到 自 以 为 因 其 之 此 这 那 哪 该 每 各 某 几 所 者 有 可 会 能 要 让
给 跟 同 比 等 个 多 少 去 来 得 地 之内 以内
"""
_ENGLISH = """
a an the of to in on at by for from with and or but is are was were be been being do does did has have had can could
should would will shall may might must what which who whom whose when where why how many much it its this that these
those there i you he she we they me my your our their please tell about into as than then so if not no yes
"""
FUNCTION_WORDS = frozenset(_CHINESE.split()) | PARTICLES | frozenset(_ENGLISH.split())
"""No query term: function words, question words, politeness."""

INTENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "区别": ("区别", "不同", "差异", "差别", "对比", "比较", "difference", "versus"),
        "配置": ("配置", "设置", "参数", "怎么配", "选项", "config", "configure", "setting"),
        "费用": ("费用", "价格", "多少钱", "收费", "花费", "报销", "成本", "price", "cost"),
        "来源": ("来源", "出处", "出自", "依据", "引自", "source"),
        "定义": ("定义", "什么是", "是什么", "含义", "概念", "何为", "define"),
        "步骤": ("步骤", "流程", "怎么办", "怎么做", "如何", "怎样", "怎么", "how to"),
        "原因": ("原因", "为什么", "为何", "为啥", "why"),
        "时间": ("什么时候", "何时", "多久", "期限", "几天", "多长时间", "when", "how long"),
        "数量": ("多少", "几个", "上限", "下限", "默认值", "how many", "how much"),
        "条件": ("条件", "前提", "资格", "要求", "是否可以", "能否"),
    }
)
"""What a question wants, each with the wordings that show it."""
