"""Retrieval on public questions: 256 paragraphs of CMRC 2018 (trial split) among 1 930 news texts, 1 002 questions.

    python bench/public.py DATA [--store DIR]

DATA is a folder with `cmrc2018_trial.json` (CC BY-SA 4.0) and `news_distractors.jsonl` (CRUD-RAG, Apache 2.0), which
are not part of this project. Every text is ingested as a document of its own through the whole path. A question's gold
document is the paragraph it stands under; the rank of a document is that of its best chunk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from measures import paired, ranks_table

from youju.compose import App, open_app
from youju.settings import Knobs, Settings
from youju.stages.base import Pipeline, advance
from youju.stages.variants import searched
from youju.types import Hit, Turn


def texts(data: Path) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Name → text of every document, and (question, name of its document)."""
    documents: dict[str, str] = {}
    questions: list[tuple[str, str]] = []
    squad = json.loads((data / "cmrc2018_trial.json").read_text(encoding="utf-8"))
    for article in squad["data"]:
        for paragraph in article["paragraphs"]:
            name = f"cmrc{len(documents):04d}"
            documents[name] = paragraph["context"]
            questions += [(one["question"], name) for one in paragraph["qas"]]
    for number, line in enumerate((data / "news_distractors.jsonl").read_text(encoding="utf-8").splitlines()):
        documents[f"news{number:04d}"] = json.loads(line)["text"]
    return documents, questions


async def ingest(app: App, documents: dict[str, str]) -> None:
    known = {one.title for one in await app.documents.listed() if one.status == "READY"}
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, text) in enumerate(documents.items()):
            if name in known:
                continue
            path = Path(folder) / f"{name}.txt"
            path.write_text(text, encoding="utf-8")
            accepted = await app.documents.accept(path)
            status = await app.documents.process(accepted)
            if status != "READY":
                print(name, status, file=sys.stderr)
            if number % 200 == 0:
                print(number, "of", len(documents), file=sys.stderr)


def first(hits: Sequence[Hit], name: str) -> int | None:
    ranked = list(dict.fromkeys(hit.chunk.book for hit in hits))
    return ranked.index(name) + 1 if name in ranked else None


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "youju-bench-public")
    options = parser.parse_args()
    if not (options.data / "cmrc2018_trial.json").exists():
        print(f"skipped: {options.data} holds no cmrc2018_trial.json")
        return
    documents, questions = texts(options.data)
    ranks: dict[str, list[int | None]] = defaultdict(list)
    async with open_app(Settings(data=options.store)) as app:
        await ingest(app, documents)
        print(f"{len(await app.documents.listed())} documents, {len(questions)} questions")
        pipeline = Pipeline("V2", searched(app.chat.parts, Knobs(), words=True, rerank=False))
        for question, name in questions:
            turn = await advance(pipeline, Turn(asked=question))
            for channel, hits in (*turn.rankings.items(), ("RRF", turn.hits)):
                ranks[channel].append(first(hits, name))
    print(ranks_table(ranks))
    for measure, value in (("MRR", lambda r: 1 / r if r else 0.0), ("hit@1", lambda r: float(r == 1))):
        scores = {name: [value(rank) for rank in found] for name, found in ranks.items()}
        for name in ("vector", "keyword"):
            print(f"{measure}, RRF − {name}: {paired(scores[name], scores['RRF'])}")


if __name__ == "__main__":
    asyncio.run(main())
