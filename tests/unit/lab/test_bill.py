from __future__ import annotations

import pytest

from youju.lab.bill import Bill, OverspentError
from youju.lab.calls import Calls, Tokens
from youju.lab.lines import Lines
from youju.lab.plan import Price


def bill(tmp_path, bound, **told):
    calls = Calls(Lines(tmp_path / "calls.jsonl"), told=told)
    return Bill(bound, calls, answer=Price(1, 2), judge=Price(10, None), judged_by="judge")


def test_each_model_has_its_price(tmp_path):
    # A million at 1 and half a million at 2.
    assert bill(tmp_path, None, writer=Tokens(1_000_000, 500_000)).cost() == 2.0
    assert bill(tmp_path, None, writer=Tokens(1, 1), judge=Tokens(1, 1)).cost() is None
    assert bill(tmp_path, None, writer=Tokens(1, 1, untold=1)).cost() is None
    assert bill(tmp_path, None).cost() == 0


@pytest.mark.parametrize(
    "bound, told, code",
    [
        (1.9, Tokens(1_000_000, 500_000), "max_cost"),
        (0, Tokens(1, 0), "max_cost"),
        (100, Tokens(1, 1, untold=1), "unknown_cost"),
    ],
)
def test_what_passes_the_bound_or_cannot_be_watched_stops(tmp_path, bound, told, code):
    with pytest.raises(OverspentError) as caught:
        bill(tmp_path, bound, writer=told).check()
    assert caught.value.code == code


@pytest.mark.parametrize("bound", [2.0, None])
def test_what_stays_within_does_not(tmp_path, bound):
    bill(tmp_path, bound, writer=Tokens(1_000_000, 500_000)).check()


def test_without_a_bound_nothing_stops(tmp_path):
    bill(tmp_path, None, writer=Tokens(9, 9, untold=9)).check()
