"""Which chunks of the store hold a quote, however it is spaced and cased."""

from __future__ import annotations

import re
import unicodedata

from sqlalchemy import select
from sqlalchemy.engine import Connection

from youju.storage.chunks import chunk_of
from youju.storage.tables import chunk, document
from youju.text.align import locate
from youju.text.normal import fold
from youju.types import Chunk

_HAN = re.compile("[\u4e00-\u9fff]")
_TWINS = ((0x2E80, 0x2FE0), (0xF900, 0xFB00))
"""Radicals and compatibility ideographs: what folds to a character of the plain block."""
_ASKED = 8


def holding(tx: Connection, quote: str, at_most: int = 20) -> list[Chunk]:
    """Searchable chunks of documents that are not being deleted, found by reading them all; by document and place."""
    query = select(chunk).join(document, document.c.id == chunk.c.document_id)
    query = query.where(chunk.c.role == "child", ~document.c.deleting)
    # Folding a text costs a hundred times what looking for a character in it does.
    for character in _certain(fold(quote)):
        query = query.where(chunk.c.text.contains(character))
    found = []
    for row in tx.execute(query.order_by(chunk.c.document_id, chunk.c.version_id, chunk.c.ordinal)).mappings():
        if locate(quote, row["text"]):
            found.append(chunk_of(row))
            if len(found) == at_most:
                break
    return found


def _certain(folded: str) -> list[str]:
    """Characters that a text must have to fold to what holds `folded`: those that nothing else folds to."""
    twins = {unicodedata.normalize("NFKC", chr(code)) for begin, end in _TWINS for code in range(begin, end)}
    return sorted(set(_HAN.findall(folded)) - twins)[:_ASKED]
