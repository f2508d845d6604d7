"""Rows as RAGAS keeps them: question, contexts, answer, ground truth; JSON lines, JSON or CSV."""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from youju.lab.dataset.importing.imported import Imported, Json, Shelf, listed, opened, unusable
from youju.text import sentences
from youju.text.align import locate

QUESTION = ("user_input", "question")
REFERENCE = ("reference", "ground_truth", "ground_truths")
GOLD = ("reference_contexts", "ground_truth_contexts")
FOUND = ("retrieved_contexts", "contexts")
TALK = "是多轮对话"
SEVERAL = ("multi_hop", "multi-hop", "multi_context", "reasoning")


def ragas(path: Path) -> Imported:
    """The questions of a file, and a document for each context.

    The reference's sentences become key facts. Evidence are the reference contexts; without them, a retrieved context
    that holds the reference word for word. What a system answered then is no gold and is not kept.

    Raises:
        NotFoundError: there is no such file.
        InputError: it cannot be read as any of the three formats, or no question is left; code bad_import.
    """
    shelf = Shelf()
    for number, row in enumerate(_rows(path), start=1):
        _shelve(row, number, shelf, path.stem)
    return shelf.imported(path.name)


def _rows(path: Path) -> Sequence[Json]:
    text = opened(path)
    try:
        if path.suffix.lower() in {".csv", ".tsv"}:
            return list(csv.DictReader(io.StringIO(text), dialect="excel-tab" if path.suffix == ".tsv" else "excel"))
        return _of_text(text)
    except csv.Error as error:
        raise unusable(path.name, f"不是能读的 CSV（{error}）", "请另存为 JSONL") from error
    except (ValueError, RecursionError) as error:
        raise unusable(path.name, f"不是能读的 JSON 或 JSONL（{error}）", "请一行写一个对象") from error


def _of_text(text: str) -> Sequence[Json]:
    """Rows of one JSON value, or of a value a line."""
    try:
        whole = json.loads(text)
    except ValueError:
        # Only "\n" ends a line: U+2028 may stand inside of a JSON string.
        return [_row(json.loads(line)) for line in text.split("\n") if line.strip()]
    return _of_json(whole)


def _of_json(raw: object) -> Sequence[Json]:
    """Rows of a list, of a data set's samples, of columns, or a single row."""
    if isinstance(raw, list):
        return [_row(one) for one in raw]
    whole = _row(raw)
    for name in ("samples", "data", "rows"):
        if isinstance(whole.get(name), list):
            return [_row(one) for one in listed(whole[name])]
    columns = {name: value for name, value in whole.items() if isinstance(value, list)}
    if any(name in columns for name in QUESTION):
        length = max(len(value) for value in columns.values())
        return [{name: value[at] for name, value in columns.items() if at < len(value)} for at in range(length)]
    return [whole]


def _row(value: object) -> Json:
    if not isinstance(value, Mapping):
        raise ValueError("应为对象")  # noqa: TRY004 - told like any other fault of the file
    return value


def _shelve(row: Json, number: int, shelf: Shelf, author: str) -> None:
    asked = _first(row, QUESTION)
    if isinstance(asked, list):
        shelf.left_out[TALK] += 1
        return
    reference = next(iter(_texts(_first(row, REFERENCE))), "")
    gold = [(shelf.document(author, text), text) for text in _texts(_first(row, GOLD))]
    found = [(shelf.document(author, text), text) for text in _texts(_first(row, FOUND))]
    if not gold and reference:
        gold = [(name, reference) for name, text in found if locate(reference, text)][:1]
    several = str(row.get("synthesizer_name") or row.get("evolution_type") or "").lower().startswith(SEVERAL)
    shelf.case(
        {
            "id": str(row.get("id") or f"{author}-{number:05d}"),
            "category": "multihop" if several else "factual",
            "question": str(asked or "").strip(),
            "answerable": True,
            "expected_docs": [[name] for name in dict.fromkeys(name for name, _ in gold)],
            "evidence": [{"doc": name, "text": text} for name, text in gold],
            "key_facts": list(_facts(reference)),
            "reference_answer": reference,
            "author": author,
        }
    )


def _facts(reference: str) -> Iterator[str]:
    for span in sentences.split(reference):
        yield reference[span.start : span.end]


def _first(row: Json, names: Sequence[str]) -> object:
    """The value under the first of the names that has one."""
    return next((row[name] for name in names if row.get(name)), None)


def _texts(value: object) -> list[str]:
    """The texts of a value: a list, a text, or a list written into a cell of a table."""
    if isinstance(value, str) and value.strip().startswith("["):
        value = _written(value)
    each = [value] if isinstance(value, str) else listed(value)
    return list(dict.fromkeys(one.strip() for one in each if isinstance(one, str) and one.strip()))


def _written(cell: str) -> object:
    for read in (json.loads, ast.literal_eval):
        try:
            return read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return cell
