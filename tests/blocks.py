"""The code blocks of a Markdown page, run in order in one folder, as a reader would.

    ```markdown file=手册.md        is written to that file
    ```bash                         every line starts with youju (or NAME=value youju) or curl; run, exit code 0
    ```bash background              one line, youju serve: runs from here to the end of the page, on a free port, which
                                    stands for 8710 in every block
    ```bash exit=1                  the same, with this exit code (of the last line)
    ```bash norun: why not          not run
    ```python                       executed; what it prints is its output
    ```text                         directly after one of the last three: what is printed, both streams

In what is said to be printed, … on a line of its own stands for any lines, … inside a line for any characters. Ids of
documents and seconds may differ. Everything else must be the same.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest import mock

from youju.cli import frame
from youju.cli.main import group

FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
PORT = 8710
VARYING = ((re.compile(r"\bd[0-9a-f]{12}\b"), "d…"), (re.compile(r"\d+\.\d\d 秒"), "… 秒"))


@dataclass(frozen=True, slots=True)
class Block:
    """`info` is what stands behind the opening fence; `printed` the output block that follows, None without one."""

    info: str
    body: str
    line: int
    printed: str | None = None

    @property
    def language(self) -> str:
        return self.info.split()[0] if self.info else ""

    @property
    def why_not(self) -> str | None:
        """The reason why the block is not run, None where it is."""
        _, norun, reason = self.info.partition(" norun")
        return reason.removeprefix(":").strip() if norun else None

    @property
    def file(self) -> str:
        return _option(self.info, "file")

    @property
    def background(self) -> bool:
        return "background" in self.info.split()

    @property
    def exit(self) -> int:
        return int(_option(self.info, "exit") or 0)


def _option(info: str, name: str) -> str:
    return next((word.partition("=")[2] for word in info.split() if word.startswith(f"{name}=")), "")


def blocks(text: str) -> list[Block]:
    """The blocks of a page that mean something here, in order."""
    found: list[Block] = []
    end = -1
    for match in FENCE.finditer(text):
        one = Block(match["info"].strip(), match["body"], text.count("\n", 0, match.start()) + 1)
        directly = found and not text[end : match.start()].strip()
        if one.info == "text" and directly and found[-1].language in {"bash", "python"}:
            last = found.pop()
            one = Block(last.info, last.body, last.line, printed=one.body)
        found.append(one)
        end = match.end()
    return found


def follow(text: str, folder: Path) -> list[str]:
    """What went otherwise than the page says; `folder` must be the current one."""
    port = _free_port()
    text = text.replace(f":{PORT}", f":{port}")
    with contextlib.ExitStack() as background:
        return _followed(text, folder, background, port)


def _followed(text: str, folder: Path, background: contextlib.ExitStack, port: int) -> list[str]:
    wrong: list[str] = []
    for one in blocks(text):
        if one.file:
            (folder / one.file).write_text(one.body, encoding="utf-8")
        if one.file or one.why_not is not None or one.language not in {"bash", "python"}:
            continue
        if one.background:
            background.enter_context(_serving(one.body, folder, port))
            continue
        code, printed = _shell(one.body) if one.language == "bash" else _python(one.body)
        if code != one.exit:
            wrong.append(f"line {one.line}: exit code {code}, not {one.exit}\n{printed}")
        elif one.printed is not None and not same(one.printed, printed):
            wrong.append(f"line {one.line}: printed\n{printed}")
    return wrong


def same(said: str, printed: str) -> bool:
    """Whether `printed` is what the page says, after the rule at the top."""
    lines = [_varied(line) for line in said.rstrip().splitlines()]
    pattern = "".join(
        r"(?:[^\n]*\n)*?" if line == "…" else "[^\n]*?".join(map(re.escape, line.split("…"))) + r"[ ]*\n"
        for line in lines
    )
    return re.fullmatch(pattern, _varied(printed.rstrip()) + "\n") is not None


def _varied(text: str) -> str:
    for pattern, placeholder in VARYING:
        text = pattern.sub(placeholder, text)
    return text.rstrip()


def _shell(body: str) -> tuple[int, str]:
    code, printed = 0, ""
    for line in body.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            code, said = _command(words)
            printed += said
    return code, printed


def _command(words: list[str]) -> tuple[int, str]:
    given = {}
    while "=" in words[0]:
        name, _, given[name] = words.pop(0).partition("=")
    program, *argv = words
    if program == "curl":
        return _curl(argv)
    if program != "youju":
        raise ValueError(f"a block that is run holds {program!r}; only youju and curl are run")
    if argv[:2] == ["demo", "--keep"]:
        kept, printed = _demo()
        shutil.copytree(kept, argv[2], dirs_exist_ok=True)
        return 0, printed
    with mock.patch.dict(os.environ, given):
        return _called(argv)


def _curl(argv: list[str]) -> tuple[int, str]:
    found = shutil.which("curl")
    if found is None:
        raise ValueError("the pages that speak of HTTP need curl")
    ran = subprocess.run([found, *argv], capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)  # noqa: S603 - our own pages
    printed = ran.stdout + ran.stderr
    return ran.returncode, printed if printed.endswith("\n") else printed + "\n"


@contextlib.contextmanager
def _serving(body: str, folder: Path, port: int) -> Iterator[None]:
    """The service of a page, from when it says that it is ready until the page ends."""
    words = shlex.split(body, comments=True)
    if words[:2] != ["youju", "serve"]:
        raise ValueError(f"only youju serve is run in the background, not {body!r}")
    environment = os.environ | {"YOUJU_SERVER__PORT": str(port)}
    command = [sys.executable, "-m", "youju", *words[1:]]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - this very program
        try:
            told = process.stdout.readline() if process.stdout else ""
            if f":{port}" not in told:
                raise ValueError(f"the service did not start: {told!r}")
            yield
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@cache
def _demo() -> tuple[Path, str]:
    """The folder and the words of one `youju demo --keep` for all pages: it takes ten seconds."""
    folder = Path(tempfile.mkdtemp(prefix="youju-docs-"))
    code, printed = _called(["demo", "--keep", str(folder)])
    if code:
        raise ValueError(printed)
    return folder, printed


def _called(argv: list[str]) -> tuple[int, str]:
    """What the console script calls, without the start of an interpreter."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        code = frame.main(group, argv)
    return code, stream.getvalue()


def _python(body: str) -> tuple[int, str]:
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        exec(compile(body, "<page>", "exec"), {"__name__": "__main__"})  # noqa: S102 - our own pages
    return 0, stream.getvalue()
