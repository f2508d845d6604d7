"""What was asked → one standalone, clean question."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from youju.stages.base import Emit
from youju.text.injection import steers
from youju.text.normal import clean
from youju.text.sentences import split
from youju.text.tokens import query_terms
from youju.types import Turn

COURTESY = re.compile(
    r"\W*(?:(?:谢谢|多谢|感谢|拜托|辛苦|你好|您好|好的?|thanks?|thank you|please|hello|hi)[你您了啦]?\W*)+",
    re.IGNORECASE,
)


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
        kept = kept if _asks(kept) else []
        question = " ".join(" ".join(kept or sentences).split()) or " ".join(text.split())
        aside = [sentence for sentence in sentences if sentence not in kept] if kept else []
        return replace(turn, question=question, queries=(question,), notes={"set_aside": aside})


def _asks(sentences: Iterable[str]) -> bool:
    """Whether one of them could be searched for: neither courtesy nor function words alone."""
    return any(query_terms(sentence) and not COURTESY.fullmatch(sentence) for sentence in sentences)
