"""Checked by mypy, never run: what the store offers fits the ports."""

from __future__ import annotations

from youju.ports import Chunks, KeywordIndex, VectorIndex
from youju.providers.index_sqlite_vectors import SqliteVectors
from youju.providers.index_sqlite_words import SqliteWords
from youju.storage.chunks import SqlChunks
from youju.storage.engine import Store


def fits(store: Store) -> tuple[VectorIndex, KeywordIndex, Chunks]:
    return SqliteVectors(store), SqliteWords(store), SqlChunks(store)
