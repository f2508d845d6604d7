"""Requests nobody should send. Every one is answered with a problem, or an answer; none breaks anything."""

from __future__ import annotations

import json

import pytest
import pytest_asyncio

from apps import MANUAL
from http_service import on_port, raw

JSON = "application/json"
LIVING = "d000000000000"
ROUTES = [
    ("POST", "/api/chat"),
    ("POST", "/api/retrieve"),
    ("POST", "/api/documents"),
    ("POST", "/api/documents/preview"),
    ("PUT", f"/api/documents/{LIVING}/content"),
    ("POST", f"/api/documents/{LIVING}/retry"),
    ("POST", f"/api/documents/{LIVING}/disable"),
    ("POST", "/api/collections"),
    ("PATCH", "/api/collections/c0"),
    ("DELETE", f"/api/documents/{LIVING}"),
    ("DELETE", "/api/collections/c0"),
]
TEXTS = [
    "",
    " ",
    "\0",
    "\u200b\ufeff",
    "🙂🙃",
    "的了吗呢",
    "？！。，",
    "长" * 10_000,
    "a" * 4000,
    "' OR 1=1 --",
    '"; DROP TABLE chunk;',
    "<script>alert(1)</script>",
    "{{7*7}} ${7*7} %s %n",
    "../../etc/passwd",
    "\r\nSet-Cookie: a=b",
    "NEAR(a b) AND * OR ^ : \" ' ( )",
    "e\u0301" * 500,
    "\u202e倒过来",
    "ﷺ" * 200,
    "A" + "\u0300" * 2000,
]
LONE = '{"question": "\\ud800 有吗"}'
BODIES = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"1",
    b'"text"',
    b"\xff\xfe{}",
    b"\x00",
    '{"question": "x"}'.encode("utf-16"),
    b'{"question": NaN}',
    b'{"question": "x", "settings": {"rrf_k": Infinity}}',
    b'{"question": "x", "settings": {"rrf_k": 1e999}}',
    b'{"question": "x", "top_k": ' + b"9" * 5000 + b"}",
    b'{"question": "x", "top_k": ' + b"9" * 400 + b"}",
    b'{"question": "x", "top_k": -1}',
    b'{"question": "x", "top_k": 1.5}',
    b'{"question": "x", "top_k": true}',
    b'{"question": "x", "top_k": "5"}',
    b'{"question": 5}',
    b'{"question": ["x"]}',
    b'{"question": {"a": 1}}',
    b'{"question": null}',
    b'{"question": "x", "document_ids": "d1"}',
    b'{"question": "x", "document_ids": [null]}',
    b'{"question": "x", "document_ids": [' + b",".join([b'"d"'] * 1001) + b"]}",
    b'{"question": "x", "collection": 5}',
    b'{"question": "x", "settings": []}',
    b'{"question": "x", "settings": {"nix": 1}}',
    b'{"question": "x", "settings": {"\\ud800": 1}}',
    b'{"question": "x", "settings": {"rrf_k": {"a": 1}}}',
    b'{"question": "x", "settings": {"rrf_k": null}}',
    b'{"question": "x", "settings": {"expand": "\\ud800"}}',
    b'{"question": "x", "\\ud800": 1}',
    b'{"question": "x", "__proto__": {}}',
    b'{"question": "x", "stream": "yes"}',
    b'{"name": 5}',
    b'{"name": "\\u0000"}',
    b'{"name": "\\ud800"}',
    b"[" * 100_000 + b"]" * 100_000,
    b'{"question": ' * 5000,
    b'{"question": "' + b"x" * (300 << 10) + b'"}',
]
PATHS = [
    "/",
    "//",
    "/api",
    "/api/",
    "/api/chat/",
    "/API/CHAT",
    "/api/documents/",
    "/api/documents/%00",
    "/api/documents/%ff%fe",
    "/api/documents/" + "x" * 5000,
    "/api/documents/..%2f..%2fetc%2fpasswd",
    "/api/documents/../../etc/passwd",
    "/api/documents/%F0%9F%99%82",
    "/api/documents/' OR 1=1",
    "/api/documents/d1/chunks",
    "/api/documents/d1/content.md",
    "/api/documents/d1/nix",
    "/api/collections/c1",
    "/docs",
    "/redoc",
    "/api/documents?page=0",
    "/api/documents?page=-1",
    "/api/documents?page=99999999999999999999",
    "/api/documents?page=x",
    "/api/documents?per_page=100000",
    "/api/documents?status=NIX",
    "/api/documents?page=1&page=2",
    "/api/documents?collection=%ff",
    "/api/documents?collection=%00",
    "/api/documents?collection=" + "x" * 20_000,
    "/api/documents?" + "&".join(f"a{n}=1" for n in range(2000)),
    "/healthz?x=%",
    "/api/chats/%00",
]
METHODS = ["OPTIONS", "TRACE", "HEAD", "PROPFIND", "PUT", "DELETE", "PATCH", "GET", "FOO"]
HEADS = [
    ("Host: evil.example", 403),
    ("Host: localhost:8710\r\nOrigin: http://evil.example", 403),
    ("Host: localhost\r\nOrigin: null", 403),
    ("Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example", 403),
    ("Host: localhost\r\nContent-Length: 99999999999999999999", 413),
    ("Host: localhost\r\nContent-Length: 300000", 413),
    ("Host: localhost\r\nContent-Length: -1", 400),
    ("Host: localhost\r\nContent-Length: 5\r\nContent-Length: 6", 400),
    ("Host: localhost\r\nContent-Length: x", 400),
    ("Host: localhost\r\nX: " + "x" * 100_000, 400),
]
KINDS = [
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=" + "x" * 5000,
    "application/xml",
    "application/json-patch+json",
    "text/json",
    ";;;",
    "\xff",
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def live(tmp_path_factory):
    async with on_port(tmp_path_factory.mktemp("odd")) as one:
        await one.add("手册.md", MANUAL)
        yield one


def request(method: str, path: str, body: bytes, kind: str = JSON, host: str = "Host: localhost") -> bytes:
    typed = f"Content-Type: {kind}\r\n" if kind else ""
    # A path goes out as it stands, but for spaces, which end it.
    head = f"{method} {path.replace(' ', '%20')} HTTP/1.1\r\n{host}\r\n{typed}Content-Length: {len(body)}\r\n\r\n"
    return head.encode("latin-1") + body


def check(status: int, headers: dict[str, str], body: bytes) -> None:
    """An answer, or a problem that has all its members and shows nothing internal."""
    assert 200 <= status < 500
    if status >= 400:
        assert headers["content-type"] == "application/problem+json"
        problem = json.loads(body) if body else None
        assert problem is None or {"type", "title", "status", "detail", "code", "message", "remedy"} <= set(problem)
        assert problem is None or problem["status"] == status
        assert b"Traceback" not in body


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
@pytest.mark.parametrize("path", ["/api/chat", "/api/retrieve"])
async def test_an_odd_question_is_answered_or_refused(live, path, text):
    body = json.dumps({"question": text}).encode()
    check(*await raw(live.address, request("POST", path, body)))


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
async def test_an_odd_name_is_taken_or_refused(live, text):
    asked = {"question": "默认值是多少？", "collection": text, "document_ids": [text]}
    check(*await raw(live.address, request("POST", "/api/chat", json.dumps(asked).encode())))
    check(*await raw(live.address, request("POST", "/api/collections", json.dumps({"name": text}).encode())))


@pytest.mark.parametrize("body", [*BODIES, LONE.encode()], ids=range(len(BODIES) + 1))
@pytest.mark.parametrize("method, path", [ROUTES[0], ROUTES[1], ROUTES[7], ROUTES[8], ROUTES[5]])
async def test_an_odd_body_is_a_problem(live, method, path, body):
    status, headers, told = await raw(live.address, request(method, path, body))
    check(status, headers, told)
    if body != LONE.encode():
        assert status >= 400


@pytest.mark.parametrize("path", PATHS, ids=range(len(PATHS)))
async def test_an_odd_address_is_a_problem(live, path):
    check(*await raw(live.address, request("GET", path, b"", kind="")))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("path", ["/api/chat", "/api/documents", "/healthz", "/nix"])
async def test_an_odd_method_is_a_problem(live, method, path):
    check(*await raw(live.address, request(method, path, b"{}")))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method, path", ROUTES)
async def test_a_body_of_another_kind_is_refused(live, method, path, kind):
    status, headers, told = await raw(live.address, request(method, path, b"a=1", kind=kind))
    check(status, headers, told)
    assert status in ({400, 404, 415} if "boundary" in kind else {404, 415})


@pytest.mark.parametrize("host, status", HEADS, ids=range(len(HEADS)))
async def test_an_odd_head_is_refused(live, host, status):
    head = f"POST /api/chat HTTP/1.1\r\n{host}\r\nContent-Type: application/json\r\n\r\n"
    got, headers, body = await raw(live.address, head.encode())
    assert got == status
    # What is no HTTP at all never reaches us.
    if got != 400:
        check(got, headers, body)


@pytest.mark.parametrize("path", ["/api/chat", "/api/documents", "/healthz"])
async def test_no_page_of_another_site_is_served(live, path):
    sent = request("POST", path, b"{}", host="Host: 127.0.0.1\r\nOrigin: https://evil.example")
    status, headers, body = await raw(live.address, sent)
    check(status, headers, body)
    assert (status, json.loads(body)["code"]) == (403, "bad_origin")
    assert "access-control-allow-origin" not in headers


async def test_a_body_that_never_ends_is_cut_off(live):
    head = b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    status, headers, body = await raw(live.address, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 5)
    check(status, headers, body)
    assert status == 413


async def test_a_body_that_ends_early_does_no_harm(live):
    sent = request("POST", "/api/chat", b"{}").replace(b"Content-Length: 2", b"Content-Length: 200")
    await raw(live.address, sent, ends=True)
    check(*await raw(live.address, request("GET", "/healthz", b"", kind="")))


@pytest.mark.parametrize("path", ["/api/documents", "/healthz", "/nix"])
async def test_nothing_can_be_taken_for_a_page_or_embedded_in_one(live, path):
    _, headers, _ = await raw(live.address, request("GET", path, b"", kind=""))
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"


async def test_after_all_that_it_still_answers(live):
    answer = await live.client.post("/api/chat", json={"question": "LOG_KEEP_DAYS 决定什么？"})
    assert answer.status_code == 200
    service = live.api.state.service
    assert (service.answers.taken, service.searches.taken, service.uploads.taken) == (0, 0, 0)
