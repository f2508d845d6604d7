"""Chunks that hold a quote are found however it is written."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from builders import chunk
from shelf import Shelf, catalogue
from youju.storage import chunks
from youju.storage.engine import Store
from youju.storage.quotes import holding

TEXTS = {
    "a": "出差住宿费的上限\n是３２０元。",
    "b": "QINGWU_MAX_CONN 的默认值是 512。",
    "c": "⼈工费与⾦额。",
    "d": "没有关系的话。",
}


@pytest.fixture
async def store(tmp_path) -> AsyncIterator[Store]:
    store = Store.open(tmp_path)
    await Shelf(store).put("d1", TEXTS)
    yield store
    await store.aclose()


@pytest.mark.parametrize(
    "quote, found",
    [
        ("住宿费的上限是 320 元", "a"),
        ("住宿费 的 上限", "a"),
        ("qingwu_max_conn", "b"),
        ("默认值是５１２", "b"),
        ("人工费与金额", "c"),
        ("没有这句话", ""),
        ("的", "abd"),
        (" \u200b", ""),
    ],
)
async def test_a_quote_is_found(store, quote, found) -> None:
    assert "".join(one.id for one in await store.read(lambda tx: holding(tx, quote))) == found


async def test_no_more_than_asked_for_are_found(store) -> None:
    assert len(await store.read(lambda tx: holding(tx, "的", at_most=2))) == 2


async def test_documents_that_do_not_answer_are_looked_at_too_and_parents_are_not(store) -> None:
    def write(tx) -> None:
        version_id = catalogue(tx, "d2")
        more = {"document_id": "d2", "version": version_id, "text": "隐藏的话。"}
        chunks.write(tx, [chunk("x", **more), chunk("y", **more, role="parent")], version_id)

    await store.write(write)
    assert [one.id for one in await store.read(lambda tx: holding(tx, "隐藏的话"))] == ["x"]
