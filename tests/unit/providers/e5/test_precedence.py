"""What somebody waits for goes first, and who steps back."""

import os
import sys
import threading

import pytest

from youju.providers.e5 import precedence
from youju.providers.e5.precedence import Precedence, step_back


def in_a_thread(fn):
    seen = []
    thread = threading.Thread(target=lambda: seen.append(fn()))
    thread.start()
    thread.join()
    return seen[0]


def niceness():
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_background_work_goes_on_when_nobody_waits():
    assert Precedence(patience_s=0).after_you()


def test_background_work_waits_until_the_last_is_served():
    order = Precedence(patience_s=60)
    waited = []
    with order.first():
        with order.first():
            thread = threading.Thread(target=lambda: waited.append(order.after_you()))
            thread.start()
        assert waited == []
    thread.join()
    assert waited == [True]


def test_who_fails_is_served_too():
    order = Precedence(patience_s=0)
    with pytest.raises(ValueError, match="x"), order.first():
        raise ValueError("x")
    assert order.after_you()


def test_patience_ends_so_that_a_service_that_is_never_quiet_finishes_its_books():
    order = Precedence(patience_s=0)
    with order.first():
        assert not order.after_you()


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has a priority of its own on Linux only")
def test_a_thread_steps_back_alone():
    before = niceness()
    assert in_a_thread(lambda: (step_back(), niceness())[1]) == max(before, precedence.NICE)
    assert niceness() == before


def test_elsewhere_nothing_happens(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert in_a_thread(lambda: (step_back(), niceness())[1]) == niceness()
