from __future__ import annotations

import numpy as np
import pytest

from youju.lab.score import error, not_applicable, ok
from youju.lab.stats import Components, averaged, components


def test_a_case_scores_the_mean_of_its_repeats():
    assert averaged([ok(1), ok(0), ok(0.5)]).value == 0.5
    assert averaged([ok(1), not_applicable("no claims"), error("crashed")]).value == 1


def test_mostly_errors_is_an_error_and_nothing_at_all_is_not_applicable():
    assert averaged([ok(1), error("late"), error("crashed")]) == error("late")
    assert averaged([not_applicable("no gold")] * 3) == not_applicable("no gold")


def test_a_single_repeat_is_itself():
    kept = ok(0.3, "as measured")
    assert averaged([kept]) is kept


def test_the_noise_is_shared_out_by_hand():
    # Judge calls: two of four answers differ by 2 (variance 2 each), pooled (2 + 2 + 0 + 0) / 4 = 1.
    # Answer means: case a 1 and 5 (variance 8), case b 9 and 9 (0): pooled 4, less 1/2 of the judge's = 3.5.
    # Case means 3 and 9: variance 18, less half of the answers' 4 = 16.
    values = [[[0, 2], [4, 6]], [[9, 9], [9, 9]]]
    assert components(values) == Components(16, 3.5, 1)


def test_what_nobody_repeated_is_unknown():
    assert components([[[1.0]], [[3.0]]]) == Components(2.0, None, None)
    assert components([]) == Components(None, None, None)


def test_known_variances_come_back():
    rng = np.random.default_rng(1)
    cases = rng.normal(0, 0.5, (2000, 1, 1))
    values = cases + rng.normal(0, 0.3, (2000, 3, 1)) + rng.normal(0, 0.2, (2000, 3, 2))
    found = components(values.tolist())
    assert found.cases == pytest.approx(0.25, rel=0.1)
    assert found.generations == pytest.approx(0.09, rel=0.1)
    assert found.judge_calls == pytest.approx(0.04, rel=0.1)
