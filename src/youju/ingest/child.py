"""The parser's own process: `python -m youju.ingest.child REQUEST`, a document, or a picture, on standard output.

Imported by nobody; started by `sandbox`. Everything it imports before the limits are set costs every upload.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import sys
from pathlib import Path
from typing import Any

from youju.errors import DocumentError
from youju.ingest import wire
from youju.types import Box

NICE = 10  # who asks goes before who parses; not less, for the time limit counts wall seconds


def main(request: str) -> int:
    """0 where a document or an explained error was written."""
    asked = json.loads(request)
    if hasattr(os, "nice"):
        os.nice(NICE)
    # A library that prints must not spoil the answer: standard output becomes nothing, the answer goes to a copy.
    answer = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    _limit(asked["memory_mib"], asked["timeout_s"])
    data = _answer(asked)
    with os.fdopen(answer, "wb") as out:
        out.write(data)
    return 0


def _answer(asked: dict[str, Any]) -> bytes:
    try:
        module, name = asked["spec"].split(":")
        made = getattr(importlib.import_module(module), name)(**asked["kwargs"])
        if "draw" in asked:
            n, marks = asked["draw"]
            return bytes(made.draw(Path(asked["path"]), n, [Box(*mark) for mark in marks]))
        return wire.encoded(made.parse(Path(asked["path"])))
    except DocumentError as error:
        return wire.encoded_error(error)
    except Exception as error:  # noqa: BLE001 (whatever a parser throws at a hostile file is told, not raised)
        return wire.encoded_fault(error)


def _limit(memory_mib: int, timeout_s: float) -> None:
    """Caps of the operating system, where it has them (not on Windows; macOS ignores the one for memory)."""
    try:
        import resource  # noqa: PLC0415 (absent on Windows)
    except ImportError:
        return
    seconds = math.ceil(timeout_s) + 1
    for kind, soft in (
        (resource.RLIMIT_AS, memory_mib * 1024 * 1024),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            hard = resource.getrlimit(kind)[1]
            resource.setrlimit(kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
