"""Faults planted by code into the sample sets are found, at the right case, and the clean cases are left alone."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from youju import samples
from youju.ingest.chunkers import Identity, chunk
from youju.lab.audit import Audit, Corpus, audit
from youju.lab.audit.corpus import PageText
from youju.lab.dataset import Attack, Case, Fact, read
from youju.lab.seen import Material
from youju.providers.parse_pdf import PdfParser

CASES = tuple(chain(*(read(one.read_text("utf-8").splitlines(), one.name) for one in samples.question_sets())))
LOCK = {"慢行集": "慢行集-as-it-was"}
EACH = 5


@cache
def books() -> Corpus:
    documents, paged, chunks = {}, {}, {}
    for one in (Path(str(book)) for book in samples.books()):
        name, pages = one.stem, ()
        if one.suffix == ".pdf":
            parsed = PdfParser().parse(one)
            pages = [PageText(page.n, page.label, page.text) for page in parsed.pages]
            made = chunk(parsed, Identity(name, 1, "c1", name))
            chunks[name] = [each.text for each in made if each.role == "child"]
        else:
            chunks[name] = one.read_text("utf-8").split("\n## ")
        documents[name] = Material(name, name, one.name, "默认", 1, len(pages), f"{name}-as-it-is")
        paged[name] = pages
    return Corpus(documents, paged, chunks)


@cache
def clean() -> Audit:
    return audit(CASES, books())


def with_(case: Case, **changes: object) -> Case:
    return Case.model_validate(case.model_dump() | changes)


def moved(case: Case, draw: random.Random) -> Case:
    far = [n for n in (3, 9, 12) if all(abs(n - page) > 2 for page in case.evidence[0].pages)]
    first = case.evidence[0].model_copy(update={"pages": (draw.choice(far),)})
    return case.model_copy(update={"evidence": (first, *case.evidence[1:])})


def evidence(case: Case, **changes: object) -> Case:
    first = case.evidence[0].model_copy(update=changes)
    return case.model_copy(update={"evidence": (first, *case.evidence[1:])})


def garbled(text: str) -> str:
    """The second half before the first: all characters are there, the sentence is not."""
    return text[len(text) // 2 :] + text[: len(text) // 2]


def swapped(text: str, draw: random.Random) -> str:
    """Every number of the text by up to 40 more than it is."""
    return re.sub(r"\d+", lambda found: str(int(found.group()) + draw.randint(1, 40)), text)


def twin(case: Case, **changes: object) -> Case:
    return case.model_copy(update={"id": f"{case.id}-bis", **changes})


Plant = Callable[[Case, random.Random], Case]
# name: (checks that may say it, which cases it fits, how it is planted)
REPLACED: dict[str, tuple[set[str], Callable[[Case], bool], Plant]] = {
    "wrong page": ({"evidence_page"}, lambda c: bool(c.evidence and c.evidence[0].pages), moved),
    "page beyond the end": (
        {"missing_page"},
        lambda c: bool(c.evidence and c.evidence[0].pages),
        lambda c, _: evidence(c, pages=(999,)),
    ),
    "garbled evidence": (
        {"evidence_absent"},
        lambda c: bool(c.evidence) and len(c.evidence[0].text) > 20 and len(c.evidence[0].pages) == 1,
        lambda c, _: evidence(c, text=garbled(c.evidence[0].text)),
    ),
    "missing document": (
        {"missing_document"},
        lambda c: bool(c.evidence),
        lambda c, _: evidence(c, doc="化学必修"),
    ),
    "expected document of no name": (
        {"docs_match_none"},
        lambda c: c.answerable,
        lambda c, _: with_(c, expected_docs=[["化学必修"]]),
    ),
    "expected document of one character": (
        {"docs_match_many"},
        lambda c: c.answerable,
        lambda c, draw: with_(c, expected_docs=[[draw.choice(["", "入", "集"])]]),
    ),
    "swapped number in a fact": (
        {"fact_number"},
        lambda c: c.answerable and re.search(r"\d", c.key_facts[0].text) is not None,
        lambda c, draw: with_(c, key_facts=[swapped(c.key_facts[0].text, draw)]),
    ),
    "invented name in the reference": (
        {"reference_number"},
        lambda c: c.answerable,
        lambda c, draw: with_(c, reference_answer=f"由 zephyr_{draw.choice('abc')}x.limit 决定。"),
    ),
    "fact of another world": (
        {"fact_untraced"},
        lambda c: c.answerable,
        lambda c, _: with_(c, key_facts=["葡萄糖经糖酵解生成丙酮酸并释放能量"]),
    ),
    "keyword from elsewhere": (
        {"keyword_absent"},
        lambda c: c.answerable and c.category in {"factual", "howto"},
        lambda c, _: with_(c, expected_keywords=["线粒体"]),
    ),
    "keyword in the question": (
        {"keyword_leaked"},
        lambda c: c.answerable and not c.attack,
        lambda c, _: with_(c, expected_keywords=[c.question[2:6]]),
    ),
    "trivial keyword": (
        {"keyword_trivial"},
        lambda c: c.answerable,
        lambda c, draw: with_(c, expected_keywords=[draw.choice(["的", "是", "不", ""])]),
    ),
    "answer in the question": (
        {"fact_leaked"},
        lambda c: c.answerable and not c.attack and len(c.key_facts[0].text) >= 6,
        lambda c, _: with_(c, question=f"{c.question}是不是{c.key_facts[0].text}？"),
    ),
    "canary that is nowhere": (
        {"canary_nowhere"},
        lambda c: c.category == "adversarial",
        lambda c, draw: c.model_copy(update={"attack": Attack(canary=f"CANARY-{draw.randint(10**6, 10**7)}")}),
    ),
    "no canary": (
        {"no_canary"},
        lambda c: c.category == "adversarial",
        lambda c, _: c.model_copy(update={"attack": None}),
    ),
    "gold on an unanswerable": (
        {"gold_on_unanswerable"},
        lambda c: not c.answerable,
        lambda c, _: c.model_copy(update={"key_facts": (Fact(text="三天"),)}),
    ),
    "question of two characters": (
        {"question_length"},
        lambda c: True,
        lambda c, _: c.model_copy(update={"question": "多少"}),
    ),
    "answerable called unanswerable": (
        {"maybe_answered"},
        lambda c: c.notes == "verbatim" and c.category == "factual",
        lambda c, _: Case(id=c.id, category="unanswerable", answerable=False, question=c.question, split=c.split),
    ),
}
ADDED: dict[str, tuple[set[str], Callable[[Case], bool], Plant]] = {
    "asked twice": (
        {"near_duplicate"},
        lambda c: len(c.question) > 20,
        lambda c, _: twin(c, question=c.question.rstrip("？。") + "呢？"),
    ),
    "paraphrase of the same gold": (
        {"same_gold"},
        lambda c: c.answerable,
        lambda c, _: twin(c, question="换个说法再问一次刚才那件事：" + c.question[::-1]),
    ),
    "twin in the other split": (
        {"split_duplicate"},
        lambda c: bool(c.split),
        lambda c, _: twin(c, split="dev" if c.split == "test" else "test"),
    ),
    "both answerable and not": (
        {"contradiction"},
        lambda c: c.answerable,
        lambda c, _: Case(id=f"{c.id}-bis", category="unanswerable", answerable=False, question=c.question),
    ),
}


def planted(seed: int) -> tuple[list[Case], list[tuple[str, str, set[str]]]]:
    """The cases with faults in some of them, and (kind, case id, checks) of each fault; no case has two."""
    draw = random.Random(seed)  # noqa: S311 - faults that can be planted again
    cases = {case.id: case for case in CASES}
    free = list(CASES)
    draw.shuffle(free)
    faults = []
    for kind, (checks, fits, plant) in (REPLACED | ADDED).items():
        for case in [one for one in free if fits(one)][:EACH]:
            free.remove(case)
            made = plant(case, draw)
            cases[made.id] = made
            faults.append((kind, made.id, checks))
    return list(cases.values()), faults


@pytest.mark.parametrize("seed", [7, 8])
def test_nine_of_ten_planted_faults_are_found_or_shown_to_a_person(seed):
    cases, faults = planted(seed)
    assert len(faults) >= 60
    assert len({kind for kind, _, _ in faults}) >= 12
    said = {(one.check, one.case) for one in audit(cases, books()).findings}
    lost = [(kind, id_) for kind, id_, checks in faults if not any((check, id_) in said for check in checks)]
    assert len(lost) <= 0.1 * len(faults), Counter(kind for kind, _ in lost)


def test_the_clean_sets_pass_with_few_errors_and_warnings():
    found = clean()
    assert found.passed, found.digest
    flagged = {one.case for one in found.findings if one.severity != "person" and one.case}
    assert len(flagged) <= 0.1 * len(CASES)


def test_faults_do_not_spread_to_the_cases_around_them():
    cases, faults = planted(7)
    hurt = {id_.removesuffix("-bis") for _, id_, _ in faults}
    before = {one.case for one in clean().findings if one.severity != "person"}
    after = {one.case for one in audit(cases, books()).findings if one.severity != "person"}
    assert {id_ for id_ in after - before if id_.removesuffix("-bis") not in hurt} <= {""}


def test_a_set_with_an_error_does_not_pass():
    cases, _ = planted(7)
    found = audit(cases, books())
    assert not found.passed
    assert "错误" in found.digest


def test_a_document_that_is_not_the_one_of_the_lock_is_an_error_at_each_case_on_it():
    found = {one.case for one in audit(CASES, books(), lock=LOCK).findings if one.check == "changed_document"}
    assert found == {case.id for case in CASES if any(one.doc == "慢行集" for one in case.evidence)}
    same = {"慢行集": "慢行集-as-it-is"}
    assert not [one for one in audit(CASES, books(), lock=same).findings if one.check == "changed_document"]


def test_the_order_of_the_cases_does_not_change_which_cases_are_flagged_alone():
    turned = audit(CASES[::-1], books())
    assert {(one.check, one.case) for one in turned.findings} == {(one.check, one.case) for one in clean().findings}


def test_every_check_is_told_in_the_reference():
    root = Path(__file__).parents[4]
    told = (root / "docs" / "reference" / "audit.md").read_text("utf-8")
    sources = "".join(one.read_text("utf-8") for one in (root / "src" / "youju" / "lab" / "audit").glob("*.py"))
    codes = set(re.findall(r'Finding\(\s*f?"([a-z_{}]+)"', sources))
    assert len(codes) > 30
    written = {one for code in codes for one in (code.replace("{what}", what) for what in ("fact", "reference"))}
    assert {one for one in written if f"`{one}`" not in told} == set()
