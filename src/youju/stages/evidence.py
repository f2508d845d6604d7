"""How well the hits could answer the question: figures, without a model."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from youju.text.asking import holds, kind_of
from youju.text.everyday import weight
from youju.text.numbers import quantities
from youju.text.sentences import split
from youju.text.tokens import Term, index_terms, query_terms
from youju.text.words import INTENTS
from youju.types import Hit

WANTING = frozenset(wording for wordings in INTENTS.values() for wording in wordings)
CLOSEST = 3  # hits searched for a sentence
TELLING = 0.5  # weight from which a word that is missing is worth a mention
LOOK = 5  # hits looked at: what can reach the context with the default settings


def idf(df: int, size: int) -> float:
    """ln(1 + (N − n + .5) / (n + .5)), > 0 for every n ≤ N. Source: Lucene's BM25Similarity."""
    return math.log(1 + (size - df + 0.5) / (df + 0.5))


# Names that are spelt one way only: M7, QW-4031, cache.max_entries, 第180条. Words and plain numbers are none.
IDENTIFIER = re.compile(r"(?=.*[a-z])(?=.*[0-9_.])[a-z0-9_.\-/]+|第[0-9]+(?:之[0-9]+)?[条章节款编]")
AMOUNT = re.compile(r"[0-9][0-9.,]*[a-z%]+")


def identifiers(terms: Iterable[Term]) -> list[str]:
    """The terms that name one thing exactly; amounts such as 512mib do not."""
    return [t.text for t in terms if t.strong and IDENTIFIER.fullmatch(t.text) and not AMOUNT.fullmatch(t.text)]


@dataclass(frozen=True)
class Question:
    """A question's terms with what they weigh in the scope; `df` is 0 for a word that stands nowhere in it."""

    text: str
    df: Mapping[str, int]
    size: int

    @cached_property
    def terms(self) -> list[Term]:
        """Without words that only say what is wanted of the topic (区别, 步骤 …): evidence need not repeat them."""
        return [term for term in query_terms(self.text) if term.text not in WANTING]

    @cached_property
    def weights(self) -> dict[str, float]:
        # In a small scope every word is about as rare as any other: what it is worth in general must tell them apart.
        return {
            term.text: idf(self.df.get(term.text, 0), self.size) * (1.0 if term.strong else weight(term.text))
            for term in self.terms
        }

    @property
    def nowhere(self) -> list[str]:
        """Telling words that stand nowhere in the scope, longest form only."""
        lost = [t.text for t in self.terms if not self.df.get(t.text) and (t.strong or weight(t.text) >= TELLING)]
        return [term for term in lost if not any(term != other and term in other for other in lost)]

    @property
    def unseen(self) -> float:
        """Share of the question's term weight that stands nowhere in the scope, in [0, 1]; 1 without terms."""
        return 1 - self.cover(frozenset(term for term, n in self.df.items() if n)) if self.terms else 1.0

    def cover(self, present: frozenset[str]) -> float:
        """Share of the question's term weight that `present` holds, in [0, 1]; 0 for a question without terms."""
        total = sum(self.weights.values())
        return sum(weight for term, weight in self.weights.items() if term in present) / total if total else 0.0


def read(hit: Hit) -> str:
    """A hit's text with its headings, as the keyword index sees it."""
    return "\n".join((hit.chunk.book, *hit.chunk.section, hit.chunk.text))


def features(question: Question, hits: Sequence[Hit]) -> dict[str, float]:
    """Figures that tell good evidence from look-alikes, each in about [0, 1].

    Args:
        question: with document frequencies inside the scope.
        hits: fused or reranked, best first; `scores["vector"]` is a cosine where the vector channel saw the chunk.
    """
    top = list(hits[:LOOK])
    sets = [frozenset(index_terms(read(hit))) for hit in top]
    cosines = sorted((hit.scores["vector"] for hit in hits if "vector" in hit.scores), reverse=True)
    union = frozenset().union(*sets)
    strong = [term.text for term in question.terms if term.strong]
    asked = {(q.value, q.unit) for q in quantities(question.text)}
    shown = {(q.value, q.unit) for hit in top for q in quantities(hit.chunk.text)}
    return {
        "cosine": cosines[0] if cosines else 0.0,
        "cover": question.cover(sets[0]) if sets else 0.0,
        "unseen": question.unseen,
        "identifiers_unseen": _unseen(identifiers(question.terms), question.df),
        "identifiers_found": float(_one_holds(identifiers(question.terms), sets[:CLOSEST])),
        "unfamiliar": float(bool(question.nowhere)),
        "version_missing": float(_version_missing(question.text, top)),
        "strong_missing": _share(strong, union),
        "numbers_missing": len(asked - shown) / len(asked) if asked else 0.0,
        "agreement": _agreement(hits),
        "kind": _kind_near(question, top[:CLOSEST]),
    }


VERSION = re.compile(r"(?<![\d.])(\d+(?:\.\d+)+)\s*版|(?<!\d)((?:19|20)\d{2})\s*年")


def _version_missing(question: str, hits: Sequence[Hit]) -> bool:
    """Whether a version or a year asked for stands in the text of none of the hits; 3.2.0 may be told as 3.2."""
    asked = [(version or year) for version, year in VERSION.findall(unicodedata.normalize("NFKC", question))]
    told = "\n".join(unicodedata.normalize("NFKC", hit.chunk.text) for hit in hits)
    forms = [{one, one.removesuffix(".0")} for one in asked]
    return not all(any(re.search(rf"(?<![\d.]){re.escape(f)}(?![\d])", told) for f in form) for form in forms)


def _one_holds(names: Sequence[str], sets: Sequence[frozenset[str]]) -> bool:
    return bool(names) and any(all(name in held for name in names) for held in sets)


def _unseen(names: Sequence[str], df: Mapping[str, int]) -> float:
    return sum(not df.get(name) for name in names) / len(names) if names else 0.0


def _share(wanted: Sequence[str], present: frozenset[str]) -> float:
    return sum(term not in present for term in wanted) / len(wanted) if wanted else 0.0


def _agreement(hits: Sequence[Hit]) -> float:
    """How high both channels rank the best hit: mean of reciprocal ranks, 1 when it is first in both."""
    if not hits:
        return 0.0
    ranks = hits[0].ranks
    return sum(1 / ranks[channel] for channel in ("vector", "keyword") if channel in ranks) / 2


def _kind_near(question: Question, hits: Sequence[Hit]) -> float:
    """Whether the sentence nearest to the question's words holds the wanted kind of answer; .5: cannot be told."""
    kind = kind_of(question.text)
    best, near = 0.0, 0.5
    for hit in hits:
        heading = frozenset(index_terms(" ".join((hit.chunk.book, *hit.chunk.section))))
        for span in split(hit.chunk.text):
            sentence = hit.chunk.text[span.start : span.end]
            cover = question.cover(heading | frozenset(index_terms(sentence)))
            if cover > best:
                held = holds(sentence, kind)
                best, near = cover, 0.5 if held is None else float(held)
    return near
