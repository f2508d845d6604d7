"""Answers as a careless or hostile model marks them, over material that holds brackets of its own."""

import random

KNOWN = (1, 2, 3)
OWN = (
    "这个方法由前人提出[7]。",
    "另见文献综述[12]，其后有改进。",
    "系数记作[5,8]，",
    "如公式所示[4]。",
    "闭区间上取[6,9]；",
    "该结论最早见于古书［８］。",
    "各项指标如下表【9】。",
)
MATERIAL = "\n".join(OWN)
SAYS = ("退款需三个工作日", "到账以银行为准", "试用期最长六个月", "婚假共十三天", "逾期按日计算", "由人事部门审批")
BAD = (
    *("[99]", "[98]", "【99】", "［９９］", "[4,5]", "[4-6]", "[7，8]", "[来源9]", "[资料 9]", "[ref:3]", "[ref12]"),
    *("[doc_3]", "【3†source】", "【12:0†source】", "[[99]]", "[99][98]", "[source 9]", "[１２]"),
)
GOOD = ("[1]", "【2】", "［３］", "[1,2]", "[1-3]", "[来源2]", "[1][3]", "[[1]]", "[１]")
MIXED = (("[1,99]", "[1]"), ("[1-9]", "[1,2,3]"), ("[来源2，9]", "[来源2]"), ("[99][1]", "[1]"), ("[1][99]", "[1]"))
TEXT = (
    *(
        "定义域[1,2]。",
        "区间[8,9]。",
        "取a[1]。",
        "取a[9]。",
        "依据〔2021〕5号。",
        "国办发[2021]5号。",
        "国办发［２０２１］5号。",
        "见[2021]。",
    ),
    *(
        "参见[9](http://x.cn)。",
        "脚注[^9]。",
        "未闭合[9",
        "未闭合[1，",
        "先写 `x[9]`。",
        "见ref12。",
        "价格 $5 一个。",
        "矩阵[[1,2],[3,4]]。",
    ),
    *(
        "有 $y=[9]$ 成立。",
        "有 \\(a[9]，[8]。\\) 成立。",
        "$$\nz,[9]\n$$\n",
        "\\[ u.[9] \\]\n",
        "```\n甲[9]。\n```\n",
        "~~~\n乙。[9]\n~~~\n",
    ),
    *(
        "\n[9] 张三，《书》。\n[10] 李四，《论》。\n",
        "价格 $5",
        "剩一个 ` 号",
        "[x]任务",
        "🀄👍🏽，",
        "按[9]第三条办理。",
    ),
)


def part(dice):
    """What the model writes, and what of it stays; each ends so that the next begins anew."""
    said = dice.choice(SAYS)
    bad, good, (mixed, rest) = dice.choice(BAD), dice.choice(GOOD), dice.choice(MIXED)
    own, text = dice.choice(OWN), dice.choice(TEXT)
    return dice.choice(
        [
            (f"{said}{bad}。", f"{said}。"),
            (f"{said} {bad}。\n", f"{said}。\n"),
            (f"{said}。{bad}", f"{said}。"),
            (f"**{said}**{bad}，", f"**{said}**，"),
            (f"“{said}”{bad}而且", f"“{said}”而且"),
            (f"{said}{good}。", f"{said}{good}。"),
            (f"- {said}{good}\n", f"- {said}{good}\n"),
            (f"{said}{mixed}。", f"{said}{rest}。"),
            (f"{said}。{own}", f"{said}。{own}"),
            (f"{said}，{own[2:]}", f"{said}，{own[2:]}"),
            (f"{said}。{text}\n\n", f"{said}。{text}\n\n"),
            (f"{said}。{text}\n\n", f"{said}。{text}\n\n"),
        ]
    )


def pieces(text, dice):
    at = 0
    while at < len(text):
        size = dice.choice((1, 1, 2, 3, 7))
        yield text[at : at + size]
        at += size


def answer(dice: random.Random) -> tuple[str, str]:
    """A whole answer, and what of it stays once it is clean."""
    parts = [part(dice) for _ in range(dice.randint(1, 6))]
    return "".join(one for one, _ in parts), "".join(stays for _, stays in parts)
