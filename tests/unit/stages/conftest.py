from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from library import Library
from library import library as opened


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with opened(tmp_path / "store") as one:
        yield one
