"""Documents of any number, made up from real sentences: the same ones in every run and every process.

A document takes its sentences from a few source texts, so that words stand together as in a book. Vectors share one
direction, as those of e5 do (the mean of unit vectors has length .93), and lie in clusters: topic, document, chunk,
window. Nothing is kept: each document is made again from its number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from samples import cases

from youju import samples
from youju.ingest.embedding import spans_of
from youju.providers.registry import load
from youju.text.sentences import split
from youju.types import ParsedDocument, Span

DIM = 384
PER_DOCUMENT = 50
CHUNK_CHARS = (280, 350)
WINDOW_CHARS = 130
SOURCES = 40
"""Source texts a document draws from."""
TOPICS = 200
SHARED = 0.93
PARTS = {"topic": 0.23, "document": 0.17, "chunk": 0.19, "window": 0.14}
"""Lengths of what a vector is made of beside the shared direction; together sqrt(1 - SHARED ** 2)."""
SEED = 20

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Material:
    """`texts`: the sentences of each source text. `origin` says where they are from."""

    texts: tuple[tuple[str, ...], ...]
    questions: tuple[str, ...]
    origin: str


@dataclass(frozen=True)
class Piece:
    """A chunk to be: its text, what of it gets a vector (the whole comes first), and the vectors."""

    text: str
    spans: tuple[Span, ...]
    rows: Floats


def material(folder: Path | None) -> Material:
    """The public question sets in `folder`; without them the sample books."""
    if folder is not None and (folder / "cmrc2018_trial.json").exists():
        return _public(folder)
    books = [Path(str(one)) for one in samples.books()]
    texts = [text for book in books for text in _passages(book)]
    questions = tuple(dict.fromkeys(case.question for case in cases()))
    return Material(_sentences(texts), questions, f"the {len(books)} sample books (YOUJU_BENCH_DATA is not set)")


def _passages(book: Path) -> list[str]:
    """What stands under each heading."""
    parsed: ParsedDocument = load("parser", book.suffix)().parse(book)
    passages = [""]
    for block in parsed.blocks:
        if block.kind == "heading":
            passages.append("")
        else:
            passages[-1] += block.text + "\n"
    return passages


def _public(folder: Path) -> Material:
    squad = json.loads((folder / "cmrc2018_trial.json").read_text(encoding="utf-8"))
    paragraphs = [paragraph for article in squad["data"] for paragraph in article["paragraphs"]]
    news = (folder / "news_distractors.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [paragraph["context"] for paragraph in paragraphs] + [json.loads(line)["text"] for line in news]
    questions = [one["question"] for paragraph in paragraphs for one in paragraph["qas"]]
    origin = f"CMRC 2018 trial ({len(paragraphs)} paragraphs) and CRUD-RAG news ({len(news)} texts)"
    return Material(_sentences(texts), tuple(dict.fromkeys(questions)), origin)


def _sentences(texts: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    most = CHUNK_CHARS[0]
    cut = (tuple(text[one.start : one.end][:most] for one in split(text)) for text in texts)
    return tuple(sentences for sentences in cut if sentences)


class Corpus:
    """`size` chunks in documents of 50, and questions with vectors that lie near some of them."""

    def __init__(self, material: Material, size: int) -> None:
        self.size = size
        self.documents = size // PER_DOCUMENT
        self._material = material
        random = np.random.default_rng(SEED)
        self._shared = _directions(random, 1)[0] * SHARED
        self._topics = _directions(random, TOPICS) * PARTS["topic"]

    def document(self, number: int) -> list[Piece]:
        """The chunks of one document; any number ≥ 0, also beyond `documents`."""
        random = np.random.default_rng([SEED, number])
        middle = self._middle(random)
        picked = random.choice(len(self._material.texts), SOURCES)
        pool = [sentence for place in picked for sentence in self._material.texts[place]]
        return [self._piece(random, middle, _text(random, pool)) for _ in range(PER_DOCUMENT)]

    def questions(self, count: int) -> tuple[list[str], Floats]:
        """Real questions, and for each a vector as near to one chunk as its windows are."""
        random = np.random.default_rng([SEED, 1 << 30])
        asked = [self._material.questions[n % len(self._material.questions)] for n in range(count)]
        rows = []
        for number in random.integers(0, self.documents, count).tolist():
            pieces = self.document(number)
            whole = pieces[int(random.integers(len(pieces)))].rows[0]
            rows.append(_unit(whole + _directions(random, 1) * PARTS["window"])[0])
        return asked, np.stack(rows)

    def _middle(self, random: np.random.Generator) -> Floats:
        topic = self._topics[int(random.integers(TOPICS))]
        middle: Floats = self._shared + topic + _directions(random, 1)[0] * PARTS["document"]
        return middle

    def _piece(self, random: np.random.Generator, middle: Floats, text: str) -> Piece:
        spans = spans_of(text, WINDOW_CHARS)
        own = middle + _directions(random, 1)[0] * PARTS["chunk"]
        return Piece(text, spans, _unit(own + _directions(random, len(spans)) * PARTS["window"]))


def _text(random: np.random.Generator, pool: Sequence[str]) -> str:
    least, most = CHUNK_CHARS
    sentences: list[str] = []
    length = 0
    for sentence in _drawn(random, pool):
        if length >= least:
            break
        if length + len(sentence) <= most:
            sentences.append(sentence)
            length += len(sentence)
    return "".join(sentences)


def _drawn(random: np.random.Generator, pool: Sequence[str]) -> Iterator[str]:
    # Enough for any chunk: where the sentences left are too long, it ends a little short.
    for place in random.integers(0, len(pool), 60).tolist():
        yield pool[place]


def _directions(random: np.random.Generator, count: int) -> Floats:
    return _unit(random.standard_normal((count, DIM), np.float32))


def _unit(rows: Floats) -> Floats:
    unit: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
