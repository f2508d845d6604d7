from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.engine import Connection

from builders import chunk
from youju.documents import catalog, listing
from youju.documents.catalog import Accepted, Upload
from youju.documents.scope import resolve
from youju.errors import ConflictError, NotFoundError
from youju.storage import chunks as chunk_rows
from youju.storage import tables
from youju.storage.engine import Store
from youju.types import Failure


@pytest.fixture
def store(tmp_path: Path):
    store = Store.open(tmp_path)
    yield store
    store.close()


def upload(name: str = "甲.md", sha: str = "a" * 64, collection: str = "默认") -> Upload:
    return Upload(name, name.removesuffix(".md"), collection, sha, ".md", 10)


def accept(store: Store, *args: str, **more: str) -> Accepted:
    return store.write_now(lambda tx: catalog.accept(tx, upload(*args, **more)))


def make_ready(store: Store, accepted: Accepted, text: str = "正文") -> None:
    def work(tx: Connection) -> None:
        for status in ("PARSING", "CHUNKING", "EMBEDDING"):
            catalog.move(tx, accepted.version_id, status)
        home = tx.execute(select(tables.version.c.collection_id).where(tables.version.c.id == accepted.version_id))
        one = chunk(
            f"{accepted.document_id}-{accepted.version}",
            text,
            document_id=accepted.document_id,
            collection=home.scalar_one(),
        )
        chunk_rows.write(tx, [one], accepted.version_id)
        catalog.publish(tx, accepted.version_id, {"engine": "fake", "chunks": 1})

    store.write_now(work)


def active_texts(store: Store) -> list[str]:
    query = select(tables.chunk.c.text).where(tables.chunk.c.active)
    return store.read_now(lambda tx: list(tx.execute(query).scalars()))


def test_the_same_bytes_are_the_same_document_whatever_their_name(store: Store) -> None:
    first = accept(store)
    make_ready(store, first)
    again = accept(store, "乙.md")
    assert again.duplicate
    assert again.document_id == first.document_id


def test_the_same_bytes_in_another_collection_are_another_document(store: Store) -> None:
    first = accept(store)
    assert accept(store, collection="别的").document_id != first.document_id


def test_other_bytes_under_the_same_name_are_a_new_version_and_the_old_one_answers_meanwhile(store: Store) -> None:
    first = accept(store)
    make_ready(store, first, "旧")
    second = accept(store, sha="b" * 64)
    assert (second.document_id, second.version, second.duplicate) == (first.document_id, 2, False)
    assert active_texts(store) == ["旧"]
    make_ready(store, second, "新")
    assert active_texts(store) == ["新"]


def test_a_failed_new_version_leaves_the_old_one_answering(store: Store) -> None:
    first = accept(store)
    make_ready(store, first, "旧")
    second = accept(store, sha="b" * 64)
    store.write_now(lambda tx: catalog.fail(tx, second.version_id, Failure("broken", "坏了"), []))
    one = store.read_now(lambda tx: listing.find(tx, first.document_id))
    assert one.status == "READY"
    assert one.pending is not None
    assert one.pending.failure == Failure("broken", "坏了")
    assert active_texts(store) == ["旧"]


def test_uploading_failed_bytes_again_is_a_retry(store: Store) -> None:
    first = accept(store)
    store.write_now(lambda tx: catalog.fail(tx, first.version_id, Failure("broken", "坏了"), []))
    again = accept(store)
    assert (again.version_id, again.status, again.duplicate) == (first.version_id, "UPLOADED", False)


def test_deleted_bytes_are_new(store: Store) -> None:
    first = accept(store)
    make_ready(store, first)
    store.write_now(lambda tx: catalog.begin_delete(tx, first.document_id))
    again = accept(store)
    assert not again.duplicate
    assert again.document_id != first.document_id


def test_old_bytes_may_come_back_as_a_third_version(store: Store) -> None:
    first = accept(store)
    make_ready(store, first, "一")
    second = accept(store, sha="b" * 64)
    make_ready(store, second, "二")
    third = accept(store)
    assert (third.document_id, third.version, third.duplicate) == (first.document_id, 3, False)


def test_a_newer_upload_overtakes_one_that_is_on_its_way(store: Store) -> None:
    first = accept(store)
    store.write_now(lambda tx: catalog.move(tx, first.version_id, "PARSING"))
    accept(store, sha="b" * 64)
    with pytest.raises(ConflictError):
        store.write_now(lambda tx: catalog.move(tx, first.version_id, "CHUNKING"))


def test_disabling_hides_the_chunks_and_enabling_shows_them(store: Store) -> None:
    first = accept(store)
    make_ready(store, first)
    store.write_now(lambda tx: catalog.enable(tx, first.document_id, enabled=False))
    assert active_texts(store) == []
    store.write_now(lambda tx: catalog.enable(tx, first.document_id, enabled=True))
    assert active_texts(store) == ["正文"]


def test_a_new_version_of_a_disabled_document_stays_hidden(store: Store) -> None:
    first = accept(store)
    make_ready(store, first)
    store.write_now(lambda tx: catalog.enable(tx, first.document_id, enabled=False))
    make_ready(store, accept(store, sha="b" * 64), "新")
    assert active_texts(store) == []


def test_deletion_is_visible_at_once(store: Store) -> None:
    first = accept(store)
    make_ready(store, first)
    store.write_now(lambda tx: catalog.begin_delete(tx, first.document_id))
    assert active_texts(store) == []
    with pytest.raises(NotFoundError):
        store.read_now(lambda tx: listing.find(tx, first.document_id))


def test_find_takes_an_id_its_beginning_a_title_or_a_file_name(store: Store) -> None:
    first = accept(store)
    for reference in (first.document_id, first.document_id[:6], "甲", "甲.md"):
        assert store.read_now(lambda tx, reference=reference: listing.find(tx, reference)).id == first.document_id


def test_find_asks_back_when_a_title_names_several(store: Store) -> None:
    accept(store)
    accept(store, collection="别的")
    with pytest.raises(ConflictError, match="多份"):
        store.read_now(lambda tx: listing.find(tx, "甲"))


def test_scope_of_a_collection_and_of_ids_is_their_intersection(store: Store) -> None:
    mine, other = accept(store), accept(store, "乙.md", sha="b" * 64, collection="别的")
    make_ready(store, mine)
    make_ready(store, other)
    ids = [mine.document_id, other.document_id]
    _, report = store.read_now(lambda tx: resolve(tx, ids, "默认", "fake"))
    assert report.documents == (mine.document_id,)
    assert [(one.id, one.status) for one in report.excluded] == [(other.document_id, "OUT_OF_COLLECTION")]


def test_scope_names_what_is_not_ready_disabled_or_unknown(store: Store) -> None:
    waiting, hidden = accept(store), accept(store, "乙.md", sha="b" * 64)
    make_ready(store, hidden)
    store.write_now(lambda tx: catalog.enable(tx, hidden.document_id, enabled=False))
    ids = [waiting.document_id, hidden.document_id, "nobody"]
    _, report = store.read_now(lambda tx: resolve(tx, ids, None, "fake"))
    assert report.documents == ()
    assert [one.status for one in report.excluded] == ["UPLOADED", "DISABLED", "UNKNOWN"]


def test_documents_with_vectors_of_another_embedder_are_stale(store: Store) -> None:
    first = accept(store)
    make_ready(store, first)
    _, report = store.read_now(lambda tx: resolve(tx, None, None, "another"))
    assert report.documents == report.stale == (first.document_id,)


def test_an_unknown_collection_is_an_empty_scope(store: Store) -> None:
    make_ready(store, accept(store))
    scope, report = store.read_now(lambda tx: resolve(tx, None, "没有", "fake"))
    assert report.documents == ()
    assert scope.collections == ()


def test_a_file_that_is_again_what_it_was_forgets_the_version_that_failed(store: Store) -> None:
    first = accept(store)
    make_ready(store, first, "旧")
    second = accept(store, sha="b" * 64)
    store.write_now(lambda tx: catalog.fail(tx, second.version_id, Failure("broken", "坏了"), []))
    assert accept(store).duplicate
    one = store.read_now(lambda tx: listing.find(tx, first.document_id))
    assert (one.status, one.pending) == ("READY", None)


def test_the_same_bytes_under_another_name_leave_a_pending_version_alone(store: Store) -> None:
    first = accept(store)
    make_ready(store, first, "旧")
    accept(store, sha="b" * 64)
    accept(store, "乙.md")
    one = store.read_now(lambda tx: listing.find(tx, first.document_id))
    assert one.pending is not None
