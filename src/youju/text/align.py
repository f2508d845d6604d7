"""Where a quote stands in a text, and which sentence of a text a sentence rests on."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise

from youju.text import sentences
from youju.text.normal import cluster_end, fold, fold_with_offsets
from youju.types import Span

# Characters that hold grammar together: they are alike in all sentences and tell none apart.
_FUNCTION = "的了着过是在和与及或也都就而且则于被把将从向其之此这那该吗呢吧啊呀么"
_DROPPED = str.maketrans("", "", _FUNCTION)
_RUN = re.compile(r"[^\W_]+(?:\.\d+)*")
_TWO_ARE_BETTER = 0.1
_SIGNS = "<>=≤≥≠±+-−×÷*/^%‰√∈∉⊂⊆∪∩"
_OTHER, _BETWEEN = 0.1, 0.3  # shares of a sentence: words that the evidence has not; what it has in between


def locate(quote: str, text: str) -> Span | None:
    """Where `quote` first stands in `text`, regardless of white space, case and width; None if it does not.

    The span is exact in the original: text[start:end] folds to what the quote folds to, up to an expanded character
    (㎡) that the quote has only a part of.
    """
    wanted = fold(quote)
    folded = fold_with_offsets(text)
    at = folded.text.find(wanted) if wanted else -1
    if at < 0:
        return None
    return Span(folded.offsets[at], cluster_end(text, folded.offsets[at + len(wanted) - 1]))


def bigrams(text: str) -> frozenset[str]:
    """The pairs of neighbouring characters of the folded text, without punctuation and function characters.

    Pairs do not reach over punctuation. A character that stands alone counts by itself.
    """
    pairs: set[str] = set()
    for run in _RUN.findall(fold(text)):
        kept = run.translate(_DROPPED)
        pairs.update(a + b for a, b in pairwise(kept))
        if len(kept) == 1:
            pairs.add(kept)
    return frozenset(pairs)


def carried(sentence: str, evidence: str) -> bool:
    """Whether the evidence says all that the sentence says, in the same order and from where a word begins.

    Function characters and punctuation do not count; signs of arithmetic and comparison do. A tenth of the sentence may
    be other words, none of them moved from elsewhere: 甲方向乙方支付 does not carry 乙方向甲方支付, nor 副总经理 a
    总经理, nor a≥b what a≤b says.
    """
    said, known = _content(sentence), _content(evidence)
    a, b = "".join(one for one, _ in said), "".join(one for one, _ in known)
    blocks = [block for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks() if block.size]
    if not blocks or not known[blocks[0].b][1]:
        return False
    kept = {at for block in blocks for at in range(block.a, block.a + block.size)}
    other = [one for at, one in enumerate(a) if at not in kept]
    between = blocks[-1].b + blocks[-1].size - blocks[0].b - len(kept)
    signs = [at for at in range(blocks[0].b, blocks[-1].b) if b[at] in _SIGNS]
    matched = {at for block in blocks for at in range(block.b, block.b + block.size)}
    if any(one in _SIGNS or one in b for one in other) or not matched.issuperset(signs):
        return False
    return len(other) <= _OTHER * len(a) and between <= _BETWEEN * len(a)


def _content(text: str) -> list[tuple[str, bool]]:
    """The characters that say something, each with whether something that says nothing stands before it."""
    found: list[tuple[str, bool]] = []
    begins = True
    for one in (folded for character in text for folded in (fold(character) or " ")):
        counts = (one.isalnum() and one not in _FUNCTION) or one in _SIGNS
        if counts:
            found.append((one, begins))
        begins = not counts
    return found


def best_span(sentence: str, text: str) -> tuple[Span, float]:
    """The sentence of `text`, or two neighbours, that holds most of `sentence`, and how much of it.

    Returns:
        The span and the share of the sentence's bigrams found in it, in [0, 1]. Two sentences are taken only if they
        hold at least a tenth more than the best one. Ties: the earliest. `Span(0, 0), 0.0` if nothing is alike.
    """
    wanted = bigrams(sentence)
    spans = sentences.split(text)
    if not wanted or not spans:
        return Span(0, 0), 0.0
    held = [_within(text[span.start : span.end], wanted) for span in spans]
    best, score = _most(spans, held, len(wanted))
    joined = [Span(a.start, b.end) for a, b in pairwise(spans)]
    two, higher = _most(joined, [a | b for a, b in pairwise(held)], len(wanted))
    if higher >= score + _TWO_ARE_BETTER:
        best, score = two, higher
    return (best, score) if score else (Span(0, 0), 0.0)


def _within(text: str, wanted: frozenset[str]) -> frozenset[str]:
    """The wanted bigrams that the text has; a single wanted character counts wherever it stands."""
    found = bigrams(text) & wanted
    alone = {one for one in wanted if len(one) == 1}
    return found | (alone & set(fold(text))) if alone else found


def _most(spans: list[Span], held: list[frozenset[str]], total: int) -> tuple[Span, float]:
    best, score = Span(0, 0), 0.0
    for span, found in zip(spans, held, strict=True):
        if len(found) / total > score:
            best, score = span, len(found) / total
    return best, score
