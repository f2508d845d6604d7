from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from youju.storage.changes import Changes
from youju.storage.mirror import Batch, Mirror
from youju.types import Scope

ALL = Scope()
CUT = (([1, 2], [10, 20]), ([2, 3], [21, 30]))


class Table:
    """What a database would hold: the rows of each active version; every change is logged."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch | None = None) -> None:
        self.rows: dict[int, list[int]] = {}
        self.log: list[int] = []
        self.loads: list[frozenset[int] | None] = []
        self.fail = False

    def set(self, version: int, rowids: list[int]) -> None:
        self.rows[version] = rowids
        self.log.append(version)

    def since(self, tx: object, seq: int) -> Changes:
        if seq == len(self.log):
            return Changes(seq)
        return Changes(len(self.log), None if seq < 0 else frozenset(self.log[seq:]))

    def load(self, tx: object, versions: frozenset[int] | None):
        self.loads.append(versions)
        wanted = sorted((r, v) for v, some in self.rows.items() if versions is None or v in versions for r in some)
        if wanted:
            rowids, mine = zip(*wanted, strict=True)
            square = np.asfortranarray([[r, r * r] for r in rowids], dtype=np.int64)
            documents = [f"d{v}" for v in mine]
            yield Batch(rowids, mine, [f"c{v % 2}" for v in mine], documents, {"square": square})
        if self.fail:
            raise OSError

    def living(self) -> list[int]:
        return sorted(rowid for some in self.rows.values() for rowid in some)


@pytest.fixture
def table(monkeypatch):
    table = Table()
    monkeypatch.setattr("youju.storage.mirror.since", table.since)
    return table


def seen(view) -> list[int]:
    return view.rowids[view.alive].tolist() if view.alive.size else []


def test_only_what_changed_is_read(table):
    mirror = Mirror(table.load)
    table.set(1, [1, 2])
    mirror.view(None)
    table.set(2, [3])
    assert seen(mirror.view(None)) == [1, 2, 3]
    mirror.view(None)
    assert table.loads == [None, frozenset({2})]


def test_a_view_does_not_change_when_the_mirror_goes_on(table):
    mirror = Mirror(table.load)
    table.set(1, [1, 2, 3, 4])
    old = mirror.view(None)
    table.set(2, [5])
    grown = mirror.view(None)
    table.set(1, [])
    table.set(3, [6])
    assert seen(mirror.view(None)) == [5, 6]
    assert seen(grown) == [1, 2, 3, 4, 5]
    assert seen(old) == [1, 2, 3, 4]


def test_a_load_that_fails_is_done_again_from_the_start(table):
    mirror = Mirror(table.load)
    table.set(1, [1])
    mirror.view(None)
    table.set(2, [2])
    table.fail = True
    with pytest.raises(OSError):  # noqa: PT011 - the one raised above
        mirror.view(None)
    table.fail = False
    assert seen(mirror.view(None)) == [1, 2]
    assert table.loads[-1] is None


def test_adding_one_by_one_copies_now_and_then_only(table):
    mirror = Mirror(table.load)
    buffers = set()
    for n in range(1, 300):
        table.set(n, [n])
        mirror.view(None)
        buffers.add(mirror._buffers["square"].ctypes.data)
    # Each buffer is half as large again: 300 rows need about log(300) / log(1.5) = 14 of them.
    assert len(buffers) <= 20


def test_a_chunk_with_several_rows_may_be_cut_by_the_end_of_a_batch(monkeypatch):
    """As many vectors have it, such cuts are the rule: moving all rows for each made the first search take seconds."""
    monkeypatch.setattr("youju.storage.mirror.since", lambda tx, seq: Changes(1, None if seq < 0 else frozenset()))
    parts = [Batch(ids, [1] * 2, ["c"] * 2, ["d"] * 2, {"n": np.array(ns)}, 4) for ids, ns in CUT]
    mirror = Mirror(lambda tx, versions: parts)
    monkeypatch.setattr(mirror, "_sweep", None)
    view = mirror.view(None)
    assert (view.rowids.tolist(), view.columns["n"].tolist()) == ([1, 2, 2, 3], [10, 20, 21, 30])
    assert len({len(buffer) for buffer in mirror._buffers.values()}) == 1


def test_a_row_that_comes_back_does_not_stand_behind_its_dead_self(table):
    mirror = Mirror(table.load)
    table.set(1, [1])
    table.set(2, [2])
    mirror.view(None)
    table.set(2, [2])
    view = mirror.view(None)
    assert view.rowids.tolist() == [1, 2]
    assert view.alive.all()


def test_the_memory_order_of_a_column_stays(table):
    mirror = Mirror(table.load)
    table.set(1, [4, 5, 6])
    table.set(2, [1, 2, 3])
    for change in ([7, 8], [], [9]):
        table.set(3, change)
        assert mirror.view(None).columns["square"].flags.f_contiguous or mirror._buffers["square"].flags.f_contiguous


def test_a_scope_is_a_mask(table):
    mirror = Mirror(table.load)
    table.set(1, [1, 2])
    table.set(2, [3])
    table.set(3, [4])
    view = mirror.view(None)

    def inside(scope: Scope) -> list[int]:
        return view.rowids[view.inside(scope)].tolist()

    assert inside(ALL) == [1, 2, 3, 4]
    assert inside(Scope(collections=("c1",))) == [1, 2, 4]
    assert inside(Scope(collections=("c1", "c0"), document_ids=("d1", "d2", "unknown"))) == [1, 2, 3]
    assert inside(Scope(collections=("unknown",))) == []
    assert inside(Scope(document_ids=())) == []


@settings(max_examples=150, deadline=None)
@given(steps=st.lists(st.tuples(st.integers(1, 5), st.integers(0, 4), st.booleans()), max_size=25))
def test_after_any_history_the_view_is_the_table(steps):
    table, fresh = Table(), count(1)
    mirror = Mirror(table.load)
    given_once: dict[int, list[int]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("youju.storage.mirror.since", table.since)
        for version, size, look in steps:
            # A version's rowids stay the same when it goes and comes back.
            mine = given_once.setdefault(version, [next(fresh) for _ in range(size)])
            table.set(version, [] if table.rows.get(version) else mine)
            if look:
                view = mirror.view(None)
                assert seen(view) == table.living()
                if view.alive.size:
                    assert np.all(np.diff(view.rowids) >= 0)
                    assert (view.columns["square"][:, 1] == view.rowids**2).all()
