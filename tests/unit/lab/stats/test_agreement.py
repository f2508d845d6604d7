from __future__ import annotations

import pytest

from youju.lab.stats import kappa


def test_kappa_is_agreement_beyond_chance():
    # Fifty grants of the textbook: 20 5 / 10 15: agreement .7, chance .5 * .6 + .5 * .4 = .5.
    found = kappa([[20, 5], [10, 15]])
    assert (found.n, found.agreement, found.kappa) == (50, pytest.approx(0.7), pytest.approx(0.4))
    assert found.prevalence == (0.5, 0.5)
    assert found.balanced_accuracy == pytest.approx((20 / 25 + 15 / 25) / 2)


def test_its_standard_error_is_the_one_of_fleiss_cohen_and_everitt():
    # Same table: a = .4(1 − 1.1*.6)² + .3(1 − .9*.6)² = .04624 + .06348 = .10972;
    # b = .36 (.1 * (.6 + .5)² + .2 * (.5 + .4)²) = .36 (.121 + .162) = .10188; c = (.4 − .5*.6)² = .01.
    # error = sqrt((.10972 + .10188 − .01) / 50) / .5 = .126996.
    found = kappa([[20, 5], [10, 15]])
    assert found.high - 0.4 == pytest.approx(1.959964 * 0.126996, abs=1e-4)


def test_rare_faults_make_agreement_cheap_and_kappa_says_so():
    found = kappa([[90, 5], [4, 1]])
    assert found.agreement == pytest.approx(0.91)
    assert found.kappa == pytest.approx((0.91 - (0.95 * 0.94 + 0.05 * 0.06)) / (1 - (0.95 * 0.94 + 0.05 * 0.06)))
    assert found.kappa < 0.2


def test_where_all_say_the_same_there_is_no_kappa():
    found = kappa([[30, 0], [0, 0]])
    assert (found.kappa, found.agreement, found.balanced_accuracy) == (None, 1.0, 1.0)


@pytest.mark.parametrize("table", [[[1, 2]], [[0, 0], [0, 0]], [[1, -1], [0, 2]]])
def test_what_is_no_confusion_matrix_is_a_mistake(table):
    with pytest.raises(ValueError, match="confusion matrix"):
        kappa(table)
