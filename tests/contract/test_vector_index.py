"""What every VectorIndex promises; the store's own one in both of its ways of searching."""

from __future__ import annotations

import asyncio
import math
import subprocess
import sys
import threading

import numpy as np
import pytest
from sqlalchemy import func, select, text

from shelf import PRINT, Shelf, vectors_of
from youju.errors import ProviderError
from youju.ports import VectorIndex
from youju.providers.index_sqlite_vectors import SqliteVectors
from youju.storage import chunks
from youju.storage.engine import Store
from youju.storage.tables import vector
from youju.types import Scope, Span

ALL = Scope()
EAST, NORTH, UP = np.eye(3, dtype=np.float32)
WAYS = {"exact": {}, "bits": {"exact_up_to": 0, "rescored": 10}}
COSINE = pytest.approx


@pytest.fixture
def store(tmp_path):
    store = Store.open(tmp_path / "store")
    yield store
    store.close()


@pytest.fixture(params=list(WAYS))
def index(request, store) -> VectorIndex:
    return SqliteVectors(store, **WAYS[request.param])


@pytest.fixture
def shelf(store, index) -> Shelf:
    return Shelf(store, vectors=index)


def one_each(rows: dict[str, object]) -> dict[str, object]:
    return {"texts": dict.fromkeys(rows, "文本"), "rows": {id_: [row] for id_, row in rows.items()}}


async def ids(index, row, scope=ALL, k=10, fingerprint=PRINT) -> list[str]:
    return [hit.chunk.id for hit in await index.nearest(np.asarray(row, np.float32), scope, k, fingerprint)]


def test_it_fits_the_port(index):
    assert isinstance(index, VectorIndex)
    assert " at 0x" not in repr(index)


async def test_an_empty_store_has_no_neighbours(index):
    assert await ids(index, EAST) == []
    assert await index.similarity(EAST, ["a"], PRINT) == {}


async def test_the_nearest_come_first_with_their_cosine_rank_and_span(shelf, index):
    await shelf.put("d1", **one_each({"a": [0, 1, 0], "b": [3, 4, 0], "c": [1, 0, 0]}))
    hits = await index.nearest(EAST, ALL, 2, PRINT)
    assert [hit.chunk.id for hit in hits] == ["c", "b"]
    # (3, 4) makes 3/5 with the x axis; half floats keep three digits.
    assert [hit.score for hit in hits] == COSINE([1.0, 0.6], abs=1e-3)
    assert [hit.scores["vector"] for hit in hits] == [hit.score for hit in hits]
    assert [hit.ranks["vector"] for hit in hits] == [1, 2]
    assert [hit.span for hit in hits] == [Span(0, 1), Span(0, 1)]
    assert hits[0].chunk.document_id == "d1"


async def test_opposite_vectors_have_minus_one(shelf, index):
    await shelf.put("d1", **one_each({"a": [-2, 0, 0]}))
    assert [hit.score for hit in await index.nearest(EAST, ALL, 5, PRINT)] == [-1.0]


async def test_a_chunk_comes_once_with_its_best_span(shelf, index):
    rows = {"a": [NORTH, EAST, UP], "b": [[3, 4, 0]], "c": [[4, 3, 0], NORTH]}
    await shelf.put("d1", dict.fromkeys(rows, "三个字"), rows=rows)
    hits = await index.nearest(EAST, ALL, 10, PRINT)
    assert [(hit.chunk.id, hit.span) for hit in hits] == [("a", Span(1, 2)), ("c", Span(0, 1)), ("b", Span(0, 1))]
    assert [hit.score for hit in hits] == COSINE([1.0, 0.8, 0.6], abs=1e-3)


async def test_many_spans_of_one_chunk_do_not_crowd_out_the_others(shelf, index):
    rows = {"a": [EAST] * 30, "b": [NORTH], "c": [UP]}
    await shelf.put("d1", dict.fromkeys(rows, "字" * 30), rows=rows)
    assert len(await ids(index, EAST, k=1)) == 1
    assert (await ids(index, EAST, k=2))[0] == "a"


async def test_ties_fall_by_chunk_id_also_at_the_border(shelf, index):
    await shelf.put("d1", **one_each(dict.fromkeys("dbeca", EAST) | {"x": NORTH}))
    assert await ids(index, EAST, k=3) == ["a", "b", "c"]


async def test_only_vectors_of_the_fingerprint_are_compared(shelf, store, index):
    await shelf.put("d1", **one_each({"a": EAST, "b": NORTH}))
    await store.write(lambda tx: index.add(tx, [vectors_of("b", [[1, 0]])], "model@2"))
    assert await ids(index, [1, 0], fingerprint="model@2") == ["b"]
    assert await ids(index, EAST) == ["a", "b"]
    assert await ids(index, EAST, fingerprint="unknown") == []
    assert await index.similarity(np.array([1, 0], np.float32), ["a", "b"], "model@2") == {"b": COSINE(1.0)}


async def test_a_scope_restricts_by_collection_and_by_document(shelf, index):
    await shelf.put("d1", **one_each({"a": EAST}), collection="c1")
    await shelf.put("d2", **one_each({"b": EAST}), collection="c2")
    await shelf.put("d3", **one_each({"c": EAST}), collection="c2")
    assert await ids(index, EAST, Scope(collections=("c2",))) == ["b", "c"]
    assert await ids(index, EAST, Scope(document_ids=("d1", "d3", "unknown"))) == ["a", "c"]
    assert await ids(index, EAST, Scope(("c1",), ("d3",))) == []
    assert await ids(index, EAST, Scope(collections=())) == []
    assert await ids(index, EAST, Scope(document_ids=())) == []


async def test_ten_thousand_document_ids_are_a_scope(shelf, index):
    await shelf.put("d1", **one_each({"a": EAST}))
    await shelf.put("d2", **one_each({"b": EAST}))
    scope = Scope(document_ids=(*(f"x{n}" for n in range(10_000)), "d2"))
    assert await ids(index, EAST, scope) == ["b"]


async def test_what_is_deactivated_or_dropped_is_invisible_at_once(shelf, index):
    first = await shelf.put("d1", **one_each({"a": EAST}))
    second = await shelf.put("d2", **one_each({"b": EAST}))
    assert await ids(index, EAST) == ["a", "b"]
    await shelf.activate(first, active=False)
    assert await ids(index, EAST) == ["b"]
    assert await index.similarity(EAST, ["a", "b"], PRINT) == {"b": COSINE(1.0)}
    await shelf.activate(first, active=True)
    assert await ids(index, EAST) == ["a", "b"]
    await shelf.drop(second)
    assert await ids(index, EAST) == ["a"]


async def test_a_version_that_is_not_active_yet_is_not_found(shelf, index):
    await shelf.put("d1", **one_each({"a": EAST}), active=False)
    assert await ids(index, EAST) == []


async def test_a_new_version_replaces_the_old_one_in_one_commit(shelf, store, index):
    old = await shelf.put("d1", **one_each({"old": EAST}))
    new = await shelf.put("d1", **one_each({"new": EAST}), number=2, active=False)
    assert await ids(index, EAST) == ["old"]
    await store.write(lambda tx: (chunks.activate(tx, [old], active=False), chunks.activate(tx, [new], active=True)))
    assert await ids(index, EAST) == ["new"]


async def test_a_write_that_fails_leaves_no_vector(shelf, store, index):
    await shelf.put("d1", **one_each({"a": EAST}))
    await ids(index, EAST)

    def half(tx) -> None:
        index.add(tx, [vectors_of("a", [NORTH, UP])], PRINT)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await store.write(half)
    assert await index.similarity(EAST, ["a"], PRINT) == {"a": COSINE(1.0)}
    assert [hit.score for hit in await index.nearest(EAST, ALL, 3, PRINT)] == COSINE([1.0])


async def test_adding_again_replaces_also_while_active(shelf, store, index):
    await shelf.put("d1", **one_each({"a": EAST}))
    await ids(index, EAST)
    await store.write(lambda tx: index.add(tx, [vectors_of("a", [NORTH])], PRINT))
    assert [hit.score for hit in await index.nearest(EAST, ALL, 3, PRINT)] == COSINE([0.0])


async def test_vectors_of_a_chunk_that_was_not_written_are_a_mistake(store, index):
    with pytest.raises(ValueError, match="before they were written"):
        await store.write(lambda tx: index.add(tx, [vectors_of("nowhere", [EAST])], PRINT))


async def test_after_a_drop_no_row_is_left(shelf, store, index):
    version_id = await shelf.put("d1", **one_each({"a": EAST, "b": NORTH}))
    await store.write(lambda tx: index.drop(tx, [version_id]))
    assert await store.read(lambda tx: tx.execute(select(func.count()).select_from(vector)).scalar()) == 0
    assert await ids(index, EAST) == []


async def test_vectors_go_with_their_chunks(shelf, store, index):
    version_id = await shelf.put("d1", **one_each({"a": EAST}))
    await store.write(lambda tx: chunks.drop(tx, [version_id]))
    assert await store.read(lambda tx: tx.execute(select(func.count()).select_from(vector)).scalar()) == 0


async def test_similarity_is_the_best_span_and_leaves_out_what_has_none(shelf, index):
    await shelf.put("d1", dict.fromkeys("ab", "两字"), rows={"a": [NORTH, [3, 4, 0]]})
    assert await index.similarity(EAST, ["a", "b", "unknown"], PRINT) == {"a": COSINE(0.6, abs=1e-3)}


async def test_k_may_be_zero_or_more_than_there_is(shelf, index):
    await shelf.put("d1", **one_each({"a": EAST, "b": NORTH}))
    assert await ids(index, EAST, k=0) == []
    assert await ids(index, EAST, k=200) == ["a", "b"]


async def test_a_zero_vector_and_a_zero_query_have_cosine_zero(shelf, index):
    await shelf.put("d1", **one_each({"a": [0, 0, 0], "b": [-1, 0, 0]}))
    assert [hit.score for hit in await index.nearest(EAST, ALL, 5, PRINT)] == COSINE([0.0, -1.0])
    assert [hit.score for hit in await index.nearest(np.zeros(3, np.float32), ALL, 5, PRINT)] == [0.0, 0.0]


async def test_a_query_that_is_not_finite_is_refused(shelf, index):
    await shelf.put("d1", **one_each({"a": EAST}))
    with pytest.raises(ProviderError) as caught:
        await index.nearest(np.array([math.nan, 0, 0], np.float32), ALL, 5, PRINT)
    assert caught.value.part == "vector"


async def test_a_broken_database_is_a_failure_of_the_vector_part(shelf, store, index):
    await shelf.put("d1", **one_each({"a": EAST}))
    await store.write(lambda tx: tx.execute(text("DROP TABLE vector")))
    with pytest.raises(ProviderError) as caught:
        await index.nearest(EAST, ALL, 5, PRINT)
    assert caught.value.part == "vector"


async def test_the_commits_of_another_process_are_seen(shelf, index):
    await shelf.put("d1", **one_each({"a": EAST}))
    await shelf.put("d2", **one_each({"b": EAST}), active=False)
    assert await ids(index, EAST) == ["a"]
    other = (
        "import sys; from pathlib import Path\n"
        "from youju.storage import chunks; from youju.storage.engine import Store\n"
        "store = Store.open(Path(sys.argv[1]))\n"
        "store.write_now(lambda tx: (chunks.drop(tx, [1]), chunks.activate(tx, [2], active=True)))\n"
        "store.close()"
    )
    await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", other, str(shelf.store.folder)], check=True, timeout=60
    )
    assert await ids(index, EAST) == ["b"]


async def test_searches_in_many_threads_see_whole_commits_only(shelf, store, index):
    """Two versions change places again and again: every search sees one of them, never both or none."""
    one = await shelf.put("d1", **one_each({"a": EAST}))
    two = await shelf.put("d2", **one_each({"b": EAST}), active=False)
    done = threading.Event()

    def swapped(tx, n: int) -> None:
        chunks.activate(tx, [one], active=n % 2 == 1)
        chunks.activate(tx, [two], active=n % 2 == 0)

    def swap() -> None:
        try:
            for n in range(40):
                store.write_now(lambda tx, n=n: swapped(tx, n))
        finally:
            done.set()

    def search() -> set[tuple[str, ...]]:
        seen = set()
        while not done.is_set():
            seen.add(tuple(asyncio.run(ids(index, EAST))))
        return seen

    swapping = asyncio.to_thread(swap)
    seen = await asyncio.gather(*(asyncio.to_thread(search) for _ in range(3)), swapping)
    assert set().union(*seen[:3]) <= {("a",), ("b",)}
    assert await ids(index, EAST) == ["a"]


@pytest.fixture(scope="module")
def clustered():
    """3000 vectors around a common direction, in 40 clusters, and 30 queries near stored ones."""
    random = np.random.default_rng(3)
    common, centres = 2 * random.standard_normal(96), random.standard_normal((40, 96))

    def draw(count: int):
        rows = common + centres[random.integers(0, 40, count)] + 0.6 * random.standard_normal((count, 96))
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    return draw(3000), draw(30)


async def test_bits_with_rescoring_find_what_an_exact_search_finds(store, clustered):
    rows, queries = clustered
    names = [f"k{n:04}" for n in range(len(rows))]
    bits = SqliteVectors(store, exact_up_to=0, rescored=300)
    # Half of them come later, to a search that is already loaded.
    for document, mine in (("d1", names[:1500]), ("d2", names[1500:])):
        some = {name: [rows[int(name[1:])]] for name in mine}
        await Shelf(store, vectors=bits).put(document, dict.fromkeys(mine, "文"), rows=some)
        await ids(bits, queries[0])
    shares = []
    for query in queries:
        best = np.argsort(-(rows @ query), kind="stable")[:15]
        found = await ids(bits, query, k=15)
        shares.append(len({names[n] for n in best} & set(found)) / 15)
    assert np.mean(shares) >= 0.97


async def test_scores_do_not_depend_on_the_way_of_searching(store, clustered):
    rows, queries = clustered
    some = {f"k{n:04}": [row] for n, row in enumerate(rows[:500])}
    await Shelf(store, vectors=SqliteVectors(store)).put("d1", dict.fromkeys(some, "文"), rows=some)
    exact, bits = SqliteVectors(store), SqliteVectors(store, exact_up_to=0, rescored=250)
    for query in queries[:5]:
        one = await exact.nearest(query, ALL, 10, PRINT)
        other = await bits.nearest(query, ALL, 10, PRINT)
        assert [(hit.chunk.id, hit.score) for hit in one] == [(hit.chunk.id, hit.score) for hit in other]


async def test_the_way_of_searching_changes_with_the_size_of_the_store(store):
    index = SqliteVectors(store, exact_up_to=4)
    shelf = Shelf(store, vectors=index)

    def way() -> str:
        (loaded,) = index._loaded.values()
        return "bits" if "bits" in store.read_now(loaded.view).columns else "exact"

    versions = []
    for n, expected in enumerate(["exact"] * 4 + ["bits"] * 2):
        versions.append(await shelf.put(f"d{n}", **one_each({f"k{n}": [1, n, 0]})))
        assert (await ids(index, EAST))[0] == "k0"
        assert way() == expected
    # Back only below half the limit.
    for version_id, expected in zip(reversed(versions[1:]), ["bits"] * 4 + ["exact"], strict=True):
        await shelf.drop(version_id)
        assert (await ids(index, EAST))[0] == "k0"
        assert way() == expected


async def test_no_more_than_two_fingerprints_stay_in_memory(shelf, store, index):
    await shelf.put("d1", **one_each({"a": EAST}))
    for n in range(5):
        await ids(index, EAST, fingerprint=f"model@{n}")
    assert len(index._loaded) == 2
