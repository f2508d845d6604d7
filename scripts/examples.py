"""The examples of the OpenAPI description, from real answers on a sample book: python scripts/examples.py.

They are written to src/youju/api/examples.json as "METHOD path" → {"request": …, "responses": {status: …}}. Ids, times
and seconds are those of the run; lists are cut to their first item, so that a reader sees the shape.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from youju import samples
from youju.api.app import create_app
from youju.settings import Settings

TARGET = Path(__file__).parent.parent / "src" / "youju" / "api" / "examples.json"
BOOK = Path(samples.__file__).parent / "books" / "云麓仪器员工管理规定.pdf"
QUESTION = "住在亲友家，每夜补助多少元？"
NOTHING = {"question": "zzz", "settings": {"vector_top_k": 0}}
FIRST = 1
CASE = {
    "id": "t1",
    "category": "factual",
    "question": QUESTION,
    "answerable": True,
    "expected_docs": [["云麓仪器员工管理规定"]],
}
SET = json.dumps(CASE, ensure_ascii=False)
WRONG = json.dumps(CASE | {"category": "facts"}, ensure_ascii=False)
Call = Callable[..., Awaitable[Any]]


async def examples() -> dict[str, Any]:
    """What a caller sends and gets, by "METHOD path"."""
    made: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        api = create_app(Settings(data=Path(folder)))
        transport = httpx.ASGITransport(api)
        async with (
            api.router.lifespan_context(api),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=300) as client,
        ):
            await _walked(client, made)
    return made


async def _walked(client: httpx.AsyncClient, made: dict[str, Any]) -> None:
    async def call(method: str, path: str, *, at: str = "", **sent: Any) -> Any:  # noqa: ANN401 - JSON
        answer = await client.request(method, path, **sent)
        one = made.setdefault(f"{method} {at or path}", {"responses": {}})
        if "json" in sent and answer.is_success:
            one["request"] = sent["json"]
        if answer.content:
            one["responses"][str(answer.status_code)] = _cut(answer.json())
        return answer.json() if answer.content else None

    form = {"files": {"file": (BOOK.name, BOOK.read_bytes())}, "data": {"collection": "人事"}}
    document = "/api/documents/{document_id}"
    id_ = (await call("POST", "/api/documents", **form))["document_id"]
    while (await client.get(f"/api/documents/{id_}")).json()["status"] != "READY":  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.1)
    await call("GET", f"/api/documents/{id_}", at=document)
    await call("GET", "/api/documents")
    await call("GET", f"/api/documents/{id_}/chunks", at=f"{document}/chunks")
    await call("POST", "/api/documents/preview", files=form["files"])
    for action in ("disable", "enable", "retry", "cancel", "reembed"):
        await call("POST", f"/api/documents/{id_}/{action}", at=f"{document}/{action}")
    await call("PUT", f"/api/documents/{id_}/content", at=f"{document}/content", files=form["files"])
    await call("POST", f"/api/documents/{id_}/rechunk", at=f"{document}/rechunk", params={"strategy": "law"})
    await call("GET", "/api/documents/d0", at=document)
    await call("POST", "/api/retrieve", json={"question": QUESTION, "top_k": 1})
    said = await call("POST", "/api/chat", json={"question": QUESTION, "collection": "人事"})
    await call("POST", "/api/chat", json=NOTHING)
    await call("POST", "/api/chat", json={"question": QUESTION, "top_k": "5"})
    trace = "/api/chats/{trace_id}"
    await call("GET", "/api/chats")
    await call("GET", f"/api/chats/{said['trace_id']}", at=trace)
    await call("POST", f"/api/chats/{said['trace_id']}/feedback", at=f"{trace}/feedback", json={"rating": "up"})
    await call("POST", f"/api/chats/{said['trace_id']}/case", at=f"{trace}/case", json={"set": "来自评价"})
    await call("DELETE", f"/api/chats/{said['trace_id']}", at=trace)
    await call("GET", "/api/collections")
    place = "/api/collections/{collection_id}"
    shelf = (await call("POST", "/api/collections", json={"name": "制度"}))["id"]
    await call("PATCH", f"/api/collections/{shelf}", at=place, json={"name": "规章制度", "strategy": "law"})
    await call("DELETE", f"/api/collections/{shelf}", at=place)
    await _evaluated(client, call)
    await call("DELETE", f"/api/documents/{id_}", at=document)
    await call("GET", "/healthz")
    await call("GET", "/readyz")


async def _evaluated(client: httpx.AsyncClient, call: Call) -> None:
    place, set_, run = "/api/evals", "/api/evals/sets/{name}", "/api/evals/runs/{run}"
    await call("POST", f"{place}/sets", files={"file": ("差旅.jsonl", SET.encode())})
    await call("POST", f"{place}/sets", files={"file": ("差旅.jsonl", WRONG.encode())})
    await call("GET", f"{place}/sets")
    await call("GET", f"{place}/sets/差旅", at=set_)
    await call("POST", f"{place}/sets/差旅/audit", at=f"{set_}/audit")
    asked = {"set": "差旅", "arms": ["V1", "chat"], "despite_audit": True}
    one = (await call("POST", f"{place}/runs", json=asked))["run"]
    while (await client.get(f"{place}/runs/{one}")).json()["state"] == "running":  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.1)
    await call("GET", f"{place}/runs")
    await call("GET", f"{place}/runs/{one}", at=run)
    await call("GET", f"{place}/runs/{one}/report.json", at=f"{run}/report.json")
    await call("POST", f"{place}/runs/{one}/resume", at=f"{run}/resume")
    await call("POST", f"{place}/compare", json={"before": one, "after": one, "arm": "V1", "other": "chat"})
    await call("POST", f"{place}/gate", json={"baseline": one, "run": one})


def _cut(value: Any) -> Any:  # noqa: ANN401 - JSON
    """With the first item of each list of objects."""
    if isinstance(value, dict):
        return {name: _cut(one) for name, one in value.items()}
    if isinstance(value, list):
        objects = any(isinstance(one, dict) for one in value)
        return [_cut(one) for one in (value[:FIRST] if objects else value[:3])]
    return value


if __name__ == "__main__":
    text = json.dumps(asyncio.run(examples()), ensure_ascii=False, indent=1)
    TARGET.write_text(text + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {len(text)} characters")
