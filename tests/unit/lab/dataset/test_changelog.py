from __future__ import annotations

from datetime import date

import pytest

from youju.errors import InputError
from youju.lab.dataset import Case, load
from youju.lab.dataset.changelog import Changed, changelog, changes, entry, update

DAY = date(2026, 3, 4)


def case(id_: str, **more: object) -> Case:
    return Case.model_validate({"id": id_, "category": "factual", "question": "几时？", "answerable": True} | more)


def test_changes_are_what_came_what_went_and_which_fields_differ():
    old = [case("a"), case("b"), case("c")]
    new = [case("c", notes="难", question="何时？"), case("d"), case("a")]
    found = changes(old, new)
    assert (found.added, found.removed, found.changed) == (("d",), ("b",), (Changed("c", ("question", "notes")),))
    assert found.counts == (3, 3)


def test_another_order_is_no_change():
    found = changes([case("a"), case("b")], [case("b"), case("a")])
    assert not found
    assert found.hashes[0] == found.hashes[1]


def test_an_entry_says_all_of_it_in_lines():
    found = changes([case("a"), case("b")], [case("a", question="何时？"), case("c")])
    old, new = found.hashes
    assert entry(found, DAY, "复核之后").splitlines() == [
        "## 2026-03-04",
        "",
        f"2 → 2 题，哈希 {old} → {new}",
        "",
        "> 复核之后",
        "",
        "- 新增 1 题：c",
        "- 删除 1 题：b",
        "- 修改 1 题的 question：a",
    ]


def test_cases_with_the_same_fields_changed_are_told_together():
    old = [case(id_) for id_ in "abcd"]
    new = [case("a", split="dev"), case("b", split="dev"), case("c", notes="难", split="test"), case("d")]
    told = entry(changes(old, new), DAY).splitlines()
    assert told[4:] == ["- 修改 2 题的 split：a、b", "- 修改 1 题的 split、notes：c"]


def test_a_change_that_no_figure_rests_on_says_that_the_hash_stays():
    assert "（不变，分数仍可比较）" in entry(changes([case("a")], [case("a", reviewed_by="乙")]), DAY)


def test_a_set_is_updated_together_with_its_changelog_newest_first(tmp_path):
    file = tmp_path / "people.jsonl"
    update([case("a")], file, DAY)
    update([case("a"), case("b")], file, date(2026, 3, 5), "补题")
    page = changelog(file)
    assert page.name == "people.CHANGELOG.md"
    text = page.read_text("utf-8")
    assert text.startswith("# 题目集的改动\n\n## 2026-03-05\n")
    assert text.count("# 题目集的改动") == 1
    assert text.index("新增 1 题：b") < text.index("## 2026-03-04") < text.index("新增 1 题：a")
    assert load(file).cases == [case("a"), case("b")]


def test_nothing_is_written_where_nothing_changed(tmp_path):
    file = tmp_path / "people.jsonl"
    update([case("a")], file, DAY)
    before = changelog(file).read_bytes()
    assert not update([case("a")], file, date(2026, 3, 5))
    assert changelog(file).read_bytes() == before


def test_what_is_no_set_is_not_overwritten(tmp_path):
    file = tmp_path / "people.jsonl"
    file.write_text("{", "utf-8")
    with pytest.raises(InputError):
        update([case("a")], file, DAY)
    assert file.read_text("utf-8") == "{"
