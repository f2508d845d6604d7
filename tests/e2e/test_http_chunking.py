"""How material is divided, over HTTP: for an upload, for a collection, anew."""

from __future__ import annotations

from apps import RULES
from http_service import in_loop


async def test_an_upload_says_how_it_is_to_be_divided(tmp_path):
    async with in_loop(tmp_path) as live:
        sent = await live.client.post("/api/documents", files={"file": ("规定.md", RULES)}, data={"strategy": "law"})
        one = await live.settled(sent.json()["document_id"])
    assert one["strategy"] == {"asked": "law", "name": "law", "reasons": ["按指定的方式切分"]}
    assert one["chunks"] == 3
    assert [event["event"] for event in one["events"]] == ["accepted", "PARSING", "CHUNKING", "EMBEDDING", "READY"]


async def test_an_unknown_strategy_is_a_problem_with_the_known_ones(tmp_path):
    async with in_loop(tmp_path) as live:
        sent = await live.client.post("/api/documents", files={"file": ("规定.md", RULES)}, data={"strategy": "法规"})
        listed = (await live.client.get("/api/documents")).json()
    assert (sent.status_code, sent.json()["code"]) == (400, "bad_strategy")
    assert "law" in sent.json()["remedy"]
    assert listed["total"] == 0


async def test_a_document_is_divided_anew_as_its_collection_says_now(tmp_path):
    async with in_loop(tmp_path) as live:
        sent = await live.client.post("/api/documents", files={"file": ("规定.md", RULES)})
        id_ = sent.json()["document_id"]
        assert (await live.settled(id_))["chunks"] == 2
        home = (await live.client.get("/api/collections")).json()["collections"][0]
        changed = await live.client.patch(f"/api/collections/{home['id']}", json={"strategy": "law"})
        assert changed.json() == {**home, "strategy": "law"}
        begun = await live.client.post(f"/api/documents/{id_}/rechunk")
        assert (begun.status_code, begun.json()["status"]) == (202, "READY")
        one = await live.settled(id_)
    assert (one["version"], one["chunks"], one["pending"]) == (2, 3, None)


async def test_a_preview_shows_sizes_sections_and_coverage_of_the_way_asked_for(tmp_path):
    async with in_loop(tmp_path) as live:
        made = await live.client.post(
            "/api/documents/preview", files={"file": ("规定.md", RULES)}, data={"strategy": "law"}
        )
    body = made.json()
    assert (body["strategy"]["name"], body["chunks"], body["coverage"], body["pages_below"]) == ("law", 3, 1.0, [])
    assert [one["path"][-1] for one in body["sections"]] == ["第一条", "第二条", "第十二条"]
    assert body["sizes"]["below_min"] == 1.0
