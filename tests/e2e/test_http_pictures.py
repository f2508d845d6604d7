"""Pages as pictures: the right page, the right places, and nothing of them after a deletion."""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image

from apps import RULES, ran, started, written
from http_service import Live, in_loop
from pdfs import HEIGHT, Bar, lines, pdf
from youju.ingest import pictures
from youju.ingest.sandbox import answer_of_child

SAID = ["第一条 住宿费的上限是每晚三百二十元，凭发票报销。", "第二条 乘坐火车可以报销二等座，乘坐飞机须经批准。"]
YELLOW = (255, 236, 130)


def book(mark: str = "") -> bytes:
    """Three pages; each has its text at the top, and the last one a bar below it."""
    texts = [[f"{'甲乙丙'[n]}{one}{mark}" for one in SAID * 7] for n in range(3)]
    bar: list = [Bar(50, 500, 350, 510)]
    return pdf([[*lines(50, 60, text), *(bar if n == 2 else [])] for n, text in enumerate(texts)])


def image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def yellow(data: bytes) -> list[tuple[int, int]]:
    """Where it is marked, in points."""
    shown = image(data)
    scale = HEIGHT / shown.height
    pixels = shown.load()
    assert pixels is not None
    return [
        (round(x * scale), round(y * scale))
        for x in range(0, shown.width, 4)
        for y in range(0, shown.height, 4)
        if pixels[x, y] == YELLOW
    ]


async def chunks_of(live: Live, document_id: str) -> list[dict]:
    return (await live.client.get(f"/api/documents/{document_id}/chunks")).json()["chunks"]


@pytest.mark.slow
async def test_a_page_is_shown_with_the_places_of_a_chunk(tmp_path):
    async with in_loop(tmp_path / "store") as live:
        id_ = await live.add("书.pdf", book())
        plain = await live.client.get(f"/api/documents/{id_}/pages/2.png")
        assert (plain.status_code, plain.headers["content-type"]) == (200, "image/png")
        assert image(plain.content).size == (612, 917)
        assert yellow(plain.content) == []
        pages = set()
        for chunk in await chunks_of(live, id_):
            for n in (1, 2, 3):
                place = f"/api/documents/{id_}/pages/{n}.png"
                marked = await live.client.get(place, params={"chunk": chunk["chunk_id"]})
                places = yellow(marked.content)
                # Nothing is marked on a page the chunk does not stand on, and never what is no text.
                assert bool(places) == (chunk["page_start"] <= n <= chunk["page_end"])
                assert all(45 <= x <= 360 and 45 <= y <= 275 for x, y in places)
            pages.add((chunk["page_start"], chunk["page_end"]))
        # Some stand on two pages, and are marked on both.
        assert any(first < last for first, last in pages)


@pytest.mark.slow
async def test_a_page_is_drawn_once_and_whoever_has_it_is_told_so(tmp_path, monkeypatch):
    drawn = []

    async def counted(*args):
        drawn.append(args)
        return await answer_of_child(*args)

    monkeypatch.setattr(pictures, "answer_of_child", counted)
    async with in_loop(tmp_path / "store") as live:
        id_ = await live.add("书.pdf", book())
        place = f"/api/documents/{id_}/pages/1.png"
        first, second = [await live.client.get(place) for _ in range(2)]
        assert first.content == second.content
        assert first.headers["cache-control"] == "private, no-cache"
        tag = first.headers["etag"]
        for said in (tag, f'"other", W/{tag}', "*"):
            same = await live.client.get(place, headers={"If-None-Match": said})
            assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
        assert (await live.client.get(place, headers={"If-None-Match": '"other"'})).status_code == 200
        assert len(drawn) == 1
        sent = await live.client.put(f"/api/documents/{id_}/content", files={"file": ("书.pdf", book("改"))})
        await live.settled(sent.json()["document_id"])
        newer = await live.client.get(place, headers={"If-None-Match": tag})
        assert newer.status_code == 200
        assert newer.headers["etag"] != tag


@pytest.mark.slow
async def test_what_cannot_be_shown_is_told_with_a_remedy(tmp_path):
    async with in_loop(tmp_path / "store") as live:
        paged, other = await live.add("书.pdf", book()), await live.add("另.pdf", book("另"))
        plain, broken = await live.add("规定.md", RULES), await live.add("坏.pdf", b"%PDF-1.7\n")
        strange = (await chunks_of(live, other))[0]["chunk_id"]
        ends = {
            f"{paged}/pages/0.png": (404, "no_such_page"),
            f"{paged}/pages/4.png": (404, "no_such_page"),
            f"{paged}/pages/{10**30}.png": (404, "no_such_page"),
            f"{paged}/pages/-1.png": (404, "no_such_page"),
            f"{paged}/pages/one.png": (422, "invalid"),
            f"{paged}/pages/1.png?chunk=none": (404, "no_such_chunk"),
            f"{paged}/pages/1.png?chunk=": (404, "no_such_chunk"),
            f"{paged}/pages/1.png?chunk={strange}": (404, "no_such_chunk"),
            f"{plain}/pages/1.png": (409, "no_pages"),
            f"{broken}/pages/1.png": (409, "not_ready_yet"),
            "none/pages/1.png": (404, "not_found"),
        }
        for path, (status, code) in ends.items():
            said = await live.client.get(f"/api/documents/{path}")
            assert (said.status_code, said.json()["code"]) == (status, code), path
            assert said.headers["content-type"] == "application/problem+json"
            assert said.json()["remedy"]


@pytest.mark.slow
async def test_a_disabled_document_can_be_looked_at_and_a_deleted_one_leaves_no_picture(tmp_path):
    store = tmp_path / "store"
    async with in_loop(store) as live:
        gone, kept = await live.add("书.pdf", book()), await live.add("另.pdf", book("另"))
        for id_ in (gone, kept):
            assert (await live.client.get(f"/api/documents/{id_}/pages/1.png")).status_code == 200
        await live.client.post(f"/api/documents/{gone}/disable")
        assert (await live.client.get(f"/api/documents/{gone}/pages/2.png")).status_code == 200
        assert len(list((store / "pages").rglob("*.png"))) == 3
        await live.client.delete(f"/api/documents/{gone}")
        assert (await live.client.get(f"/api/documents/{gone}/pages/1.png")).status_code == 404
        assert len(list((store / "pages").rglob("*.png"))) == 1
        assert all(one.level == "ok" for one in await live.app.doctor.examine())


@pytest.mark.slow
async def test_a_picture_drawn_while_its_document_is_deleted_is_not_kept(tmp_path, monkeypatch):
    store = tmp_path / "store"
    async with in_loop(store) as live:
        id_ = await live.add("书.pdf", book())

        async def late(*args):
            data = await answer_of_child(*args)
            await live.app.documents.delete(id_)
            return data

        monkeypatch.setattr(pictures, "answer_of_child", late)
        assert (await live.client.get(f"/api/documents/{id_}/pages/1.png")).status_code == 404
        assert not list((store / "pages").rglob("*.png"))
        assert all(one.level == "ok" for one in await live.app.doctor.examine())


@pytest.mark.slow
async def test_pictures_of_what_is_gone_are_found_and_removed(tmp_path):
    store = tmp_path / "store"
    async with in_loop(store) as live:
        await live.add("规定.md", RULES)
        left = store / "pages" / f"999-{'0' * 16}"
        left.mkdir(parents=True)
        (left / "1-x.png").write_bytes(b"left")
        assert {one.check for one in await live.app.doctor.examine() if one.level != "ok"} == {"残留页面图像"}
        await live.app.documents.purge.residue()
        assert not left.exists()
        assert all(one.level == "ok" for one in await live.app.doctor.examine())


@pytest.mark.slow
async def test_an_original_that_is_missing_and_a_page_that_fails_are_told(tmp_path, monkeypatch):
    async with in_loop(tmp_path / "store") as live:
        id_ = await live.add("书.pdf", book())
        place = f"/api/documents/{id_}/pages/1.png"
        monkeypatch.setattr(pictures, "TIMEOUT_S", 0.01)
        slow = await live.client.get(place)
        assert (slow.status_code, slow.json()["code"]) == (422, "picture_failed")
        for path in (tmp_path / "store" / "blobs").rglob("*"):
            if path.is_file():
                path.unlink()
        missing = await live.client.get(place)
        assert (missing.status_code, missing.json()["code"]) == (503, "original_missing")


@pytest.mark.slow
async def test_no_more_pages_are_drawn_at_once_than_may_be(tmp_path, monkeypatch):
    running, most = [0], [0]

    async def watched(*args):
        running[0] += 1
        most[0] = max(most[0], running[0])
        try:
            return await answer_of_child(*args)
        finally:
            running[0] -= 1

    monkeypatch.setattr(pictures, "answer_of_child", watched)
    async with in_loop(tmp_path / "store") as live:
        id_ = await live.add("书.pdf", pdf([lines(50, 60, [f"第{n}页。{SAID[0]}"]) for n in range(8)]))
        places = [f"/api/documents/{id_}/pages/{n}.png" for n in range(1, 9)]
        sent = await asyncio.gather(*(live.client.get(place) for place in places))
        assert {one.status_code for one in sent} == {200}
        assert most[0] == pictures.AT_ONCE


@pytest.mark.slow
def test_the_command_line_saves_a_page(tmp_path):
    written(tmp_path, "书.pdf", book())
    assert ran(started(["add", "书.pdf"], tmp_path)).code == 0
    assert ran(started(["docs", "page", "书", "2", "--out", "二.png"], tmp_path)).out == "已存到 二.png\n"
    assert image((tmp_path / "二.png").read_bytes()).size == (612, 917)
    beyond = ran(started(["docs", "page", "书", "4", "--out", "四.png"], tmp_path))
    assert (beyond.code, "1 到 3" in beyond.err) == (1, True)
    nowhere = ran(started(["docs", "page", "书", "2", "--out", "无/二.png"], tmp_path))
    assert (nowhere.code, "无法写入" in nowhere.err) == (1, True)
