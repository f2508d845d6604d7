"""A parsed document as bytes and back: what crosses from the parser's process to ours.

JSON, not pickle: the child has read a stranger's file, so what it says is data and nothing more. Before the document,
which is one line, come lines of progress.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from typing import Any

from youju.errors import DocumentError
from youju.types import Block, Box, Page, ParsedDocument

NO_MEMORY = re.compile(r"bad_?alloc|out ?of ?memory|insufficient memory|fail\w* to allocate", re.IGNORECASE)


def encoded(document: ParsedDocument) -> bytes:
    """The document as JSON in UTF-8; lone surrogates survive as escapes."""
    return _bytes(
        {
            "blocks": [_row(block, boxes=[_row(box) for box in block.boxes]) for block in document.blocks],
            "pages": [_row(page) for page in document.pages],
            "title": document.title,
            "text": document.text,
            "warnings": document.warnings,
            "quality": dict(document.quality),
        }
    )


def encoded_error(error: DocumentError) -> bytes:
    return _bytes({"error": [error.message, error.remedy, error.code]})


def encoded_fault(error: BaseException) -> bytes:
    """A fault of the parser itself: only the name of the exception, for its text may quote the document."""
    # Libraries in C tell of memory in words of their own.
    short = isinstance(error, MemoryError) or NO_MEMORY.search(str(error)) is not None
    return _bytes({"fault": "MemoryError" if short else type(error).__name__})


def encoded_progress(done: int, total: int) -> bytes:
    """A line that says how many pages are done."""
    return _bytes([done, total]) + b"\n"


def progress(line: bytes) -> tuple[int, int]:
    """How many pages are done, of how many.

    Raises:
        ValueError: the line does not say that.
    """
    found = json.loads(line)
    if not (isinstance(found, list) and len(found) == 2 and all(type(one) is int for one in found)):  # noqa: PLR2004
        raise ValueError("not a line of progress")
    done, total = found
    if not 0 < done <= total:
        raise ValueError("more pages done than there are")
    return done, total


def decoded(data: bytes) -> ParsedDocument:
    """The document in `data`.

    Raises:
        DocumentError: the one that was encoded; parser_crashed for a fault; parse_memory for a fault of memory.
        ValueError: `data` is none of the three.
    """
    try:
        found = json.loads(data)
        if "error" in found:
            message, remedy, code = (str(one) for one in found["error"])
            raise DocumentError(message, remedy=remedy, code=code)
        if "fault" in found:
            raise _fault(str(found["fault"]))
        return ParsedDocument(
            blocks=tuple(_block(row) for row in found["blocks"]),
            pages=tuple(Page(*row) for row in found["pages"]),
            title=str(found["title"]),
            text=str(found["text"]),
            warnings=tuple(str(one) for one in found["warnings"]),
            quality={str(name): float(value) for name, value in found["quality"].items()},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a parsed document") from error


def _fault(name: str) -> DocumentError:
    if name == "MemoryError":
        return out_of_memory()
    return DocumentError(
        f"解析器在这个文件上出错了（{name}）", remedy="文件可能已损坏，请重新导出后再上传", code="parser_crashed"
    )


def out_of_memory() -> DocumentError:
    return DocumentError(
        "解析这个文件需要的内存超过了上限",
        remedy="请拆成几个较小的文件，或调大 ingest.parse_memory_mib",
        code="parse_memory",
    )


def _row(value: Block | Box | Page, **replaced: object) -> list[object]:
    return [replaced.get(field.name, getattr(value, field.name)) for field in fields(value)]


def _block(row: list[Any]) -> Block:
    values = [*row[:-1], tuple(Box(*box) for box in row[-1])]
    return Block(*values)


def _bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii")
