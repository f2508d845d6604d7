from __future__ import annotations

import pytest

from builders import answer, chunk, context, turn
from library import quiet
from youju.stages.verify import Verify, check
from youju.types import Statement, Verdict

TEXT = (
    "试用期最长不超过六个月，提前三天通知公司即可离职。"
    "网关的读超时默认为 30 秒，上限为 15000 次请求。"
    "该规定自 2024 年 5 月 1 日起施行。"
    "员工可以在休息日申请加班，加班费按 150% 计算。"
    "外婆在霜降以后开始腌菜，柴房里摆着三口缸。"
)


def verdict(sentence: str, *texts: str, cites: tuple[int, ...] = (1,)) -> Verdict:
    chunks = [chunk(chr(96 + n), text) for n, text in enumerate(texts or (TEXT,), start=1)]
    return check(Statement(sentence, cites), context(*chunks))


def test_what_stands_there_word_for_word_is_supported_with_the_exact_quote():
    found = verdict("外婆在霜降以后开始腌菜，柴房里摆着三口缸。")
    assert (found.verdict, found.n, found.by) == ("supported", 1, "verbatim")
    assert found.quote == "外婆在霜降以后开始腌菜，柴房里摆着三口缸。"


def test_white_space_case_and_width_make_no_difference_but_the_quote_is_the_original():
    found = verdict("网关的读超时默认为30秒，上限为15000次请求。")
    assert (found.verdict, found.quote) == ("supported", "网关的读超时默认为 30 秒，上限为 15000 次请求。")


@pytest.mark.parametrize(
    "sentence",
    [
        "试用期最长不超过三个月，提前三天通知公司即可离职。",
        "试用期最长不超过六个月，提前十天通知公司即可离职。",
        "网关的读超时默认为 60 秒，上限为 15000 次请求。",
        "网关的读超时默认为 30 分钟，上限为 15000 次请求。",
        "网关的读超时默认为 30 秒，上限为 1500 次请求。",
        "该规定自 2024 年 6 月 1 日起施行。",
        "该规定自 2023 年 5 月 1 日起施行。",
        "员工不可以在休息日申请加班，加班费按 150% 计算。",
        "员工可以在休息日申请加班，加班费按 200% 计算。",
        "试用期最长超过六个月，提前三天通知公司即可离职。",
    ],
)
def test_another_number_date_unit_or_negation_is_contradicted(sentence):
    found = verdict(sentence)
    assert found.verdict == "contradicted"
    assert found.reasons
    assert found.quote in TEXT
    assert found.quote


def test_the_reason_names_the_number_that_is_not_there():
    assert "证据中没有“60 秒”" in verdict("网关的读超时默认为 60 秒，上限为 15000 次请求。").reasons


@pytest.mark.parametrize(
    "sentence",
    [
        "试用期最长不超过6个月，提前3天通知公司即可离职。",
        "网关的读超时默认为三十秒，上限为1.5万次请求。",
        "该规定自2024-05-01起施行。",
    ],
)
def test_the_same_number_written_otherwise_is_supported(sentence):
    found = verdict(sentence)
    assert found.verdict == "supported"
    assert found.quote in TEXT


@pytest.mark.parametrize(
    "sentence, said",
    [("火星基地的氧气储备可用 90 天。", "unsupported"), ("火星基地需要先行申请。", "not_checkable")],
)
def test_what_has_nothing_to_do_with_the_evidence_is_not_supported(sentence, said):
    found = verdict(sentence)
    assert (found.verdict, found.quote) == (said, "")


def test_a_sentence_that_says_only_part_the_same_is_partly_supported():
    found = verdict("外婆在霜降以后开始腌菜，孩子们都很期待。")
    assert (found.verdict, found.quote) == ("partly", "外婆在霜降以后开始腌菜，柴房里摆着三口缸。")


def test_an_uncited_sentence_is_never_better_than_partly():
    found = verdict("外婆在霜降以后开始腌菜，柴房里摆着三口缸。", cites=())
    assert found.verdict == "partly"
    assert "句子没有标注来源" in found.reasons


def test_an_uncited_sentence_can_be_contradicted():
    assert verdict("该规定自 2024 年 6 月 1 日起施行。", cites=()).verdict == "contradicted"


def test_only_the_cited_item_counts():
    one, two = "试用期最长六个月。", "婚假为十三天。"
    assert verdict("婚假为十三天。", one, two, cites=(2,)).verdict == "supported"
    assert verdict("婚假为十五天。", one, two, cites=(1,)).verdict == "unsupported"
    assert verdict("婚假为十三天。", one, two, cites=(1, 2)).n == 2


def test_without_context_nothing_is_supported():
    assert check(Statement("婚假为十三天。", (1,)), ()).verdict == "unsupported"


def test_the_wider_text_the_model_saw_counts_as_evidence():
    (item,) = context(chunk("a", "婚假为十三天。"))
    wider = type(item)(1, item.hit, "婚假为十三天。婚假须一次休完。")
    assert check(Statement("婚假须一次休完。", (1,)), (wider,)).verdict == "supported"


async def test_every_statement_gets_one_verdict_in_order():
    before = turn(context=context(chunk("a", TEXT)), answer=answer(("外婆腌菜。", (1,)), ("火星。", (1,))))
    after = await Verify()(before, quiet)
    assert [one.sentence for one in after.verdicts] == ["外婆腌菜。", "火星。"]


@pytest.mark.parametrize("more", [{}, {"answer": answer(("甲。", (1,))), "refusal": "low_evidence"}])
async def test_a_refusal_is_not_verified(more):
    assert (await Verify()(turn(**more), quiet)).verdicts == ()


TABLE = """下表为两种型号的参数。

| 参数 | DX-200 | DX-200 Pro |
| --- | --- | --- |
| 水箱容量 | 4.5 L | 6 L |
| 软管 | 无 | 有 |
"""


@pytest.mark.parametrize(
    "sentence, said",
    [
        ("DX-200 Pro 的水箱容量是 6 L。", "supported"),
        ("DX-200 的水箱容量是 4.5 L。", "supported"),
        ("DX-200 的水箱容量是 6 L。", "contradicted"),
        ("DX-200 Pro 的水箱容量是 4.5 L。", "contradicted"),
        ("DX-200 的水箱容量为 4.5 L，即 5 L。", "partly"),
        ("DX-200 Pro 的水箱容量比较大。", "not_checkable"),
    ],
)
def test_a_cell_of_a_table_is_what_its_row_and_column_are_said_to_be(sentence, said):
    found = verdict(sentence, TABLE)
    assert (found.verdict, found.by) == (said, "table")
    assert found.quote == "| 水箱容量 | 4.5 L | 6 L |"


@pytest.mark.parametrize(
    "sentence, said",
    [
        ("支持 2.4 GHz Wi-Fi。", "supported"),
        ("不支持 5 GHz。", "supported"),
        ("支持 5 GHz。", "contradicted"),
        ("除湿机支持 2.4 GHz Wi-Fi，不支持 5 GHz。", "supported"),
    ],
)
def test_a_clause_is_held_against_its_own_negation_and_not_against_that_of_the_next(sentence, said):
    assert verdict(sentence, "除湿机：支持 2.4 GHz Wi-Fi，不支持 5 GHz。").verdict == said


def test_the_end_of_a_clause_that_is_turned_round_before_is_no_support():
    assert verdict("可以报销。", "一等座不可以报销。").verdict == "contradicted"
    assert verdict("乘坐飞机。", "未经批准不得乘坐飞机。").verdict != "supported"


@pytest.mark.parametrize(
    "sentence, text",
    [
        ("5天内可以退货。", "收到商品后15天内可以退货。"),
        ("使用明火。", "仓库内不得使用明火。"),
        ("经批准不得外出。", "未经批准不得外出。"),
        ("押金为0.5元。", "押金为10.5元。"),
        ("三天内答复。", "应当在十三天内答复。"),
        ("成年人可以购票。", "未成年人可以购票。"),
        ("总经理审批。", "该事项由副总经理审批。"),
        ("超过30天。", "期限不超过30天。"),
        ("可以退款。", "打开包装后不可以退款。"),
        ("系统支持导出。", "有人误以为系统支持导出。"),
        ("甲方应当向乙方支付违约金。", "乙方应当向甲方支付违约金。"),
        ("由此可得a≥b。", "由此可得a≤b。"),
        ("此时x>0成立。", "此时x<0成立。"),
        ("温度应为-5℃。", "温度应为5℃。"),
        ("当x>0时单调递减。", "当x<0时单调递减，当x>0时单调递增。"),
        ("因此a+b=c成立。", "因此a-b=c成立。"),
    ],
)
def test_what_only_looks_like_the_evidence_is_not_supported(sentence, text):
    assert verdict(sentence, text).verdict != "supported"


@pytest.mark.parametrize(
    "sentence, text",
    [
        ("收到商品后，15天内可以退货。", "收到商品后15天内可以退货。"),
        ("住宿费每晚的上限是三百二十元。", "住宿费的每晚上限为320元。"),
        ("由此可得 a ≥ b。", "由此可得a≥b。"),
    ],
)
def test_other_spelling_and_function_words_do_not_matter(sentence, text):
    assert verdict(sentence, text).verdict == "supported"


def test_a_sentence_under_a_wrong_number_is_told_the_right_one():
    found = verdict("婚假为十三天。", "试用期最长六个月。", "婚假为十三天。", cites=(1,))
    assert (found.verdict, found.n, found.reasons) == ("partly", 2, ("标注的是 [1]，依据在 [2]",))
