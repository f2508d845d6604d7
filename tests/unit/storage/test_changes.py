from __future__ import annotations

import pytest

from youju.storage import changes
from youju.storage.changes import Changes, note, since
from youju.storage.engine import Store


@pytest.fixture
def store(tmp_path):
    store = Store.open(tmp_path)
    yield store
    store.close()


def after(store, seq: int) -> Changes:
    return store.read_now(lambda tx: since(tx, seq))


def test_nothing_has_happened_in_a_new_store(store):
    assert after(store, -1) == Changes(0)
    assert after(store, 0) == Changes(0)


def test_a_cache_hears_of_the_versions_noted_since(store):
    store.write_now(lambda tx: note(tx, [5]))
    store.write_now(lambda tx: note(tx, [7, 6, 7]))
    assert after(store, 1) == Changes(3, frozenset({6, 7}))
    assert after(store, 3) == Changes(3)


def test_a_cache_that_begins_reads_everything(store):
    store.write_now(lambda tx: note(tx, [5]))
    assert after(store, -1) == Changes(1, None)


def test_a_change_that_was_rolled_back_did_not_happen(store):
    def fails(tx) -> None:
        note(tx, [5])
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.write_now(fails)
    assert after(store, 0) == Changes(0)


def test_the_log_is_cut_and_who_is_too_far_behind_reads_everything(store, monkeypatch):
    monkeypatch.setattr(changes, "KEPT", 2)
    for version_id in (5, 6, 7, 8):
        store.write_now(lambda tx, version_id=version_id: note(tx, [version_id]))
    assert after(store, 1) == Changes(4, None)
    assert after(store, 2) == Changes(4, frozenset({7, 8}))


def test_a_log_that_went_back_is_another_store(store):
    store.write_now(lambda tx: note(tx, [5]))
    assert after(store, 40) == Changes(1, None)
