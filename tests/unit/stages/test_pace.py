"""How many calls go at once."""

from __future__ import annotations

import asyncio

import pytest

from youju.stages.pace import CALM, Pace


async def held(pace, until):
    async with pace.turn():
        await until.wait()


async def test_no_more_go_at_once_than_the_width_and_all_are_counted():
    pace, until = Pace(2), asyncio.Event()
    tasks = [asyncio.create_task(held(pace, until)) for _ in range(5)]
    await asyncio.sleep(0)
    assert pace.calls == 2
    until.set()
    await asyncio.gather(*tasks)
    assert pace.calls == 5


async def test_calls_refused_together_narrow_the_gate_once_and_all_may_try_again():
    pace = Pace(4)
    assert [pace.refused(4), pace.refused(4), pace.refused(4)] == [True, True, True]
    assert pace.width == 2


async def test_at_a_width_of_one_a_refusal_is_final():
    pace = Pace(2)
    assert pace.refused(2)
    assert not pace.refused(1)


async def test_the_narrowed_gate_lets_fewer_through():
    pace, until = Pace(4), asyncio.Event()
    async with pace.turn() as began:
        pace.refused(began)
    tasks = [asyncio.create_task(held(pace, until)) for _ in range(4)]
    await asyncio.sleep(0)
    # One before, and two of the four.
    assert pace.calls == 3
    until.set()
    await asyncio.gather(*tasks)


async def test_calm_widens_it_again_up_to_what_it_was():
    pace = Pace(2)
    pace.refused(2)
    for _ in range(3 * CALM):
        pace.succeeded()
    assert pace.width == 2


async def test_who_is_cancelled_leaves_room():
    pace, until = Pace(1), asyncio.Event()
    tasks = [asyncio.create_task(held(pace, until)) for _ in range(2)]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    async with asyncio.timeout(1), pace.turn():
        assert pace.calls == 2


def test_a_gate_without_width_is_a_mistake():
    with pytest.raises(ValueError, match="nothing"):
        Pace(0)
