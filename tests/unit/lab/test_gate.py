from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tables import ATTACK, HIT, LENGTH, MRR, NOISE, RANGE, SECONDS, TOLD, about, case, run
from youju.errors import InputError
from youju.lab.gate import gate
from youju.lab.results import MeasureInfo

VECTOR = MeasureInfo("hit@5.vector", "向量前 5 条命中", "retrieval", binary=True)


def decided(before, after, *, primary="hit@5", margin=0.03, deterministic=None, **runs):
    first, second = run({"V2": before}, **runs), run({"V2": after}, **runs)
    return gate(first, second, arm="V2", primary=primary, margin=margin, deterministic=deterministic)


def checked(verdict, measure, kind=None):
    return next(one for one in verdict.checks if one.measure == measure and kind in {None, one.kind})


def test_the_same_figures_pass_however_few_they_are():
    same = {HIT: [1, 0, 1], MRR: [1, 0, 0.5], RANGE: [1, 1, 1]}
    verdict = decided(same, same)
    assert (verdict.code, verdict.reasons, verdict.cases) == (0, ("primary:hit@5:no_case_lost",), 3)


def test_gains_alone_pass():
    assert decided({HIT: [0, 0, 1]}, {HIT: [1, 0, 1]}).code == 0


def test_a_loss_on_many_cases_fails():
    verdict = decided({HIT: [1] * 30}, {HIT: [0] * 10 + [1] * 20})
    assert (verdict.code, verdict.reasons) == (1, ("primary:hit@5:loss",))
    assert checked(verdict, "hit@5").cases == tuple(f"q{number:03}" for number in range(10))


def test_a_loss_on_few_of_few_cases_is_inconclusive_and_says_how_many_it_takes():
    verdict = decided({HIT: [1] * 20}, {HIT: [0] + [1] * 19})
    assert (verdict.code, verdict.reasons) == (2, ("primary:hit@5:not_shown",))
    # Spread of one −1 in 20: sqrt(1/20) = .2236; loss .05: (2.8016 * .2236 / .05)² = 156.98.
    assert verdict.needed == 157


def test_a_loss_within_the_margin_passes_where_the_cases_say_so():
    before = {MRR: [1.0] * 200}
    verdict = decided(before, {MRR: [0.99, 1.0] * 100}, primary="mrr")
    assert (verdict.code, verdict.reasons) == (0, ("primary:mrr:within_margin",))


def test_where_the_interval_reaches_over_the_margin_more_cases_are_asked_for():
    verdict = decided({MRR: [0.5] * 20}, {MRR: [0.3, 0.7] * 10}, primary="mrr")
    assert (verdict.code, verdict.reasons) == (2, ("primary:mrr:inconclusive",))
    # Spread .2 * sqrt(20 / 19) = .2052; (2.8016 * .2052 / .03)² = 367.2
    assert verdict.needed == 368


def test_where_lower_is_better_a_rise_is_the_loss():
    low, high = {NOISE: [0.1] * 12}, {NOISE: [0.5, 0.6] * 6}
    assert decided(low, high, primary="noise").code == 1
    assert decided(high, low, primary="noise").code == 0


def test_what_every_answer_must_satisfy_fails_by_a_single_case_old_or_new():
    before, after = {HIT: [1] * 3, RANGE: [1, 0, 1]}, {HIT: [1] * 3, RANGE: [1, 0, 1]}
    verdict = decided(before, after)
    assert (verdict.code, verdict.reasons) == (1, ("hard:pages_in_range:failed",))
    assert checked(verdict, "pages_in_range", "hard").cases == ("q001",)


def test_another_hard_measure_fails_by_a_case_that_was_right_before():
    hit = {HIT: [1] * 3}
    assert decided(hit | {ATTACK: [0, 1, None]}, hit | {ATTACK: [0, 1, None]}).code == 0
    verdict = decided(hit | {ATTACK: [0, 1, None]}, hit | {ATTACK: [1, 1, None]})
    assert checked(verdict, "attack_success", "hard").cases == ("q000",)
    assert verdict.code == 1


def test_a_hard_check_that_crashes_is_a_failure():
    hit = {HIT: [1] * 3}
    assert decided(hit | {RANGE: [1, 1, 1]}, hit | {RANGE: [1, "!", 1]}).code == 1


def test_another_measure_that_is_lost_fails_although_the_primary_stands():
    verdict = decided({HIT: [1] * 20, VECTOR: [1] * 20}, {HIT: [1] * 20, VECTOR: [0] * 12 + [1] * 8})
    assert (verdict.code, verdict.reasons) == (1, ("delta:hit@5.vector:loss",))


def test_a_loss_elsewhere_that_may_be_chance_is_told_and_passes():
    verdict = decided({HIT: [1] * 20, VECTOR: [1] * 20}, {HIT: [1] * 20, VECTOR: [0] * 6 + [1] * 14})
    assert verdict.code == 0
    assert checked(verdict, "hit@5.vector").note == "not_shown"


def test_where_nothing_is_chance_six_lost_cases_are_enough():
    columns = {HIT: [1] * 20, VECTOR: [1] * 20}, {HIT: [1] * 20, VECTOR: [0] * 6 + [1] * 14}
    assert decided(*columns, deterministic=True).code == 1
    assert decided(*columns, manifest={"deterministic": True}).code == 1


def test_where_nothing_is_chance_a_loss_that_nothing_outweighs_is_a_doubt():
    before = {HIT: [1] * 20, VECTOR: [1] * 18 + [0] * 2}
    lost, mixed = [0, 0] + [1] * 16 + [0] * 2, [0, 0, 0] + [1] * 15 + [1] * 2
    verdict = decided(before, before | {VECTOR: lost}, deterministic=True)
    assert (verdict.code, verdict.reasons) == (2, ("delta:hit@5.vector:not_shown",))
    assert decided(before, before | {VECTOR: mixed}, deterministic=True).code == 0
    assert decided(before, before | {VECTOR: lost}, deterministic=False).code == 0


def test_a_channel_that_fell_silent_fails_although_it_has_no_figures_any_more():
    columns = {HIT: [1] * 10, VECTOR: [1] * 10}, {HIT: [1] * 10, VECTOR: [None] * 10}
    verdict = decided(*columns)
    assert verdict.code == 1
    assert checked(verdict, "hit@5.vector", "defined").note == "gone"


def test_figures_that_a_refusal_takes_away_are_not_missed():
    before = run({"V2": {HIT: [1] * 10, MRR: [1] * 10}})
    after = run({"V2": {HIT: [1] * 10, MRR: [None] * 9 + [1]}})
    refusals = tuple(replace(one, refusal="资料中没有") for one in after.outcomes[:9]) + after.outcomes[9:]
    asked = {"arm": "V2", "primary": "hit@5", "margin": 0.03}
    assert gate(before, after, **asked).reasons == ("defined:mrr:fewer",)
    assert gate(before, replace(after, outcomes=refusals), **asked).code == 0


def test_many_new_errors_fail_and_some_are_inconclusive():
    assert decided({HIT: [1] * 10}, {HIT: ["!"] + [1] * 9}).reasons == ("errors:hit@5:uneven_errors",)
    verdict = decided({HIT: [1] * 40}, {HIT: ["!"] + [1] * 39})
    assert (verdict.code, verdict.reasons) == (2, ("errors:hit@5:many_errors",))


def test_a_judge_counts_only_when_people_have_checked_him():
    columns = {HIT: [1] * 20, TOLD: [1] * 20}, {HIT: [1] * 20, TOLD: [0] * 20}
    doubted = decided(*columns)
    assert (doubted.code, checked(doubted, "faithfulness").note) == (0, "uncalibrated")
    assert decided(*columns, judge={"calibrated": True}).code == 1
    assert decided(*columns, judge={"calibrated": True, "void": True}).code == 0
    assert decided(*columns, primary="faithfulness").code == 2


def test_what_has_a_unit_is_watched_only_with_a_margin_of_its_own():
    columns = {HIT: [1] * 20, SECONDS: [1.0] * 20}, {HIT: [1] * 20, SECONDS: [3.0, 3.5] * 10}
    assert checked(decided(*columns), "seconds").note == "no_margin"
    assert decided(*columns, margin={"hit@5": 0.03, "seconds": 0.5}).code == 1


def test_what_is_neither_better_nor_worse_is_not_looked_at():
    columns = {HIT: [1] * 20, LENGTH: [50.0] * 20}, {HIT: [1] * 20, LENGTH: [900.0] * 20}
    assert [one.measure for one in decided(*columns).checks] == ["hit@5"]


def test_a_hard_check_that_was_not_made_is_inconclusive_and_another_measure_is_skipped():
    before, after = run({"V2": {HIT: [1], RANGE: [1], MRR: [1]}}), run({"V2": {HIT: [1]}})
    verdict = gate(before, after, arm="V2", primary="hit@5", margin=0.03)
    assert (verdict.code, verdict.reasons) == (2, ("hard:pages_in_range:not_measured",))
    assert checked(verdict, "mrr").state == "skipped"


def test_only_cases_that_did_not_change_count():
    cases = [case(number) for number in range(10)]
    changed = about(cases, "set-2")
    changed["cases"] = changed["cases"] | {one.id: "rewritten" for one in cases[:9]}
    before = run({"V2": {HIT: [1] * 10}})
    after = run({"V2": {HIT: [0] * 9 + [1]}}, manifest={"set": changed})
    verdict = gate(before, after, arm="V2", primary="hit@5", margin=0.03)
    assert (verdict.code, verdict.cases, len(verdict.changed)) == (0, 1, 9)


@pytest.mark.parametrize(
    "asked,said",
    [
        ({"arm": "V7"}, "V7"),
        ({"primary": "hit@9"}, "hit@9"),
        ({"margin": -0.1}, "负数"),
        ({"margin": float("nan")}, "负数"),
        ({"margin": {"mrr": 0.1}}, "hit@5"),
    ],
)
def test_what_cannot_be_asked_is_said(asked, said):
    results = run({"V2": {HIT: [1]}})
    with pytest.raises(InputError, match=said):
        gate(results, results, **({"arm": "V2", "primary": "hit@5", "margin": 0.03} | asked))


def test_without_a_case_that_has_the_primary_there_is_nothing_to_say():
    verdict = decided({HIT: [None] * 3}, {HIT: [None] * 3})
    assert (verdict.code, verdict.reasons) == (2, ("primary:hit@5:no_cases",))


def made(rng, lost: float = 0.0):
    """Forty cases under twelve measures; answers are sampled, so a tenth of the cases turns out otherwise each time."""
    infos = [HIT, *(replace(VECTOR, name=f"share-{number}", family="answer") for number in range(11))]
    base = np.random.default_rng(99).random((12, 40)) < 0.7
    drawn = rng.random((12, 40))
    now = np.where(drawn < 0.1, ~base, base) & (rng.random((12, 40)) >= lost)
    return {info: column.astype(float).tolist() for info, column in zip(infos, now, strict=True)}


@pytest.mark.slow
def test_clean_runs_of_a_sampling_system_raise_hardly_an_alarm_and_a_broken_one_always_does():
    rng = np.random.default_rng(31)
    clean = [decided(made(rng), made(rng)).code for _ in range(100)]
    assert clean.count(1) <= 3
    broken = [decided(made(rng), made(rng, lost=0.5)).code for _ in range(15)]
    assert broken.count(1) == 15


@pytest.mark.slow
def test_a_system_without_chance_never_raises_an_alarm_against_itself():
    rng = np.random.default_rng(32)
    for _ in range(20):
        figures = made(rng)
        assert decided(figures, figures, deterministic=True).code == 0
