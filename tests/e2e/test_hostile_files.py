"""Files that do harm, sent to a real service: each ends READY or FAILED, and nobody else notices."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import httpx
import pytest

from apps import MANUAL, ran, started, written
from hostile import File, files
from youju.providers.parsing.decoding import garbage_ratio
from youju.providers.registry import PROVIDERS

pytestmark = pytest.mark.slow
EVERY = int(os.environ.get("HOSTILE_EVERY", "3"))
"""Of the files; 1 sends all of them."""
LIMITS = {"YOUJU_INGEST__PARSE_TIMEOUT_S": "6", "YOUJU_INGEST__PARSE_MEMORY_MIB": "1536"}
LONGEST_S = 1.0
BUSY_S = 5.0
"""The same on a machine that has other work for twice its processors: what it measures then is the machine."""
MOST_GARBAGE = 0.05


class Pulse:
    """Asks, all the time, whether the service is alive; `worst` is the longest it took to say so, in seconds."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.worst = 0.0
        self.failures: list[str] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def _ask(self) -> None:
        with httpx.Client(base_url=self.address, trust_env=False, timeout=30) as client:
            while not self._ending.wait(0.1):
                began = time.perf_counter()
                try:
                    client.get("/healthz").raise_for_status()
                except httpx.HTTPError as error:
                    self.failures.append(repr(error))
                self.worst = max(self.worst, time.perf_counter() - began)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()


@contextmanager
def served(folder: Path) -> Iterator[httpx.Client]:
    process = started(["serve", "--port", "0"], folder, **LIMITS)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split("：")[1].split("（")[0]
        with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
            yield client
    finally:
        process.send_signal(signal.SIGTERM)
        end = ran(process)
    assert end.code == 0
    assert "Traceback" not in end.err


def sent(client: httpx.Client, file: File) -> str:
    """The id of the document it became; "" where it is of a kind that nobody takes."""
    answer = client.post(
        "/api/documents", files={"file": (file.name, file.data)}, data={"collection": file.suffix or "无"}
    )
    if file.suffix not in PROVIDERS["parser"]:
        assert (answer.status_code, answer.json()["code"]) == (422, "unsupported_format"), file.name
        return ""
    assert answer.status_code == 202, (file.name, answer.text)
    assert not answer.json()["duplicate"], file.name
    return str(answer.json()["document_id"])


def settled(client: httpx.Client, document_id: str) -> dict:
    while True:
        one = client.get(f"/api/documents/{document_id}").json()
        if one["status"] in {"READY", "FAILED"}:
            return one
        time.sleep(0.05)


def faults(client: httpx.Client, file: File, one: dict) -> list[str]:
    """What is wrong with how it ended."""
    found = []
    if one["status"] not in file.may:
        found.append(f"{one['status']} {one['failure'] or one['chunks']}")
    if one["status"] == "FAILED" and not (one["failure"]["code"] and one["failure"]["remedy"]):
        found.append("no reason")
    if one["status"] == "FAILED" and one["failure"]["code"] == "internal":
        found.append("a mistake of ours")
    if one["status"] == "READY":
        said = client.get(f"/api/documents/{one['document_id']}/content.md").text
        if one["chunks"] < 1:
            found.append("READY without chunks")
        if garbage_ratio(said) > MOST_GARBAGE:
            found.append(f"garbage {garbage_ratio(said):.2f}")
        if "root:x:" in said:
            found.append("a file of this machine was read")
        if one["pages"]:
            drawn = client.get(f"/api/documents/{one['document_id']}/pages/1.png")
            if drawn.status_code not in {200, 409, 422}:
                found.append(f"page {drawn.text}")
    return [f"{file.name[:60]}: {one}" for one in found]


@pytest.mark.timeout(900)
def test_every_hostile_file_ends_with_a_reason_or_is_read_and_the_service_lives(tmp_path: Path) -> None:
    chosen = files(frozenset(PROVIDERS["parser"]))[::EVERY]
    wrong: list[str] = []
    codes: dict[str, list[str]] = {}
    with served(tmp_path) as client, Pulse(str(client.base_url)) as pulse:
        ids = {file: sent(client, file) for file in chosen}
        for file, document_id in ids.items():
            if document_id:
                one = settled(client, document_id)
                wrong += faults(client, file, one)
                codes.setdefault(one["failure"]["code"] if one["failure"] else "READY", []).append(
                    f"{file.name[:40]} {sum(phase['seconds'] for phase in one['timeline']):.1f}"
                )
        good = client.post("/api/documents", files={"file": ("手册.md", MANUAL)}).json()["document_id"]
        assert settled(client, good)["status"] == "READY"
        said = client.post("/api/chat", json={"question": "日志保留多少天？", "collection": "默认"}).json()
        assert "14" in said["answer"]
    # What is shown where it fails, or is asked for.
    print(f"{len([one for one in ids.values() if one])} files, slowest pulse {pulse.worst:.3f} s")  # noqa: T201 - see above
    for code, names in sorted(codes.items()):
        print(f"{code} {len(names)}: {'; '.join(names)}")  # noqa: T201 - see above
    assert wrong == []
    assert pulse.failures == []
    busy = hasattr(os, "getloadavg") and os.getloadavg()[0] > 2 * (os.cpu_count() or 1)
    assert pulse.worst < (BUSY_S if busy else LONGEST_S)
    assert len([one for one in ids.values() if one]) >= 300 // EVERY
    assert ran(started(["doctor"], tmp_path)).code == 0
    assert not (tmp_path.parent / "left").exists()


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    written(tmp_path, "x.md", MANUAL)
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "link.md").symlink_to(tmp_path / "x.md")
    (tmp_path / "dangling.md").symlink_to(tmp_path / "none.md")
    (tmp_path / "ring.md").symlink_to(tmp_path / "ring.md")
    (tmp_path / "zero.md").symlink_to("/dev/zero")
    (tmp_path / "folder.md").mkdir()
    names = ("pipe.md", "dangling.md", "ring.md", "zero.md", "/dev/zero", "link.md")
    end = ran(started(["add", *names, "--json"], tmp_path))
    assert [one["status"] for one in end.json] == ["FAILED"] * 5 + ["READY"]
    assert all(one["failure"]["code"] in {"no_such_file", "not_a_file", "unsupported_format"} for one in end.json[:5])
    # In a folder only files count.
    assert [one["status"] for one in ran(started(["add", ".", "--json"], tmp_path)).json if one] != []
