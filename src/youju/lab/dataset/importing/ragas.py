"""Rows as RAGAS keeps them: question, contexts, answer, ground truth; JSON lines, JSON or CSV."""

from __future__ import annotations

import ast
import csv
import io
import json
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from youju.lab.dataset.importing.imported import Imported, Json, Shelf, listed, opened, unusable
from youju.text import sentences
from youju.text.align import locate

QUESTION = ("user_input", "question")
REFERENCE = ("reference", "ground_truth", "ground_truths")
GOLD = ("reference_contexts", "ground_truth_contexts")
FOUND = ("retrieved_contexts", "contexts")
TALK = "是多轮对话"
LISTS = frozenset({*GOLD, *FOUND, "ground_truths"})
TABLES = {".csv": ",", ".tsv": "\t"}
CELL_MAX = 100_000_000
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
    if path.suffix.lower() in TABLES:
        # Chinese spreadsheets save tables in their own encoding.
        return _of_table(path, opened(path, "utf-8-sig", "gb18030"))
    text = opened(path)
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        # Only "\n" ends a line: U+2028 may stand inside of a JSON string.
        lines = enumerate(text.split("\n"), start=1)
        return [_of_line(path, number, line) for number, line in lines if line.strip()]
    return _of_json(path, whole)


def _of_line(path: Path, number: int, line: str) -> Json:
    try:
        return _row(path, json.loads(line))
    except (ValueError, RecursionError) as error:
        raise unusable(path.name, f"第 {number} 行不是完整的 JSON", "请存成 JSONL，或一个 JSON 列表") from error


def _of_table(path: Path, text: str) -> Sequence[Json]:
    before = csv.field_size_limit(CELL_MAX)
    try:
        table = csv.DictReader(io.StringIO(text, newline=""), delimiter=TABLES[path.suffix.lower()], strict=True)
        rows = []
        for row in table:
            if None in row or None in row.values():
                raise unusable(path.name, f"第 {table.line_num} 行的列数与表头不同", "请检查引号与逗号")
            rows.append({name: _cell(path, table.line_num, name, cell) for name, cell in row.items()})
    except csv.Error as error:
        raise unusable(path.name, f"不是能读的 CSV（{error}）", "请另存为 JSONL") from error
    finally:
        csv.field_size_limit(before)
    return rows


def _cell(path: Path, line: int, name: str, cell: str) -> object:
    """The list that a cell holds, else its text."""
    if name not in LISTS or not cell.strip().startswith("["):
        return cell
    for read in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            found = read(cell.strip())
            if isinstance(found, list) and (read is json.loads or len(found) == _written(cell)):
                return found
    raise unusable(path.name, f"第 {line} 行的 {name} 不是能读的列表", '请写成 ["…", "…"]，或改用 JSONL')


def _written(cell: str) -> int:
    """How many strings are written there: Python joins those that NumPy prints without commas between them."""
    with suppress(tokenize.TokenError, SyntaxError):
        return sum(one.type == tokenize.STRING for one in tokenize.generate_tokens(io.StringIO(cell.strip()).readline))
    return -1


def _of_json(path: Path, raw: object) -> Sequence[Json]:
    """Rows of a list, of a data set's samples, of columns, or a single row."""
    if isinstance(raw, list):
        return [_row(path, one) for one in raw]
    whole = _row(path, raw)
    for name in ("samples", "data", "rows"):
        if isinstance(whole.get(name), list):
            return [_row(path, one) for one in listed(whole[name])]
    columns = {name: value for name, value in whole.items() if isinstance(value, list)}
    if any(name in columns for name in QUESTION):
        length = max(len(value) for value in columns.values())
        return [{name: value[at] for name, value in columns.items() if at < len(value)} for at in range(length)]
    return [whole]


def _row(path: Path, value: object) -> Json:
    if not isinstance(value, Mapping):
        raise unusable(path.name, "里有一行不是对象", "每一行应是花括号里的一个对象")
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
    """The texts of a value, each once: a list, or one text."""
    each = [value] if isinstance(value, str) else listed(value)
    return list(dict.fromkeys(one.strip() for one in each if isinstance(one, str) and one.strip()))
