"""Chinese and English sentences, as many as a book needs, no two of which begin or end alike."""

from __future__ import annotations

import random

WHO = [
    "渡口的老船工",
    "值夜班的护士",
    "新来的测绘员",
    "县里的水利科",
    "山下的茶农",
    "守灯塔的人",
    "旧书店的伙计",
    "学校的看门人",
    "修表的师傅",
    "河边的洗衣妇",
    "年轻的气象员",
    "车站的调度员",
    "研究所的会计",
    "邮局的分拣员",
    "集市上的铁匠",
    "博物馆的讲解员",
    "林场的巡护员",
    "码头的过磅员",
    "报社的校对员",
    "粮站的保管员",
]
WHEN = [
    "清明前后",
    "入秋以后",
    "每逢月底",
    "汛期到来时",
    "天刚蒙蒙亮",
    "账目结清之前",
    "大雪封山的日子",
    "停电的那个晚上",
    "集市散了以后",
    "第二年春天",
    "换岗的空当",
    "航线恢复之后",
    "梅雨季节里",
    "收割结束时",
    "会议开始前",
    "列车晚点时",
    "校样送来以后",
    "水位回落之后",
]
DID = [
    "把仓库里的木箱重新编了号",
    "在登记簿上写下了风向和雨量",
    "沿着旧堤走了一个来回",
    "把坏掉的齿轮一只一只拆下来",
    "和邻村的人商量换种子的事",
    "将三份清单对照着核了两遍",
    "用炭笔在墙上画了一张草图",
    "把当天的读数抄给了值班室",
    "拆开了那只一直没有寄出的包裹",
    "请人把屋顶的漏处补好",
    "把去年的标本按产地排了顺序",
    "在桥头等到最后一班渡船",
    "把磨损的缆绳换成了新的",
    "按图纸把横梁抬高了半尺",
    "将茶叶分成了粗细不同的四等",
    "借来一架望远镜看对岸的烟",
    "给每一格抽屉贴上了标签",
    "又把规程从头念了一遍",
]
SO = [
    "所以后来的人才知道那里曾经有一条路",
    "这样一来误差就小得多了",
    "于是大家都松了一口气",
    "但是谁也没有提起先前的争执",
    "因而这一带再没有断过粮",
    "可见细心比力气更要紧",
    "结果比预想的早完工了好几天",
    "只是那口钟从此不再响了",
    "剩下的事就容易办了",
    "从此便成了当地的规矩",
    "后来的记录都照着这个样子写",
    "虽然费工却省下了许多口舌",
    "并且把余下的材料留给了下一季",
    "不过当时没有人把它写下来",
]
NOUNS = [
    "河道",
    "仓储",
    "校准",
    "灌溉",
    "航标",
    "育种",
    "装订",
    "测量",
    "配水",
    "采样",
    "炉温",
    "风向",
    "账册",
    "堤防",
    "苗圃",
    "索引",
    "标本",
    "轨距",
    "茶样",
    "潮位",
    "声速",
    "土层",
    "榫卯",
    "雨量",
]
TOPICS = [
    "方法",
    "原则",
    "记录",
    "误差",
    "工具",
    "步骤",
    "条件",
    "分类",
    "演变",
    "用途",
    "保养",
    "检验",
    "成因",
    "范围",
]
WORDS = [
    "the",
    "keeper",
    "of",
    "the",
    "harbour",
    "wrote",
    "down",
    "every",
    "reading",
    "before",
    "dawn",
    "and",
    "compared",
    "it",
    "with",
    "the",
    "figures",
    "that",
    "had",
    "been",
    "sent",
    "from",
    "the",
    "station",
    "across",
    "the",
    "bay",
    "because",
    "a",
    "difference",
    "of",
    "a",
    "single",
    "degree",
    "would",
    "change",
    "the",
    "whole",
    "table",
    "of",
    "the",
    "season",
    "nobody",
    "remembered",
    "who",
    "had",
    "first",
    "marked",
    "the",
    "wall",
    "but",
    "the",
    "line",
    "was",
    "still",
    "there",
    "after",
    "the",
    "flood",
    "and",
    "people",
    "measured",
    "their",
    "own",
    "height",
    "against",
    "it",
    "when",
    "visitors",
    "asked",
    "about",
    "the",
    "bridge",
    "an",
    "old",
    "engineer",
    "explained",
    "how",
    "timber",
    "swells",
    "in",
    "wet",
    "weather",
    "and",
    "why",
    "careful",
    "observation",
    "matters",
    "more",
    "than",
    "strength",
]


class Prose:
    """Sentences from a seed. The same seed gives the same sentences."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - no secret
        self._seen: set[str] = set()

    def sentence(self) -> str:
        pick = self._random.choice
        while True:
            made = f"{pick(WHEN)}，{pick(WHO)}{pick(DID)}，{pick(SO)}。"
            if made not in self._seen:
                self._seen.add(made)
                return made

    def paragraph(self, sentences: int = 4) -> str:
        return "".join(self.sentence() for _ in range(sentences))

    def title(self) -> str:
        pick = self._random.choice
        while True:
            made = f"{pick(NOUNS)}的{pick(TOPICS)}"
            if made not in self._seen or len(self._seen) > 2000:
                self._seen.add(made)
                return made

    def english(self, words: int = 60) -> str:
        at = self._random.randrange(len(WORDS))
        text = " ".join(WORDS[(at + one * self._random.choice((1, 1, 1, 2))) % len(WORDS)] for one in range(words))
        return f"{text[0].upper()}{text[1:]}."

    def number(self, low: int, high: int) -> int:
        return self._random.randint(low, high)
