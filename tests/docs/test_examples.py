"""Every command and program of the pages does what the page says; the rule is in `blocks`."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from blocks import blocks, follow, same

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "README.en.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
NOT_RUN = {"README.md": 3, "README.en.md": 3, "docs/howto/embedding-api.md": 1}
"""Blocks that a test cannot run, a page. A new one must be counted here, and say why not behind its fence."""


def runnable(page: Path) -> bool:
    found = blocks(page.read_text(encoding="utf-8"))
    return any(one.language in {"bash", "python"} and one.why_not is None for one in found)


@pytest.mark.slow
@pytest.mark.timeout(500)  # some pages import the sample books, on a machine that may have other work
@pytest.mark.parametrize("name", [name for name, page in zip(NAMES, PAGES, strict=True) if runnable(page)])
def test_a_page_prints_what_it_says(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for variable in [one for one in os.environ if one.startswith("YOUJU_")]:
        monkeypatch.delenv(variable)
    wrong = follow((ROOT / name).read_text(encoding="utf-8"), tmp_path)
    assert not wrong, "\n\n".join(wrong)


def test_every_block_that_is_not_run_is_counted_and_says_why():
    idle = {
        name: [one.why_not for one in blocks(page.read_text(encoding="utf-8")) if one.why_not is not None]
        for name, page in zip(NAMES, PAGES, strict=True)
    }
    assert {name: len(reasons) for name, reasons in idle.items() if reasons} == NOT_RUN
    assert all(reason for reasons in idle.values() for reason in reasons)


def test_both_readmes_show_the_same_commands():
    chinese, english = (
        Counter(
            line.partition(" #")[0].strip()
            for one in blocks((ROOT / name).read_text(encoding="utf-8"))
            if one.language == "bash"
            for line in one.body.splitlines()
        )
        for name in ("README.md", "README.en.md")
    )
    assert chinese == english


@pytest.mark.parametrize(
    "said, printed",
    [
        ("a\n…\nd\n", "a\nb\nc\nd\n"),
        ("a\n…\nb\n", "a\nb\n"),
        ("用时 … 页\n", "用时 12 页\n"),
        ("d000000000000  就绪\n", "d0123456789ab  就绪\n"),
        ("解析 0.10 秒\n", "解析 12.34 秒\n"),
    ],
)
def test_what_may_differ_is_the_same(said, printed):
    assert same(said, printed)


@pytest.mark.parametrize(
    "said, printed", [("a\n", "a\nb\n"), ("a\n…\n", "b\na\n"), ("a…c\n", "a\nc\n"), ("第 7 页\n", "第 8 页\n")]
)
def test_what_may_not_differ_is_not_the_same(said, printed):
    assert not same(said, printed)


def test_an_output_belongs_to_the_block_right_before_it():
    found = blocks("```bash\nyouju a\n```\n\n```text\nA\n```\n\nThen\n\n```text\nB\n```\n")
    assert [(one.language, one.printed) for one in found] == [("bash", "A\n"), ("text", None)]


def test_only_our_own_command_is_run(tmp_path):
    with pytest.raises(ValueError, match="'rm'"):
        follow("```bash\nrm -r .\n```\n", tmp_path)
