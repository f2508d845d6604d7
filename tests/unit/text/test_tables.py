from __future__ import annotations

from youju.text.tables import readings, said_of

TEXT = (
    "前言。\n\n| 级别 | 护理费 | 备注 |\n| --- | --- | --- |\n"
    "| 介护一级 | 1500元 | |\n| 介护二级 | 2400元 | 含餐 |\n\n后记。"
)


def test_every_cell_is_read_with_its_row_and_column():
    found = [(one.row, one.column, one.value) for one in readings(TEXT)]
    assert found == [("介护一级", "护理费", "1500元"), ("介护二级", "护理费", "2400元"), ("介护二级", "备注", "含餐")]
    assert {TEXT[one.line.start : one.line.end] for one in readings(TEXT)} == {
        "| 介护一级 | 1500元 | |",
        "| 介护二级 | 2400元 | 含餐 |",
    }


def test_a_sentence_speaks_of_the_cell_whose_names_it_holds():
    assert said_of("介护二级的护理费为每月2400元。", TEXT).value == "2400元"
    assert said_of("介护三级的护理费是多少？", TEXT) is None
    assert said_of("护理费含餐。", TEXT) is None


def test_two_cells_that_fit_alike_tell_nothing():
    assert said_of("介护一级与介护二级的护理费不同。", TEXT) is None


def test_rows_without_heads_and_prose_have_no_readings():
    assert readings("| 甲 | 1 |\n| 乙 | 2 |") == []
    assert readings("没有表格。") == []
