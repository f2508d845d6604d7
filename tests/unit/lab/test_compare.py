from __future__ import annotations

import pytest

from tables import HIT, LENGTH, MRR, NOISE, SECONDS, about, case, run
from youju.errors import InputError
from youju.lab.compare import compare

CASES = [case(number) for number in range(4)]


def test_two_runs_differ_case_by_case_and_flips_are_named():
    before, after = (
        run({"V2": {HIT: [0, 1, 1, 0], MRR: [0, 1, 0.5, 0]}}),
        run({"V2": {HIT: [1, 1, 0, 0], MRR: [1, 1, 0.2, 0]}}),
    )
    found = compare(before, after, arm="V2")
    hit, mrr = found.measures
    assert (found.cases, found.changed) == (4, ())
    assert (hit.to_right, hit.to_wrong, hit.paired.delta) == (("q000",), ("q002",), 0.0)
    assert (mrr.to_right, mrr.to_wrong) == (("q000",), ("q002",))
    assert (mrr.improved, mrr.worsened) == (1, 1)


def test_two_arms_of_one_run_are_compared_as_well():
    results = run({"V1": {HIT: [0] * 8}, "V2": {HIT: [1] * 8}})
    (hit,) = compare(results, results, arm="V1", other="V2").measures
    assert (hit.paired.delta, hit.significant, hit.q) == (1.0, True, pytest.approx(2 / 256))


def test_lower_may_be_better_and_a_length_is_neither_right_nor_wrong():
    before = run({"V1": {NOISE: [0.9, 0.1], SECONDS: [1, 9], LENGTH: [0, 90]}})
    after = run({"V1": {NOISE: [0.1, 0.9], SECONDS: [9, 1], LENGTH: [90, 0]}})
    noise, seconds, length = compare(before, after, arm="V1").measures
    assert (noise.to_right, noise.to_wrong) == (("q000",), ("q001",))
    assert seconds.to_right == length.to_wrong == ()


def test_of_another_set_only_the_cases_that_did_not_change_are_compared():
    manifest = about(CASES, "set-2")
    manifest["cases"] = manifest["cases"] | {"q001": "rewritten"}
    before, after = run({"V1": {HIT: [0, 0, 0, 0]}}), run({"V1": {HIT: [1, 1, 1, 1]}}, manifest={"set": manifest})
    found = compare(before, after, arm="V1")
    assert (found.cases, found.changed, found.measures[0].paired.n) == (3, ("q001",), 3)


@pytest.mark.parametrize("manifest", [{"set": {"hash": "set-2"}}, {"set": {}}, {"set": None}])
def test_sets_that_do_not_say_what_is_the_same_are_not_compared(manifest):
    before, after = run({"V1": {HIT: [0]}}), run({"V1": {HIT: [1]}}, manifest=manifest)
    with pytest.raises(InputError, match="没有相同的题目"):
        compare(before, after, arm="V1")


def test_of_one_set_the_cases_that_both_runs_asked_are_compared():
    before, after = run({"V1": {HIT: [0, 0, 0, 0]}}), run({"V1": {HIT: [1, 1]}}, cases=CASES[:2])
    assert compare(before, after, arm="V1").changed == ("q002", "q003")


def test_an_arm_that_did_not_run_is_said():
    with pytest.raises(InputError, match="V9"):
        compare(run({"V1": {HIT: [0]}}), run({"V1": {HIT: [1]}}), arm="V9")


def test_a_measure_with_many_errors_is_not_compared():
    before, after = run({"V1": {HIT: [0] * 8}}), run({"V1": {HIT: ["!"] + [1] * 7}})
    (hit,) = compare(before, after, arm="V1").measures
    assert (hit.voided, hit.q, hit.significant) == ("uneven_errors", None, False)
