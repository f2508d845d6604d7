"""What was asked → one standalone, clean question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from youju.stages.base import Emit
from youju.text.injection import steers
from youju.text.normal import clean
from youju.text.sentences import split
from youju.types import Turn


@dataclass(frozen=True)
class Condense:
    """Write the question the rest of the chain works on, and the queries to search with (the question itself).

    Sentences that try to steer the machine are set aside, as long as something to ask is left: they are about no
    material and would only blur the search. The note keeps them.
    """

    reads: ClassVar[frozenset[str]] = frozenset({"asked"})
    writes: ClassVar[frozenset[str]] = frozenset({"question", "queries"})

    async def __call__(self, turn: Turn, emit: Emit) -> Turn:
        text = clean(turn.asked)
        sentences = [text[span.start : span.end].strip() for span in split(text)]
        kept = [sentence for sentence in sentences if not steers(sentence)]
        question = " ".join(" ".join(kept or sentences).split()) or " ".join(text.split())
        aside = [sentence for sentence in sentences if sentence not in kept] if kept else []
        return replace(turn, question=question, queries=(question,), notes={"set_aside": aside})
