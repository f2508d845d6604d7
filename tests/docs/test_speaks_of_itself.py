"""The project speaks of itself: not of the machine it was written on, nor of where its packages came from."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# In pieces, so that this file does not say what it looks for.
FORBIDDEN = re.compile(
    "|".join(
        (
            r"(?<![\w.])/" + r"work/",
            r"(?<![\w.])/" + r"root/",
            r"/tmp/" + r"(?:bash|brief|docsjob|pdfstore)",  # noqa: S108 - looked for, not used
            r"/home/" + r"[a-z]",
            r"/Us" + r"ers/[A-Za-z]",
            r"py" + r"pi\.org",
            r"pythonhosted" + r"\.org",
            r"/si" + r"mple/",
            r"--(?:extra-)?index" + r"-url[ =]",
            r"--trusted" + r"-host[ =]",
            r"(?i:\bsub" + r"-?agent)",
            r"(?i:\bhelper " + r"session)",
            r"(?i:\bas an ai\b)",
            r"\bshared/" + r"(?:design|prototypes)",
        )
    )
)
BINARY = {".pdf", ".png", ".ttf", ".otf", ".bin", ".onnx"}
PIN = re.compile(
    r"^[a-z0-9][a-z0-9._-]*==[0-9][\w.!+]*(?: ; [^\\\n]+)? \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+",
    re.MULTILINE,
)


def tracked() -> list[Path]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("an unpacked source archive has no list of tracked files")
    listed = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout  # noqa: S603
    files = [ROOT / name for name in listed.decode().split("\0") if name]
    return [file for file in files if file.is_file() and file.suffix not in BINARY]


def found(text: str) -> list[str]:
    return [match.group() for match in FORBIDDEN.finditer(text)]


def test_no_file_speaks_of_a_machine_a_registry_or_a_workplace():
    said = {file.relative_to(ROOT).as_posix(): found(file.read_text(encoding="utf-8")) for file in tracked()}
    assert {name: words for name, words in said.items() if words} == {}


@pytest.mark.parametrize(
    "text", ["see /work" + "/main", "cd /root" + "/x", "--index" + "-url https://x", "https://py" + "pi.org/x"]
)
def test_what_is_forbidden_is_found(text):
    assert found(text)


@pytest.mark.parametrize("text", ["network/worker", "docs/work/x", "工作/学习", "https://host/v1"])
def test_what_is_harmless_is_not_found(text):
    assert not found(text)


@pytest.mark.parametrize("name", ["default.txt", "dev.txt"])
def test_requirements_are_nothing_but_pins_with_hashes(name):
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    assert text
    assert not PIN.sub("", text).strip()


def test_everything_asked_for_is_pinned():
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    for_work = [line for line in (ROOT / "requirements" / "dev.in").read_text(encoding="utf-8").splitlines() if line]
    assert missing(asked, "default.txt") == []
    assert missing(asked + [line for line in for_work if not line.startswith("#")], "dev.txt") == []


def missing(asked: list[str], name: str) -> list[str]:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    pinned = {line.partition("==")[0] for line in text.splitlines() if "==" in line}
    return [one for one in asked if re.split(r"[<>=!~; \[]", one)[0].lower() not in pinned]
