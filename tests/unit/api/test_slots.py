from __future__ import annotations

import pytest

from youju.api.slots import Slots
from youju.errors import BusyError


def test_a_place_is_given_back_also_after_a_failure():
    slots = Slots(1, "提问")
    with pytest.raises(KeyError), slots.one():
        raise KeyError
    with slots.one():
        pass
    assert slots.taken == 0


def test_what_is_over_the_limit_is_refused():
    slots = Slots(1, "提问")
    with slots.one(), pytest.raises(BusyError, match="提问已达上限 1"), slots.one():
        pass
    assert slots.taken == 0
