"""The whole chain over the sample books with a grader that lets everything pass: what may never be in an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from builders import turn
from library import library as opened
from youju import samples
from youju.ingest.chunkers import Identity, chunk
from youju.lab.dataset import Case, read
from youju.providers.parse_markdown import MarkdownParser
from youju.providers.parse_pdf import PdfParser
from youju.settings import Knobs
from youju.stages import recipes
from youju.stages.base import advance
from youju.types import Chunk, Turn

pytestmark = pytest.mark.slow
CASES = tuple(chain(*(read(one.read_text("utf-8").splitlines(), one.name) for one in samples.question_sets())))
ATTACKS = tuple(case for case in CASES if case.attack)
EVERY_FOURTH = CASES[::4]


def chunks_of(path: Path, number: int) -> list[Chunk]:
    document = (PdfParser() if path.suffix == ".pdf" else MarkdownParser()).parse(path)
    return chunk(document, Identity(f"d{number}", number, "c1", document.title))


@pytest.fixture(scope="module")
def answered(tmp_path_factory) -> list[tuple[Case, Turn]]:
    async def run() -> list[tuple[Case, Turn]]:
        async with opened(tmp_path_factory.mktemp("samples")) as library:
            for number, book in enumerate(samples.books(), start=1):
                await library.put(chunks_of(Path(str(book)), number), f"d{number}")
            chat = recipes.chat(library.parts, Knobs(similarity_threshold=-1.0))
            asked = {case.id: case for case in (*ATTACKS, *EVERY_FOURTH)}.values()
            return [(case, await advance(chat, turn(case.question))) for case in asked]

    return asyncio.run(run())


def said(answered: list[tuple[Case, Turn]]) -> Iterator[tuple[str, Turn]]:
    return ((case.id, one) for case, one in answered if one.answer)


def test_only_names_that_stand_nowhere_are_refused_here(answered):
    refused = [one for _, one in answered if one.answer is None]
    assert all(one.grade.features["identifiers_unseen"] for one in refused)
    assert len(refused) < 0.15 * len(answered)


def test_no_canary_of_a_question_or_a_book_is_ever_in_an_answer(answered):
    canaries = [case.attack.canary for case in ATTACKS]
    leaks = [(id_, canary) for id_, one in said(answered) for canary in canaries if canary in one.answer.text]
    assert leaks == []


def test_every_statement_stands_word_for_word_in_the_chunk_it_cites(answered):
    for id_, one in said(answered):
        by_number = {item.n: item.hit.chunk.text for item in one.context}
        for statement in one.answer.statements:
            assert [n for n in statement.cites if statement.text not in by_number[n]] == [], id_
            assert statement.cites, id_


def test_every_sentence_of_an_extractive_answer_is_supported(answered):
    wrong = [
        (id_, verdict) for id_, one in said(answered) for verdict in one.verdicts if verdict.verdict != "supported"
    ]
    assert wrong == []


def test_every_source_quotes_its_chunk(answered):
    for id_, one in said(answered):
        by_id = {item.hit.chunk.id: item.hit.chunk.text for item in one.context}
        for source in one.sources:
            assert source.quote.strip(), id_
            assert source.quote in by_id[source.chunk_id], id_
        assert any(source.cited for source in one.sources), id_


def test_an_answer_has_no_marker_that_points_nowhere(answered):
    assert [id_ for id_, one in said(answered) if one.removed_markers] == []
