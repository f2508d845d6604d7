from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from youju.errors import StoreError
from youju.lab.lines import Lines


def test_rows_come_back_in_order(tmp_path):
    lines = Lines(tmp_path / "a.jsonl")
    lines.append({"n": 1}, {"n": 2})
    lines.append({"text": "第三行\n换行"})
    assert list(lines.read()) == [{"n": 1}, {"n": 2}, {"text": "第三行\n换行"}]


def test_what_is_not_there_has_no_rows(tmp_path):
    assert list(Lines(tmp_path / "none.jsonl").read()) == []


@pytest.mark.parametrize("torn", ['{"n": 2', '{"n"', "半"])
def test_a_line_that_a_kill_left_unfinished_is_cut_off_before_the_next(tmp_path, torn):
    lines = Lines(tmp_path / "a.jsonl")
    lines.append({"n": 1})
    with lines.path.open("a", encoding="utf-8") as file:
        file.write(torn)
    assert list(lines.read()) == [{"n": 1}]
    lines.append({"n": 3})
    assert list(lines.read()) == [{"n": 1}, {"n": 3}]


def test_a_file_of_nothing_but_an_unfinished_line_begins_anew(tmp_path):
    lines = Lines(tmp_path / "a.jsonl")
    lines.path.write_text('{"n"', encoding="utf-8")
    lines.append({"n": 1})
    assert list(lines.read()) == [{"n": 1}]


def test_damage_in_the_middle_is_an_error_with_its_line(tmp_path):
    lines = Lines(tmp_path / "a.jsonl")
    lines.path.write_text('{"n": 1}\nnonsense\n{"n": 2}\n', encoding="utf-8")
    with pytest.raises(StoreError, match="第 2 行"):
        list(lines.read())


def test_half_a_character_pair_survives(tmp_path):
    lines = Lines(tmp_path / "a.jsonl")
    lines.append({"text": "\ud83d"})
    assert list(lines.read()) == [{"text": "\ud83d"}]


def test_rows_of_many_threads_all_arrive_whole(tmp_path):
    lines = Lines(tmp_path / "a.jsonl")
    long = "长" * 100_000
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: lines.append({"n": n, "text": long}, {"n": -n, "text": long}), range(1, 41)))
    found = [row["n"] for row in lines.read()]
    assert sorted(found[::2]) == list(range(1, 41))
    assert [-n for n in found[1::2]] == found[::2]
