"""What every KeywordIndex promises."""

from __future__ import annotations

import asyncio
import math
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from builders import chunk
from shelf import Shelf
from youju.errors import ProviderError
from youju.ports import IndexAudit, KeywordIndex
from youju.providers.index_sqlite_words import SqliteWords
from youju.storage import chunks
from youju.storage.engine import FILE_NAME, Store
from youju.text.tokens import index_terms, query_terms
from youju.types import Scope

ALL = Scope()


@pytest.fixture
def store(tmp_path):
    store = Store.open(tmp_path / "store")
    yield store
    store.close()


@pytest.fixture
def index(store) -> KeywordIndex:
    return SqliteWords(store)


@pytest.fixture
def shelf(store, index) -> Shelf:
    return Shelf(store, words=index)


async def ids(index, query: str, scope: Scope = ALL, k: int = 10) -> list[str]:
    return [hit.chunk.id for hit in await index.matching(query, scope, k)]


def test_it_fits_the_port(index):
    assert isinstance(index, KeywordIndex)
    assert " at 0x" not in repr(index)


async def test_an_empty_store_answers_nothing(index):
    assert await ids(index, "抛物线") == []
    assert await index.df(["抛物线"], ALL) == {"抛物线": 0}
    assert await index.size(ALL) == 0


async def test_the_score_is_bm25(shelf, index):
    await shelf.put("d1", {"a": "apple apple", "b": "apple pear plum", "c": "pear"})
    hits = await index.matching("apple", ALL, 10)
    # N = 3, n = 2: idf = ln(1 + 1.5 / 2.5) = 0.4700. Lengths 2, 3, 1, on average 2.
    # a: 2 · 2.2 / (2 + 1.2 · (0.25 + 0.75 · 2 / 2)) = 1.375; b: 2.2 / (1 + 1.2 · (0.25 + 0.75 · 3 / 2)) = 0.8302
    assert math.log(1.6) == pytest.approx(0.4700, abs=1e-4)
    assert [(hit.chunk.id, hit.score) for hit in hits] == [
        ("a", pytest.approx(0.4700 * 1.375, abs=1e-3)),
        ("b", pytest.approx(0.4700 * 0.8302, abs=1e-3)),
    ]
    assert [hit.scores["keyword"] for hit in hits] == [hit.score for hit in hits]
    assert [hit.ranks["keyword"] for hit in hits] == [1, 2]


async def test_the_scores_of_several_terms_add_up(shelf, index):
    await shelf.put("d1", {"a": "apple pear", "b": "apple", "c": "plum"})
    (both,) = [hit.score for hit in await index.matching("apple pear", ALL, 10) if hit.chunk.id == "a"]
    one = {query: (await index.matching(query, ALL, 10)) for query in ("apple", "pear")}
    parts = [hit.score for hits in one.values() for hit in hits if hit.chunk.id == "a"]
    assert len(parts) == 2
    assert both == pytest.approx(sum(parts))


async def test_five_chunks_about_one_topic_are_found_by_it(shelf, index):
    await shelf.put("d1", {f"k{n}": f"抛物线的第{n}个性质。" for n in range(5)})
    hits = await index.matching("抛物线", ALL, 10)
    assert len(hits) == 5
    assert all(hit.score > 0 for hit in hits)


async def test_a_store_of_one_chunk_answers(shelf, index):
    await shelf.put("d1", {"a": "抛物线有一条对称轴"})
    assert await ids(index, "抛物线") == ["a"]


async def test_a_word_is_found_beside_a_comma(shelf, index):
    await shelf.put("d1", {"a": "顶点，抛物线,开口。", "b": "直线"})
    assert await ids(index, "抛物线") == ["a"]


async def test_an_unseen_word_does_not_void_the_query(shelf, index):
    await shelf.put("d1", {"a": "抛物线", "b": "直线"})
    assert await ids(index, "抛物线 zzzunseen") == ["a"]


async def test_only_chunks_with_a_term_come_back_however_large_k_is(shelf, index):
    await shelf.put("d1", {"a": "抛物线", "b": "直线", "c": "圆"})
    assert await ids(index, "抛物线", k=200) == ["a"]
    assert await ids(index, "抛物线", k=0) == []


@pytest.mark.parametrize("query", ["", "   ", "的", "，。？！", "的是吗？", "\0", "\ud800"])
async def test_a_query_without_content_finds_nothing(shelf, index, query):
    await shelf.put("d1", {"a": "的是吗？，。"})
    assert await ids(index, query) == []


async def test_ties_fall_by_chunk_id_also_at_the_border(shelf, index):
    await shelf.put("d1", dict.fromkeys("dbeca", "抛物线"))
    assert await ids(index, "抛物线", k=3) == ["a", "b", "c"]


TERMS = ["server.port", "max_retries", "gb/t-19001", "v1.2.3", "50%", "c++", "a::b", "x-forwarded-for", "第3章", "é"]


@pytest.mark.parametrize("term", TERMS)
async def test_a_term_with_odd_characters_stays_whole(shelf, index, term):
    await shelf.put("d1", {"a": f"设置 {term} 之后", "b": "server port max retries gb t 19001 v1 x forwarded for"})
    wanted = [found.text for found in query_terms(term)]
    assert wanted, term
    counts = await index.df(wanted, ALL)
    assert all(count >= 1 for count in counts.values()), counts
    assert (await ids(index, term))[0] == "a"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.text(max_size=60))
async def test_every_term_of_a_text_is_in_the_index_once_a_chunk(tmp_path_factory, body):
    store = Store.open(tmp_path_factory.mktemp("any"))
    index = SqliteWords(store)
    try:
        await Shelf(store, words=index).put("d1", {"a": body})
        terms = set(index_terms(body))
        assert await index.df(sorted(terms), ALL) == dict.fromkeys(terms, 1)
    finally:
        store.close()


OPERATORS = [
    '"',
    "*",
    "apple*",
    "NEAR(apple pear)",
    "apple AND pear",
    "NOT apple",
    "terms:apple",
    "^apple",
    "a\"b'c",
    "(",
]


@pytest.mark.parametrize("query", OPERATORS)
async def test_operators_of_the_engine_are_plain_text(shelf, index, query):
    await shelf.put("d1", {"a": "apple juice", "b": "pearl"})
    assert set(await ids(index, query)) <= {"a"}


async def test_title_and_section_are_searched_too(shelf, index):
    more = {"document_id": "d1", "book": "函数入门", "section": ("二次方程", "判别式")}
    await shelf.put("d1", [chunk("a", "见下文。", **more)])
    assert await ids(index, "函数") == await ids(index, "判别式") == ["a"]


async def test_parents_are_not_searched(shelf, index):
    more = {"document_id": "d1", "section": (), "book": ""}
    await shelf.put("d1", [chunk("a", "抛物线", **more), chunk("p", "抛物线", role="parent", **more)])
    assert await ids(index, "抛物线") == ["a"]
    assert await index.size(ALL) == 1
    assert await index.df(["抛物线"], ALL) == {"抛物线": 1}


async def test_a_scope_restricts_hits_df_and_size(shelf, index):
    await shelf.put("d1", {"a": "抛物线", "b": "直线"}, collection="c1")
    await shelf.put("d2", {"c": "抛物线", "d": "抛物线"}, collection="c2")
    scope = Scope(collections=("c2",))
    assert await ids(index, "抛物线", scope) == ["c", "d"]
    assert await index.df(["抛物线", "直线"], scope) == {"抛物线": 2, "直线": 0}
    assert await index.size(scope) == 2
    assert await index.size(Scope(document_ids=("d1", "unknown"))) == 2
    assert await index.size(Scope(("c1",), ("d2",))) == 0
    assert await ids(index, "抛物线", Scope(collections=())) == []


async def test_ten_thousand_document_ids_are_a_scope(shelf, index):
    await shelf.put("d1", {"a": "抛物线"})
    await shelf.put("d2", {"b": "抛物线"})
    scope = Scope(document_ids=(*(f"x{n}" for n in range(10_000)), "d2"))
    assert await ids(index, "抛物线", scope) == ["b"]
    assert await index.df(["抛物线"], scope) == {"抛物线": 1}


async def test_what_is_deactivated_or_dropped_is_invisible_at_once(shelf, index):
    first = await shelf.put("d1", {"a": "抛物线"})
    second = await shelf.put("d2", {"b": "抛物线"})
    assert await ids(index, "抛物线") == ["a", "b"]
    await shelf.activate(first, active=False)
    assert await ids(index, "抛物线") == ["b"]
    assert (await index.df(["抛物线"], ALL), await index.size(ALL)) == ({"抛物线": 1}, 1)
    await shelf.activate(first, active=True)
    assert await ids(index, "抛物线") == ["a", "b"]
    await shelf.drop(second)
    assert await ids(index, "抛物线") == ["a"]


async def test_inactive_chunks_do_not_change_the_scores_of_others(shelf, index):
    await shelf.put("d1", {"a": "apple apple", "b": "apple pear plum", "c": "pear"})
    before = [hit.score for hit in await index.matching("apple", ALL, 10)]
    await shelf.put("d2", {"x": "apple", "y": "plum " * 50}, active=False)
    assert [hit.score for hit in await index.matching("apple", ALL, 10)] == before


async def test_a_write_that_fails_leaves_no_term(shelf, store, index):
    await shelf.put("d1", {"a": "直线"})

    def half(tx) -> None:
        index.add(tx, [chunk("a", "抛物线", book="", section=())])
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await store.write(half)
    assert await ids(index, "抛物线") == []
    assert await ids(index, "直线") == ["a"]


async def test_adding_again_replaces_also_while_active(shelf, store, index):
    await shelf.put("d1", {"a": "直线"})
    await ids(index, "直线")
    await store.write(lambda tx: index.add(tx, [chunk("a", "抛物线 抛物线", book="", section=())]))
    assert await ids(index, "直线") == []
    assert await ids(index, "抛物线") == ["a"]


async def test_the_commits_of_another_process_are_seen(shelf, index):
    await shelf.put("d1", {"a": "抛物线"})
    await shelf.put("d2", {"b": "抛物线"}, active=False)
    assert await ids(index, "抛物线") == ["a"]
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
    assert await ids(index, "抛物线") == ["b"]


def left(tx) -> set[str]:
    """Terms the engine still knows, and text that any of its tables still holds."""
    terms = {row[0] for row in tx.execute(text("SELECT term FROM words_terms"))}
    rows = {row[0] for row in tx.execute(text("SELECT c0 FROM words_content"))}
    return terms | rows


async def test_after_a_drop_no_row_and_no_byte_is_left(shelf, store, index):
    kept = await shelf.put("d1", {"a": "直线"})
    gone = await shelf.put("d2", {"b": "zyxwvut 抛物线"})
    store.checkpoint()
    file = store.folder / FILE_NAME
    assert b"zyxwvut" in file.read_bytes()
    await shelf.drop(gone)
    assert await store.read(left) == {"直线"}
    store.checkpoint()
    assert b"zyxwvut" not in file.read_bytes()
    await shelf.drop(kept)
    assert await store.read(left) == set()
    assert await store.read(lambda tx: tx.execute(text("SELECT count(*) FROM words_docsize")).scalar()) == 0


async def test_terms_go_with_their_chunks(shelf, store, index):
    version_id = await shelf.put("d1", {"a": "抛物线"})
    await store.write(lambda tx: chunks.drop(tx, [version_id]))
    assert await store.read(left) == set()


async def test_a_scrub_sweeps_what_a_large_store_leaves(shelf, store, index, monkeypatch):
    monkeypatch.setattr("youju.providers.index_sqlite_words.SMALL", 0)
    await shelf.put("d1", {f"k{n}": f"直线 {n} word{n}" for n in range(50)})
    gone = await shelf.put("d2", {"b": "zyxwvut 抛物线"})
    await shelf.drop(gone)
    await index.scrub()
    store.checkpoint()
    assert b"zyxwvut" not in (store.folder / FILE_NAME).read_bytes()
    assert len(await ids(index, "直线", k=100)) == 50
    await store.write(lambda tx: tx.execute(text("INSERT INTO words (words) VALUES ('integrity-check')")))


async def test_tidy_removes_terms_that_belong_to_no_chunk(shelf, store, index):
    await shelf.put("d1", {"a": "直线"})
    await store.write(lambda tx: tx.execute(text("INSERT INTO words (rowid, terms) VALUES (99, '抛物线')")))
    await store.write(index.tidy)
    assert await store.read(left) == {"直线"}


async def test_a_broken_database_is_a_failure_of_the_keyword_part(shelf, store, index):
    await shelf.put("d1", {"a": "抛物线"})
    await store.write(lambda tx: tx.execute(text("DROP TABLE words_places")))
    with pytest.raises(ProviderError) as caught:
        await index.matching("抛物线", ALL, 5)
    assert caught.value.part == "keyword"


async def test_the_budget_leaves_out_the_most_frequent_terms_first(shelf, store):
    # apple stands in 6 chunks, pear in 3, plum in 2, fig in 1.
    texts = {"a": "apple pear plum fig", "b": "apple pear plum", "c": "apple pear"} | dict.fromkeys("xyz", "apple")
    await Shelf(store, words=SqliteWords(store)).put("d1", texts)
    query = "apple pear plum fig"
    assert await ids(SqliteWords(store, df_budget=6), query) == ["a", "b", "c"]
    assert await ids(SqliteWords(store, df_budget=12), query) == ["a", "b", "c", "x", "y", "z"]


async def test_the_two_rarest_terms_are_read_whatever_they_cost(shelf, store):
    texts = {"a": "apple pear plum", "b": "apple pear", "c": "apple pear", "d": "apple"}
    await Shelf(store, words=SqliteWords(store)).put("d1", texts)
    poor = SqliteWords(store, df_budget=0)
    assert await ids(poor, "apple pear plum") == ["a", "b", "c"]
    # Unseen words are not among the two.
    assert set(await ids(poor, "apple zzzunseen zzzunheard")) == {"a", "b", "c", "d"}


async def test_strong_terms_are_read_whatever_they_cost(store):
    texts = {f"k{n}": "apple pear server.port" for n in range(4)} | {"x": "plum", "y": "fig", "z": "server.port"}
    await Shelf(store, words=SqliteWords(store)).put("d1", texts)
    assert "z" in await ids(SqliteWords(store, df_budget=0), "plum fig server.port")


async def test_words_of_the_dictionary_stay_whole(store):
    index = SqliteWords(store, dictionary=frozenset({"有据问答"}))
    await Shelf(store, words=index).put("d1", {"a": "有据问答是什么", "b": "有据 问答"})
    assert await index.df(["有据问答"], ALL) == {"有据问答": 1}
    assert (await ids(index, "有据问答"))[0] == "a"


async def test_an_audit_finds_what_is_too_much_and_what_is_lacking(store, shelf, index):
    assert await store.read(index.audit) == IndexAudit()
    version_id = await shelf.put("d1", {"a": "抛物线", "b": "直线"})
    await shelf.put("d2", {"c": "圆"})
    assert await store.read(index.audit) == IndexAudit()
    await store.write(lambda tx: index.drop(tx, [version_id]))
    assert await store.read(index.audit) == IndexAudit(missing=2, versions=(version_id,))


async def test_an_audit_counts_entries_without_a_chunk(store, shelf, index):
    await shelf.put("d1", {"a": "抛物线"})
    await store.write(lambda tx: tx.execute(text("INSERT INTO words (rowid, terms) VALUES (99, '残')")))
    assert await store.read(index.audit) == IndexAudit(stray=1)
    await store.write(index.tidy)
    assert await store.read(index.audit) == IndexAudit()
