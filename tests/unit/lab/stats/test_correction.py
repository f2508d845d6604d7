from __future__ import annotations

import numpy as np
import pytest

from youju.lab.stats import ppi


def test_a_judge_who_says_yes_to_everything_is_not_used():
    found = ppi([1, 1, 1, 1], [1, 0, 1, 0], [1] * 50)
    assert (found.estimate, found.lam) == (0.5, 0.0)


def test_his_mean_error_is_taken_off():
    # Spread of all figures: 1/4; covariance of people and judge (n − 1): 3 of 4 agree: sums below.
    judged, human, rest = [1, 1, 0, 0], [1, 0, 0, 0], [1, 0] * 10
    # cov = (Σ hj − 4·.25·.5) / 3 = (1 − .5) / 3 = 1/6; spread .25; lam = (1/6) / ((1 + 4/20) · .25) = .5556.
    found = ppi(judged, human, rest)
    assert found.lam == pytest.approx(5 / 9)
    assert found.estimate == pytest.approx(5 / 9 * 0.5 + (0.25 - 5 / 9 * 0.5))


def test_a_judge_without_fault_on_few_labels_is_still_doubted():
    found = ppi([1, 0] * 10, [1, 0] * 10, [1, 0] * 500)
    assert found.estimate == pytest.approx(0.5)
    assert found.high - found.estimate > 1 - 0.05 ** (1 / 20)


def test_labels_that_do_not_fit_are_a_mistake():
    for judged, human, rest in (([1], [1], [1]), ([1, 0], [1, 0, 1], [1]), ([1, 0], [1, 0], [])):
        with pytest.raises(ValueError, match="cannot be corrected"):
            ppi(judged, human, rest)


def simulated(truth: float, labels: int, runs: int) -> tuple[float, float, float]:
    """Bias of judge and correction, and how often the interval holds the truth; sensitivity .9, specificity .7."""
    rng = np.random.default_rng(13)
    judge, corrected, held = [], [], 0
    for _ in range(runs):
        real = rng.random(600 + labels) < truth
        said = np.where(real, rng.random(len(real)) < 0.9, rng.random(len(real)) < 0.3).astype(float)
        found = ppi(said[:labels], real[:labels].astype(float), said[labels:])
        judge.append(said.mean() - truth)
        corrected.append(found.estimate - truth)
        held += found.low <= truth <= found.high
    return float(np.mean(judge)), float(np.mean(corrected)), held / runs


@pytest.mark.slow
@pytest.mark.parametrize("truth,labels", [(0.7, 50), (0.7, 100), (0.9, 100)])
def test_the_correction_has_no_bias_and_its_interval_covers(truth, labels):
    judge, corrected, coverage = simulated(truth, labels, 1500)
    assert abs(judge) > 0.015
    assert abs(corrected) < abs(judge) / 3
    assert 0.92 <= coverage <= 0.97
