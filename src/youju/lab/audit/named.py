"""The places that a case's evidence names."""

from __future__ import annotations

from youju.lab.audit.corpus import Corpus, Place
from youju.lab.dataset import Case, Evidence
from youju.lab.seen import Material


def documents(one: Evidence, corpus: Corpus) -> tuple[Material, ...]:
    """The document of exactly that name, else those with the name in theirs."""
    found = corpus.named(one.doc)
    exact = tuple(each for each in found if one.doc in {each.title, each.file_name})
    return exact or found


def places(case: Case, corpus: Corpus) -> list[Place]:
    """The pages that a case names; all of a document's where none of them is there or the format has none."""
    found: list[Place] = []
    for one in case.evidence:
        for document in documents(one, corpus):
            pages = corpus.places[document.id]
            found += [pages[n] for n in one.pages if n in pages] or pages.values()
    return found
