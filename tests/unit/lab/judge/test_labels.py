"""Labels of people: the sheet, and the way back."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace

import pytest

from builders import chunk
from judgements import case, claim, judgement, seen
from youju.errors import InputError
from youju.lab.judge.labels import COLUMNS, draw, items, read_labels, sheet

RULES = chunk("a", "婚假为十三天。\n病假须有证明。")


def of(arm, founded, n, category="factual", text="婚假为十三天"):
    claims = [claim(founded, id=f"c{i}", text=f"{text}{i}") for i in range(n)]
    one = seen(case(category=category, id=f"{category}-{founded}"), "答", RULES)
    return items(arm, 0, replace(one, judgement=judgement(*claims)))


def rows(data):
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def filled(drawn, *labels):
    """The sheet as a person gives it back."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    for row, label in zip(rows(sheet(drawn)), labels, strict=False):
        writer.writerow({**row, "结论": label})
    return out.getvalue()


def complaint(data, known):
    with pytest.raises(InputError) as caught:
        read_labels(data if isinstance(data, bytes) else data.encode(), known)
    assert caught.value.code == "bad_labels"
    assert caught.value.remedy
    return caught.value.message


def test_ids_are_distinct_say_nothing_of_the_arm_and_are_no_numbers():
    known = [*of("V1", "yes", 50), *of("V2", "yes", 50)]
    assert len({one.id for one in known}) == 100
    assert {one.id[0] for one in known} == {"k"}
    assert of("V1", "yes", 3) == of("V1", "yes", 3)


def test_refusals_and_answers_without_context_have_nothing_to_label():
    assert items("V1", 0, seen()) == ()
    assert items("V0", 0, replace(seen(case(), "答"), judgement=judgement(claim()))) == ()


def test_a_sheet_shows_question_claim_and_context_but_neither_verdict_nor_arm():
    data = sheet(of("V2", "contradicted", 1))
    assert data.startswith(b"\xef\xbb\xbf")
    (row,) = rows(data)
    assert (row["问题"], row["论断"], row["结论"]) == ("婚假几天？", "婚假为十三天0", "")
    assert row["资料"].startswith("[1] 函数入门 3.2 二次函数\n婚假为十三天。")
    assert "V2" not in data.decode()
    assert "contradicted" not in data.decode()


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"])
def test_no_cell_can_be_taken_for_a_formula(start):
    (row,) = rows(sheet(of("V1", "yes", 1, text=start)))
    assert row["论断"] == f"'{start}0"


def test_each_stratum_has_its_share_and_the_order_tells_nothing():
    known = [*of("V1", "yes", 60), *of("V1", "no", 20), *of("V2", "yes", 20, "howto")]
    drawn = draw(known, 10, seed=3)
    assert Counter((one.arm, one.claim.founded) for one in drawn) == {
        ("V1", "yes"): 6,
        ("V1", "no"): 2,
        ("V2", "yes"): 2,
    }
    assert draw(list(reversed(known)), 10, seed=3) == drawn
    assert draw(known, 10, seed=4) != drawn
    assert [one.arm for one in draw(known, 100, seed=3)] != [one.arm for one in known]


def test_remainders_are_given_by_their_size_and_no_more_is_drawn_than_there_is():
    # Of 7: 3.5, 2.1 and 1.4; the half is the largest remainder.
    known = [*of("V1", "yes", 50), *of("V1", "no", 30), *of("V1", "unknown", 20)]
    assert Counter(one.claim.founded for one in draw(known, 7, seed=1)) == {"yes": 4, "no": 2, "unknown": 1}
    assert len(draw(known, 500, seed=1)) == 100
    assert draw([], 5, seed=1) == []


def test_labels_come_back_by_id_in_words_or_letters_and_blank_ones_are_left_out():
    drawn = draw(of("V1", "yes", 5), 5, seed=1)
    said = filled(drawn, "有依据", "No", " 无法判断 ", "", "1")
    labels = read_labels(said.encode("utf-8-sig"), drawn)
    assert labels == {drawn[0].id: "yes", drawn[1].id: "no", drawn[2].id: "unknown", drawn[4].id: "yes"}


def test_a_sheet_saved_in_the_system_s_encoding_is_read():
    drawn = draw(of("V1", "yes", 1), 1, seed=1)
    assert read_labels(filled(drawn, "没有依据").encode("gb18030"), drawn) == {drawn[0].id: "no"}


def test_complaints_name_the_line_on_which_the_row_begins():
    drawn = draw(of("V1", "yes", 3), 3, seed=1)
    # The context of each row stands on two lines: rows begin on lines 2, 5 and 8 with the place above them.
    begin = [2, 5, 8]
    assert "第 5 行" in complaint(filled(drawn, "yes", "大概吧", "yes"), drawn)
    assert "第 8 行" in complaint(filled([drawn[0], drawn[1], drawn[0]], "yes", "no", "no"), drawn)
    assert f"第 {begin[0]} 行" in complaint(filled(drawn, "yes"), of("V9", "yes", 3))


@pytest.mark.parametrize("data", [b"", "编号;结论\nk1;yes".encode(), b"a,b\n1,2"])
def test_what_is_no_such_sheet_is_said(data):
    assert "缺少" in complaint(data, of("V1", "yes", 1))


def test_bytes_in_no_known_encoding_are_said():
    assert "编码" in complaint(b"\xff\xff\xff", of("V1", "yes", 1))
