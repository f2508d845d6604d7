"""Many answers being streamed at once: does the service stay prompt, and does its memory stay flat?

    python bench/open_streams.py [--rate 5] [--seconds 60] [--answer-s 20] [--tokens-per-s 20] [--embedding e5]
                                 [--json FILE]

Starts `youju serve` as a process of its own over the sample books, with a scripted language model on this machine that
takes `--answer-s` for every answer. `--rate` questions a second come for `--seconds`, whether the others are done or
not; with the defaults 100 streams are open at a time. The wait for the first event counts from when the question was
due. An error is a stream that breaks off, whose events come in another order than the interface promises, or whose
tokens do not join to the answer; then the exit code is 1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tests"))

from chat_server import DONE, delta, usage  # noqa: E402 - the scripted services live with the tests
from servers import Reply, Server  # noqa: E402

QUESTIONS = ("出差住宿费的上限是多少？", "二次函数的顶点在哪里？", "日志保留几天？", "门锁的电池能用多久？")
LAST = ("sources", "verdicts", "confidence", "done")
EARLY_S = 15


@dataclass
class Stream:
    """What one listener saw; times in seconds from when its question was due."""

    first_stage_s: float = 0.0
    first_token_s: float = 0.0
    whole_s: float = 0.0
    degraded: tuple[str, ...] = ()
    error: str = ""


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--answer-s", type=float, default=20)
    parser.add_argument("--tokens-per-s", type=float, default=20)
    parser.add_argument("--embedding", choices=("e5", "fake"), default="e5")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def slow_answer(seconds: float, tokens_per_s: float) -> Reply:
    texts = ["资料", "里", "写", "着", "，", "逐", "字", "说", "来", "[1]", "。"]
    count = max(1, round(seconds * tokens_per_s))
    steps = [step for n in range(count) for step in (1 / tokens_per_s, delta(texts[n % len(texts)]))]
    return Reply((delta("", role="assistant"), *steps, delta(finish="stop"), usage(500, count), DONE))


@asynccontextmanager
async def served(folder: Path, llm: str, embedding: str) -> AsyncIterator[tuple[str, int]]:
    """The address and process id of a `youju serve` over the sample books."""
    chosen = {
        "YOUJU_DATA_DIR": str(folder),
        "YOUJU_EMBEDDING__PROVIDER": embedding,
        "YOUJU_LLM__BASE_URL": llm,
        "YOUJU_LLM__MODEL": "scripted",
        "YOUJU_SERVER__PORT": "0",
        "NO_PROXY": "127.0.0.1",
    }
    environment = {name: value for name, value in os.environ.items() if not name.startswith("YOUJU_")} | chosen
    youju = (sys.executable, "-m", "youju")
    books = sorted(str(path) for path in (ROOT / "samples" / "source").glob("*.md"))
    adding = await asyncio.create_subprocess_exec(*youju, "add", *books, env=environment, stdout=sys.stderr)
    if await adding.wait():
        raise SystemExit("the sample books could not be added")
    process = await asyncio.create_subprocess_exec(*youju, "serve", env=environment, stdout=asyncio.subprocess.PIPE)
    try:
        said = (await process.stdout.readline()).decode()
        if "http://" not in said:
            raise SystemExit(f"the service did not start: {said}")
        yield "http://" + said.partition("http://")[2].split("（")[0].strip(), process.pid
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def listen(address: str, question: str, due: float) -> Stream:
    """One question, heard to its end."""
    seen, kinds, tokens, data = Stream(), [], [], "{}"
    try:
        async with asyncio.timeout(300), aclosing(events(address, {"question": question, "stream": True})) as heard:
            async for kind, data in heard:
                now = perf_counter() - due
                kinds.append(kind)
                if kind == "stage":
                    seen.first_stage_s = seen.first_stage_s or now
                elif kind == "token":
                    seen.first_token_s = seen.first_token_s or now
                    tokens.append(json.loads(data)["text"])
        seen.whole_s = perf_counter() - due
        body = json.loads(data)
        seen.degraded = tuple(f"{one['part']}:{one['reason']}" for one in body.get("degradations", ()))
        seen.error = wrong(kinds, "".join(tokens), body)
    except (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError) as error:
        seen.error = f"{type(error).__name__}: {error}"
    return seen


def wrong(kinds: list[str], told: str, body: dict) -> str:
    """What is wrong with the events of one stream; "" if nothing is."""
    if kinds[-1:] == ["error"]:
        return f"error event: {body.get('code')}"
    order = [kind for kind in kinds if kind not in {"stage", "token"}]
    if order != list(LAST) or tuple(kinds[-len(LAST) :]) != LAST or kinds[0] != "stage" or "token" not in kinds:
        return f"events in another order: {list(dict.fromkeys(kinds))}"
    return "" if told == body["answer"] else "the tokens are not the answer"


async def events(address: str, body: object) -> AsyncIterator[tuple[str, str]]:
    """(kind, data) of each event, read without a library: a hundred listeners must not cost more than the service."""
    where = urlsplit(address)
    reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=1 << 22)
    try:
        content = json.dumps(body).encode()
        head = f"POST /api/chat HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode() + content)
        status = (await reader.readuntil(b"\r\n\r\n")).split()[1]
        if status != b"200":
            raise ValueError(f"status {status.decode()}")
        kind = ""
        while line := await reader.readline():
            # The lengths of the chunks stand on lines of their own and are passed over like comments.
            name, _, rest = line.decode().rstrip().partition(": ")
            if name == "event":
                kind = rest
            elif name == "data":
                yield kind, rest
    finally:
        writer.close()


def resident_mib(pid: int) -> float:
    """Memory of a process; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def cpu_s(pid: int) -> float:
    """Processor time of a process so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measured(chosen: argparse.Namespace) -> dict[str, object]:
    memory: dict[str, float] = {}
    tasks: list[asyncio.Task[Stream]] = []
    most_open = 0
    with tempfile.TemporaryDirectory() as folder:
        async with (
            Server(slow_answer(chosen.answer_s, chosen.tokens_per_s)) as llm,
            served(Path(folder), llm.address, chosen.embedding) as (address, pid),
        ):
            memory["idle"] = resident_mib(pid)
            begun, cpu = perf_counter(), cpu_s(pid)
            for n in range(round(chosen.rate * chosen.seconds)):
                due = begun + n / chosen.rate
                await asyncio.sleep(due - perf_counter())
                tasks.append(asyncio.create_task(listen(address, QUESTIONS[n % len(QUESTIONS)], due)))
                most_open = max(most_open, sum(not task.done() for task in tasks))
                if due - begun >= EARLY_S:
                    memory.setdefault(f"{EARLY_S} s", resident_mib(pid))
            memory["last question"] = resident_mib(pid)
            streams = await asyncio.gather(*tasks)
            memory["last answer"] = resident_mib(pid)
            busy = {"seconds in all": perf_counter() - begun, "CPU seconds of the service": cpu_s(pid) - cpu}
    more = {name: round(seconds, 1) for name, seconds in busy.items()} | {"most open at a time": most_open}
    return figures(chosen, streams, memory) | more


def figures(chosen: argparse.Namespace, streams: list[Stream], memory: dict[str, float]) -> dict[str, object]:
    errors = Counter(one.error for one in streams if one.error)
    good = [one for one in streams if not one.error]
    found: dict[str, object] = {
        "questions": len(streams),
        "errors": sum(errors.values()),
        "what went wrong": dict(errors.most_common(5)),
        "degraded": dict(Counter(mark for one in good for mark in one.degraded)),
    }
    for name in ("first_stage_s", "first_token_s", "whole_s"):
        times = [getattr(one, name) for one in good] or [0.0]
        found |= {f"{name} p{q}": round(float(np.percentile(times, q)), 3) for q in (50, 95, 100)}
    return found | {f"MiB, {when}": round(mib, 1) for when, mib in memory.items()} | {"embedding": chosen.embedding}


def main() -> int:
    chosen = options()
    figures = asyncio.run(measured(chosen))
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")
    for name, value in figures.items():
        print(f"{name:28} {value}")
    return 1 if figures["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
