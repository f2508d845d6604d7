"""The pages written from the code say what the code says."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("docs_script", ROOT / "scripts" / "docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_page_is_stale(script):
    assert script.stale() == [], "run: make docs"


def test_an_edited_or_missing_page_is_stale(script, tmp_path):
    for name, text in script.pages().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert script.stale(tmp_path) == []
    (tmp_path / "cli.md").write_text("edited", encoding="utf-8")
    (tmp_path / "stages.md").unlink()
    assert script.stale(tmp_path) == ["stages.md", "cli.md"]


def test_a_setting_is_shown_with_its_range_default_and_variable(script):
    assert "| `retrieval.rrf_k` | 整数 1–1000 | `60` | `YOUJU_RETRIEVAL__RRF_K` |" in script.pages()["settings.md"]


def test_the_two_channels_are_shown_side_by_side(script):
    page = script.pages()["stages.md"]
    assert "| `ByVector` | 并行 |" in page
    assert "| `ByWords` | 并行 |" in page


def test_every_page_is_linked_from_the_contents():
    contents = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if page != "README.md" and f"]({page})" not in contents] == []
