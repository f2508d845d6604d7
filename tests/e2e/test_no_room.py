"""A store that cannot grow any more: what was on its way fails with a reason, or says how to go on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from apps import MANUAL, RULES, added, environment, opened, written
from youju.errors import StoreError
from youju.storage.engine import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs limits of a process")
LIMITED = """
import resource
from youju.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
main()
"""
BOOK = "# 书\n\n" + "\n\n".join(
    f"## 第{n}节\n\n第 {n} 节说的是青梧网关的第 {n} 个参数，" + "它的默认值见附录，修改以后需要重新启动。" * 6
    for n in range(1, 600)
)


async def test_a_file_for_which_there_is_no_room_is_failed_with_the_reason(tmp_path: Path) -> None:
    store = tmp_path / "store"
    async with opened(store) as app:
        await added(app, written(tmp_path, "手册.md", MANUAL))
    done = subprocess.run(  # noqa: S603, ASYNC221 - this very program
        [sys.executable, "-c", LIMITED, "add", written(tmp_path, "书.md", BOOK), "--data", store],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert "未能写入资料库（SQLITE_IOERR" in done.stderr
    assert "请检查剩余空间、配额" in done.stderr
    async with opened(store) as app:
        book = await app.documents.find("书.md")
        assert book.pending is not None
        assert book.pending.failure is not None
        assert (book.status, book.pending.failure.code) == ("FAILED", "store_full")
        assert await app.documents.retry(book.id) == "READY"
        assert {one.level for one in await app.doctor.examine()} == {"ok"}


async def test_where_not_even_a_failure_can_be_written_the_error_says_how_to_go_on(tmp_path: Path, monkeypatch) -> None:
    async with opened(tmp_path / "store") as app:
        accepted = await app.documents.accept(written(tmp_path, "规定.md", RULES))

        def full(self: Store, fn: object) -> None:
            raise StoreError("满了", remedy="请腾出空间", code="store_full")

        with monkeypatch.context() as patched:
            patched.setattr(Store, "write_now", full)
            with pytest.raises(StoreError) as caught:
                await app.documents.process(accepted)
        assert caught.value.remedy == (
            f"请腾出空间；这份文档还没有处理完，之后请运行 youju docs retry {accepted.document_id}"
        )
        assert await app.documents.retry(accepted.document_id) == "READY"
