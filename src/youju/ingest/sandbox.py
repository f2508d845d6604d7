"""Parsing where it can do no harm: a child process with limits, killed with all it started.

try/except is not enough for files from anywhere: a parser in C dies of a signal, hangs, or eats the machine's memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from youju.errors import DocumentError
from youju.ingest import wire
from youju.types import ParsedDocument

_STEP = 1 << 16
_HEAPS = "2"
"""Heaps of the C library in a child. One a thread would reserve 128 MiB of the address space that is capped each."""
MAX_OUTPUT_MIB = 256
PAGE_S = 120.0
"""Seconds a page may take where the parser tells of its pages, if that is more than the whole file is given."""
MEAN_PAGE_S = 30.0
"""Seconds that pages may take on average."""
OnPage = Callable[[int, int], None]
"""Told how many pages are done, of how many."""


def untold(_done: int, _total: int) -> None:
    """An `OnPage` for callers who show nothing."""


async def parse_in_child(  # noqa: PLR0913 (all but two by name)
    spec: str,
    path: Path,
    *,
    timeout_s: float,
    memory_mib: int,
    kwargs: Mapping[str, object],
    output_mib: int = MAX_OUTPUT_MIB,
    on_page: OnPage = untold,
) -> ParsedDocument:
    """What the parser `spec` makes of the file, parsed in a fresh interpreter.

    Args:
        spec: "module:Class" of a `Parser`.
        path: the file; its suffix does not matter.
        timeout_s: wall seconds; the child is killed when they are over, or when the caller is cancelled. A parser that
            tells of its pages (it takes an `on_page`) has more: `PAGE_S` for each, `MEAN_PAGE_S` on average.
        memory_mib: cap of the child's address space in MiB, where the platform has one.
        kwargs: for the parser's constructor; JSON values.
        output_mib: cap of the answer in MiB.
        on_page: told of each page by parsers that tell of them.

    Raises:
        DocumentError: the parser's own, intact; parse_timeout, parse_memory, parse_output, parser_crashed.
    """
    asked = {
        "spec": spec, "path": str(path), "timeout_s": timeout_s, "memory_mib": memory_mib,
        "kwargs": dict(kwargs),
    }  # fmt: skip
    data = await answer_of_child(asked, timeout_s, output_mib, on_page)
    try:
        return await asyncio.to_thread(wire.decoded, data)
    except ValueError as error:
        raise _died(0, timeout_s) from error


async def answer_of_child(
    asked: Mapping[str, object], timeout_s: float, output_mib: int, on_page: OnPage | None = None
) -> bytes:
    """What a fresh interpreter writes that is asked this, as `youju.ingest.child` understands it.

    With `on_page` the answer is the last line; those before it tell of pages.

    Raises:
        DocumentError: parse_timeout, parse_memory, parse_output, parser_crashed.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "youju.ingest.child", json.dumps(asked),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        env=_environment(), start_new_session=True,
    )  # fmt: skip
    try:
        async with asyncio.timeout(timeout_s) as limit:
            patience = Patience(limit, timeout_s, on_page) if on_page else None
            data = await _output(process, output_mib * 1024 * 1024, patience)
            code = await process.wait()
    except TimeoutError:
        raise _too_slow(timeout_s) from None
    finally:
        await _end(process)
    if code != 0:
        raise _died(code, timeout_s)
    return data


def _environment() -> dict[str, str]:
    """What an interpreter needs to start and find our packages; no keys, no proxies."""
    kept = ("PATH", "SYSTEMROOT", "TEMP", "TMPDIR", "LANG", "LC_ALL")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    packages = os.pathsep.join(one for one in sys.path if one)
    return env | {"PYTHONPATH": packages, "PYTHONUTF8": "1", "MALLOC_ARENA_MAX": _HEAPS}


@dataclass
class Patience:
    """A time limit that moves while pages are getting done. What the child says cannot move it for ever."""

    limit: asyncio.Timeout
    timeout_s: float
    on_page: OnPage
    started: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    done: int = 0

    def told(self, line: bytes) -> None:
        """A line of progress came; whatever else it may be is nothing to us."""
        with contextlib.suppress(ValueError):
            done, total = wire.progress(line)
            if done > self.done:
                self.done = done
                most = self.started + self.timeout_s + done * MEAN_PAGE_S
                longer = min(asyncio.get_running_loop().time() + PAGE_S, most)
                self.limit.reschedule(max(longer, self.started + self.timeout_s))
                self.on_page(done, total)


async def _output(process: asyncio.subprocess.Process, limit: int, patience: Patience | None) -> bytes:
    """All that comes; with patience what comes after the last line end, for the lines before it are progress."""
    reader = process.stdout
    assert reader is not None, "stdout is a pipe"  # noqa: S101 (narrows the type)
    data = bytearray()
    while step := await reader.read(_STEP):
        data += step
        if patience and b"\n" in step:
            *lines, rest = bytes(data).split(b"\n")
            for line in lines:
                patience.told(line)
            data[:] = rest
        if len(data) > limit:
            raise DocumentError(
                f"解析出的内容超过 {limit // 1024 // 1024} MiB", remedy="请拆成几个较小的文件", code="parse_output"
            )
    return bytes(data)


async def _end(process: asyncio.subprocess.Process) -> None:
    """The child and everything it started are gone when this returns."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()
    # A pipe nobody reads any more would keep `wait` waiting for its end.
    transport = process._transport  # type: ignore[attr-defined]  # noqa: SLF001 (no public way to close it)
    await process.wait()
    transport.close()


def _too_slow(timeout_s: float) -> DocumentError:
    return DocumentError(
        f"解析超过了 {timeout_s:g} 秒的时限",
        remedy="请拆成几个较小的文件，或调大 ingest.parse_timeout_s",
        code="parse_timeout",
    )


def _died(code: int, timeout_s: float) -> DocumentError:
    """What the end of the child means.

    SIGKILL that is not ours is the system short of memory; what is written in C++ aborts where it gets none.
    """
    if code in {-signal.SIGKILL, -signal.SIGABRT}:
        return wire.out_of_memory()
    if code == -signal.SIGXCPU:
        return _too_slow(timeout_s)
    how = f"信号 {-code}" if code < 0 else f"退出码 {code}"
    return DocumentError(
        f"解析进程在这个文件上崩溃了（{how}）",
        remedy="文件可能已损坏或过于复杂，请重新导出后再上传",
        code="parser_crashed",
    )
