from __future__ import annotations

from typing import get_args

import pytest

from youju.documents.lifecycle import TRANSITIONS, step
from youju.errors import ConflictError
from youju.types import Status


def test_every_status_has_a_row() -> None:
    assert set(TRANSITIONS) == set(get_args(Status))


def test_only_an_embedded_version_becomes_ready() -> None:
    assert [before for before, after in TRANSITIONS.items() if "READY" in after] == ["EMBEDDING"]


def test_nothing_leaves_deleting() -> None:
    assert TRANSITIONS["DELETING"] == frozenset()


def test_every_status_but_deleting_may_be_deleted() -> None:
    assert {before for before, after in TRANSITIONS.items() if "DELETING" in after} == set(TRANSITIONS) - {"DELETING"}


def test_a_step_outside_the_table_is_refused_with_both_names() -> None:
    with pytest.raises(ConflictError, match="READY 变为 PARSING"):
        step("READY", "PARSING")
