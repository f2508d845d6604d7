"""Several processes on one store: each sees what the others do, nobody works twice, nobody is locked out."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from apps import MANUAL, RULES, environment, opened, ran, started, written
from youju.documents.catalog import Accepted
from youju.errors import ConflictError

pytestmark = pytest.mark.slow
QUESTION = "出差住宿费的上限是多少？"


@contextmanager
def served(folder: Path) -> Iterator[httpx.Client]:
    process = started(["serve", "--port", "0"], folder)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split("：")[1].split("（")[0]
        with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
            yield client
    finally:
        process.send_signal(signal.SIGTERM)
        end = ran(process)
    assert end.code == 0
    assert end.err.endswith("已停止。\n")
    # A trace may be written late; nothing may fail.
    assert "locked" not in end.err
    assert "Traceback" not in end.err


def states(client: httpx.Client) -> dict[str, str]:
    return {one["file_name"]: one["status"] for one in client.get("/api/documents").json()["documents"]}


def wait_for(client: httpx.Client, wanted: dict[str, str]) -> None:
    until = time.monotonic() + 60
    while states(client) != wanted:
        assert time.monotonic() < until, states(client)
        time.sleep(0.1)


def test_commands_add_delete_and_back_up_while_a_service_answers(tmp_path) -> None:
    written(tmp_path, "规定.md", RULES)
    for n in range(3):
        written(tmp_path, f"手册{n}.md", f"{MANUAL}\n\n第 {n} 份" + "。另有说明若干，请见附录" * 300)
    assert ran(started(["add", "规定.md"], tmp_path)).code == 0
    with served(tmp_path) as client:
        answers: list[httpx.Response] = []
        ending = threading.Event()

        def ask() -> None:
            while not ending.is_set():
                answers.append(client.post("/api/chat", json={"question": QUESTION}))

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            commands = [started(["add", f"手册{n}.md"], tmp_path) for n in range(3)]
            commands.append(started(["backup", "备份.tar"], tmp_path))
            sent = client.post("/api/documents", files={"file": ("上传.md", MANUAL)})
            ends = [ran(one) for one in commands]
        finally:
            ending.set()
            asking.join()
        assert sent.status_code == 202
        assert [end.code for end in ends] == [0] * 4, [end.err for end in ends]
        names = ("上传.md", "手册0.md", "手册1.md", "手册2.md", "规定.md")
        wait_for(client, dict.fromkeys(names, "READY"))
        assert len(answers) > 5
        assert {one.status_code for one in answers} == {200}
        assert all("三百二十" in one.json()["answer"] for one in answers)
        # What a command changes the service knows at once, and the other way round.
        assert ran(started(["docs", "rm", "手册0.md"], tmp_path)).code == 0
        assert "手册0.md" not in states(client)
        listed = ran(started(["docs", "list", "--json"], tmp_path)).json
        assert {one["file_name"]: one["status"] for one in listed} == states(client)
    assert ran(started(["doctor"], tmp_path)).code == 0
    assert ran(started(["restore", "备份.tar", "--data", "恢复的"], tmp_path)).code == 0
    assert ran(started(["doctor", "--data", "恢复的"], tmp_path)).code == 0
    assert "三百二十" in ran(started(["ask", QUESTION, "--data", "恢复的"], tmp_path)).out


def test_what_a_command_leaves_to_others_is_done_by_the_service(tmp_path) -> None:
    written(tmp_path, "规定.md", RULES)
    with served(tmp_path) as client:
        left = ran(started(["add", "规定.md", "--no-wait", "--json"], tmp_path))
        assert left.json[0]["status"] in {"UPLOADED", "READY"}
        wait_for(client, {"规定.md": "READY"})


MANY = """
import asyncio, json, sys
from pathlib import Path
from apps import opened

async def main(file):
    entered = []
    async with opened(Path(sys.argv[1])) as app:
        async def upload():
            accepted = await app.documents.accept(file)
            status = await app.documents.process(accepted, lambda one: entered.append(one.phase))
            return accepted.document_id, accepted.version, status
        ends = await asyncio.gather(*(upload() for _ in range(5)))
    print(json.dumps([ends, entered.count("PARSING")]))

asyncio.run(main(Path(sys.argv[2])))
"""
HANGING = """
import asyncio, sys
from pathlib import Path
from apps import SqueezedEmbedder, opened

class Hanging(SqueezedEmbedder):
    async def embed(self, texts, kind):
        print("embedding", flush=True)
        await asyncio.Event().wait()

async def main():
    async with opened(Path(sys.argv[1]), Hanging()) as app:
        accepted = await app.documents.accept(Path(sys.argv[2]))
        print(await app.documents.process(accepted), flush=True)

asyncio.run(main())
"""


def python(program: str, *args: Path) -> subprocess.Popen[str]:
    paths = f"{Path(__file__).parents[1]}"
    return subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-c", program, *map(str, args)],
        env=environment(PYTHONPATH=paths),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


async def test_twenty_uploads_of_one_file_from_four_processes_are_one_version_worked_on_once(tmp_path) -> None:
    file = written(tmp_path, "x.md", RULES * 30)
    ends = [ran(one) for one in [python(MANY, tmp_path / "store", file) for _ in range(4)]]
    assert [end.code for end in ends] == [0] * 4, [end.err for end in ends]
    said = [json.loads(end.out) for end in ends]
    assert len({tuple(one) for each, _ in said for one in each}) == 1
    assert sum(parsed for _, parsed in said) == 1
    assert len([path for path in (tmp_path / "store" / "blobs").rglob("*") if path.is_file()]) == 1
    async with opened(tmp_path / "store") as app:
        assert [one.status for one in await app.documents.listed()] == ["READY"]
        assert all(one.level == "ok" for one in await app.doctor.examine())


@pytest.mark.parametrize("how", ["cancel", "delete", "replace"])
async def test_work_in_another_process_ends_soon_when_it_is_no_longer_wanted(tmp_path, how) -> None:
    file = written(tmp_path, "x.md", RULES)
    async with opened(tmp_path / "store") as app:
        other = python(HANGING, tmp_path / "store", file)
        assert other.stdout is not None
        assert other.stdout.readline() == "embedding\n"
        document = await app.documents.find("x.md")
        began = time.perf_counter()
        newer: Accepted | None = None
        if how == "cancel":
            await app.documents.cancel(document.id)
        elif how == "delete":
            await app.documents.delete(document.id)
        else:
            newer = await app.documents.accept(written(tmp_path, "x.md", RULES + MANUAL))
        assert other.stdout.readline() == ("FAILED\n" if how == "cancel" else "DELETING\n")
        assert time.perf_counter() - began < 5
        assert ran(other).code == 0
        if newer is not None:
            assert await app.documents.process(newer) == "READY"
        if how == "cancel":
            assert await app.documents.retry(document.id) == "READY"
        if how == "delete":
            with pytest.raises(ConflictError):
                await app.documents.cancel(document.id)
        await app.documents.sweep()
        assert all(one.level == "ok" for one in await app.doctor.examine())
