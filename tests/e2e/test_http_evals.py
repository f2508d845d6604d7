"""Evaluations over HTTP: sets in and audited, runs beside questions, reports, the gate; cut off and taken up again."""

from __future__ import annotations

import asyncio
import json
import signal
from contextlib import asynccontextmanager

import httpx
import pytest

import apps
import questions
from apps import MANUAL, RULES
from http_service import in_loop, on_port
from youju.errors import StoreError
from youju.lab import report
from youju.providers.fakes import FakeEmbedder

ABSENT_RUN = "20260101-000000-000000"


def lines(rows) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows).encode()


async def filled(live) -> None:
    await live.add("报销规定.md", RULES)
    await live.add("网关手册.md", MANUAL)


async def sent(client, file="对照.jsonl", data=None, **fields):
    return await client.post(
        "/api/evals/sets", files={"file": (file, data or lines(questions.rows()))}, data=fields or None
    )


async def done(client, run: str) -> dict:
    """The run once it is no longer under way."""
    while (one := (await client.get(f"/api/evals/runs/{run}")).json())["state"] == "running":  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)
    return one


async def ran(client, **asked) -> str:
    begun = await client.post("/api/evals/runs", json={"set": "对照", "despite_audit": True, **asked})
    assert begun.status_code == 202, begun.text
    assert begun.json()["state"] == "running"
    one = await done(client, begun.json()["run"])
    assert one["state"] == "done", one
    return one["run"]


async def test_from_an_upload_to_a_gate(tmp_path):
    async with on_port(tmp_path) as live:
        client = live.client
        await filled(live)
        put = await sent(client)
        assert put.status_code == 201
        assert put.json()["cases"] == 8
        assert put.json()["categories"] == {"factual": 5, "howto": 1, "unanswerable": 2}
        assert [one["name"] for one in (await client.get("/api/evals/sets")).json()["sets"]] == ["对照"]
        audit = (await client.post("/api/evals/sets/对照/audit")).json()
        assert set(audit) == {"passed", "digest", "findings"}
        assert audit["digest"].startswith("8 题：")

        first = await ran(client, arms=["V1", "chat"])
        one = (await client.get(f"/api/evals/runs/{first}")).json()
        assert (one["progress"], one["arms"], one["set"], one["error"]) == (
            {"doing": "", "done": 8, "total": 8}, ["V1", "chat"], "对照", None,
        )  # fmt: skip
        report = (await client.get(f"/api/evals/runs/{first}/report.json")).json()
        assert "\n".join(report["verdict"]) == one["verdict"]
        assert {row["case_id"] for row in report["rows"]} == {row["id"] for row in questions.rows()}
        markdown = await client.get(f"/api/evals/runs/{first}/report.md")
        assert markdown.text.startswith("# 评测报告")
        page = await client.get(f"/api/evals/runs/{first}/report.html")
        assert (page.headers["content-type"], "<svg" in page.text) == ("text/html; charset=utf-8", True)

        second = await ran(client, arms=["chat"])
        gate = (await client.post("/api/evals/gate", json={"baseline": first, "run": second})).json()
        assert gate["code"] == 0, gate
        compared = (await client.post("/api/evals/compare", json={"before": first, "after": second})).json()
        assert (compared["before"], compared["after"], compared["cases"]) == ("chat", "chat", 8)
        arms = {"before": first, "after": first, "arm": "V1", "other": "chat"}
        assert (await client.post("/api/evals/compare", json=arms)).json()["before"] == "V1"

        listed = (await client.get("/api/evals/runs", params={"per_page": 1})).json()
        assert ([one["run"] for one in listed["runs"]], listed["total"]) == ([second], 2)
        assert (await client.delete("/api/evals/sets/对照")).status_code == 204
        assert (await client.delete(f"/api/evals/runs/{second}")).status_code == 204
        assert (await client.get(f"/api/evals/runs/{second}")).status_code == 404
        assert (await client.get("/api/evals/runs")).json()["total"] == 1
        assert not list((tmp_path / "evals" / "runs").glob(f"*{second}*"))


async def test_a_run_of_part_of_a_set(tmp_path):
    async with in_loop(tmp_path) as live:
        await filled(live)
        await sent(live.client)
        run = await ran(live.client, arms=["V1"], categories=["factual"], limit=2, repeats=3, measures="retrieval")
        one = (await live.client.get(f"/api/evals/runs/{run}")).json()
        assert (one["progress"]["total"], one["measures"]) == (6, "retrieval")
        report = (await live.client.get(f"/api/evals/runs/{run}/report.json")).json()
        assert report["manifest"]["set"]["name"] == "对照"
        # Five factual cases, two of them evenly: the first and the third.
        assert {row["case_id"] for row in report["rows"]} == {"q1", "q3"}


async def test_faulty_lines_are_listed_and_nothing_is_kept(tmp_path):
    async with in_loop(tmp_path) as live:
        rows = questions.rows()[:3]
        rows[0]["category"] = "nonsense"
        del rows[2]["question"]
        wrong = await sent(live.client, data=lines(rows) + b"{\n")
        assert (wrong.status_code, wrong.headers["content-type"]) == (400, "application/problem+json")
        assert [one["field"] for one in wrong.json()["errors"]] == ["第 1 行", "第 3 行", "第 4 行"]
        assert str(tmp_path) not in wrong.text
        assert (await live.client.get("/api/evals/sets")).json() == {"sets": []}


@pytest.mark.parametrize("data", [b"[]", b"\n", "题".encode("utf-16"), b"\xff\xfe\x00"])
async def test_a_file_that_is_no_set_is_refused_without_telling_where_it_was(tmp_path, data):
    async with in_loop(tmp_path) as live:
        wrong = await sent(live.client, data=data)
        assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_case")
        assert str(tmp_path) not in wrong.text
        assert "对照" in wrong.json()["message"]


@pytest.mark.parametrize("name", ["../上", "a/b", ".hidden", "名" * 61, "..", "a b", "a\\b", "a\n"])
async def test_a_name_is_no_path(tmp_path, name):
    async with in_loop(tmp_path) as live:
        wrong = await sent(live.client, "set.jsonl", name=name)
        assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_set_name")
        assert not list(tmp_path.rglob("*.jsonl"))


async def test_a_name_belongs_to_one_set(tmp_path):
    async with in_loop(tmp_path) as live:
        assert (await sent(live.client, "任何名字.jsonl", name="对照")).json()["name"] == "对照"
        assert (await sent(live.client)).status_code == 201
        other = await sent(live.client, data=lines(questions.rows()[:4]))
        assert (other.status_code, other.json()["code"]) == (409, "set_exists")
        assert (await live.client.get("/api/evals/sets/对照")).json()["cases"] == 8


async def test_what_cannot_be_run_is_said_at_once(tmp_path):
    async with in_loop(tmp_path) as live:
        client = live.client
        await filled(live)
        await sent(client)
        asked = {"set": "对照", "despite_audit": True}

        async def code(**more):
            answer = await client.post("/api/evals/runs", json=asked | more)
            return answer.status_code, answer.json()["code"]

        assert await code(set="别的") == (404, "no_such_set")
        assert await code(set="../对照") == (400, "bad_set_name")
        assert await code(measures="full") == (409, "judge_not_allowed")
        assert await code(arms=["V99"]) == (400, "bad_arm")
        assert await code(arms=["V0"]) == (400, "no_arm")
        assert await code(split="dev") == (400, "no_cases")
        assert await code(unknown=1) == (422, "invalid")
        assert (await client.get("/api/evals/runs")).json()["total"] == 0
        # None of these holds the place of a run.
        assert await ran(client, arms=["V1"])


async def test_a_set_that_failed_its_audit_is_not_run(tmp_path):
    async with in_loop(tmp_path) as live:
        await sent(live.client)
        assert (await live.client.post("/api/evals/sets/对照/audit")).json()["passed"] is False
        answer = await live.client.post("/api/evals/runs", json={"set": "对照"})
        assert (answer.status_code, answer.json()["code"]) == (400, "audit_failed")


async def test_runs_that_are_not_there(tmp_path):
    async with in_loop(tmp_path) as live:
        place = f"/api/evals/runs/{ABSENT_RUN}"
        for answer in (
            await live.client.get(place),
            await live.client.delete(place),
            await live.client.post(f"{place}/resume"),
            await live.client.get(f"{place}/report.md"),
            await live.client.post("/api/evals/gate", json={"baseline": ABSENT_RUN, "run": ABSENT_RUN}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (404, "no_such_run")
        assert (await live.client.get("/api/evals/runs/..%2F..%2Fyouju")).status_code == 404
        assert (await live.client.get("/api/evals/runs/report")).status_code == 422


async def test_questions_go_first(tmp_path):
    async with in_loop(tmp_path) as live:
        await filled(live)
        await sent(live.client)
        with live.api.state.service.answers.one():
            asked = {"set": "对照", "despite_audit": True, "arms": ["V1"]}
            run = (await live.client.post("/api/evals/runs", json=asked)).json()["run"]
            await asyncio.sleep(0.5)
            held = (await live.client.get(f"/api/evals/runs/{run}")).json()
        assert (held["state"], held["progress"]["done"]) == ("running", 0)
        assert (await done(live.client, run))["state"] == "done"


async def test_a_run_that_failed_says_why_and_goes_on_when_it_can(tmp_path, monkeypatch):
    async with in_loop(tmp_path) as live:
        await filled(live)
        await sent(live.client)
        asked = {"set": "对照", "despite_audit": True, "arms": ["V1"]}
        with monkeypatch.context() as patch:
            patch.setattr(report, "written", full)
            run = (await live.client.post("/api/evals/runs", json=asked)).json()["run"]
            failed = await done(live.client, run)
        assert (failed["state"], failed["verdict"]) == ("failed", None)
        assert failed["error"] == {"code": "full", "message": "磁盘已满", "remedy": "请清理"}
        assert (await live.client.get(f"/api/evals/runs/{run}/report.md")).json()["code"] == "run_unfinished"
        assert (await live.client.post(f"/api/evals/runs/{run}/resume")).status_code == 202
        one = await done(live.client, run)
        assert (one["state"], one["error"]) == ("done", None)


def full(*_, **__):
    raise StoreError("磁盘已满", remedy="请清理", code="full")


async def test_a_rated_answer_becomes_a_case_once(tmp_path):
    async with in_loop(tmp_path) as live:
        await filled(live)
        said = (await live.client.post("/api/chat", json={"question": "出差住宿费的上限是多少？"})).json()
        place = f"/api/chats/{said['trace_id']}"
        unrated = await live.client.post(f"{place}/case", json={"set": "评价"})
        assert (unrated.status_code, unrated.json()["code"]) == (400, "bad_import")
        await live.client.post(f"{place}/feedback", json={"rating": "up"})
        made = await live.client.post(f"{place}/case", json={"set": "评价"})
        assert (made.status_code, made.json()) == (201, {"set": "评价", "id": f"log-{said['trace_id']}", "cases": 1})
        again = await live.client.post(f"{place}/case", json={"set": "评价"})
        assert (again.status_code, again.json()["code"]) == (409, "case_exists")
        assert (await live.client.post(f"{place}/case", json={"set": "../评价"})).json()["code"] == "bad_set_name"
        assert (await live.client.get("/api/evals/sets/评价")).json()["categories"] == {"factual": 1}


@asynccontextmanager
async def process(folder):
    """`youju serve` over the store of a folder, and a client of it; ended in order."""
    one = apps.started(["serve", "--port", "0"], folder)
    try:
        said = await asyncio.to_thread(one.stdout.readline)
        address = said.split("：")[1].split("（")[0]
        async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False) as client:
            yield one, client
    finally:
        one.terminate()
        await asyncio.to_thread(apps.ran, one)


def figures(report: dict) -> list:
    """What no clock tells."""
    return [report["rows"], [(one["case_id"], one["arm"], one["answer"]) for one in report["outcomes"]]]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_a_run_cut_off_by_the_end_of_the_service_goes_on_to_the_same_figures(tmp_path, how):
    async with in_loop(tmp_path / ".youju", FakeEmbedder()) as live:
        await filled(live)
        await sent(live.client)
    asked = {"set": "对照", "despite_audit": True, "arms": ["V1", "V2", "chat"], "repeats": 8}
    async with process(tmp_path) as (server, client):
        run = (await client.post("/api/evals/runs", json=asked)).json()["run"]
        again = await client.post("/api/evals/runs", json=asked)
        assert (again.status_code, again.json()["code"]) == (409, "run_busy")
        assert (await client.delete(f"/api/evals/runs/{run}")).status_code == 409
        assert (await client.get(f"/api/evals/runs/{run}/report.md")).status_code == 409
        answer = await client.post("/api/chat", json={"question": "出差住宿费的上限是多少？"})
        assert (answer.status_code, "三百二十元" in answer.json()["answer"]) == (200, True)
        now = {"state": "running", "progress": {"done": 0}}
        while now["state"] == "running" and now["progress"]["done"] < 5:
            now = (await client.get(f"/api/evals/runs/{run}")).json()
        assert now["state"] == "running"
        server.send_signal(how)
        await asyncio.to_thread(server.wait)
    async with process(tmp_path) as (_, client):
        cut = (await client.get(f"/api/evals/runs/{run}")).json()
        assert cut["state"] == "interrupted"
        assert 5 <= cut["progress"]["done"] < cut["progress"]["total"] == 64
        assert (await client.post(f"/api/evals/runs/{run}/resume")).status_code == 202
        assert (await done(client, run))["state"] == "done"
        taken_up = (await client.get(f"/api/evals/runs/{run}/report.json")).json()
        whole = (await client.post("/api/evals/runs", json=asked)).json()["run"]
        assert (await done(client, whole))["state"] == "done"
        undisturbed = (await client.get(f"/api/evals/runs/{whole}/report.json")).json()
        assert sorted(map(str, figures(taken_up)[0])) == sorted(map(str, figures(undisturbed)[0]))
        assert sorted(figures(taken_up)[1]) == sorted(figures(undisturbed)[1])
        assert (await client.post(f"/api/evals/runs/{run}/resume")).json()["code"] == "run_done"


async def test_a_run_of_material_that_changed_is_not_taken_up(tmp_path):
    async with in_loop(tmp_path) as live:
        await filled(live)
        await sent(live.client)
        asked = {"set": "对照", "despite_audit": True, "arms": ["V1"], "repeats": 20}
        run = (await live.client.post("/api/evals/runs", json=asked)).json()["run"]
    async with in_loop(tmp_path) as live:
        assert (await live.client.get(f"/api/evals/runs/{run}")).json()["state"] == "interrupted"
        await live.add("新的.md", "# 新的\n\n完全是另一件事情的说明，写得足够长，可以切分成一个片段。\n")
        other = await live.client.post(f"/api/evals/runs/{run}/resume")
        assert (other.status_code, other.json()["code"]) == (400, "other_run")
        assert "资料" in other.json()["message"]
