from __future__ import annotations

import pytest

from builders import hits, turn
from youju.stages.base import advance
from youju.stages.gate import Gate
from youju.types import Grade


async def test_nothing_found_is_refused_as_such():
    after = await advance(Gate(), turn(grade=Grade("LOW")))
    assert (after.refusal, after.hits, after.nearest) == ("no_candidates", (), ())


async def test_low_evidence_is_refused_and_shown_as_the_nearest():
    after = await advance(Gate(), turn(hits=hits("abc"), grade=Grade("LOW")))
    assert (after.refusal, after.hits, after.nearest) == ("low_evidence", (), hits("abc"))


@pytest.mark.parametrize("grade", [Grade("HIGH"), Grade("AMBIGUOUS"), None])
async def test_other_evidence_goes_on_as_it_is(grade):
    after = await advance(Gate(), turn(hits=hits("abc"), grade=grade))
    assert (after.refusal, after.hits, after.nearest) == (None, hits("abc"), ())
