"""The log over HTTP: what was asked is found again, rated, and forgotten."""

from __future__ import annotations

from apps import MANUAL, RULES
from http_service import in_loop

QUESTION = "QINGWU_MAX_CONN 的默认值是多少？"


async def asked(live, **more) -> dict:
    await live.add("手册.md", MANUAL)
    await live.add("规定.md", RULES)
    return (await live.client.post("/api/chat", json={"question": QUESTION, **more})).json()


async def test_an_answer_is_found_in_the_log_with_all_that_led_to_it(tmp_path):
    async with in_loop(tmp_path) as live:
        said = await asked(live)
        kept = (await live.client.get(f"/api/chats/{said['trace_id']}")).json()
    assert (kept["question"], kept["answer"]) == (QUESTION, said["answer"])
    assert kept["conversation_id"] == said["conversation_id"]
    assert kept["sources"][0]["quote"] == said["sources"][0]["quote"]
    assert next(one for one in kept["chunks"] if one["n"] == 1)["chunk_id"] == said["sources"][0]["chunk_id"]
    assert kept["steps"]


async def test_traces_are_listed_newest_first_in_pages(tmp_path):
    async with in_loop(tmp_path) as live:
        first = await asked(live)
        second = (await live.client.post("/api/chat", json={"question": QUESTION, "collection": "没有"})).json()
        page = (await live.client.get("/api/chats?limit=1")).json()
        after = (await live.client.get("/api/chats", params={"before": page["next"]})).json()
        refused = (await live.client.get("/api/chats?refused=true")).json()
    assert [one["trace_id"] for one in page["chats"]] == [second["trace_id"]]
    assert [one["trace_id"] for one in after["chats"]] == [first["trace_id"]]
    assert after["next"] is None
    assert [one["refusal_reason"] for one in refused["chats"]] == ["scope_empty"]


async def test_feedback_is_kept_with_the_trace(tmp_path):
    async with in_loop(tmp_path) as live:
        place = f"/api/chats/{(await asked(live))['trace_id']}"
        said = await live.client.post(f"{place}/feedback", json={"rating": "down", "note": "页码不对", "source": 1})
        unknown = await live.client.post(f"{place}/feedback", json={"rating": "down", "source": 99})
        wrong = await live.client.post(f"{place}/feedback", json={"rating": "meh"})
        kept = (await live.client.get(place)).json()
    assert said.status_code == 204
    assert (unknown.status_code, unknown.json()["code"]) == (400, "bad_source")
    assert (wrong.status_code, wrong.json()["errors"][0]["field"]) == (422, "rating")
    assert [(one["rating"], one["source"], one["note"]) for one in kept["feedback"]] == [("down", 1, "页码不对")]


async def test_a_trace_is_deleted(tmp_path):
    async with in_loop(tmp_path) as live:
        place = f"/api/chats/{(await asked(live))['trace_id']}"
        gone = await live.client.delete(place)
        answers = [await live.client.get(place), await live.client.delete(place)]
    assert gone.json() == {"deleted": 1}
    assert [one.status_code for one in answers] == [404, 404]


async def test_the_beginning_of_an_id_is_not_enough(tmp_path):
    async with in_loop(tmp_path) as live:
        trace_id = (await asked(live))["trace_id"]
        answer = await live.client.delete(f"/api/chats/{trace_id[:8]}")
    assert answer.status_code == 422


async def test_a_404_is_in_the_log_under_its_trace(tmp_path):
    async with in_loop(tmp_path) as live:
        await asked(live)
        problem = (
            await live.client.post("/api/chat", json={"question": "zzz", "settings": {"vector_top_k": 0}})
        ).json()
        kept = (await live.client.get(f"/api/chats/{problem['trace_id']}")).json()
    assert kept["refusal_reason"] == "no_candidates"
