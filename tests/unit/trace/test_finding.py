"""A text is followed to where it was lost."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from builders import chunk
from youju.trace.entry import Recalled, Summary, Trace
from youju.trace.finding import Finding, excluded, follow
from youju.types import Exclusion, ScopeReport

WANTED = "上限是 320 元"
HELD = "出差住宿费的上限是３２０元。"
HOLDER = chunk("h", HELD, document_id="d1")


def recalled(id_: str, text: str = "别的。", **more: object) -> Recalled:
    fields: dict[str, object] = {"ranks": {"vector": 1, "rrf": 1}, "scores": {}, "n": None}
    place = (id_, "d1", "书", (), None, None, "", "", "")
    return Recalled(*place, text, **(fields | more))  # type: ignore[arg-type]


def trace(*chunks: Recalled, kind: str = "ask", refusal: str | None = None, **more: object) -> Trace:
    line = Summary("t1", datetime(2024, 5, 1, tzinfo=UTC), kind, "问题", 0.1, "ok", refusal=refusal)  # type: ignore[arg-type]
    scope = ScopeReport({}, ("d1",), (Exclusion("d2", "DISABLED"),))
    return Trace(line, "问题", scope, None, None, (), chunks, (), {}, "", None, "assistant", "", "", texts=True, **more)  # type: ignore[arg-type]


def told(found: Finding) -> tuple[str, tuple[int, ...], str]:
    return found.ending, found.numbers, found.cutter


def test_a_text_that_only_documents_out_of_scope_hold_was_out_of_scope() -> None:
    assert told(follow(trace(recalled("a")), WANTED, [chunk("h", HELD, document_id="d2")])) == ("out_of_scope", (), "")


def test_a_text_in_scope_that_no_recalled_chunk_holds_was_not_recalled() -> None:
    assert told(follow(trace(recalled("a")), WANTED, [HOLDER])) == ("not_recalled", (), "")


def test_a_text_that_no_document_holds_is_nowhere() -> None:
    assert told(follow(trace(recalled("a")), WANTED, [])) == ("nowhere", (), "")


def test_a_text_in_a_chunk_below_the_threshold_was_not_recalled_for_that() -> None:
    assert told(follow(trace(recalled("a", HELD, ranks={})), WANTED, [HOLDER])) == ("not_recalled", (), "threshold")


def test_a_recalled_text_that_is_not_in_the_context_was_cut() -> None:
    found = follow(trace(recalled("a", n=1), recalled("b", HELD)), WANTED, [HOLDER])
    assert told(found) == ("cut", (), "budget")
    assert [one.chunk_id for one in found.chunks] == ["b"]


@pytest.mark.parametrize(
    "ranks, cutter", [({"vector": 3}, "fuse"), ({"vector": 3, "rrf": 3}, "rerank"), ({"rrf": 3, "rerank": 3}, "budget")]
)
def test_what_cut_it_is_the_first_ranking_without_it(ranks, cutter) -> None:
    first = recalled("a", n=1, ranks={"vector": 1, "rrf": 1, "rerank": 1})
    assert told(follow(trace(first, recalled("b", HELD, ranks=ranks)), WANTED, []))[2] == cutter


@pytest.mark.parametrize(
    "more, cutter", [({"refusal": "low_evidence"}, "grade"), ({"kind": "retrieve"}, "retrieve"), ({}, "error")]
)
def test_without_a_context_the_end_of_the_question_cut_it(more, cutter) -> None:
    assert told(follow(trace(recalled("a", HELD), **more), WANTED, [])) == ("cut", (), cutter)


def test_a_text_in_the_context_that_nothing_cites_was_ignored() -> None:
    assert told(follow(trace(recalled("a", n=1, cited=True), recalled("b", HELD, n=2)), WANTED, [])) == (
        "ignored",
        (2,),
        "",
    )


def test_a_text_that_was_cited_was_cited() -> None:
    assert told(follow(trace(recalled("a", HELD, n=2, cited=True)), WANTED, [])) == ("cited", (2,), "")


def test_a_text_in_the_wider_text_of_another_chunk_reached_the_context() -> None:
    widened = {1: f"别的。{HELD}"}
    assert told(follow(trace(recalled("a", n=1, cited=True), widened=widened), WANTED, [])) == ("cited", (1,), "")
    both = trace(recalled("a", n=1), recalled("b", HELD), widened=widened)
    assert told(follow(both, WANTED, [])) == ("ignored", (1,), "")


def test_a_chunk_whose_text_was_not_kept_is_known_by_its_id() -> None:
    assert told(follow(trace(recalled("h", "", n=1)), WANTED, [HOLDER])) == ("ignored", (1,), "")


def test_why_a_document_could_not_answer_is_what_the_scope_said() -> None:
    assert [excluded(trace(), id_) for id_ in ("d2", "d3")] == ["DISABLED", ""]
