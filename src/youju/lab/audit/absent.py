"""Whether what an unanswerable case asks for may stand in the material after all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from youju.lab.audit.corpus import Corpus
from youju.lab.audit.findings import Finding
from youju.lab.dataset import Case
from youju.stages.evidence import Question
from youju.text.asking import holds, kind_of
from youju.text.tokens import index_terms

COVERED = 0.85  # share of the weight of a question's words in one passage
SHOWN = 120


def checked(cases: Sequence[Case], corpus: Corpus) -> Iterator[Finding]:
    """Passages that hold nearly all a question says, with the kind of answer it wants. A person must decide.

    The words of a good near miss stand together, too; that no passage is found proves nothing of a paraphrase.
    """
    asked = [case for case in cases if not case.answerable]
    if not asked:
        return
    titles = {id_: " ".join(index_terms(one.title)) for id_, one in corpus.documents.items()}
    passages = [(text, frozenset(index_terms(titles[id_] + " " + text))) for id_, text in corpus.passages]
    for case in asked:
        question = _question(case, passages)
        covers = ((question.cover(terms), text) for text, terms in passages)
        best, text = max(covers, default=(0.0, ""), key=lambda one: one[0])
        if best >= COVERED and holds(text, kind_of(case.question)) is not False:
            message = f"标为不可答，但有一段资料含有题目 {best:.0%} 的字词；请人看它是否其实答了"
            yield Finding("maybe_answered", case.id, "person", message, text[:SHOWN])


def _question(case: Case, passages: Sequence[tuple[str, frozenset[str]]]) -> Question:
    terms = {one.text for one in Question(case.question, {}, 1).terms}
    counts = {term: sum(term in held for _, held in passages) for term in terms}
    return Question(case.question, counts, len(passages))
