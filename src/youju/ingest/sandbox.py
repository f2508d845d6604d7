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
from collections.abc import Mapping
from pathlib import Path

from youju.errors import DocumentError
from youju.ingest import wire
from youju.types import ParsedDocument

_STEP = 1 << 16
MAX_OUTPUT_MIB = 256


async def parse_in_child(
    spec: str,
    path: Path,
    *,
    timeout_s: float,
    memory_mib: int,
    kwargs: Mapping[str, object],
    output_mib: int = MAX_OUTPUT_MIB,
) -> ParsedDocument:
    """What the parser `spec` makes of the file, parsed in a fresh interpreter.

    Args:
        spec: "module:Class" of a `Parser`.
        path: the file; its suffix does not matter.
        timeout_s: wall seconds; the child is killed when they are over, or when the caller is cancelled.
        memory_mib: cap of the child's address space in MiB, where the platform has one.
        kwargs: for the parser's constructor; JSON values.
        output_mib: cap of the answer in MiB.

    Raises:
        DocumentError: the parser's own, intact; parse_timeout, parse_memory, parse_output, parser_crashed.
    """
    asked = {
        "spec": spec, "path": str(path), "timeout_s": timeout_s, "memory_mib": memory_mib,
        "kwargs": dict(kwargs),
    }  # fmt: skip
    data = await answer_of_child(asked, timeout_s, output_mib)
    try:
        return await asyncio.to_thread(wire.decoded, data)
    except ValueError as error:
        raise _died(0, timeout_s) from error


async def answer_of_child(asked: Mapping[str, object], timeout_s: float, output_mib: int) -> bytes:
    """What a fresh interpreter writes that is asked this, as `youju.ingest.child` understands it.

    Raises:
        DocumentError: parse_timeout, parse_memory, parse_output, parser_crashed.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "youju.ingest.child", json.dumps(asked),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        env=_environment(), start_new_session=True,
    )  # fmt: skip
    try:
        async with asyncio.timeout(timeout_s):
            data = await _output(process, output_mib * 1024 * 1024)
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
    return env | {"PYTHONPATH": os.pathsep.join(one for one in sys.path if one), "PYTHONUTF8": "1"}


async def _output(process: asyncio.subprocess.Process, limit: int) -> bytes:
    reader = process.stdout
    assert reader is not None, "stdout is a pipe"  # noqa: S101 (narrows the type)
    data = bytearray()
    while step := await reader.read(_STEP):
        data += step
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
    """What the end of the child means. SIGKILL that is not ours is the system short of memory."""
    if code == -signal.SIGKILL:
        return wire.out_of_memory()
    if code == -signal.SIGXCPU:
        return _too_slow(timeout_s)
    how = f"信号 {-code}" if code < 0 else f"退出码 {code}"
    return DocumentError(
        f"解析进程在这个文件上崩溃了（{how}）",
        remedy="文件可能已损坏或过于复杂，请重新导出后再上传",
        code="parser_crashed",
    )
