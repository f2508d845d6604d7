"""JSON lines that only grow; a line that a killed process left unfinished is cut off when the file is opened again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any

from youju.errors import StoreError


@dataclass(frozen=True)
class Lines:
    """`alone` is held while rows are added: who cuts off a torn line must not see one that is being written."""

    path: Path
    alone: RLock = field(default_factory=RLock, compare=False, repr=False)

    def read(self) -> Iterator[dict[str, Any]]:
        """The rows in order; none where there is no file.

        Raises:
            StoreError: a line in the middle is damaged; nothing is skipped.
        """
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield json.loads(line)
                except ValueError as error:
                    message = f"{self.path} 第 {number} 行已损坏"
                    raise StoreError(message, remedy="请删除该文件所在的运行后重跑", code="run_damaged") from error

    def append(self, *rows: Mapping[str, Any]) -> None:
        """Rows at the end, on the disk when this returns."""
        text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
        with self.alone, self.path.open("ab+") as file:
            _cut(file)
            file.write(text.encode("utf-8", "surrogatepass"))
            file.flush()
            os.fsync(file.fileno())


def _cut(file: Any) -> None:  # noqa: ANN401 - a binary file
    """Drop what stands behind the last line end."""
    size = file.seek(0, os.SEEK_END)
    if not size:
        return
    file.seek(size - 1)
    if file.read(1) == b"\n":
        return
    file.seek(0)
    file.truncate(file.read().rfind(b"\n") + 1)
    file.seek(0, os.SEEK_END)
