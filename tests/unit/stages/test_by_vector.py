from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders import ids, turn
from library import DownEmbedder, Library, TableEmbedder
from library import library as opened
from youju.settings import Knobs
from youju.stages import recipes
from youju.stages.base import advance
from youju.stages.by_vector import ByVector
from youju.types import Degradation, Scope, ScopeReport

# Exact as half floats, too: the question meets "near" with 1, "half" with .5, "far" with 0.
TABLE = {
    "问题": (1, 0, 0, 0),
    "另一问": (0, 1, 0, 0),
    "甲近": (1, 0, 0, 0),
    "乙半": (0.5, 0.5, 0.5, 0.5),
    "丙远": (0, 0, 1, 0),
}


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with opened(tmp_path / "store", TableEmbedder(TABLE)) as one:
        await one.put({"n": "甲近", "h": "乙半", "f": "丙远"})
        yield one


def stage(library: Library, threshold: float | None = None, k: int = 10) -> ByVector:
    return ByVector(library.embedder, library.vectors, k, threshold)


@pytest.mark.parametrize("threshold, found", [(1.0, "n"), (0.5001, "n"), (0.5, "nh"), (0.4999, "nh"), (0.0, "nhf")])
async def test_the_threshold_is_a_cosine_and_inclusive(library, threshold, found):
    after = await advance(stage(library, threshold), turn("问题"))
    assert ids(after.rankings["vector"]) == found
    assert after.steps[0].note["threshold"] == threshold


async def test_without_a_threshold_the_embedders_own_holds(library):
    after = await advance(stage(library), turn("问题"))
    assert [(one.chunk.id, one.score) for one in after.rankings["vector"]] == [("n", 1.0), ("h", 0.5)]
    assert after.steps[0].note["below_threshold"] == {"f": 0.0}


async def test_no_more_than_k_are_found(library):
    assert ids((await advance(stage(library, -1, k=1), turn("问题"))).rankings["vector"]) == "n"


async def test_each_query_has_a_ranking_of_its_own(library):
    after = await advance(stage(library, 0.5), turn("问题", queries=("问题", "另一问")))
    assert {name: ids(found) for name, found in after.rankings.items()} == {"vector": "nh", "vector#2": "h"}


async def test_only_the_scope_is_searched(library):
    await library.put({"x": "甲近"}, "d2")
    after = await advance(stage(library), turn("问题", scope=Scope(document_ids=("d2",))))
    assert ids(after.rankings["vector"]) == "x"


async def test_the_threshold_belongs_to_this_channel_alone(library):
    knobs = Knobs(similarity_threshold=1.0)
    after = await advance(recipes.retrieve(library.parts, knobs), turn("乙半"))
    assert ids(after.rankings["keyword"]) == "h"
    assert ids((await advance(stage(library, 1.0), turn("丙远"))).rankings["vector"]) == "f"
    nothing_near = await advance(recipes.retrieve(library.parts, knobs), turn("甲近又远"))
    assert ids(nothing_near.rankings["vector"]) == ""
    assert ids(nothing_near.hits) == ids(nothing_near.rankings["keyword"]) != ""


async def test_when_the_embedder_is_down_the_keyword_channel_goes_on(library):
    library.embedder = DownEmbedder()
    after = await advance(recipes.retrieve(library.parts, Knobs()), turn("乙半"))
    assert ids(after.rankings["vector"]) == ""
    assert ids(after.hits) == "h"
    assert after.degradations == (Degradation("embedder", "embedder_down"),)


async def test_documents_that_wait_for_new_vectors_are_named(library):
    report = ScopeReport({}, ("d1", "d2"), stale=("d2",))
    after = await advance(stage(library), turn("问题", scope_report=report))
    assert after.degradations == (Degradation("embedder", "reembed_pending"),)
    assert after.steps[0].note["not_embedded"] == ["d2"]
    assert ids(after.rankings["vector"]) == "nh"
