"""The OpenAPI description and the service say the same: generated requests, and its examples."""

from __future__ import annotations

import asyncio
import copy
import json
import threading

import httpx
import jsonschema_rs
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import questions
from apps import MANUAL, RULES
from http_service import on_port, until
from youju.api.app import create_app
from youju.api.openapi import examples
from youju.settings import Settings

QUESTIONS = "\n".join(json.dumps(one) for one in questions.rows())
DESCRIBED = create_app(Settings()).openapi()
schema = schemathesis.openapi.from_dict(copy.deepcopy(DESCRIBED))
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Of a service in a thread of its own, with two documents: schemathesis is no coroutine."""
    told, ended = [], threading.Event()

    async def serve() -> None:
        async with on_port(tmp_path_factory.mktemp("schema")) as live:
            await live.add("手册.md", MANUAL)
            await live.add("规定.md", RULES, collection="人事")
            told.append(live.address)
            await until(ended.is_set)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    while not told:
        assert thread.is_alive()
        thread.join(0.05)
    yield told[0]
    ended.set()
    thread.join()


@pytest.fixture(scope="module")
def client(address):
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as one:
        yield one


@pytest.fixture(scope="module")
def session():
    with requests.Session() as one:
        yield one


@pytest.mark.slow
@schema.parametrize()
@settings(
    max_examples=6,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_what_is_generated_is_answered_as_declared(case, client, session):
    case.call_and_validate(session=session, base_url=str(client.base_url), checks=CHECKS)
    if case.path_parameters:
        # The same once more about something that is there.
        case.path_parameters = {name: existing(client, name) for name in case.path_parameters}
        case.call_and_validate(session=session, base_url=str(client.base_url), checks=CHECKS)


def existing(client: httpx.Client, name: str) -> str:
    """The id of a document, trace or collection, made where there is none any more; a page that may be there."""
    if name == "n":
        return "1"
    path, key, id_, made = {
        "document_id": ("/api/documents", "documents", "document_id", {"files": {"file": ("手册.md", MANUAL)}}),
        "trace_id": ("/api/chats", "chats", "trace_id", {"json": {"question": "默认值是多少？"}}),
        "name": ("/api/evals/sets", "sets", "name", {"files": {"file": ("对照.jsonl", QUESTIONS)}}),
        "run": ("/api/evals/runs", "runs", "run", {"json": {"set": "对照", "arms": ["V1"], "despite_audit": True}}),
        "collection_id": ("/api/collections", "collections", "id", {"json": {"name": "新的"}}),
    }[name]
    if name == "run":
        existing(client, "name")
    while not (found := client.get(path).json()[key]):
        client.post("/api/chat" if name == "trace_id" else path, **made)
    return found[0][id_]


@pytest.mark.parametrize("place, status", [(place, s) for place, one in examples().items() for s in one["responses"]])
def test_an_example_fits_what_is_declared(place, status):
    method, path = place.split()
    content = DESCRIBED["paths"][path][method.lower()]["responses"][status]["content"]
    shape = next(one for one in content.values() if "example" in one)
    whole = shape["schema"] | {"components": DESCRIBED["components"]}
    jsonschema_rs.validator_for(whole).validate(shape["example"])
    assert set(shape["example"]) <= set(fields(shape["schema"]))


def fields(shape: dict) -> list[str]:
    return DESCRIBED["components"]["schemas"][shape["$ref"].rsplit("/", 1)[1]]["properties"]


def test_every_operation_that_answers_in_json_has_an_example():
    shown = [
        (method, path, status)
        for path, operations in DESCRIBED["paths"].items()
        for method, one in operations.items()
        for status, answer in one["responses"].items()
        if status[0] == "2" and "application/json" in answer.get("content", {})
        if "example" not in answer["content"]["application/json"]
    ]
    # A document has to fail first, or to be on its way; a run to be cut off.
    conflicts = [("post", f"/api/documents/{{document_id}}/{action}", "200") for action in ("retry", "cancel")]
    assert shown == [*conflicts, ("post", "/api/evals/runs/{run}/resume", "202")]


def test_nothing_is_fetched_from_elsewhere():
    assert "http" not in str(DESCRIBED).replace("http_", "")
