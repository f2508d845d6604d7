"""Small builders, so that a test says only what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from youju.types import Answer, Chunk, ContextItem, Hit, Scope, ScopeReport, Statement, Turn


def chunk(id_: str = "a", text: str = "", **more: object) -> Chunk:
    fields: dict[str, object] = {
        "id": id_,
        "document_id": "d1",
        "version": 1,
        "collection": "c1",
        "book": "函数入门",
        "section": ("3.2 二次函数",),
        "kind": "text",
        "text": text or f"片段{id_}。",
        "ordinal": 0,
    }
    return Chunk(**(fields | more))  # type: ignore[arg-type]


def hit(id_: str = "a", score: float = 1.0, text: str = "", **more: object) -> Hit:
    return Hit(chunk(id_, text, **more), score)


def hits(ids: str) -> tuple[Hit, ...]:
    """One hit a letter, best first."""
    return tuple(hit(id_, 1 / rank) for rank, id_ in enumerate(ids, start=1))


def item(n: int = 1, text: str = "", **more: object) -> ContextItem:
    one = hit(chr(96 + n), text=text, **more)
    return ContextItem(n, one, one.chunk.text)


def turn(question: str = "问题", **more: object) -> Turn:
    fields: dict[str, object] = {
        "asked": question,
        "question": question,
        "queries": (question,),
        "scope": Scope(),
        "scope_report": ScopeReport({}, ("d1",)),
    }
    return Turn(**(fields | more))  # type: ignore[arg-type]


def answer(*statements: tuple[str, tuple[int, ...]], by: str = "extractive") -> Answer:
    said = tuple(Statement(text, cites) for text, cites in statements)
    return Answer("".join(text + "".join(f"[{n}]" for n in cites) for text, cites in statements), said, by)


def context(*chunks: Chunk) -> tuple[ContextItem, ...]:
    """What the model sees, one number a chunk, best first."""
    return tuple(ContextItem(n, Hit(one, 1 / n), one.text) for n, one in enumerate(chunks, start=1))


def ids(hits: Sequence[Hit]) -> str:
    """The ids of the hits, run together."""
    return "".join(one.chunk.id for one in hits)
