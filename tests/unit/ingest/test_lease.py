from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from youju.errors import StoreError
from youju.ingest.lease import lease

HOLDER = """
import asyncio, sys
from pathlib import Path
from youju.ingest.lease import lease

async def main():
    async with lease(Path(sys.argv[1]), "7"):
        print("held", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_one_at_a_time_holds_it(tmp_path: Path) -> None:
    inside = 0
    most = 0

    async def work() -> None:
        nonlocal inside, most
        async with lease(tmp_path / "leases", "7"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*(work() for _ in range(8)))
    assert most == 1


async def test_different_names_do_not_wait_for_each_other(tmp_path: Path) -> None:
    async with lease(tmp_path, "7"), asyncio.timeout(5), lease(tmp_path, "8"):
        pass


async def test_it_leaves_no_file_and_is_given_back_by_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with lease(tmp_path, "7"):
            raise ZeroDivisionError
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - in a loop that waits for nothing else
    async with asyncio.timeout(5), lease(tmp_path, "7"):
        pass


async def test_who_stops_waiting_does_not_keep_it(tmp_path: Path) -> None:
    async with lease(tmp_path, "7"):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1), lease(tmp_path, "7"):
                pass
    async with asyncio.timeout(5), lease(tmp_path, "7"):
        pass


async def test_a_killed_process_gives_it_back_at_once(tmp_path: Path) -> None:
    holder = subprocess.Popen(  # noqa: S603, ASYNC220 - this very program
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2), lease(tmp_path, "7"):
            pass
    holder.kill()
    holder.communicate()
    async with asyncio.timeout(5), lease(tmp_path, "7"):
        pass


async def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="不可写"):
        async with lease(tmp_path / "file", "7"):
            pass
