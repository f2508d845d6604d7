"""A turn that has ended → the rows of the log.

Chunks are written once and meant by their place in the list; so no row but their own holds a readable id, which tells
the titles of book and section.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from youju.storage.chunks import storable
from youju.storage.traces import Met
from youju.trace.entry import Entry
from youju.types import Chunk, Hit, Source, Step, Turn

Json = dict[str, object]
RANKINGS = {"ByVector": "vector", "ByWords": "keyword", "Fuse": "rrf", "Rerank": "rerank"}
"""Stages whose order is a ranking, and what `Hit.ranks` calls it."""
MAY_QUOTE = frozenset({"error", "removed"})
"""Entries of a stage's note that may hold what a model or a server said."""
CHUNK, BY_CHUNK = "#", "##"
"""What stands in a note for the id of a chunk, and for a mapping whose keys are ids."""
_READABLE_ID = re.compile(r"::(?:child|parent)::\d")
_ERROR_MAX = 1000


class Record(NamedTuple):
    """`values` is the row of the trace, `met` are its chunks in the order of their place."""

    values: Json
    met: list[Met]


def record(entry: Entry, *, texts: bool) -> Record:
    """What is to be written about a question that has ended.

    Args:
        entry: with a turn that has a trace id.
        texts: false leaves out every text but the question.
    """
    turn = entry.turn
    met = _met(turn)
    places = {one.chunk_id: place for place, one in enumerate(met)}
    notes = Notes(places, everything=bool(turn.history))
    facts = _facts(entry, [_step(step, f"{n}", notes) for n, step in enumerate(turn.steps)])
    said = _said(turn) | {"notes": notes.aside}
    if turn.history:
        # A question made to stand alone may repeat an earlier answer.
        said |= {"question": turn.question, "reasons": facts.pop("reasons", [])}
    values = {
        "id": turn.trace_id,
        "created_at": entry.started_at,
        "kind": entry.kind,
        "asked": turn.asked,
        "question": "" if turn.history else turn.question,
        "conversation_id": turn.conversation_id,
        "turns_before": len(turn.history),
        "status": "error" if entry.error else "ok",
        "error_code": entry.error.code if entry.error else "",
        "error_message": entry.error.message[:_ERROR_MAX] if entry.error else "",
        "refusal": turn.refusal or "",
        "level": turn.grade.level if turn.grade else "",
        "confidence": turn.confidence.value if turn.confidence else None,
        "degraded": bool(turn.degradations),
        "seconds": entry.seconds,
        "texts": texts,
        "blanked_at": None,
        "facts": plain(facts),
        "said": plain(said) if texts else {},
    }
    return Record({name: storable(one) if isinstance(one, str) else one for name, one in values.items()}, met)


def _facts(entry: Entry, steps: list[Json]) -> Json:
    turn, report = entry.turn, entry.turn.scope_report
    return {
        "scope": {
            "asked": report.asked,
            "documents": report.documents,
            "excluded": [[one.id, one.status] for one in report.excluded],
            "stale": report.stale,
        }
        if report
        else None,
        "steps": steps,
        "reasons": turn.grade.reasons if turn.grade else (),
        "features": turn.grade.features if turn.grade else {},
        "confidence": turn.confidence.reasons if turn.confidence else (),
        "degradations": [[mark.part, mark.reason] for mark in dict.fromkeys(turn.degradations)],
        "knobs": entry.knobs,
        "model": entry.model,
        "temperature": entry.temperature,
        "persona": turn.persona,
        "fingerprint": entry.fingerprint,
        "recipe": entry.recipe,
    }


def _said(turn: Turn) -> Json:
    answer = turn.answer
    return {
        "answer": answer.text if answer else "",
        "by": answer.by if answer else "",
        "statements": [[one.text, one.cites] for one in answer.statements] if answer else [],
        "sources": [_source(one) for one in turn.sources],
        "verdicts": [asdict(one) for one in turn.verdicts],
        "removed": turn.removed_markers,
        "widened": {str(item.n): item.text for item in turn.context if item.text != item.hit.chunk.text},
    }


def _source(source: Source) -> Json:
    """Without what the chunk says already; the pages are those of the quote."""
    row = asdict(source)
    return {name: row[name] for name in ("n", "page_start", "page_end", "label_start", "label_end", "cited", "quote")}


# --- chunks ----------------------------------------------------------------------------------------------------------


@dataclass
class _Seen:
    """What all rankings together say about one chunk."""

    chunk: Chunk | None
    ranks: dict[str, int]
    scores: dict[str, float]


def _met(turn: Turn) -> list[Met]:
    """Every chunk the turn or one of its steps knows: the final order first, then what was cut on the way."""
    seen: dict[str, _Seen] = {}

    def look(id_: str, chunk: Chunk | None = None) -> _Seen:
        one = seen.setdefault(id_, _Seen(chunk, {}, {}))
        one.chunk = one.chunk or chunk
        return one

    for hit in (*(item.hit for item in turn.context), *turn.hits, *turn.nearest):
        one = look(hit.chunk.id, hit.chunk)
        one.ranks.update(hit.ranks)
        one.scores.update(hit.scores)
    for name, rank, id_, score in _placings(turn):
        one = look(id_)
        one.ranks.setdefault(name, rank)
        one.scores.setdefault(name, score)
    for hits in turn.rankings.values():
        for hit in hits:
            look(hit.chunk.id, hit.chunk)
    for step in _flat(turn.steps):
        for id_ in _mentioned(step.note):
            look(id_)
    numbers = {item.hit.chunk.id: item.n for item in turn.context}
    cited = {source.chunk_id for source in turn.sources if source.cited}
    nearest = {hit.chunk.id for hit in turn.nearest}
    return [
        Met(
            id_,
            one.chunk,
            numbers.get(id_),
            cited=id_ in cited,
            nearest=id_ in nearest,
            ranks=one.ranks,
            scores={name: _short(score) for name, score in one.scores.items()},
        )
        for id_, one in seen.items()
    ]


def _placings(turn: Turn) -> Iterator[tuple[str, int, str, float]]:
    """Ranking, rank, chunk id and score of every chunk any stage ranked, the latest stage first."""
    for step in reversed(list(_flat(turn.steps))):
        name = RANKINGS.get(step.stage.partition("(")[0])
        if name:
            yield from ((name, rank, hit.chunk_id, hit.score) for rank, hit in enumerate(step.hits, start=1))
    for name, hits in turn.rankings.items():
        yield from ((name, rank, hit.chunk.id, _score(hit, name)) for rank, hit in enumerate(hits, start=1))


def _score(hit: Hit, name: str) -> float:
    return hit.scores.get(name, hit.score)


def _flat(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from _flat(step.inner)


def _mentioned(value: object) -> Iterator[str]:
    """Ids of chunks anywhere in a note."""
    if isinstance(value, str):
        if _READABLE_ID.search(value):
            yield value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _mentioned(name)
            yield from _mentioned(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _mentioned(one)


# --- steps -----------------------------------------------------------------------------------------------------------


@dataclass
class Notes:
    """Takes out of the stages' notes what may quote a text; `aside` keeps it with the path of its step."""

    places: Mapping[str, int]
    everything: bool

    def __post_init__(self) -> None:
        self.aside: list[list[object]] = []

    def of(self, step: Step, path: str) -> Json:
        """The note as it may stay when texts go."""
        stays: Json = {}
        for name, value in step.note.items():
            if self.everything or name in MAY_QUOTE:
                self.aside.append([path, name, value])
            else:
                stays[name] = self._meant(value)
        return stays

    def _meant(self, value: object) -> object:
        """With places for the ids of chunks."""
        if isinstance(value, str):
            return {CHUNK: self.places[value]} if value in self.places else value
        if isinstance(value, Mapping):
            if self.places.keys() & value.keys():
                return {BY_CHUNK: [[self._meant(name), self._meant(one)] for name, one in value.items()]}
            return {str(name): self._meant(one) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._meant(one) for one in value]
        return value


def _step(step: Step, path: str, notes: Notes) -> Json:
    return {
        "stage": step.stage,
        "seconds": _short(step.seconds),
        "hits": [[notes.places[hit.chunk_id], _short(hit.score)] for hit in step.hits if hit.chunk_id in notes.places],
        "note": notes.of(step, path),
        "inner": [_step(inner, f"{path}.{n}", notes) for n, inner in enumerate(step.inner)],
    }


def plain(value: object) -> object:
    """The value as JSON can hold it: nothing a database refuses, no NaN; what is unknown by its `repr`."""
    if isinstance(value, str):
        return storable(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {storable(str(name)): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return storable(repr(value))


def _short(figure: float) -> float:
    return float(f"{figure:.6g}")
