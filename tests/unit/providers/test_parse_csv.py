from __future__ import annotations

import pytest

from youju.errors import DocumentError
from youju.providers.parse_csv import CsvParser, delimiter


@pytest.fixture
def read(tmp_path):
    def parsed(text: str, encoding: str = "utf-8"):
        path = tmp_path / "file"
        path.write_bytes(text.encode(encoding))
        return CsvParser().parse(path)

    return parsed


def lines(document) -> list[str]:
    return [line for block in document.blocks for line in block.text.split("\n") if "---" not in line]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_rows_stand_under_their_heads_in_any_encoding(read, encoding):
    found = read("城市,住宿费标准\n北京市,600\n成都市,450\n", encoding)
    assert lines(found) == ["| 城市 | 住宿费标准 |", "| 北京市 | 600 |", "| 成都市 | 450 |"]
    assert found.blocks[0].locator == "第 2-3 行"


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_out(mark):
    assert delimiter(f'名称{mark}"值,;|\t"{mark}备注\n甲{mark}1{mark}无\n') == mark


def test_quotes_hold_delimiters_and_breaks_and_short_rows_are_padded(read):
    found = read('名称,说明,金额\n甲,"一行,\n又一行",1\n乙,"他说""好"""\n')
    assert lines(found) == ["| 名称 | 说明 | 金额 |", "| 甲 | 一行, 又一行 | 1 |", '| 乙 | 他说"好" |  |']


def test_a_declared_delimiter_goes_before_all(read):
    found = read("sep=;\n名称;值\n甲,乙;1\n")
    assert lines(found) == ["| 名称 | 值 |", "| 甲,乙 | 1 |"]
    assert found.blocks[0].locator == "第 3 行"


def test_a_quote_that_never_ends_is_refused_with_a_remedy(read):
    with pytest.raises(DocumentError) as caught:
        read('名称,值\n"甲,' + "字" * 140_000)
    assert caught.value.code == "broken"
    assert caught.value.remedy


def test_a_list_in_one_column_is_kept_line_by_line(read):
    found = read("北京\n上海\n成都\n")
    assert "上海" in found.text
    assert found.blocks
