"""BM25 over the store's own terms: SQLite's FTS5 keeps the postings, the scores are computed here.

FTS5 has a bm25() of its own, but its idf falls to nothing for words in more than half of the rows, so a store of five
chunks about one topic would not be found by its topic; and reading postings through `fts5vocab` into arrays is four
times faster than ranking inside SQLite (100 000 chunks, 14 terms, within a df budget of 20 000: 9 against 41 ms).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from sqlalchemy import bindparam, select, text, true, update
from sqlalchemy.engine import Connection

from youju.errors import ProviderError, StoreError
from youju.ports import IndexAudit, Write
from youju.storage.changes import note
from youju.storage.chunks import among, rowids_of, storable
from youju.storage.engine import Store
from youju.storage.mirror import Batch, Mirror, View
from youju.storage.ranking import hits, leading
from youju.storage.tables import chunk as table
from youju.text.tokens import Term, index_terms, query_terms
from youju.types import Chunk, Hit, Scope

T = TypeVar("T")

K1 = 1.2
B = 0.75
RAREST = 2
"""Query terms that stay whatever they cost."""
SMALL = 2000
"""Chunks up to which deleted terms are swept at once: tens of milliseconds."""
STEP = 200
"""Pages of the index that one step of a larger sweep merges."""

FOLDED = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
BATCH = 10_000
PUT = text("REPLACE INTO words (rowid, terms) VALUES (:rowid, :terms)")
DELETE = text("DELETE FROM words WHERE rowid IN (SELECT id FROM chunk WHERE version_id = :version)")
TIDY = text("DELETE FROM words WHERE rowid NOT IN (SELECT id FROM chunk WHERE role = 'child')")
STRAY = text("SELECT count(*) FROM words WHERE rowid NOT IN (SELECT id FROM chunk WHERE role = 'child')")
MISSING = text(
    "SELECT version_id, count(*) FROM chunk WHERE role = 'child' AND id NOT IN (SELECT rowid FROM words) GROUP BY 1"
)
# All terms in one statement, and one string instead of a row an occurrence: a third of the time.
PLACES = text("SELECT value, (SELECT group_concat(doc) FROM words_places WHERE term = value) FROM json_each(:terms)")
DF = text("SELECT value, (SELECT doc FROM words_terms WHERE term = value) FROM json_each(:terms)")
SIZE = text("SELECT count(*) FROM words_docsize")
OPTIMIZE = text("INSERT INTO words (words) VALUES ('optimize')")
MERGE = text("INSERT INTO words (words, rank) VALUES ('merge', :pages)")
CHANGED = text("SELECT total_changes()")


class SqliteWords:
    """The `KeywordIndex` port on the store's FTS5 table.

    Args:
        dictionary: words that the tokeniser keeps whole.
        df_budget: postings a query may read. For latency alone: the rarest terms come first, and the two rarest and
            all strong ones are read in any case.
    """

    def __init__(self, store: Store, dictionary: frozenset[str] = frozenset(), df_budget: int = 20_000) -> None:
        self._store = store
        self._dictionary = dictionary
        self._df_budget = df_budget
        self._mirror = Mirror(_lengths)

    def __repr__(self) -> str:
        return f"sqlite-bm25(k1={K1}, b={B}, df_budget={self._df_budget})"

    def add(self, tx: Write, chunks: Sequence[Chunk]) -> None:
        children = [chunk for chunk in chunks if chunk.role == "child"]
        if not children:
            return
        found = rowids_of(tx, [chunk.id for chunk in children])
        words, lengths = [], []
        for chunk in children:
            terms = index_terms(_searchable(chunk), self._dictionary)
            rowid, _ = found[chunk.id]
            words.append({"rowid": rowid, "terms": storable(" ".join(terms))})
            lengths.append({"row": rowid, "length": len(terms)})
        tx.execute(PUT, words)
        tx.execute(update(table).where(table.c.id == bindparam("row")).values(term_count=bindparam("length")), lengths)
        note(tx, (version_id for _, version_id in found.values()))

    def drop(self, tx: Write, version_ids: Sequence[int]) -> None:
        """Remove the terms of these versions; call it before `chunks.drop`, which would remove them as well.

        FTS5 only marks them as gone until its segments are merged. In a small store that is done at once; in a large
        one `scrub` does it, in steps that let others write in between.
        """
        for version_id in version_ids:
            tx.execute(DELETE, {"version": version_id})
        if int(tx.execute(SIZE).scalar() or 0) <= SMALL:
            tx.execute(OPTIMIZE)

    def tidy(self, tx: Write) -> None:
        """Remove terms of chunks that are gone; there are none unless something went round this class."""
        tx.execute(TIDY)

    def audit(self, tx: Write) -> IndexAudit:
        lacking = {int(version_id): int(count) for version_id, count in tx.execute(MISSING)}
        return IndexAudit(int(tx.execute(STRAY).scalar_one()), sum(lacking.values()), tuple(sorted(lacking)))

    async def scrub(self) -> None:
        """Sweep what `drop` left of deleted terms in a large store."""
        pages = -STEP  # negative: a new sweep of everything
        while await self._store.write(partial(_merged, pages=pages)):
            pages = STEP

    async def matching(self, query: str, scope: Scope, k: int) -> list[Hit]:
        terms = query_terms(query, self._dictionary)
        if k <= 0 or not terms:
            return []
        return await self._read(lambda tx: self._ranked(tx, terms, scope, k))

    async def df(self, terms: Sequence[str], scope: Scope) -> Mapping[str, int]:
        def read(tx: Connection) -> dict[str, int]:
            view = self._mirror.view(tx)
            inside = view.inside(scope)
            found = _postings(tx, view, [_folded(term) for term in terms])
            return {term: int(np.count_nonzero(inside[places.rows])) for term, places in zip(terms, found, strict=True)}

        return await self._read(read)

    async def size(self, scope: Scope) -> int:
        return await self._read(lambda tx: int(np.count_nonzero(self._mirror.view(tx).inside(scope))))

    async def _read(self, fn: Callable[[Connection], T]) -> T:
        try:
            return await self._store.read(fn)
        except StoreError as error:
            raise ProviderError(
                f"关键词检索失败：{error.message}", part="keyword", remedy=error.remedy, code=error.code
            ) from error

    def _ranked(self, tx: Connection, terms: Sequence[Term], scope: Scope, k: int) -> list[Hit]:
        view = self._mirror.view(tx)
        inside = view.inside(scope)
        if not inside.any():
            return []
        scores = np.zeros(inside.size)
        average = float(view.columns["length"][view.alive].mean())
        total = int(np.count_nonzero(view.alive))
        for found in _postings(tx, view, self._affordable(tx, terms)):
            scores[found.rows] += _bm25(found, total, average)
        places = np.flatnonzero(inside & (scores > 0))
        best = places[leading(scores[places], k)]
        return hits(tx, dict(zip(view.rowids[best].tolist(), scores[best].tolist(), strict=True)), k, "keyword")

    def _affordable(self, tx: Connection, terms: Sequence[Term]) -> list[str]:
        """The terms to read, rarest first; those that stand nowhere are left out before anything is counted."""
        strong = {_folded(term.text): False for term in terms}
        strong |= {_folded(term.text): True for term in terms if term.strong}
        counts = {term: count for term, count in tx.execute(DF, {"terms": json.dumps(list(strong))}) if count}
        kept: list[str] = []
        spent = 0
        for term in sorted(counts, key=lambda term: (counts[term], term)):
            if len(kept) < RAREST or strong[term] or spent + counts[term] <= self._df_budget:
                kept.append(term)
                spent += counts[term]
        return kept


class _Found(NamedTuple):
    """Where one term stands, among the living rows of a view: the rows, how often, and how long each chunk is."""

    rows: npt.NDArray[np.intp]
    times: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]


def _postings(tx: Connection, view: View, terms: Sequence[str]) -> Iterator[_Found]:
    """Where each of the terms stands, in their order."""
    for _, listed in tx.execute(PLACES, {"terms": json.dumps(terms)}):
        yield _found(view, listed or "")


def _found(view: View, listed: str) -> _Found:
    if not listed or not view.alive.size:
        return _Found(np.zeros(0, np.intp), np.zeros(0, np.int64), np.zeros(0, np.int64))
    # One entry an occurrence; FTS5 gives them in order, and sorting what is sorted costs next to nothing.
    rowids = np.sort(np.fromstring(listed, np.int64, sep=","), kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], rowids[1:] != rowids[:-1]]))
    times = np.diff(starts, append=len(rowids))
    rows = np.minimum(np.searchsorted(view.rowids, rowids[starts]), view.alive.size - 1)
    # Chunks that are not active, or not yet swept, have postings too.
    here = (view.rowids[rows] == rowids[starts]) & view.alive[rows]
    return _Found(rows[here], times[here], view.columns["length"][rows[here]])


def _bm25(found: _Found, total: int, average: float) -> npt.NDArray[np.float64]:
    """Robertson, Zaragoza, FnTIR 2009, with the idf that stays above 0 for a term that stands in every chunk."""
    n = len(found.rows)
    idf = math.log(1 + (total - n + 0.5) / (n + 0.5))
    weight = K1 * (1 - B + B * found.lengths / average)
    return idf * found.times * (K1 + 1) / (found.times + weight)


def _lengths(tx: Connection, versions: frozenset[int] | None) -> Iterator[Batch]:
    """The searchable chunks, for the mirror."""
    columns = (table.c.id, table.c.version_id, table.c.collection_id, table.c.document_id, table.c.term_count)
    chosen = select(*columns).where(table.c.active == true(), table.c.role == "child").order_by(table.c.id)
    if versions is not None:
        chosen = chosen.where(among(table.c.version_id, versions))
    for rows in tx.execute(chosen).partitions(BATCH):
        rowids, version_ids, collections, documents, lengths = zip(*rows, strict=True)
        yield Batch(rowids, version_ids, collections, documents, {"length": np.asarray(lengths, np.int64)})


def _merged(tx: Connection, pages: int) -> bool:
    """Whether a step of merging found anything to do; by FTS5's documentation, less than two changed rows mean no."""
    before = tx.execute(CHANGED).scalar_one()
    tx.execute(MERGE, {"pages": pages})
    return bool(tx.execute(CHANGED).scalar_one() - before > 1)


def _searchable(chunk: Chunk) -> str:
    return "\n".join((chunk.book, *chunk.section, chunk.text))


def _folded(term: str) -> str:
    """The term as FTS5's ascii tokenizer keeps it."""
    return storable(term).translate(FOLDED)
