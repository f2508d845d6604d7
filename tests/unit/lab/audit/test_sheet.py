from __future__ import annotations

import csv
import io

import pytest

from youju.errors import InputError
from youju.lab.audit.corpus import Corpus, PageText
from youju.lab.audit.sheet import HEAD, read_back, written
from youju.lab.dataset import Case, Evidence
from youju.lab.seen import Material

CORPUS = Corpus(
    {"d1": Material("d1", "规定", "规定.pdf", "默认", 1, 2)},
    {"d1": [PageText(1, "i", "封面"), PageText(2, "1", "第一条 总则。第二条 试用期最长六个月。第三条 附则。")]},
)
CASES = [
    Case(
        id=f"a-{n}",
        category="factual",
        question="=1+1 试用期最长多久？",
        answerable=True,
        evidence=(Evidence(doc="规定", text="试用期最长六个月", pages=(2,)),),
        reference_answer="六个月",
    )
    for n in range(60)
]


def filled(verdict: str, first: str = "", **changes: str) -> bytes:
    """The sheet with a verdict in every row, another one in the first."""
    rows = list(csv.DictReader(io.StringIO(written(CASES, CORPUS).decode("utf-8-sig"), newline="")))
    for n, row in enumerate(rows):
        row["结论（对/错）"] = first if first and n == 0 else verdict
        row.update(changes if n == 0 else {})
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, HEAD)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode("utf-8-sig")


def test_a_sheet_opens_in_a_spreadsheet_and_shows_the_page_around_the_evidence():
    data = written(CASES[:1], CORPUS)
    assert data.startswith(b"\xef\xbb\xbf")
    head, row = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    told = dict(zip(head, row, strict=True))
    assert tuple(head) == HEAD
    assert told["原文摘录"] == "第一条 总则。第二条 试用期最长六个月。第三条 附则。"
    assert told["证据"] == "《规定》2：试用期最长六个月"
    assert (told["结论（对/错）"], told["错在哪里"], told["复核人"]) == ("", "", "")


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t=", " =", "＝"])
def test_no_cell_can_be_taken_for_a_formula(begin):
    case = CASES[0].model_copy(update={"question": f"{begin}cmd|' /C calc'!A0"})
    row = next(csv.DictReader(io.StringIO(written([case], CORPUS).decode("utf-8-sig"), newline="")))
    assert row["题目"].startswith("'")


def test_a_filled_sheet_gives_the_verdict():
    assert read_back(filled("对"), CASES * 1).verdict == "accepted"
    assert read_back(filled("错"), CASES).verdict == "rejected"
    empty = read_back(written(CASES, CORPUS), CASES)
    assert (empty.verdict, empty.seen) == ("not yet", 0)


def test_a_row_without_a_verdict_was_not_seen():
    found = read_back(filled("", first="对"), CASES)
    assert (found.seen, found.faults) == (1, 0)


def test_a_sheet_saved_by_a_chinese_spreadsheet_is_read():
    assert read_back(filled("√").decode("utf-8-sig").encode("gb18030"), CASES).seen == 60


@pytest.mark.parametrize(
    "data, said",
    [
        (filled("对", first="大概"), "第 2 行的结论 '大概' 看不懂"),
        (filled("对", 编号="zz"), "第 2 行的编号 'zz'"),
        (filled("对", 编号="a-1"), "第 3 行的编号 'a-1'|第 2 行的题目 a-1"),
        (filled("对", 校验="0" * 16), "第 2 行的题目 a-0 在导出之后改过"),
        ("甲,乙\n1,2\n".encode(), "缺少列"),
    ],
    ids=["verdict", "unknown", "twice", "changed", "other file"],
)
def test_a_sheet_that_cannot_be_counted_says_where_and_what_to_do(data, said):
    with pytest.raises(InputError, match=said) as caught:
        read_back(data, CASES)
    assert caught.value.code == "bad_sheet"
    assert caught.value.remedy
