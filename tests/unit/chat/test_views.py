"""The bodies of `POST /api/chat` and `POST /api/retrieve`, field by field as the contract has them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from builders import answer, chunk, context, hits, turn
from youju.chat.views import Wording, answer_text, chat_view, retrieve_view
from youju.settings import Answering
from youju.types import Confidence, Degradation, Exclusion, Grade, ScopeReport, Source, Turn, Verdict

WORDING = Wording(Answering().refusal)
PLACE = {
    "document_id", "book", "section", "page_start", "page_end", "label_start", "label_end", "locator"
}  # fmt: skip
DEGRADED = {"degraded", "degradation_reason", "degradations"}
CHUNK = PLACE | {"chunk_id", "text", "score", "ranks", "scores"}
CHUNKS = (chunk("a", "婚假为十三天。", page_start=3, page_end=4, label_start="1", label_end="2"), chunk("b"))


def answered(**more: object) -> Turn:
    fields: dict[str, object] = {
        "trace_id": "t1",
        "hits": hits("ab"),
        "context": context(*CHUNKS),
        "answer": answer(("婚假为十三天。", (1,))),
        "sources": (
            Source(1, "a", "d1", "规定", ("第五章", "休假"), 3, 4, "1", "2", "", cited=True, quote="婚假为十三天。"),
            Source(2, "b", "d1", "规定", (), None, None, "", "", "休假!3", cited=False, quote="片段b。"),
        ),
        "verdicts": (Verdict("婚假为十三天。", "supported", 1, "婚假为十三天。", "verbatim", ("理由",)),),
        "grade": Grade("HIGH", ("两个通道一致",), {"cover": 0.123456}),
        "confidence": Confidence(0.9, ("证据评级 HIGH",)),
        "scope_report": ScopeReport(
            {"collection": "规定", "document_ids": None}, ("d1",), (Exclusion("d2", "FAILED"),)
        ),
    }
    return turn(**(fields | more))


def test_the_body_of_chat_has_the_fields_of_the_contract():
    body = chat_view(answered(), WORDING)
    assert set(body) == DEGRADED | {
        "answer", "sources", "context_used", "refused", "refusal_reason", "nearest", "grade", "confidence", "verdicts",
        "removed_markers",
        "scope", "trace_id", "conversation_id",
    }  # fmt: skip
    assert set(body["sources"][0]) == PLACE | {"n", "chunk_id", "cited", "quote"}
    assert set(body["grade"]) == {"level", "reasons", "features"}
    assert set(body["confidence"]) == {"value", "reasons"}
    assert set(body["verdicts"][0]) == {"sentence", "verdict", "n", "quote", "by"}
    assert set(body["scope"]) == {"asked", "documents", "excluded"}


def test_the_body_of_retrieve_has_the_fields_of_the_contract():
    body = retrieve_view(answered(), 5)
    assert set(body) == DEGRADED | {"scope", "chunks", "grade", "trace_id"}
    assert set(body["chunks"][0]) == CHUNK


def test_what_was_answered_is_told_as_it_is():
    body = chat_view(answered(), WORDING)
    assert body["answer"] == "婚假为十三天。[1]"
    assert (body["refused"], body["refusal_reason"]) == (False, None)
    assert (body["context_used"], body["trace_id"], body["conversation_id"]) == (2, "t1", None)
    assert body["verdicts"] == [
        {"sentence": "婚假为十三天。", "verdict": "supported", "n": 1, "quote": "婚假为十三天。", "by": "verbatim"}
    ]
    assert body["grade"] == {"level": "HIGH", "reasons": ["两个通道一致"], "features": {"cover": 0.1235}}
    assert body["confidence"]["value"] == 0.9


def test_a_source_tells_its_place_and_null_where_a_format_has_none():
    first, second = chat_view(answered(), WORDING)["sources"]
    assert (first["n"], first["chunk_id"], first["section"]) == (1, "a", ["第五章", "休假"])
    assert [first[name] for name in ("page_start", "page_end", "label_start", "label_end")] == [3, 4, "1", "2"]
    assert [second[name] for name in ("page_start", "page_end", "label_start", "label_end")] == [None] * 4
    assert (first["locator"], second["locator"]) == (None, "休假!3")
    assert (first["cited"], second["cited"]) == (True, False)


@pytest.mark.parametrize("reason", ["scope_empty", "no_candidates", "low_evidence", "model_refused"])
def test_a_refusal_is_the_sentence_exactly_with_its_reason(reason):
    refused = turn(refusal=reason)
    body = chat_view(refused, WORDING)
    assert body["answer"] == "当前资料中没有找到明确依据。" == answer_text(refused, WORDING)
    assert (body["refused"], body["refusal_reason"]) == (True, reason)
    assert (body["sources"], body["context_used"], body["confidence"], body["verdicts"]) == ([], 0, None, [])


def test_what_was_written_before_a_refusal_is_not_shown():
    assert answer_text(answered(refusal="model_refused"), WORDING) == "当前资料中没有找到明确依据。"


def test_the_refusal_sentence_can_be_chosen():
    assert chat_view(turn(refusal="low_evidence"), Wording("没有。"))["answer"] == "没有。"


def test_the_nearest_evidence_of_a_refusal_is_shown_up_to_five():
    body = chat_view(turn(refusal="low_evidence", nearest=hits("abcdefg")), WORDING)
    assert [one["chunk_id"] for one in body["nearest"]] == list("abcde")
    assert set(body["nearest"][0]) == CHUNK


def test_what_failed_is_named_once_and_the_first_is_the_reason():
    marks = (Degradation("embedder", "down"), Degradation("reranker", "rerank_failed"), Degradation("embedder", "down"))
    for body in (
        chat_view(answered(degradations=marks), WORDING),
        retrieve_view(answered(degradations=marks), 5),
    ):
        assert (body["degraded"], body["degradation_reason"]) == (True, "down")
        assert body["degradations"] == [
            {"part": "embedder", "reason": "down"},
            {"part": "reranker", "reason": "rerank_failed"},
        ]


def test_where_nothing_failed_nothing_is_degraded():
    body = chat_view(answered(), WORDING)
    assert (body["degraded"], body["degradation_reason"], body["degradations"]) == (False, None, [])


def test_the_scope_tells_what_was_asked_for_eligible_and_left_out():
    assert chat_view(answered(), WORDING)["scope"] == {
        "asked": {"collection": "规定", "document_ids": None},
        "documents": ["d1"],
        "excluded": [{"id": "d2", "status": "FAILED"}],
    }


def test_retrieve_shows_the_first_chunks_with_every_rank_and_score():
    found = replace(hits("a")[0], ranks={"vector": 1, "rrf": 1}, scores={"vector": 0.9, "rrf": 0.0164}, score=0.0164)
    body = retrieve_view(answered(hits=(found, *hits("bc"))), 2)
    assert [one["chunk_id"] for one in body["chunks"]] == ["a", "b"]
    first = body["chunks"][0]
    assert (first["score"], first["ranks"], first["scores"]) == (0.0164, found.ranks, found.scores)
    assert first["text"] == found.chunk.text


def test_nothing_found_is_an_empty_list():
    assert retrieve_view(turn(), 5)["chunks"] == []


def test_both_bodies_are_json():
    for body in (chat_view(answered(), WORDING), retrieve_view(answered(), 5)):
        assert set(json.loads(json.dumps(body, allow_nan=False))) == set(body)
