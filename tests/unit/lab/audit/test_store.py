from __future__ import annotations

import pytest

from apps import added, opened, written
from youju.lab.audit import audited, loaded
from youju.lab.dataset import Case, Evidence

TEXT = "员工依法登记结婚的，享受婚假十三个自然日。"
RIGHT = Evidence(doc="休假规定", text="享受婚假十三个自然日")


@pytest.fixture
async def app(tmp_path):
    async with opened(tmp_path / "store") as one:
        await added(one, written(tmp_path, "休假规定.txt", TEXT))
        yield one


def case(**more: object) -> Case:
    given = {"id": "a-1", "category": "factual", "question": "结婚的人可以休息多久？", "answerable": True}
    given |= {"expected_docs": [["休假规定"]], "expected_keywords": ["十三个自然日"], "evidence": [RIGHT]}
    return Case.model_validate(given | more)


async def test_a_corpus_is_what_may_answer_now(app):
    corpus = await app.documents.store.read(loaded)
    (one,) = corpus.documents.values()
    assert one.title == "休假规定"
    assert [text for _, text in corpus.passages] == [TEXT]
    assert corpus.text(one.id) == TEXT
    assert corpus.pages(one.id) == [(0, "", TEXT)]
    assert corpus.named("休假") == (one,)
    assert corpus.named("") == ()


async def test_a_set_is_audited_against_the_store(app):
    good = await audited(app.documents.store, [case()])
    assert good.passed, good.findings
    wrong = RIGHT.model_copy(update={"text": "享受婚假三十个自然日"})
    bad = await audited(app.documents.store, [case(evidence=[wrong], expected_docs=[["考勤"]])])
    assert {one.check for one in bad.of("error")} == {"docs_match_none", "evidence_absent"}


async def test_an_empty_set_does_not_pass(app):
    found = await audited(app.documents.store, [])
    assert (found.passed, found.digest) == (False, "题目集是空的")


async def test_evidence_may_be_pages_without_words_but_not_words_of_white_space(app):
    async def errors(**piece: object) -> set[str]:
        found = await audited(app.documents.store, [case(evidence=[{"doc": "休假规定", **piece}])])
        return {one.check for one in found.of("error")}

    assert await errors(pages=[1]) == set()
    assert await errors(text=" ") == {"evidence_absent"}


async def test_alternatives_of_evidence_are_each_audited(app):
    lost = RIGHT.model_copy(update={"text": "享受婚假三十一天"})
    found = await audited(app.documents.store, [case(evidence=[[RIGHT, lost]])])
    assert [one.evidence for one in found.of("error")] == ["享受婚假三十一天"]
