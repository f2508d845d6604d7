"""What a measure sees: the case, how its question went, and what the material was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from youju.lab.dataset import Case
from youju.lab.judgement import Judgement
from youju.types import Chunk, Hit, Step, Turn


@dataclass(frozen=True, slots=True)
class Material:
    """A document as it stood when the run began. `pages` is 0 where the format has none."""

    id: str
    title: str
    file_name: str
    collection: str
    version: int
    pages: int
    sha256: str = ""

    def named(self, part: str) -> bool:
        """Whether `part` stands in the document's name, the file's or its title."""
        return part in self.title or part in self.file_name


@dataclass(frozen=True)
class Seen:
    """One case in one arm.

    `retrieves` is False for an arm that looks at no document. `documents` by id, all that were READY. `broke` is why
    the question ended with an error instead of a turn: then every measure is an error with that reason.
    """

    case: Case
    turn: Turn
    documents: Mapping[str, Material] = field(default_factory=dict)
    retrieves: bool = True
    judgement: Judgement | None = None
    broke: str = ""

    @property
    def refused(self) -> bool:
        return self.turn.refusal is not None

    @property
    def answer(self) -> str:
        """What the person reads of an answer; "" for a refusal."""
        return self.turn.answer.text if self.turn.answer and not self.refused else ""

    def ranking(self, name: str) -> tuple[Chunk, ...] | None:
        """The chunks in the order that a stage put them in, from its Step, so that a later refusal changes nothing.

        Args:
            name: a channel ("vector", "keyword"), "fused", "reranked", "context", or "final": the last of fused and
                reranked.

        Returns:
            Best first, no chunk twice; None where no such stage ran.
        """
        if name == "final":
            reranked = self.ranking("reranked")
            return self.ranking("fused") if reranked is None else reranked
        steps = [step for step in walked(self.turn.steps) if STAGES.get(name, "") == step.stage.partition("(")[0]]
        if not steps:
            return None
        known = self._chunks()
        ids = dict.fromkeys(hit.chunk_id for hit in steps[-1].hits)
        return tuple(known[id_] for id_ in ids if id_ in known)

    def _chunks(self) -> dict[str, Chunk]:
        turn = self.turn
        found: list[Hit] = [hit for hits in turn.rankings.values() for hit in hits]
        found += [*turn.hits, *turn.nearest, *(item.hit for item in turn.context)]
        return {hit.chunk.id: hit.chunk for hit in found}


STAGES: Mapping[str, str] = {
    "vector": "ByVector",
    "keyword": "ByWords",
    "fused": "Fuse",
    "reranked": "Rerank",
    "context": "Budget",
}


def walked(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Every step in the order in which it ended, the inner ones before the one that holds them."""
    for step in steps:
        yield from walked(step.inner)
        yield step
