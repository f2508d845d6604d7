"""What the parser's process may do to us: nothing."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from youju.errors import DocumentError
from youju.ingest import sandbox, wire
from youju.ingest.sandbox import parse_in_child, untold
from youju.types import Block, Box, Page, ParsedDocument

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and rlimits are POSIX")

PARSERS = """
import ctypes, os, signal, subprocess, sys, time
from pathlib import Path
from youju.errors import DocumentError
from youju.types import Block, Box, Page, ParsedDocument

class Good:
    def __init__(self, mark=""): self.mark = mark
    def parse(self, path):
        print("noise on standard output")
        block = Block("text", "甲\\ud800", 1, 2, 0, "#a", (Box(1, 0.5, 1.0, 2.0, 3.25),))
        pages = (Page(1, "甲", "i", 10.0, 20.0), Page(2, "乙"))
        return ParsedDocument((block,), pages, "题", self.mark, ("警",), {"a": 0.5})

class Refusing:
    def parse(self, path): raise DocumentError("坏了", remedy="修", code="encrypted")

class Faulty:
    def parse(self, path): raise KeyError("secret text")

class Hungry:
    def parse(self, path): return len(bytearray(3 << 30))

class Crashing:
    def parse(self, path): os.kill(os.getpid(), signal.SIGSEGV)

class Killed:
    def parse(self, path): os.kill(os.getpid(), signal.SIGKILL)

class Aborting:
    def parse(self, path): os.abort()

class Short:
    def parse(self, path): raise RuntimeError("std::bad_alloc in a session")

class Leaving:
    def parse(self, path): os._exit(0)

class Hanging:
    def __init__(self, note): self.note = note
    def parse(self, path):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        Path(self.note).write_text(f"{os.getpid()} {child.pid}")
        time.sleep(60)

class Talkative:
    def parse(self, path): return ParsedDocument((), text="x" * (3 << 20))

class Paged:
    def __init__(self, seconds, pages=3, on_page=None): self.seconds, self.pages, self.on_page = seconds, pages, on_page
    def parse(self, path):
        for at in range(self.pages):
            time.sleep(self.seconds)
            self.on_page(at + 1, self.pages)
        return ParsedDocument((), text="甲\\n乙")

class Boasting:
    def __init__(self, on_page=None): self.on_page = on_page
    def parse(self, path):
        while True:
            self.on_page(5, 5)
            time.sleep(0.01)

class Nice:
    def parse(self, path): return ParsedDocument((), text=str(os.nice(0)))

class Grouped:
    def parse(self, path): return ParsedDocument((), text=open("/proc/self/autogroup").read())

class Curious:
    def parse(self, path): return ParsedDocument((), text=" ".join(os.environ))
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    (tmp_path / "strange_parsers.py").write_text(PARSERS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    async def parse(name, *, timeout_s=20.0, output_mib=256, on_page=untold, **kwargs):
        return await parse_in_child(
            f"strange_parsers:{name}",
            tmp_path / "file",
            timeout_s=timeout_s,
            memory_mib=1024,
            kwargs=kwargs,
            output_mib=output_mib,
            on_page=on_page,
        )

    return parse


async def code_of(parsing):
    with pytest.raises(DocumentError) as caught:
        await parsing
    assert caught.value.remedy
    return caught.value.code


async def test_a_document_arrives_whole(run):
    block = Block("text", "甲\ud800", 1, 2, 0, "#a", (Box(1, 0.5, 1.0, 2.0, 3.25),))
    pages = (Page(1, "甲", "i", 10.0, 20.0), Page(2, "乙"))
    assert await run("Good", mark="记") == ParsedDocument((block,), pages, "题", "记", ("警",), {"a": 0.5})


async def test_a_document_error_arrives_intact(run):
    with pytest.raises(DocumentError) as caught:
        await run("Refusing")
    assert (caught.value.message, caught.value.remedy, caught.value.code) == ("坏了", "修", "encrypted")


async def test_a_fault_names_the_exception_but_not_what_it_says(run):
    with pytest.raises(DocumentError) as caught:
        await run("Faulty")
    assert caught.value.code == "parser_crashed"
    assert "KeyError" in caught.value.message
    assert "secret" not in str(caught.value)


@posix
@pytest.mark.parametrize(
    "name, code",
    [
        ("Hungry", "parse_memory"),
        ("Crashing", "parser_crashed"),
        ("Killed", "parse_memory"),
        ("Aborting", "parse_memory"),
        ("Short", "parse_memory"),
        ("Leaving", "parser_crashed"),
    ],
)
async def test_a_death_becomes_an_explained_error(run, name, code):
    assert await code_of(run(name)) == code


async def test_pages_are_told_as_they_are_done(run):
    told = []
    document = await run("Paged", seconds=0, on_page=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert document.text == "甲\n乙"


async def test_a_file_has_more_time_while_its_pages_get_done(run):
    # 6 pages of 0.6 s each in a limit of 2 s.
    assert (await run("Paged", seconds=0.6, pages=6, timeout_s=2.0)).text


async def test_pages_that_take_too_long_on_average_end_the_file(run, monkeypatch):
    monkeypatch.setattr(sandbox, "MEAN_PAGE_S", 0.01)
    assert await code_of(run("Paged", seconds=0.6, pages=60, timeout_s=2.0)) == "parse_timeout"


async def test_telling_of_the_same_page_again_and_again_gives_no_time(run, monkeypatch):
    monkeypatch.setattr(sandbox, "PAGE_S", 0.5)
    assert await code_of(run("Boasting", timeout_s=2.0)) == "parse_timeout"


@pytest.mark.parametrize("line", [b"", b"{}", b"[1]", b"[2, 1]", b"[0, 1]", b"[true, 2]", b"[1, 2.0]", b"nothing"])
def test_only_two_whole_numbers_tell_of_a_page(line):
    with pytest.raises(ValueError):  # noqa: PT011 (json's own, or ours)
        wire.progress(line)


async def test_an_answer_over_the_limit_is_refused(run):
    assert await code_of(run("Talkative", output_mib=1)) == "parse_output"


async def test_the_child_sees_no_keys(run, monkeypatch):
    monkeypatch.setenv("YOUJU_EMBEDDING__API_KEY", "sk-1")
    assert "API_KEY" not in (await run("Curious")).text


@posix
async def test_the_child_lets_others_go_first(run):
    assert (await run("Nice")).text == str(min(19, os.nice(0) + 10))


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="this system weighs no sessions")
async def test_the_session_of_the_child_lets_others_go_first(run):
    assert (await run("Grouped")).text.split()[-2:] == ["nice", "5"]


@posix
async def test_the_time_limit_kills_the_child_and_what_it_started(run, tmp_path):
    assert await code_of(run("Hanging", timeout_s=1.5, note=str(tmp_path / "pids"))) == "parse_timeout"
    assert not await alive(tmp_path / "pids")


@posix
async def test_cancelling_kills_the_child_and_the_loop_stays_free(run, tmp_path):
    note = tmp_path / "pids"
    task = asyncio.create_task(run("Hanging", note=str(note)))
    while not (note.exists() and note.read_text(encoding="utf-8")):
        started = time.perf_counter()
        await asyncio.sleep(0.01)
        assert time.perf_counter() - started < 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not await alive(note)


async def alive(note):
    """Whether one of the processes in the note still runs; gives the system a moment to reap the orphan."""
    for _ in range(200):
        if not any(runs(int(pid)) for pid in note.read_text(encoding="utf-8").split()):
            return False
        await asyncio.sleep(0.01)
    return True


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # Killed, but nobody has reaped it: in a container without an init an orphan stays a zombie.
    status = f"/proc/{pid}/stat"
    if os.path.exists(status):  # noqa: PTH110
        with open(status, encoding="utf-8") as file:  # noqa: PTH123
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    return True
