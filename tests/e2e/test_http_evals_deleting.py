"""A document that is deleted leaves the runs that answered from it; their figures stay."""

from __future__ import annotations

import asyncio
import json
import re
import shutil

import questions
from apps import MANUAL, RULES
from http_service import in_loop
from youju.lab.service import Lab

ASKED = " ".join(row["question"] for row in questions.rows())
PARTS = [part for line in RULES.splitlines() if line.startswith("第") for part in re.split("[ ，。]", line)[1:]]
WORDS = [part for part in PARTS if part and part not in ASKED]
"""What stands in the rules and in nothing else."""


def lines() -> bytes:
    """Questions that quote no document."""
    own = ("id", "category", "question", "expected_docs", "expected_keywords", "answerable", "author", "sub_kind")
    rows = [{name: row[name] for name in own if name in row} for row in questions.rows()]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows).encode()


async def filled(live) -> str:
    rules = await live.add("报销规定.md", RULES)
    await live.add("网关手册.md", MANUAL)
    await live.client.post("/api/evals/sets", files={"file": ("题目.jsonl", lines())})
    return rules


async def begun(live) -> str:
    asked = {"set": "题目", "despite_audit": True, "arms": ["V1", "chat"], "measures": "answers"}
    return (await live.client.post("/api/evals/runs", json=asked)).json()["run"]


async def ended(live, run: str) -> dict:
    while (one := (await live.client.get(f"/api/evals/runs/{run}")).json())["state"] == "running":  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)
    return one


async def report(live, run: str) -> dict:
    return (await live.client.get(f"/api/evals/runs/{run}/report.json")).json()


def holding(folder) -> list[str]:
    """Files that have a sentence of the rules, as it is or as JSON escapes it."""
    wanted = [form for one in WORDS for form in (one.encode(), json.dumps(one)[1:-1].encode())]
    files = [one for one in folder.rglob("*") if one.is_file()]
    return sorted(str(one.relative_to(folder)) for one in files if any(one.read_bytes().count(w) for w in wanted))


def figures(told: dict) -> list:
    return [[row["arm"], row["case_id"], row["measure"], row["score"]["kind"], row["score"]["value"]] for row in told["rows"]]  # fmt: skip  # noqa: E501


async def remains(live) -> dict[str, int]:
    return {one.check: one.count for one in await live.app.doctor.examine() if one.level == "fault"}


async def test_no_byte_of_a_deleted_document_stays_and_every_figure_does(tmp_path):
    async with in_loop(tmp_path) as live:
        rules = await filled(live)
        run = await begun(live)
        assert (await ended(live, run))["state"] == "done"
        before = await report(live, run)
        runs = tmp_path / "evals" / "runs"
        assert any("answers.jsonl" in one for one in holding(tmp_path))
        shutil.copytree(runs, tmp_path.parent / f"{tmp_path.name}-copy", symlinks=True)

        assert (await live.client.delete(f"/api/documents/{rules}")).status_code == 200
        assert holding(tmp_path) == []
        assert await remains(live) == {}
        after = await report(live, run)
        assert figures(after) == figures(before)
        assert after["verdict"] == before["verdict"]
        said = {(one["arm"], one["case_id"]): one["answer"] for one in after["outcomes"]}
        assert not any(said[arm, case] for arm in ("V1", "chat") for case in ("q1", "q2", "q3"))
        assert "1 份文档已被删除" in (await live.client.get(f"/api/evals/runs/{run}/report.md")).text
        assert holding(tmp_path) == []
        again = {"baseline": run, "run": run}
        assert (await live.client.post("/api/evals/gate", json=again)).status_code == 200

        shutil.rmtree(runs)
        shutil.move(tmp_path.parent / f"{tmp_path.name}-copy", runs)
        assert await remains(live) == {"评测运行里的残留文字": 1}
        await live.app.documents.purge.residue()
        assert (holding(tmp_path), await remains(live)) == ([], {})
        assert figures(await report(live, run)) == figures(before)


async def test_another_version_of_a_document_leaves_runs_as_they_are(tmp_path):
    async with in_loop(tmp_path) as live:
        rules = await filled(live)
        run = await begun(live)
        await ended(live, run)
        before = holding(tmp_path / "evals")
        new = {"file": ("报销规定.md", "# 报销规定\n\n住宿费不再设上限。\n".encode())}
        await live.client.put(f"/api/documents/{rules}/content", files=new)
        await live.settled(rules)
        assert before
        assert holding(tmp_path / "evals") == before
        assert await remains(live) == {}


async def test_a_run_stops_when_a_document_that_it_answers_from_is_deleted(tmp_path, monkeypatch):
    async with in_loop(tmp_path) as live:
        rules = await filled(live)
        reached, go_on = asyncio.Event(), asyncio.Event()
        begin, asked = Lab._begin, 0

        async def held(self, case):
            nonlocal asked
            asked += 1
            if asked == 3:
                reached.set()
                await go_on.wait()
            return await begin(self, case)

        monkeypatch.setattr(Lab, "_begin", held)
        run = await begun(live)
        await reached.wait()
        await live.client.delete(f"/api/documents/{rules}")
        go_on.set()
        one = await ended(live, run)
        assert (one["state"], one["error"]["code"]) == ("failed", "document_deleted")
        assert holding(tmp_path) == []
        assert await remains(live) == {}
        refused = await live.client.post(f"/api/evals/runs/{run}/resume")
        assert (refused.status_code, refused.json()["code"]) == (400, "other_run")
