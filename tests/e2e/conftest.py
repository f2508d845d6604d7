"""A store with two books, and the command line over it."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from apps import MANUAL, RULES, Ran, added, opened, written
from youju.cli import frame
from youju.cli.main import group
from youju.providers.registry import PROVIDERS

Command = Callable[..., Ran]


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> Path:
    """A store with 报销规定 and 网关手册."""
    folder = tmp_path_factory.mktemp("prepared")
    books = [written(folder, "报销规定.md", RULES), written(folder, "网关手册.md", MANUAL)]

    async def fill() -> None:
        async with opened(folder / "store") as app:
            for book in books:
                await added(app, book)

    asyncio.run(fill())
    return folder / "store"


@pytest.fixture
def youju(tmp_path, monkeypatch, capsys) -> Command:
    """The command in this process, run in an empty folder."""
    for name in [name for name in os.environ if name.startswith("YOUJU_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("YOUJU_EMBEDDING__PROVIDER", "fake")
    monkeypatch.setenv("YOUJU_DEBUG", "1")
    monkeypatch.setitem(PROVIDERS["embedder"], "fake", "apps:SqueezedEmbedder")
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> Ran:
        capsys.readouterr()
        code = frame.main(group, args)
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def full(youju, prepared, tmp_path) -> Command:
    """The same over a copy of the prepared store, which the command finds by itself."""
    shutil.copytree(prepared, tmp_path / ".youju")
    return youju
