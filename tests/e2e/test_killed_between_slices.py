"""A process that is killed while it writes a version in slices: nothing is seen of it, and nothing stays too much."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from apps import RULES, ran, started, written

TABLES = ("page", "chunk", "vector", "words")


def asked(folder: Path, query: str) -> list[tuple[object, ...]]:
    database = folder / ".youju" / "youju.db"
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as look:
        return look.execute(query).fetchall()


def counted(folder: Path) -> dict[str, object]:
    return {name: asked(folder, f"SELECT count(*) FROM {name}")[0][0] for name in TABLES}  # noqa: S608


@pytest.mark.slow
def test_a_book_half_written_by_a_killed_process_is_finished_by_the_next(tmp_path: Path) -> None:
    here, undisturbed = tmp_path / "here", tmp_path / "undisturbed"
    for folder in (here, undisturbed):
        written(folder, "x.md", RULES * 500)
    killed = started(["add", "x.md"], here)
    while killed.poll() is None:
        with suppress(sqlite3.Error):
            if asked(here, "SELECT 1 FROM vector LIMIT 1"):
                break
    killed.kill()
    killed.communicate()
    assert asked(here, "SELECT status, active FROM version") == [("EMBEDDING", 0)]
    assert asked(here, "SELECT DISTINCT active FROM chunk") == [(0,)]
    assert ran(started(["docs", "list", "--json"], here)).json[0]["status"] == "EMBEDDING"
    assert "未完成的版本" in ran(started(["doctor"], here)).out

    for folder in (here, undisturbed):
        assert ran(started(["add", "x.md"], folder)).code == 0
    assert ran(started(["doctor"], here)).code == 0
    assert counted(here) == counted(undisturbed)
