from __future__ import annotations

from dataclasses import replace

import pytest

from tables import HIT, MRR, case, run, score
from youju.lab.columns import columns, documents_of, error_shares, pair, shared
from youju.lab.results import Row


def test_rows_become_one_column_an_arm_and_measure():
    table = columns(run({"V1": {HIT: [1, 0]}, "V2": {HIT: [1, "!"]}}))
    assert list(table) == [("V1", "hit@5"), ("V2", "hit@5")]
    assert [one.kind for one in table["V2", "hit@5"].values()] == ["ok", "error"]


def test_repeats_are_averaged_inside_the_case():
    results = run({"V1": {HIT: [1, 0]}})
    again = tuple(Row("V1", case_id, 1, "hit@5", score(0)) for case_id in ("q000", "q001"))
    column = columns(replace(results, rows=results.rows + again))["V1", "hit@5"]
    assert [one.value for one in column.values()] == [0.5, 0.0]


def test_only_cases_with_two_values_are_pairs():
    table = columns(run({"V1": {MRR: [1, None, 0.5, "!"]}, "V2": {MRR: [0.5, 1, "!", 0]}}))
    assert shared(table["V1", "mrr"], table["V2", "mrr"]) == (["q000"], [1.0], [0.5])


def test_errors_are_a_share_of_what_should_exist():
    assert error_shares(run({"V1": {HIT: [1, "!", None, None], MRR: [None] * 4}})) == {
        ("V1", "hit@5"): 0.5,
        ("V1", "mrr"): 0.0,
    }


@pytest.mark.parametrize("documents,clusters,note", [(4, 0, "few_documents"), (8, 8, ""), (24, 0, "")])
def test_cases_of_one_document_count_together_where_there_are_enough_documents(documents, clusters, note):
    cases = [case(number, f"文件{number % documents:02}") for number in range(24)]
    moved = [0.1 * (number % 5) for number in range(24)]
    table = columns(run({"V1": {MRR: [0.0] * 24}, "V2": {MRR: moved}}, cases=cases))
    found = pair(table["V1", "mrr"], table["V2", "mrr"], MRR, documents_of(cases))
    assert (found.clusters, found.note) == (clusters, note)


def test_a_case_without_a_document_stands_for_itself():
    assert documents_of([case(1, "规定"), case(2)]) == {"q001": "规定"}
