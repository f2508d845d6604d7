"""How the blocks of textbooks begin."""

import pytest

from youju.text.lessons import Opening, opening


@pytest.mark.parametrize(
    "line,expected",
    [
        ("例 2 求定义域", Opening("例", "2", "求定义域")),
        ("【例2-3】 计算电阻", Opening("例", "2-3", "计算电阻")),
        ("**定义 1.2** 设A非空", Opening("定义", "1.2", "设A非空")),
        ("解：由已知得", Opening("解", "", "由已知得")),
        ("【解答】", Opening("解答", "", "")),
        ("Proof. Let x be real.", Opening("Proof", "", "Let x be real.")),
        ("Theorem 2.1 Limits are unique.", Opening("Theorem", "2.1", "Limits are unique.")),
    ],
)
def test_the_first_line_of_a_block_is_read(line, expected):
    assert opening(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "例如下面的函数",
        "例3中的条件",
        "定理1表明极限唯一",
        "解决办法",
        "证明文件",
        "练习两遍",
        "Theorem 2.1 shows this",
        "",
    ],
)
def test_a_sentence_about_a_block_does_not_begin_one(line):
    assert opening(line) is None
