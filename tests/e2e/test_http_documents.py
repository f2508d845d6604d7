"""Documents over HTTP: uploads that are whole or leave nothing, versions, and everything one can do to them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from apps import MANUAL, RULES
from http_service import answer, in_loop, on_port, raw, until

MIB = 1 << 20
BOUNDARY = "----b"


def partials(folder: Path) -> list[Path]:
    return list((folder / "blobs").glob("partial-*"))


def part(name: str, content: bytes, *, file_name: str | bytes | None = None) -> bytes:
    given = file_name.encode() if isinstance(file_name, str) else file_name
    file = b"" if given is None else b'; filename="' + given + b'"'
    head = b'--%b\r\nContent-Disposition: form-data; name="%b"%b\r\n\r\n'
    return head % (BOUNDARY.encode(), name.encode(), file) + content + b"\r\n"


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--%b--\r\n" % BOUNDARY.encode()


def posted(body: bytes, path: str = "/api/documents", length: int | None = None) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary={BOUNDARY}\r\n"
        f"Content-Length: {len(body) if length is None else length}\r\n\r\n"
    )
    return head.encode() + body


async def test_an_upload_is_accepted_and_becomes_ready_in_the_background(tmp_path):
    async with in_loop(tmp_path) as live:
        sent = await live.client.post(
            "/api/documents", files={"file": ("规定.md", RULES)}, data={"collection": "人事", "title": "报销"}
        )
        assert sent.status_code == 202
        assert sent.json() | {"document_id": ""} == {
            "document_id": "",
            "version": 1,
            "status": "UPLOADED",
            "duplicate": False,
        }
        one = await live.settled(sent.json()["document_id"])
    assert (one["status"], one["title"], one["collection"], one["file_name"]) == ("READY", "报销", "人事", "规定.md")
    assert one["chunks"] > 0
    assert one["timeline"][0]["phase"] == "PARSING"


async def test_the_same_bytes_are_the_same_document_and_the_same_name_is_a_new_version(tmp_path):
    async with in_loop(tmp_path) as live:
        first = await live.add("规定.md", RULES)
        again = (await live.client.post("/api/documents", files={"file": ("规定.md", RULES)})).json()
        other = (await live.client.post("/api/documents", files={"file": ("规定.md", MANUAL)})).json()
        one = await live.settled(first)
    assert again == {"document_id": first, "version": 1, "status": "READY", "duplicate": True}
    assert (other["document_id"], other["version"]) == (first, 2)
    assert one["version"] == 2


async def test_twenty_uploads_of_one_file_at_once_are_one_document(tmp_path):
    async with on_port(tmp_path) as live:

        async def send() -> str:
            while True:
                sent = await live.client.post("/api/documents", files={"file": ("规定.md", RULES)})
                if sent.status_code != 503:
                    return sent.json()["document_id"]
                await asyncio.sleep(0.1)

        ids = await asyncio.gather(*(send() for _ in range(20)))
        one = await live.settled(ids[0])
        listed = (await live.client.get("/api/documents")).json()
    assert len(set(ids)) == 1
    assert one["status"] == "READY"
    assert listed["total"] == 1


async def test_named_content_replaces_this_very_document_whatever_the_file_is_called(tmp_path):
    async with in_loop(tmp_path) as live:
        first = await live.add("规定.md", RULES)
        other = await live.add("别的.md", "# 别的\n\n别的内容写在这里。\n")
        sent = await live.client.put(f"/api/documents/{first}/content", files={"file": ("手册.txt", MANUAL)})
        one = await live.settled(first)
        same = await live.client.put(f"/api/documents/{first}/content", files={"file": ("x.md", MANUAL)})
        taken = await live.client.put(f"/api/documents/{other}/content", files={"file": ("x.md", MANUAL)})
        unknown = await live.client.put("/api/documents/d0/content", files={"file": ("x.md", MANUAL)})
    assert (sent.status_code, sent.json()["version"]) == (202, 2)
    assert (one["version"], one["file_name"], one["title"]) == (2, "规定.md", "规定")
    assert same.json()["duplicate"] is True
    assert (taken.status_code, taken.json()["code"]) == (409, "same_content")
    assert unknown.status_code == 404


@pytest.mark.parametrize("announced", [True, False])
async def test_a_file_over_the_limit_is_refused_before_it_has_all_come(tmp_path, announced):
    body = part("file", b"x" * (MIB + 1000), file_name="a.md")
    async with on_port(tmp_path, ingest={"max_file_mib": 1}) as live:
        if announced:
            sent = posted(body[:100], length=300 * MIB)
        else:
            head = posted(b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
            # The last chunk never comes.
            sent = head + b"%x\r\n%b\r\n" % (len(body), body)
        status, _, told = await raw(live.address, sent)
        assert status == 413
        assert "1 MiB" in told.decode()
        assert partials(tmp_path) == []
        listed = (await live.client.get("/api/documents")).json()
    assert listed["total"] == 0


async def test_a_file_just_at_the_limit_is_taken(tmp_path):
    line = "这一行有几个字，用来填满文件。\n".encode()
    text = (line * (MIB // len(line) + 1))[: MIB - 2].decode(errors="ignore").encode()
    async with in_loop(tmp_path, ingest={"max_file_mib": 1}) as live:
        sent = await live.client.post("/api/documents", files={"file": ("a.txt", text)})
    assert sent.status_code == 202


async def test_a_half_sent_upload_leaves_nothing_behind(tmp_path):
    body = part("file", b"x" * 600_000, file_name="a.md")
    async with on_port(tmp_path) as live:
        host, port = live.address.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(posted(body, length=len(body) + 5000))
        await writer.drain()
        await until(lambda: partials(tmp_path))
        writer.transport.abort()
        await until(lambda: not partials(tmp_path))
        listed = (await live.client.get("/api/documents")).json()
        assert live.api.state.service.uploads.taken == 0
    assert listed["total"] == 0


async def test_an_upload_is_on_the_disk_and_not_in_memory(tmp_path):
    async with on_port(tmp_path) as live:
        host, port = live.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        body = form(part("file", b"x" * (20 * MIB), file_name="a.txt"))
        writer.write(posted(body[: 10 * MIB], length=len(body)))
        await writer.drain()
        await until(lambda: sum(one.stat().st_size for one in partials(tmp_path)) > 9 * MIB)
        writer.write(body[10 * MIB :])
        status, _, _ = await answer(reader)
        writer.close()
    assert status == 202


@pytest.mark.parametrize(
    "file_name, kept",
    [
        ("../../etc/手册.md", "手册.md"),
        ("C:\\资料\\手册.md", "手册.md"),
        ("🙂 笑.md", "🙂 笑.md"),
        ("长" * 300 + ".md", "长" * 252 + ".md"),
        ("a\u202eb.md", "ab.md"),
        ("手册.md".encode("gb18030"), "手册.md"),
        ("大写.MD", "大写.MD"),
    ],
)
async def test_a_file_name_is_kept_as_far_as_it_is_one(tmp_path, file_name, kept):
    async with on_port(tmp_path) as live:
        status, _, told = await raw(live.address, posted(form(part("file", RULES.encode(), file_name=file_name))))
        assert status == 202, told
        listed = (await live.client.get("/api/documents")).json()
    assert listed["documents"][0]["file_name"] == kept


@pytest.mark.parametrize(
    "body, status, code",
    [
        (form(part("file", b"x", file_name="")), 400, "no_file_name"),
        (form(part("file", b"x", file_name="..")), 422, "unsupported_format"),
        (form(part("file", b"x", file_name="a.exe")), 422, "unsupported_format"),
        (form(part("file", b"x")), 400, "no_file_name"),
        (form(part("other", b"x")), 422, "invalid"),
        (form(part("title", b"\xff\xfe"), part("file", b"x", file_name="a.md")), 400, "bad_form"),
        (form(part("title", b"x" * 5000), part("file", b"x", file_name="a.md")), 413, "too_large"),
        (form(part("file", b"x", file_name="a.md"), part("file", b"y", file_name="b.md")), 422, "invalid"),
        (form(part("title", b"x"), part("title", b"y"), part("file", b"y", file_name="b.md")), 422, "invalid"),
        (part("file", b"x", file_name="a.md"), 400, "bad_form"),
        (form(), 422, "invalid"),
        (b"", 400, "bad_form"),
        (b"nonsense", 400, "bad_form"),
        (form(part("collection", "长".encode() * 201), part("file", b"x", file_name="a.md")), 400, "bad_collection"),
    ],
)
async def test_a_form_that_is_none_is_refused_and_leaves_nothing(tmp_path, body, status, code):
    async with on_port(tmp_path) as live:
        got, headers, told = await raw(live.address, posted(body))
        listed = (await live.client.get("/api/documents")).json()
    assert (got, headers["content-type"]) == (status, "application/problem+json")
    assert f'"code": "{code}"' in told.decode()
    assert partials(tmp_path) == []
    assert listed["total"] == 0


async def test_an_encoded_file_name_is_read(tmp_path):
    name = b"filename*=UTF-8''%E6%89%8B%E5%86%8C.md"
    sent = part("file", b"x").replace(b'"file"', b'"file"; ' + name)
    async with on_port(tmp_path) as live:
        status, _, _ = await raw(live.address, posted(form(sent)))
        listed = (await live.client.get("/api/documents")).json()
    assert status == 202
    assert listed["documents"][0]["file_name"] == "手册.md"


async def test_a_list_is_paged_and_filtered(tmp_path):
    async with in_loop(tmp_path) as live:
        for name, text in (("一.md", RULES), ("二.md", MANUAL)):
            await live.add(name, text, collection=name[0])
        bad = (await live.client.post("/api/documents", files={"file": ("坏.md", "\n")})).json()["document_id"]
        failed = await live.settled(bad)
        second = (await live.client.get("/api/documents?per_page=1&page=2")).json()
        of_two = (await live.client.get("/api/documents", params={"collection": "二"})).json()
        wrong = (await live.client.get("/api/documents?status=FAILED")).json()
        beyond = (await live.client.get("/api/documents?page=99")).json()
    assert failed["failure"]["remedy"]
    assert ([one["title"] for one in second["documents"]], second["total"], second["page"]) == (["二"], 3, 2)
    assert [one["title"] for one in of_two["documents"]] == ["二"]
    assert [one["document_id"] for one in wrong["documents"]] == [bad]
    assert (beyond["documents"], beyond["total"]) == ([], 3)


async def test_a_document_is_disabled_enabled_read_and_deleted(tmp_path):
    asked = {"question": "住宿费的上限是多少？"}
    async with in_loop(tmp_path) as live:
        id_ = await live.add("规定.md", RULES)
        off = (await live.client.post(f"/api/documents/{id_}/disable")).json()
        hidden = (await live.client.post("/api/chat", json=asked)).json()
        on = (await live.client.post(f"/api/documents/{id_}/enable")).json()
        chunks = (await live.client.get(f"/api/documents/{id_}/chunks?per_page=1")).json()
        text = await live.client.get(f"/api/documents/{id_}/content.md")
        receipt = (await live.client.delete(f"/api/documents/{id_}")).json()
        gone = await live.client.get(f"/api/documents/{id_}")
        findings = await live.app.doctor.examine()
    assert (off["enabled"], on["enabled"]) == (False, True)
    assert hidden["scope"]["excluded"] == [{"id": id_, "status": "DISABLED"}]
    assert len(chunks["chunks"]) == 1
    assert chunks["total"] > 1
    assert "第十二条" in text.text
    assert text.headers["content-type"] == "text/markdown; charset=utf-8"
    assert (receipt["title"], receipt["blobs"]) == ("规定", 1)
    assert gone.status_code == 404
    assert not [one for one in findings if one.level == "fault"]


async def test_pages_are_marked_in_the_text(tmp_path):
    from youju import samples

    book = next(Path(samples.__file__).parent.glob("books/函数入门.pdf"))
    async with in_loop(tmp_path) as live:
        id_ = await live.add("函数.pdf", book.read_bytes())
        text = (await live.client.get(f"/api/documents/{id_}/content.md")).text
    assert "<!-- 第 1 页 -->" in text
    assert "<!-- 第 4 页，印 1 -->" in text


@pytest.mark.parametrize("action", ["retry", "cancel"])
async def test_what_needs_no_mending_is_a_conflict(tmp_path, action):
    async with in_loop(tmp_path) as live:
        id_ = await live.add("规定.md", RULES)
        answered = await live.client.post(f"/api/documents/{id_}/{action}")
    assert (answered.status_code, answered.json()["code"]) == (409, f"nothing_to_{action}")


async def test_a_failed_document_is_tried_again(tmp_path):
    async with in_loop(tmp_path) as live:
        id_ = (await live.client.post("/api/documents", files={"file": ("坏.md", "\n")})).json()["document_id"]
        await live.settled(id_)
        again = await live.client.post(f"/api/documents/{id_}/retry")
        after = await live.settled(id_)
    assert (again.status_code, again.json()["status"]) == (200, "UPLOADED")
    assert after["status"] == "FAILED"


async def test_vectors_are_made_again_in_the_background(tmp_path):
    async with in_loop(tmp_path) as live:
        id_ = await live.add("规定.md", RULES)
        asked = await live.client.post(f"/api/documents/{id_}/reembed")
        await until(lambda: not live.api.state.service.later.tasks)
        found = (await live.client.post("/api/retrieve", json={"question": "住宿费"})).json()
    assert asked.status_code == 202
    assert "vector" in found["chunks"][0]["ranks"]


async def test_a_disk_that_takes_a_part_gets_the_rest(tmp_path):
    from youju.ingest.intake import _write

    class Narrow:
        def __init__(self) -> None:
            self.taken = b""

        def write(self, piece) -> int:
            self.taken += bytes(piece[:3])
            return min(3, len(piece))

    narrow = Narrow()
    _write(narrow, b"0123456789")
    assert narrow.taken == b"0123456789"


async def test_a_preview_stores_nothing(tmp_path):
    async with in_loop(tmp_path) as live:
        made = (await live.client.post("/api/documents/preview?first=1", files={"file": ("规定.md", RULES)})).json()
        listed = (await live.client.get("/api/documents")).json()
    assert made["title"] == "规定"
    assert len(made["first"]) == 1
    assert listed["total"] == 0
    assert list((tmp_path / "blobs").glob("*")) == []


async def test_collections_are_made_renamed_and_removed(tmp_path):
    async with in_loop(tmp_path) as live:
        made = await live.client.post("/api/collections", json={"name": " 人事 "})
        again = await live.client.post("/api/collections", json={"name": "人事"})
        nameless = await live.client.post("/api/collections", json={"name": "\u200b"})
        id_ = made.json()["id"]
        named = await live.client.patch(f"/api/collections/{id_}", json={"name": "行政"})
        document = await live.add("规定.md", RULES, collection="行政")
        body = (await live.client.post("/api/chat", json={"question": "住宿费的上限", "collection": "行政"})).json()
        kept = await live.client.delete(f"/api/collections/{id_}")
        gone = await live.client.delete(f"/api/collections/{id_}?force=true")
        left = (await live.client.get("/api/collections")).json()
        unknown = await live.client.delete(f"/api/collections/{id_}")
    assert (made.status_code, made.json()["name"]) == (201, "人事")
    assert (again.status_code, again.json()["code"]) == (409, "name_taken")
    assert (nameless.status_code, nameless.json()["code"]) == (400, "bad_collection")
    assert named.json()["name"] == "行政"
    assert body["scope"]["documents"] == [document]
    assert (kept.status_code, kept.json()["code"]) == (409, "not_empty")
    assert [one["document_id"] for one in gone.json()["documents"]] == [document]
    assert left == {"collections": []}
    assert unknown.status_code == 404
