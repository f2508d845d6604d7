"""What every Chunks promises. The store's own is the only one: on a temporary folder it is as quick as a fake."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from builders import chunk
from shelf import Shelf
from youju.ports import Chunks
from youju.storage import chunks as rows
from youju.storage.chunks import SqlChunks
from youju.storage.engine import Store
from youju.types import Box, Scope

ALL = Scope()


@pytest.fixture
def store(tmp_path):
    store = Store.open(tmp_path / "store")
    yield store
    store.close()


@pytest.fixture
def chunks(store) -> Chunks:
    return SqlChunks(store)


@pytest.fixture
def shelf(store) -> Shelf:
    return Shelf(store)


def ids(found) -> list[str]:
    return [item.id for item in found]


def test_it_fits_the_port(chunks):
    assert isinstance(chunks, Chunks)


async def test_a_chunk_comes_back_as_it_was_written(shelf, chunks):
    full = chunk(
        "a",
        "顶点 \N{SLIGHTLY SMILING FACE}\n第二行",
        section=("第三章", "3.2 二次函数"),
        kind="table",
        ordinal=7,
        page_start=86,
        page_end=87,
        label_start="78",
        label_end="79",
        locator="表1!5",
        parent_id="p",
        boxes=(Box(86, 1.5, 2.0, 3.25, 4.0), Box(87, 0.0, 0.0, 1.0, 1.0)),
    )
    assert await shelf.put("d1", [full]) == 1
    assert await chunks.get(["a"], ALL) == [full]


async def test_characters_that_a_database_refuses_become_spaces_of_the_same_length(shelf, chunks):
    await shelf.put("d1", [chunk("a", "前\0中\ud800后", book="书\0")])
    (found,) = await chunks.get(["a"], ALL)
    assert (found.text, found.book) == ("前 中 后", "书 ")


async def test_chunks_come_in_the_order_asked_and_unknown_ones_are_absent(shelf, chunks):
    await shelf.put("d1", dict.fromkeys("abc", "文"))
    assert ids(await chunks.get(["c", "unknown", "a"], ALL)) == ["c", "a"]
    assert await chunks.get([], ALL) == []


async def test_more_ids_than_a_statement_has_variables(shelf, chunks):
    await shelf.put("d1", dict.fromkeys("ab", "文"))
    many = [f"x{n}" for n in range(40_000)]
    assert ids(await chunks.get([*many, "b"], Scope(document_ids=(*many[:10_000], "d1")))) == ["b"]


async def test_what_is_outside_the_scope_is_absent(shelf, chunks):
    await shelf.put("d1", {"a": "文"}, collection="c1")
    await shelf.put("d2", {"b": "文"}, collection="c2")
    assert ids(await chunks.get(["a", "b"], Scope(collections=("c2",)))) == ["b"]
    assert ids(await chunks.get(["a", "b"], Scope(document_ids=("d1",)))) == ["a"]
    assert await chunks.get(["a", "b"], Scope(("c2",), ("d1",))) == []
    assert await chunks.get(["a", "b"], Scope(document_ids=())) == []


async def test_what_is_not_active_is_absent(shelf, chunks):
    version_id = await shelf.put("d1", {"a": "文", "b": "文"}, active=False)
    assert await chunks.get(["a"], ALL) == []
    assert await chunks.neighbours("a", 1, ALL) == []
    await shelf.activate(version_id, active=True)
    assert ids(await chunks.get(["a"], ALL)) == ["a"]


async def test_a_parent_is_given_for_each_child_that_has_one(shelf, chunks):
    mine = [chunk("a", parent_id="p"), chunk("b", parent_id="p"), chunk("c"), chunk("p", role="parent")]
    await shelf.put("d1", mine)
    parents = await chunks.parents(["a", "b", "c", "unknown"], ALL)
    assert {child: parent.id for child, parent in parents.items()} == {"a": "p", "b": "p"}
    assert await chunks.parents(["a"], Scope(document_ids=())) == {}


async def test_neighbours_are_children_of_the_same_version_in_reading_order(shelf, chunks):
    mine = [chunk(id_, ordinal=n) for n, id_ in enumerate("abcde")]
    await shelf.put("d1", [*reversed(mine), chunk("p", role="parent", ordinal=2)])
    await shelf.put("d2", {"x": "文", "y": "文"})
    await shelf.put("d1", {"old": "文"}, number=2, active=False)
    assert ids(await chunks.neighbours("c", 1, ALL)) == ["b", "c", "d"]
    assert ids(await chunks.neighbours("a", 2, ALL)) == ["a", "b", "c"]
    assert ids(await chunks.neighbours("e", 9, ALL)) == ["a", "b", "c", "d", "e"]
    assert ids(await chunks.neighbours("c", 0, ALL)) == ["c"]
    assert await chunks.neighbours("unknown", 1, ALL) == []
    assert await chunks.neighbours("c", 1, Scope(document_ids=("d2",))) == []


async def test_an_id_is_given_once_in_the_whole_store(shelf):
    await shelf.put("d1", {"a": "文"})
    with pytest.raises(IntegrityError):
        await shelf.put("d2", {"a": "文"})


async def test_rowids_are_never_given_again(shelf, store):
    def newest(tx) -> int:
        return tx.execute(text("SELECT max(id) FROM chunk")).scalar()

    version_id = await shelf.put("d1", {"a": "文"})
    before = await store.read(newest)
    await shelf.drop(version_id)
    await shelf.put("d2", {"b": "文"})
    assert await store.read(newest) > before


async def test_all_chunks_of_a_version_children_first(shelf, store):
    mine = [chunk("b", ordinal=1), chunk("p", role="parent", ordinal=0), chunk("a", ordinal=0)]
    version_id = await shelf.put("d1", mine, active=False)
    assert ids(await store.read(lambda tx: rows.of_version(tx, version_id))) == ["a", "b", "p"]


async def test_after_a_drop_no_table_holds_anything_of_it(shelf, store):
    version_id = await shelf.put("d1", {"a": "文"})
    page = "INSERT INTO page (version_id, n, label, text, width, height) VALUES (1, 1, '', '文', 1, 1)"
    await store.write(lambda tx: tx.execute(text(page)))
    await shelf.drop(version_id)
    for table in ("chunk", "page", "vector", "words"):
        count = f"SELECT count(*) FROM {table}"  # noqa: S608 - names of our own
        assert await store.read(lambda tx, count=count: tx.execute(text(count)).scalar()) == 0
