from __future__ import annotations

import pytest

from builders import chunk, hits, ids, turn
from library import Library
from youju.stages.base import advance
from youju.stages.expand import Expand
from youju.types import Chunk, Scope, Turn

CHILDREN = "abcdef"
PARENT = {"a": "P", "b": "P", "c": "Q", "d": "Q", "e": "", "f": "lost"}


@pytest.fixture
async def shelf(library: Library) -> Library:
    children = [chunk(id_, f"正文{id_}。", ordinal=n, parent_id=PARENT[id_]) for n, id_ in enumerate(CHILDREN)]
    parents = [
        chunk("P", "父甲：正文a。正文b。", ordinal=90, role="parent"),
        chunk("Q", "父乙：" + "长" * 97, ordinal=91, role="parent"),
    ]
    await library.put([*children, *parents])
    return library


async def expanded(shelf: Library, found: str, how: str, **more: object) -> Turn:
    by_id: dict[str, Chunk] = {one.id: one for one in await shelf.chunks.get(list(CHILDREN), Scope())}
    placed = tuple(type(one)(by_id[one.chunk.id], one.score) for one in hits(found))
    return await advance(Expand(shelf.chunks, how, **more), turn(hits=placed))


def shown(after: Turn) -> list[tuple[int, str, str]]:
    return [(item.n, item.hit.chunk.id, item.text) for item in after.context]


async def test_unexpanded_a_hit_is_given_as_it_was_found(shelf):
    assert shown(await expanded(shelf, "ca", "none")) == [(1, "c", "正文c。"), (2, "a", "正文a。")]


async def test_hits_of_one_parent_share_the_number_of_the_best(shelf):
    after = await expanded(shelf, "bea", "parent")
    assert shown(after) == [(1, "b", "父甲：正文a。正文b。"), (2, "e", "正文e。")]


async def test_the_quoted_chunk_stays_the_child(shelf):
    after = await expanded(shelf, "b", "parent")
    assert after.context[0].hit.chunk.text == "正文b。"


@pytest.mark.parametrize("most, text", [(100, "父乙：" + "长" * 97), (99, "正文c。")])
async def test_a_parent_may_be_as_long_as_allowed_and_no_longer(shelf, most, text):
    after = await expanded(shelf, "c", "parent", parent_max=most)
    assert shown(after) == [(1, "c", text)]


async def test_children_of_an_over_long_parent_stand_for_themselves(shelf):
    after = await expanded(shelf, "dc", "parent", parent_max=99)
    assert shown(after) == [(1, "d", "正文d。"), (2, "c", "正文c。")]


async def test_a_child_without_a_parent_stands_for_itself(shelf):
    assert shown(await expanded(shelf, "fe", "parent")) == [(1, "f", "正文f。"), (2, "e", "正文e。")]


async def test_neighbours_stand_around_the_hit_in_reading_order(shelf):
    assert shown(await expanded(shelf, "c", "neighbours")) == [(1, "c", "正文b。\n正文c。\n正文d。")]


async def test_at_the_edges_there_are_fewer_neighbours(shelf):
    assert shown(await expanded(shelf, "fa", "neighbours")) == [
        (1, "f", "正文e。\n正文f。"),
        (2, "a", "正文a。\n正文b。"),
    ]


async def test_nothing_is_shown_twice(shelf):
    # c shows b, c, d; d is there already; e adds e and f.
    assert shown(await expanded(shelf, "cde", "neighbours")) == [
        (1, "c", "正文b。\n正文c。\n正文d。"),
        (2, "e", "正文e。\n正文f。"),
    ]


async def test_what_left_the_scope_in_between_stands_for_itself(shelf):
    found = tuple(hits("a"))
    after = await advance(Expand(shelf.chunks, "neighbours"), turn(hits=found, scope=Scope(document_ids=("d2",))))
    assert [item.text for item in after.context] == [found[0].chunk.text]
    assert ids([item.hit for item in after.context]) == "a"
