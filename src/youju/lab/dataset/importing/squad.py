"""Files in the layout of SQuAD (v1, v2, and the Chinese sets that follow it)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from youju.lab.dataset.importing.imported import Imported, Shelf, listed, opened, unusable
from youju.text import sentences
from youju.text.align import locate
from youju.text.normal import fold
from youju.types import Span

NOT_THERE = "答案不在段落里"
NO_ANSWER = "没有答案"


class _Asked(NamedTuple):
    """A question about a paragraph; `answers` are (text, where it says that it begins; -1 = unknown)."""

    id: str
    question: str
    title: str
    context: str
    answers: Sequence[tuple[str, int]]
    impossible: bool


def squad(path: Path) -> Imported:
    """The questions of a file, and a document for each of its paragraphs.

    Evidence is the sentence in which an answer stands; where the people who answered chose different sentences, they
    are alternatives. Impossible questions become near misses. Questions whose answer does not stand in their paragraph
    are left out and counted.

    Raises:
        NotFoundError: there is no such file.
        InputError: no JSON, another layout, or no question is left; code bad_import.

    Source:
        Rajpurkar et al. 2016, 2018 (SQuAD 1.1, 2.0); Cui et al. 2019 (CMRC 2018); Shao et al. 2018 (DRCD).
    """
    try:
        raw = json.loads(opened(path))
    except (ValueError, RecursionError) as error:
        raise unusable(path.name, "不是完整的 JSON", "请检查文件是否下载完整") from error
    shelf = Shelf()
    for asked in _asked(raw.get("data") if isinstance(raw, dict) else raw):
        _shelve(asked, shelf, path.stem)
    return shelf.imported(path.name)


def _asked(data: object) -> Iterator[_Asked]:
    """Every question: of articles with paragraphs, of bare paragraphs, and of rows with a paragraph each."""
    for article in listed(data):
        if not isinstance(article, dict):
            continue
        paragraphs = article.get("paragraphs")
        for paragraph in listed(paragraphs) if paragraphs is not None else [article]:
            if isinstance(paragraph, dict):
                yield from _of_paragraph(paragraph, str(article.get("title") or ""))


def _of_paragraph(paragraph: Mapping[str, object], title: str) -> Iterator[_Asked]:
    context = paragraph.get("context") or paragraph.get("context_text")
    if not isinstance(context, str) or not context.strip():
        return
    own = str(paragraph.get("id") or paragraph.get("context_id") or "")
    for place, one in enumerate(listed(paragraph.get("qas")) or [paragraph]):
        if isinstance(one, dict):
            id_ = str(one.get("id") or one.get("query_id") or f"{own or title}-{place + 1}")
            question = str(one.get("question") or one.get("query_text") or "")
            impossible = one.get("is_impossible") is True
            yield _Asked(id_, question, title, context, list(_answers(one.get("answers"))), impossible)


def _answers(answers: object) -> Iterator[tuple[str, int]]:
    if isinstance(answers, dict):
        texts, starts = listed(answers.get("text")), listed(answers.get("answer_start"))
        answers = [{"text": text, "answer_start": start} for text, start in zip(texts, starts, strict=False)]
    for one in listed(answers):
        text, start = (one.get("text"), one.get("answer_start")) if isinstance(one, dict) else (one, -1)
        if isinstance(text, str) and text.strip():
            yield text.strip(), start if isinstance(start, int) else -1


def _shelve(asked: _Asked, shelf: Shelf, author: str) -> None:
    row = {"id": asked.id, "question": asked.question.strip(), "author": author}
    name = shelf.document(asked.title, asked.context)
    if asked.impossible:
        near = {"sub_kind": "near-miss", "near": {"doc": name}}
        shelf.case(row | near | {"category": "unanswerable", "answerable": False})
        return
    found = [(text, span) for text, start in asked.answers if (span := _sentence(asked.context, text, start))]
    if not found:
        shelf.left_out[NOT_THERE if asked.answers else NO_ANSWER] += 1
        return
    texts = Counter(text for text, _ in found)
    evidence = [[{"doc": name, "text": span} for span in dict.fromkeys(span for _, span in found)]]
    gold = {"expected_docs": [[name]], "evidence": evidence, "expected_keywords": [list(texts)]}
    shelf.case(row | gold | {"category": "factual", "answerable": True, "reference_answer": texts.most_common(1)[0][0]})


def _sentence(context: str, answer: str, start: int) -> str:
    """The sentences in which the answer stands; "" where it does not."""
    if context[max(start, 0) :].startswith(answer) and start >= 0:
        begin, end = start, start + len(answer)
    elif fold(answer) and (span := _nearest(context, answer, start)):
        begin, end = span
    else:
        return ""
    held = [one for one in _sentences(context) if one.start < end and begin < one.end]
    return context[held[0].start : held[-1].end] if held else ""


@lru_cache(maxsize=8)
def _sentences(context: str) -> tuple[Span, ...]:
    """A paragraph has several questions, one after the other."""
    return tuple(sentences.split(context))


def _nearest(context: str, answer: str, start: int) -> tuple[int, int] | None:
    """Where it stands next to where it should; width, case and white space do not matter where it stands nowhere so."""
    places = [at for at in range(len(context)) if context.startswith(answer, at)]
    if places:
        begin = min(places, key=lambda at: (abs(at - start), at)) if start >= 0 else places[0]
        return begin, begin + len(answer)
    found = locate(answer, context)
    return (found.start, found.end) if found else None
