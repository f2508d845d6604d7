from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables import HIT, LENGTH, MRR, NOISE, TOLD, case, run, score
from youju.lab.results import ArmInfo, Row
from youju.lab.stats import holm
from youju.lab.summary import plain, summarise

V123 = [ArmInfo("V1", "V1"), ArmInfo("V2", "V2", base="V1"), ArmInfo("V3", "V3", base="V2")]


def three_arms():
    first, second, third = [0] * 12, [1] * 6 + [0] * 6, [1] * 12
    return run(
        {
            "V1": {HIT: first, MRR: [0.1] * 12, TOLD: [0.5] * 12},
            "V2": {HIT: second, MRR: [0.1] * 12, TOLD: [0.4] * 12},
            "V3": {HIT: third, MRR: [0.2] * 12, TOLD: [0.6] * 12},
        },
        infos=V123,
    )


def test_planned_contrasts_are_corrected_inside_their_family_and_the_rest_is_exploratory():
    summary = summarise(three_arms(), {"retrieval": "hit@5"})
    planned = summary.of("hit@5")
    # Steps of 6 gains each, p = 2/64; overall 12 gains, p = 2/4096.
    assert [one.paired.p for one in planned] == pytest.approx([2 / 64, 2 / 64, 2 / 4096])
    assert [one.p_adjusted for one in planned] == pytest.approx(holm([2 / 64, 2 / 64, 2 / 4096]))
    assert [one.significant for one in planned] == [False, False, True]
    rest = summary.of("mrr") + summary.of("faithfulness")
    assert all(one.exploratory and one.p_adjusted is None and one.q is not None for one in rest)
    assert not any(one.exploratory or one.q is not None for one in planned)


def test_what_is_not_significant_says_what_could_have_been_seen():
    planned = summarise(three_arms(), "hit@5").of("hit@5")
    assert planned[0].visible_from == planned[0].paired.mde > 0
    assert planned[2].visible_from is None


def test_a_case_is_improved_by_what_is_better_in_the_measure():
    (step,) = summarise(run({"V1": {NOISE: [0.5, 0.5, 0.5]}, "V2": {NOISE: [0.1, 0.2, 0.9]}}), {}).of("noise")
    assert (step.paired.wins, step.paired.losses) == (1, 2)
    assert (step.improved, step.worsened) == (2, 1)


@pytest.mark.parametrize(
    "errors,why",
    [((0, 0), ""), ((1, 0), ""), ((2, 2), "many_errors"), ((0, 6), "uneven_errors"), ((6, 6), "many_errors")],
)
def test_too_many_errors_void_the_comparison(errors, why):
    # Of 60: 1 is 1.7 %, 2 are 3.3 %, 6 are 10 %.
    first, second = (["!"] * count + [1.0] * (60 - count) for count in errors)
    (step,) = summarise(run({"V1": {HIT: first}, "V2": {HIT: second}}), "hit@5").of("hit@5")
    assert step.voided == why
    assert (step.p_adjusted is None) == bool(why)
    assert not step.significant


def test_without_a_case_in_common_there_is_nothing_to_compare():
    (step,) = summarise(run({"V0": {TOLD: [None, None]}, "V1": {TOLD: [1, 1]}}), "faithfulness").of("faithfulness")
    assert (step.voided, step.paired.n, step.visible_from) == ("no_cases", 0, None)


def test_arms_that_share_their_answers_are_said_to_be_identical():
    figures = {"V3": {HIT: [1, 0, 1]}, "V4": {HIT: [1, 0, 1]}}
    (same,) = summarise(run(figures, answers={"V3": "二〇一二年", "V4": "二〇一二年"}), "hit@5").of("hit@5")
    (chance,) = summarise(run(figures), "hit@5").of("hit@5")
    assert same.identical
    assert same.visible_from is None
    assert not chance.identical
    assert chance.paired.note == "no_difference"


def test_a_category_has_no_interval_below_ten_cases():
    cases = [case(i, category="factual" if i < 10 else "howto") for i in range(19)]
    slices = summarise(run({"V1": {HIT: [1] * 19}}, cases=cases), "hit@5").slices
    assert [(one.category, one.n, one.mean, one.low is None) for one in slices] == [
        ("factual", 10, 1.0, False),
        ("howto", 9, 1.0, True),
    ]


def test_cells_count_every_case_and_know_the_worst_end():
    cell = summarise(run({"V1": {HIT: [1, 1, None, "!"], LENGTH: [10, 30, None, "!"]}}), "hit@5").cell("V1", "hit@5")
    assert (cell.means.n, cell.means.not_applicable, cell.means.errors) == (2, 1, 1)
    assert cell.means.failures_as_zero == pytest.approx(2 / 3)
    assert cell.error_share == pytest.approx(1 / 3)


def test_an_arm_that_did_not_run_has_no_cells():
    infos = [ArmInfo("V0", "V0", missing="no model"), ArmInfo("V1", "V1", base="V0")]
    summary = summarise(run({"V1": {HIT: [1, 0]}}, infos=infos), "hit@5")
    assert [one.arm for one in summary.cells] == ["V1"]
    assert (summary.contrasts, [one.name for one in summary.missing]) == ((), ["V0"])


def test_repeats_are_averaged_and_their_spread_is_told():
    results = run({"V1": {MRR: [1.0, 0.0]}})
    again = tuple(Row("V1", case_id, 1, "mrr", score(0.5)) for case_id in ("q000", "q001"))
    summary = summarise(replace(results, rows=results.rows + again), "mrr")
    assert summary.repeats == 2
    assert summary.cell("V1", "mrr").means.complete == 0.5
    # Case means .75 and .25: variance .125, less half of the .125 inside them.
    (spread,) = summary.spreads
    assert (spread.components.cases, spread.components.generations) == (0.0625, 0.125)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda rows: rows[1:],
        lambda rows: (*rows, rows[0]),
        lambda rows: (*rows, replace(rows[0], arm="V9")),
        lambda rows: (*rows, replace(rows[0], case_id="q999")),
        lambda rows: (*rows, replace(rows[0], repeat=1)),
    ],
)
def test_a_run_with_rows_lost_double_or_strange_is_not_summed_up(spoil):
    results = three_arms()
    with pytest.raises(ValueError, match="rows are missing"):
        summarise(replace(results, rows=tuple(spoil(results.rows))), "hit@5")


def test_a_summary_is_json_and_an_end_that_is_not_there_is_null():
    data = json.loads(
        json.dumps(plain(summarise(run({"V1": {MRR: [0.5]}, "V2": {MRR: [0.7]}}), "mrr")), allow_nan=False)
    )
    assert data["contrasts"][0]["paired"]["low"] is None
    assert data["contrasts"][0]["paired"]["delta"] == pytest.approx(0.2)
    assert data["primary"] == {"retrieval": "mrr"}


figures = st.one_of(st.floats(0, 1), st.none(), st.just("!"))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(figures, figures), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_every_outcome_is_in_the_table_and_the_order_of_the_rows_does_not_matter(drawn, random):
    results = run({"V1": {MRR: [one[0] for one in drawn]}, "V2": {MRR: [one[1] for one in drawn]}})
    summary = summarise(results, "mrr")
    for cell in summary.cells:
        assert cell.means.n + cell.means.not_applicable + cell.means.errors == len(drawn)
    mixed = summarise(replace(results, rows=tuple(random.sample(results.rows, len(results.rows)))), "mrr")
    assert [one.means.complete for one in mixed.cells] == pytest.approx([one.means.complete for one in summary.cells])
    assert mixed.of("mrr")[0].paired.delta == pytest.approx(summary.of("mrr")[0].paired.delta)
