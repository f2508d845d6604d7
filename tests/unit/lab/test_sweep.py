from __future__ import annotations

import pytest

from judgements import case
from youju.errors import InputError
from youju.lab.arms import Own
from youju.lab.results import ArmInfo, MeasureInfo, Results, Row
from youju.lab.score import ok
from youju.lab.sweep import chosen, grid, told

MRR = MeasureInfo("mrr", "MRR", "retrieval")
SECONDS = MeasureInfo("seconds", "秒", "cost", better="lower")


def results(info=MRR, **figures):
    cases = tuple(case(id=f"q{n}") for n in range(len(next(iter(figures.values())))))
    rows = tuple(Row(arm, f"q{n}", 0, info.name, ok(v)) for arm, each in figures.items() for n, v in enumerate(each))
    return Results({}, cases, tuple(ArmInfo(arm, arm) for arm in figures), (info,), rows, ())


def arms(*names):
    return {name: Own(base="V2") for name in names}


def test_a_grid_is_every_combination_and_the_usual_settings():
    found = grid("V2", {"rrf_k": [10, 60], "vector_top_k": [5, 15, 30]})
    assert len(found) == 7
    assert found["usual"].set == {}
    assert found["rrf_k=10，vector_top_k=30"].set == {"rrf_k": 10, "vector_top_k": 30}


@pytest.mark.parametrize("axes", [{"rrf_k": []}, {"rrf_k": range(201)}])
def test_a_grid_of_nothing_or_of_too_much_is_an_error(axes):
    with pytest.raises(InputError):
        grid("V2", axes)


def test_the_best_comes_first_and_ties_keep_the_order_of_the_grid():
    found, _ = chosen(results(usual=[0, 1], a=[1, 1], b=[1, 1]), "mrr", arms("usual", "a", "b"))
    assert [(one.arm, one.mean) for one in found] == [("a", 1.0), ("b", 1.0), ("usual", 0.5)]


def test_where_less_is_better_the_smallest_comes_first():
    found, _ = chosen(results(SECONDS, usual=[2, 2], a=[1, 1]), "seconds", arms("usual", "a"))
    assert found[0].arm == "a"


def test_a_lead_that_is_the_same_in_every_case_is_no_luck():
    _, luck = chosen(results(usual=[0.0] * 30, a=[0.5] * 30), "mrr", arms("usual", "a"))
    assert luck == pytest.approx(0, abs=1e-9)


def test_choosing_among_noise_is_luck():
    import numpy as np

    rng = np.random.default_rng(1)
    noise = {f"a{n}": list(rng.random(40)) for n in range(20)}
    found, luck = chosen(results(usual=list(rng.random(40)), **noise), "mrr", arms("usual", *noise))
    lead = found[0].mean - next(one.mean for one in found if one.arm == "usual")
    assert luck > lead / 4


def test_the_best_is_told_over_the_same_cases():
    found = told(results(usual=[0.0, 0.5, 1.0], a=[0.5, 0.5, 1.0]), "mrr", "usual", "a")
    assert (found.n, found.wins, found.ties, found.losses) == (3, 1, 2, 0)
    assert found.delta == pytest.approx(1 / 6)


def test_an_unknown_measure_names_the_known_ones():
    with pytest.raises(InputError, match="mrr"):
        chosen(results(usual=[1.0]), "recall", arms("usual"))
