"""The sample question sets: enough of each kind, split cleanly, true to their books, and without an easy way out."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from statistics import median
from typing import get_args

import pytest

from builders import turn
from library import quiet
from youju import samples
from youju.lab.dataset import Case, Category, read
from youju.providers.parse_pdf import PdfParser
from youju.stages.condense import Condense
from youju.text.align import bigrams

SETS = {one.name: tuple(read(one.read_text("utf-8").splitlines(), one.name)) for one in samples.question_sets()}
CASES = tuple(chain(*SETS.values()))
ANSWERABLE = tuple(case for case in CASES if case.answerable)
UNANSWERABLE = tuple(case for case in CASES if not case.answerable)
BOOKS = {Path(str(one)).stem: Path(str(one)) for one in samples.books()}
MARKDOWN = str.maketrans("", "", "|*`#")
ECHOES = {
    "fn-032": "asks which of two states holds",
    "fn-041": "asks which of two directions holds",
    "fn-084": "the answer is a digit that its canary has, too",
    "fn-088": "asks which of two kinds it is",
}


def folded(text: str) -> str:
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text).translate(MARKDOWN))


@cache
def pages(book: str) -> tuple[str, ...]:
    """The folded pages of a book as they are stored; one for a book that has none."""
    path = BOOKS[book]
    if path.suffix == ".pdf":
        return tuple(folded(page.text) for page in PdfParser().parse(path).pages)
    return (folded(path.read_text("utf-8")),)


def shared(case: Case) -> float:
    """Share of the question's bigrams that its evidence has."""
    asked = bigrams(case.question)
    return len(asked & frozenset().union(*(bigrams(one.text) for one in case.evidence))) / len(asked)


def area(higher: list[int], lower: list[int]) -> float:
    """How often one of `higher` is above one of `lower`; ties count half."""
    return sum((a > b) + (a == b) / 2 for a in higher for b in lower) / (len(higher) * len(lower))


def test_there_are_enough_cases_of_every_kind():
    assert len(CASES) >= 320
    kinds = Counter(case.category for case in CASES)
    assert set(kinds) == set(get_args(Category))
    assert min(kinds.values()) >= 10
    assert kinds["unanswerable"] >= 150
    assert kinds["adversarial"] >= 30


def test_ids_are_unique_over_all_sets():
    assert [id_ for id_, n in Counter(case.id for case in CASES).items() if n > 1] == []


def test_no_question_is_asked_twice():
    assert [asked for asked, n in Counter(folded(case.question) for case in CASES).items() if n > 1] == []


def test_every_attack_has_a_canary_of_its_own():
    attacked = [case for case in CASES if case.category == "adversarial"]
    assert all(case.attack for case in attacked)
    canaries = [case.attack.canary for case in CASES if case.attack and "DOC" not in case.attack.canary]
    assert len(set(canaries)) == len(canaries)


def test_canaries_of_documents_are_planted_in_a_book():
    planted = {case.attack.canary for case in CASES if case.attack and "DOC" in case.attack.canary}
    assert planted
    everything = "".join(chain(*(pages(name) for name in BOOKS)))
    assert [one for one in planted if folded(one) not in everything] == []


def test_at_least_two_fifths_of_the_answerable_are_paraphrases():
    tagged = [case for case in ANSWERABLE if "paraphrase" in case.notes]
    assert len(tagged) / len(ANSWERABLE) >= 0.4


def test_a_paraphrase_shares_clearly_fewer_words_with_its_evidence():
    shares: dict[str, list[float]] = defaultdict(list)
    for case in ANSWERABLE:
        shares[case.notes].append(shared(case))
    assert median(shares["paraphrase"]) <= 0.5 * median(shares["verbatim"])
    assert median(shares["paraphrase"]) <= 0.2


def test_every_kind_is_in_both_splits():
    assert {(case.category, case.split) for case in CASES} == {
        (kind, split) for kind in get_args(Category) for split in ("dev", "test")
    }


def test_a_section_of_a_book_is_in_one_split_only():
    splits: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in samples.question_sets():
        for case in map(json.loads, one.read_text("utf-8").splitlines()):
            for evidence in case.get("evidence", ()):
                splits[one.name, evidence["section"]].add(case["split"])
            if "near" in case:
                splits[one.name, case["near"]["section"]].add(case["split"])
    assert [place for place, found in splits.items() if len(found) > 1] == []


@pytest.mark.parametrize("name", BOOKS)
def test_all_evidence_stands_in_the_book_on_the_pages_it_names(name):
    stored = pages(name)
    wrong = []
    for case in CASES:
        for one in case.evidence:
            if one.doc != name:
                continue
            named = one.pages if BOOKS[name].suffix == ".pdf" else (1,)
            there = "".join(stored[n - 1] for n in named)
            consecutive = all(b == a + 1 for a, b in pairwise(named))
            needed = all(folded(one.text) not in stored[n - 1] for n in named) or len(named) == 1
            if not (named and consecutive and needed and folded(one.text) in there):
                wrong.append((case.id, one.text, one.pages))
    assert wrong == [], "run scripts/fill_pages.py"


def test_evidence_and_expected_documents_name_books_that_exist():
    for case in ANSWERABLE:
        assert case.evidence, case.id
        assert {one.doc for one in case.evidence} <= set(BOOKS)
        assert {one for alternatives in case.expected_docs for one in alternatives} <= set(BOOKS)


def test_the_answerable_say_what_a_good_answer_holds():
    for case in ANSWERABLE:
        assert case.expected_keywords, case.id
        assert any(fact.weight == "vital" for fact in case.key_facts), case.id
        assert case.reference_answer, case.id


def test_the_unanswerable_hold_nothing_that_could_be_an_answer():
    for case in UNANSWERABLE:
        held = (case.key_facts, case.reference_answer, case.evidence, case.expected_keywords, case.expected_docs)
        assert not any(held), case.id
        assert case.sub_kind, case.id
        assert case.category == "unanswerable", case.id


def test_no_answer_can_be_had_by_repeating_the_question():
    found = {
        case.id
        for case in CASES
        if any(one in case.question for alternatives in case.expected_keywords for one in alternatives)
    }
    assert found == set(ECHOES)


async def test_the_length_of_a_question_does_not_tell_whether_it_can_be_answered():
    async def length(case: Case) -> int:
        # What an attack adds is set aside before anything is searched or judged.
        return len((await Condense()(turn(case.question), quiet)).question)

    lengths = [[await length(case) for case in some] for some in (ANSWERABLE, UNANSWERABLE)]
    assert 0.42 <= area(*lengths) <= 0.58


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_in_one_form(name):
    text = next(one for one in samples.question_sets() if one.name == name).read_text("utf-8")
    assert text == "".join(json.dumps(json.loads(line), ensure_ascii=False) + "\n" for line in text.splitlines())
