"""A judge beside people."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import chunk
from judgements import case, claim, judgement, seen
from youju.lab.judge.calibration import calibrate
from youju.lab.judge.labels import items


def judged(*verdicts):
    claims = [claim(one, id=f"c{i}", text=f"论断{i}") for i, one in enumerate(verdicts)]
    return items("V1", 0, replace(seen(case(), "答", chunk("a", "文")), judgement=judgement(*claims)))


def labels(known, *people):
    return {one.id: said for one, said in zip(known, people, strict=False)}


def test_rows_are_people_and_columns_the_judge():
    known = judged("yes", "yes", "no", "unknown")
    found = calibrate(known, labels(known, "yes", "no", "no", "no"))
    assert found.table == ((1, 0, 0), (1, 1, 1), (0, 0, 0))
    assert found.corrected is None  # nothing is left that people have not labelled


def test_agreement_beyond_chance_by_hand():
    # 20 yes/yes, 5 yes/no, 5 no/yes, 20 no/no: agreement .8, chance .5, so κ = .3 / .5 = .6.
    known = judged(*["yes"] * 20, *["no"] * 5, *["yes"] * 5, *["no"] * 20)
    found = calibrate(known, labels(known, *["yes"] * 25, *["no"] * 25))
    assert found.agreement.kappa == pytest.approx(0.6)
    assert found.agreement.balanced_accuracy == pytest.approx(0.8)
    assert found.agreement.prevalence[:2] == pytest.approx((0.5, 0.5))
    assert found.judged == 0.5


def test_a_judge_that_agrees_on_enough_labels_is_calibrated():
    many = judged(*["yes", "no"] * 15)
    assert calibrate(many, labels(many, *["yes", "no"] * 15)).calibrated
    assert not calibrate(many, labels(many, *["yes", "no"] * 14)).calibrated
    assert not calibrate(many, labels(many, *["yes", "yes", "no", "no"] * 8)).calibrated


def test_a_judge_that_always_agrees_on_one_class_is_not_calibrated():
    known = judged(*["yes"] * 40)
    found = calibrate(known, labels(known, *["yes"] * 40))
    assert found.agreement.kappa is None
    assert not found.calibrated


def test_the_corrected_share_takes_off_what_the_judge_is_wrong_by():
    # The judge says yes to all; people to half of the labelled. The judge tells nothing apart: people alone count.
    known = judged(*["yes"] * 200)
    found = calibrate(known, labels(known, *["yes", "no"] * 20))
    assert found.judged == 1.0
    assert found.corrected.estimate == pytest.approx(0.5)
    assert found.corrected.low < 0.5 < found.corrected.high


def test_without_labels_there_is_no_calibration():
    assert calibrate(judged("yes"), {}) is None
    assert calibrate(judged("yes"), {"someone": "yes"}) is None
