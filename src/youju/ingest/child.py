"""The parser's own process: `python -m youju.ingest.child REQUEST`; a document, or a picture, on standard output.

Before a document may come lines of progress.

Imported by nobody; started by `sandbox`. Everything it imports before the limits are set costs every upload.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from youju.errors import DocumentError
from youju.ingest import wire
from youju.types import Box

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

NICE = 10  # who asks goes before who parses; not less, for the time limit counts wall seconds
SESSION_NICE = 5  # a third of what another session gets; with 10, a busy machine read a page a minute


def main(request: str) -> int:
    """0 where a document or an explained error was written."""
    asked = json.loads(request)
    _step_back()
    # A library that prints must not spoil the answer: standard output becomes nothing, the answer goes to a copy.
    answer = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    _limit(asked["memory_mib"], asked["timeout_s"])
    with os.fdopen(answer, "wb") as out:

        def on_page(done: int, total: int) -> None:
            out.write(wire.encoded_progress(done, total))
            out.flush()
            _limit_cpu(time.process_time() + asked["timeout_s"])

        out.write(_answer(asked, on_page))
    return 0


def _answer(asked: dict[str, Any], on_page: Callable[[int, int], None]) -> bytes:
    try:
        module, name = asked["spec"].split(":")
        kind = getattr(importlib.import_module(module), name)
        # Only what takes long page by page tells how far it is; a picture must not be preceded by anything.
        told = {"on_page": on_page} if "on_page" in inspect.signature(kind).parameters and "draw" not in asked else {}
        made = kind(**asked["kwargs"], **told)
        if "draw" in asked:
            n, marks = asked["draw"]
            return bytes(made.draw(Path(asked["path"]), n, [Box(*mark) for mark in marks]))
        return wire.encoded(made.parse(Path(asked["path"])))
    except DocumentError as error:
        return wire.encoded_error(error)
    except Exception as error:  # noqa: BLE001 (whatever a parser throws at a hostile file is told, not raised)
        return wire.encoded_fault(error)


def _step_back() -> None:
    if hasattr(os, "nice"):
        os.nice(NICE)
    # Linux may weigh sessions against one another, and this process has one of its own: then only this counts.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(SESSION_NICE), "ascii")


def _limit(memory_mib: int, timeout_s: float) -> None:
    """Caps of the operating system, where it has them (not on Windows; macOS ignores the one for memory)."""
    if resource is not None:
        _cap(resource.RLIMIT_AS, memory_mib * 1024 * 1024)
        _cap(resource.RLIMIT_CORE, 0)
        _limit_cpu(timeout_s)


def _limit_cpu(seconds: float) -> None:
    """What a hang may cost even where nobody is left to end it; raised with every page that is done."""
    if resource is not None:
        _cap(resource.RLIMIT_CPU, math.ceil(seconds * (os.cpu_count() or 1)) + 1)


def _cap(kind: int, soft: int) -> None:
    with contextlib.suppress(ValueError, OSError):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
