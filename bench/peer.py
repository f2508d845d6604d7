"""The other side of the speed benchmark: the common chain of rank_bm25, jieba and Chroma on the same chunks.

Given what it has: kept tokens where a document comes or goes, `get_batch_scores` for a scope, interned tokens (without
it, jieba's strings take several times the memory). It has one vector a chunk, as the chain is commonly built.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chromadb
import jieba
import numpy as np
from chromadb.config import Settings
from ours import named
from rank_bm25 import BM25Okapi

from corpus import Corpus, Piece

BATCH = 5000
"""Chunks given to Chroma at a time; below its limit."""


class Peer:
    """`within` of its searches: the names of the documents, None = all."""

    def __init__(self, folder: Path) -> None:
        jieba.setLogLevel("ERROR")
        jieba.initialize()
        self.folder = folder
        settings = Settings(anonymized_telemetry=False, is_persistent=True, persist_directory=str(folder))
        self._client: Any = chromadb.PersistentClient(str(folder), settings)
        self._vectors = self._client.create_collection(
            "bench", embedding_function=None, configuration={"hnsw": {"space": "cosine", "num_threads": 1}}
        )
        self.tokens: list[list[str]] = []
        self._names: list[str] = []
        self._ids: list[str] = []
        self._places: dict[str, list[int]] = {}
        self.bm25: Any = None

    def take(self, corpus: Corpus) -> tuple[float, float]:
        """Seconds that all documents took to cut into words and to store, without making them up."""
        tokenise = store = 0.0
        waiting: list[tuple[str, Piece]] = []
        for number in range(corpus.documents):
            pieces = corpus.document(number)
            started = time.perf_counter()
            self._tokenise(number, pieces)
            tokenise += time.perf_counter() - started
            waiting += [(one, piece) for one, piece in zip(self._ids[-len(pieces) :], pieces, strict=True)]
            if len(waiting) >= BATCH or number == corpus.documents - 1:
                started = time.perf_counter()
                self._store(waiting)
                store += time.perf_counter() - started
                waiting = []
        return tokenise, store

    def index(self) -> None:
        """The whole keyword index anew: it cannot take a document more or less."""
        self.bm25 = BM25Okapi(self.tokens)
        self._places = {}
        for place, name in enumerate(self._names):
            self._places.setdefault(name, []).append(place)

    def add(self, number: int, pieces: Sequence[Piece]) -> None:
        self._tokenise(number, pieces)
        self._store(list(zip(self._ids[-len(pieces) :], pieces, strict=True)))
        self.index()

    def delete(self, number: int) -> None:
        name = named(number)
        self._vectors.delete(where={"document": name})
        kept = [place for place, other in enumerate(self._names) if other != name]
        self.tokens = [self.tokens[place] for place in kept]
        self._names = [self._names[place] for place in kept]
        self._ids = [self._ids[place] for place in kept]
        self.index()

    def keyword(self, question: str, within: Sequence[str] | None, k: int) -> list[str]:
        words = jieba.lcut(question)
        if within is None:
            scores = self.bm25.get_scores(words)
            best = np.argpartition(-scores, k)[:k]
            return [self._ids[place] for place in best[np.argsort(-scores[best], kind="stable")]]
        places = [place for name in within for place in self._places[name]]
        found = np.asarray(self.bm25.get_batch_scores(words, places))
        return [self._ids[places[at]] for at in np.argsort(-found, kind="stable")[:k]]

    def vector(self, row: Any, within: Sequence[str] | None, k: int) -> list[str]:  # noqa: ANN401 - an array of Chroma's
        where = None if within is None else {"document": {"$in": list(within)}}
        ids: list[str] = self._vectors.query(query_embeddings=[row], n_results=k, where=where, include=["distances"])[
            "ids"
        ][0]
        return ids

    def disk(self) -> int:
        """Bytes of Chroma's files; the keyword index is in memory only."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def _tokenise(self, number: int, pieces: Sequence[Piece]) -> None:
        self.tokens += [[sys.intern(word) for word in jieba.lcut(piece.text)] for piece in pieces]
        self._names += [named(number)] * len(pieces)
        self._ids += [f"{named(number)}-{place}" for place in range(len(pieces))]

    def _store(self, waiting: Sequence[tuple[str, Piece]]) -> None:
        self._vectors.add(
            ids=[one for one, _ in waiting],
            embeddings=np.stack([piece.rows[0] for _, piece in waiting]),
            metadatas=[{"document": one.split("-")[0]} for one, _ in waiting],
            documents=[piece.text for _, piece in waiting],
        )
