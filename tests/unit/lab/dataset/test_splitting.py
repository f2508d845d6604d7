from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.errors import InputError
from youju.lab.dataset import Case
from youju.lab.dataset.splitting import documents, split


def case(id_: str, *docs: str, category: str = "factual", **more: object) -> Case:
    fields = {"id": id_, "category": category, "question": "几时？", "answerable": category != "unanswerable"}
    return Case.model_validate(fields | {"expected_docs": docs} | more)


def sides(cases: list[Case], seed: int = 7, **more: float) -> dict[str, str]:
    return {one.id: one.split for one in split(cases, seed, **more)}


BOOKS = [case(f"{book}-{n}", book) for book in "甲乙丙丁" for n in range(5)]


def test_the_cases_of_a_document_are_on_one_side():
    got = sides(BOOKS)
    assert all(len({got[f"{book}-{n}"] for n in range(5)}) == 1 for book in "甲乙丙丁")


def test_equal_documents_are_shared_out_equally():
    assert sorted(sides(BOOKS).values()) == ["dev"] * 10 + ["test"] * 10
    assert sorted(sides(BOOKS, dev=0.25).values()) == ["dev"] * 5 + ["test"] * 15


def test_the_same_seed_gives_the_same_sides_whatever_the_order():
    mixed = BOOKS[::-2] + BOOKS[::2]
    assert sides(mixed) == sides(BOOKS)
    assert [one.id for one in split(mixed, 7)] == [one.id for one in mixed]


def test_another_seed_gives_other_sides():
    assert len({tuple(sides(BOOKS, seed).values()) for seed in range(20)}) > 1


def test_a_case_of_two_documents_ties_them_together():
    got = sides([*BOOKS, case("both", "甲", "乙")])
    assert got["甲-0"] == got["乙-0"] == got["both"]


@pytest.mark.parametrize("names", [("规定", "员工管理规定"), ("入门.pdf", "入门"), ("ＡＢＣ手册", "abc 手册")])
def test_names_of_which_one_is_part_of_the_other_mean_one_document(names):
    cases = [case("a", names[0]), case("b", names[1]), case("c", "其他"), case("d", "别的")]
    assert all((got := sides(cases, seed))["a"] == got["b"] for seed in range(10))


def test_a_vague_name_ties_all_documents_it_may_mean():
    cases = [case("a", "报销规定"), case("b", "考勤规定"), case("c", "规定"), case("d", "别的")]
    each = [sides(cases, seed) for seed in range(10)]
    assert all(got["a"] == got["b"] == got["c"] for got in each)


def test_evidence_and_what_a_question_comes_near_to_name_documents_too():
    made = case("a", "甲", evidence=[{"doc": "乙", "text": "丙"}], near={"doc": "丁"}, document_ids=["D1"])
    assert documents(made) == {"甲", "乙", "丁", "d1"}


def test_cases_without_a_document_balance_their_category():
    loose = [case(f"u{n}", category="unanswerable") for n in range(10)]
    got = sides([*BOOKS, *loose])
    assert sorted(got[one.id] for one in loose) == ["dev"] * 5 + ["test"] * 5


def test_a_case_that_has_a_side_keeps_it_and_takes_new_ones_of_its_document_along():
    first = split(BOOKS, 7)
    more = split([*first, *(case(f"{book}-new", book) for book in "甲乙丙丁戊己")], seed=99)
    got = {one.id: one.split for one in more}
    assert all(got[one.id] == one.split for one in first)
    assert all(got[f"{book}-new"] == got[f"{book}-0"] for book in "甲乙丙丁")


def test_cases_of_one_document_with_different_sides_are_an_error():
    with pytest.raises(InputError, match="用到同一份文档") as caught:
        split([case("a", "甲", split="dev"), case("b", "甲", split="test")], 7)
    assert caught.value.code == "bad_split"


def test_a_set_of_one_document_cannot_be_split():
    with pytest.raises(InputError, match="无法按文档分成两半"):
        split([case("a", "甲"), case("b", "甲")], 7)
    assert split([], 7) == []


@pytest.mark.parametrize("dev", [0, 1, -1])
def test_a_share_that_leaves_a_side_empty_is_an_error(dev):
    with pytest.raises(InputError, match="dev 的比例"):
        split(BOOKS, 7, dev)


@given(st.lists(st.sets(st.sampled_from("甲乙丙丁戊己庚辛壬癸"), max_size=2), min_size=2), st.integers())
def test_no_document_is_ever_on_both_sides(named, seed):
    cases = [case(f"q{n}", *sorted(docs)) for n, docs in enumerate(named)]
    try:
        got = split(cases, seed)
    except InputError:
        return
    on = {side: {name for one in got if one.split == side for name in documents(one)} for side in ("dev", "test")}
    assert on["dev"] & on["test"] == set()
