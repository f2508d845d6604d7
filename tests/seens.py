"""Small builders for what a measure sees of a search and of an answer."""

from __future__ import annotations

from collections.abc import Sequence

from builders import turn
from judgements import case
from youju.lab.dataset import Case
from youju.lab.measures.registry import MEASURES
from youju.lab.score import Score
from youju.lab.seen import Material, Seen
from youju.types import Answer, Chunk, ContextItem, Hit, Source, Statement, Step, StepHit

STAGES = {"final": "Fuse(k=60, keep=20)", "vector": "ByVector(…)", "keyword": "ByWords(…)"}


def measure(name: str, seen: Seen) -> Score:
    return next(one for one in MEASURES if one.info.name == name)(seen)


def value(name: str, seen: Seen) -> float:
    score = measure(name, seen)
    assert score.kind == "ok", score
    assert score.value is not None
    return score.value


def material(id_: str = "d1", title: str = "函数入门", pages: int = 20, **more: object) -> Material:
    fields: dict[str, object] = {"id": id_, "title": title, "file_name": f"{title}.pdf", "collection": "c1"}
    return Material(**(fields | {"version": 1, "pages": pages} | more))  # type: ignore[arg-type]


def retrieved(of: Case, *chunks: Chunk, ranking: str = "final", **more: object) -> Seen:
    """A question whose search ended with these chunks, best first."""
    found = tuple(Hit(one, 1 / rank) for rank, one in enumerate(chunks, start=1))
    step = Step(STAGES[ranking], 0.0, tuple(StepHit(one.chunk.id, one.score) for one in found))
    filled = {"hits": found} if ranking == "final" else {"rankings": {ranking: found}}
    return Seen(of, turn(steps=(step,), **filled), **more)  # type: ignore[arg-type]


def told(
    *statements: tuple[str, tuple[int, ...]],
    over: Sequence[Chunk] = (),
    of: Case | None = None,
    by: str = "model",
    **more: object,
) -> Seen:
    """An answer of these sentences with what each cites, over these chunks, numbered from 1."""
    said = tuple(Statement(text, cites) for text, cites in statements)
    text = "".join(text + "".join(f"[{n}]" for n in cites) for text, cites in statements)
    items = tuple(ContextItem(n, Hit(one, 1 / n), one.text) for n, one in enumerate(over, start=1))
    fields = {"context": items, "answer": Answer(text, said, by), "sources": tuple(source(one) for one in items)}
    return Seen(of or case(), turn(**(fields | more)))  # type: ignore[arg-type]


def source(item: ContextItem, **more: object) -> Source:
    chunk = item.hit.chunk
    fields: dict[str, object] = {
        "n": item.n,
        "chunk_id": chunk.id,
        "document_id": chunk.document_id,
        "book": chunk.book,
        "section": chunk.section,
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "label_start": "",
        "label_end": "",
        "locator": "",
        "cited": True,
        "quote": chunk.text,
    }
    return Source(**(fields | more))  # type: ignore[arg-type]
