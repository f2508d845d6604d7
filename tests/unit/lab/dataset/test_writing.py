from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.errors import InputError
from youju.lab.dataset import Case, load, read
from youju.lab.dataset.hashes import case_hash, set_hash
from youju.lab.dataset.writing import line, write

PLAIN = {"id": "a", "category": "factual", "question": "试用期多长？", "answerable": True}
WORDS = st.text(min_size=1, max_size=9, alphabet=st.characters(exclude_categories=["Cs"])).filter(str.strip)
PIECES = st.fixed_dictionaries({"doc": WORDS, "text": WORDS}, optional={"pages": st.lists(st.integers(1, 99))})
CASES = st.fixed_dictionaries(
    {"id": WORDS, "category": st.sampled_from(["factual", "howto"]), "question": WORDS, "answerable": st.just(True)},
    optional={
        "expected_docs": st.lists(st.lists(WORDS, min_size=1)),
        "evidence": st.lists(PIECES | st.lists(PIECES, min_size=1)),
        "key_facts": st.lists(WORDS | st.fixed_dictionaries({"text": WORDS, "weight": st.just("okay")})),
        "steps": st.lists(WORDS),
        "reviewed_by": st.none() | WORDS,
        "split": st.sampled_from(["", "dev", "test"]),
    },
).map(Case.model_validate)


def case(**more: object) -> Case:
    return Case.model_validate(PLAIN | more)


@given(CASES)
def test_a_written_line_is_read_as_the_same_case(made):
    assert read([line(made)], "set") == [made]


def test_a_line_has_its_fields_in_the_order_of_the_format_and_none_that_say_nothing():
    made = case(key_facts=["半年"], expected_docs=["规定"], notes="难", steps=[])
    assert line(made) == (
        '{"id": "a", "category": "factual", "question": "试用期多长？", "answerable": true, '
        '"expected_docs": [["规定"]], "key_facts": [{"text": "半年", "weight": "vital"}], '
        '"author": "", "reviewed_by": null, "notes": "难"}'
    )


def test_alternatives_of_evidence_are_written_as_a_nested_list():
    first, second, third = ({"doc": "规定", "text": text} for text in "甲乙丙")
    assert json.loads(line(case(evidence=[first, [second, third]])))["evidence"] == [first, [second, third]]


def test_a_written_set_is_read_back_and_its_file_has_one_line_a_case(tmp_path):
    file = tmp_path / "set.jsonl"
    cases = [case(id="b", question="一\u2028二？"), case()]
    write(cases, file)
    assert load(file).cases == cases
    assert file.read_bytes().count(b"\n") == 2
    assert [one.name for one in tmp_path.iterdir()] == ["set.jsonl"]


def test_a_file_that_is_replaced_keeps_who_may_read_it_and_a_link_stays_one(tmp_path):
    real, link = tmp_path / "real.jsonl", tmp_path / "set.jsonl"
    real.write_text("", "utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    write([case()], link)
    assert link.is_symlink()
    assert (real.stat().st_mode & 0o777, load(real).cases) == (0o640, [case()])


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    file = tmp_path / "set.jsonl"
    write([case()], file)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="写不了"):
        write([case(id="b")], file)
    assert load(file).cases == [case()]
    assert [one.name for one in tmp_path.iterdir()] == ["set.jsonl"]


# --- hashes ----------------------------------------------------------------------------------------------------------


def test_the_hash_of_a_set_does_not_depend_on_its_order_but_on_every_case():
    one, two = case(), case(id="b")
    assert set_hash([one, two]) == set_hash([two, one])
    assert len({set_hash([one, two]), set_hash([one]), set_hash([one, one]), set_hash([])}) == 4


@pytest.mark.parametrize(
    "change",
    [{"id": "b"}, {"question": "试用期多久？"}, {"category": "reasoning"}, {"expected_keywords": ["半年"]},
     {"key_facts": ["半年"]}, {"evidence": [{"doc": "规定", "text": "半年"}]}, {"collections": ["人事"]}],
)  # fmt: skip
def test_the_hash_of_a_case_changes_with_what_its_figures_rest_on(change):
    assert case_hash(case(**change)) != case_hash(case())


@pytest.mark.parametrize(
    "change", [{"author": "甲"}, {"reviewed_by": "乙"}, {"notes": "难"}, {"split": "dev"}, {"near": {"doc": "规定"}}]
)
def test_the_hash_of_a_case_stays_when_only_what_is_beside_it_changes(change):
    assert case_hash(case(**change)) == case_hash(case())


def test_one_of_two_and_both_of_two_are_different_cases():
    pieces = [{"doc": "规定", "text": "甲"}, {"doc": "规定", "text": "乙"}]
    assert case_hash(case(evidence=pieces)) != case_hash(case(evidence=[pieces]))


@given(CASES)
def test_a_case_has_the_same_hash_after_it_was_written_and_read(made):
    assert case_hash(read([line(made)], "set")[0]) == case_hash(made)
