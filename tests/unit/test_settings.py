from __future__ import annotations

import re
from pathlib import Path

import pytest

from youju.errors import ConfigError
from youju.ingest.chunkers import STRATEGIES
from youju.settings import Bounds, Chunking, Entry, load


def entries(folder: Path, environ: dict[str, str] | None = None, **options: object) -> dict[str, Entry]:
    return {entry.name: entry for entry in load(folder, environ or {}, options).entries}


def write(folder: Path, text: str) -> Path:
    file = folder / "youju.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_setting_has_a_chinese_description(tmp_path: Path) -> None:
    undescribed = [e.name for e in entries(tmp_path).values() if not re.search("[\u4e00-\u9fff]", e.description)]
    assert undescribed == []


def test_defaults_say_so(tmp_path: Path) -> None:
    assert {entry.origin for entry in entries(tmp_path).values()} == {"默认"}


def test_the_environment_wins_over_the_file_and_an_option_over_both(tmp_path: Path) -> None:
    file = write(tmp_path, 'data = "a"\n[retrieval]\nrrf_k = 20\nrrf_top_k = 40\n')
    found = entries(tmp_path, {"YOUJU_RETRIEVAL__RRF_K": "60", "YOUJU_DATA_DIR": "b"}, data="c")
    assert (found["retrieval.rrf_k"].value, found["retrieval.rrf_k"].origin) == (60, "环境变量 YOUJU_RETRIEVAL__RRF_K")
    assert (found["retrieval.rrf_top_k"].value, found["retrieval.rrf_top_k"].origin) == (40, str(file))
    assert (found["data"].value, found["data"].origin) == (Path("c"), "命令行")


def test_only_keys_are_secret(tmp_path: Path) -> None:
    assert [entry.name for entry in entries(tmp_path).values() if entry.secret] == [
        "embedding.api_key",
        "llm.api_key",
        "reranker.api_key",
        "judge.api_key",
    ]


def test_an_empty_data_folder_variable_is_none(tmp_path: Path) -> None:
    assert entries(tmp_path, {"YOUJU_DATA_DIR": ""})["data"].value == Path(".youju")


def test_an_empty_text_unsets_what_may_be_unset(tmp_path: Path) -> None:
    write(tmp_path, "[retrieval]\nsimilarity_threshold = 0.5\n")
    environ = {"YOUJU_RETRIEVAL__SIMILARITY_THRESHOLD": "", "YOUJU_KEYWORD__DICTIONARY": ""}
    found = entries(tmp_path, environ)
    assert found["retrieval.similarity_threshold"].value is None
    assert found["keyword.dictionary"].value is None


@pytest.mark.parametrize(
    "name, value, said",
    [
        ("RETRIEVAL__RRF_K", "abc", "应为整数"),
        ("RETRIEVAL__RRF_K", "0", "不能小于 1"),
        ("RETRIEVAL__RRF_K", "", "应为整数"),
        ("RETRIEVAL__CONTEXT_TOP_K", "51", "不能大于 50"),
        ("RETRIEVAL__EXPAND", "all", "只能是 'none'、'neighbours'、'parent' 之一"),
        ("RETRIEVAL__NOPE", "1", "没有这个设置"),
        ("NOPE__NOPE", "1", "没有这个设置"),
        ("INGEST__PARSE_TIMEOUT_S", "inf", "应为有限的数字"),
        ("INGEST__PARSE_TIMEOUT_S", "0", "必须大于 0.0"),
        ("ANSWERING__REFUSAL", "", "不能为空"),
        ("CHUNKING__CHILD_MAX_CHARS", "60", "child_min_chars ≤ child_max_chars"),
        ("CHUNKING__OVERLAP_CHARS", "226", "一半"),
    ],
)
def test_a_wrong_value_names_its_place_and_says_in_chinese_what_is_wrong(tmp_path, name, value, said) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, {f"YOUJU_{name}": value})
    assert f"环境变量 YOUJU_{name}" in caught.value.message
    assert said in caught.value.message
    assert caught.value.remedy


def test_a_wrong_value_in_the_file_names_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, "[retrieval]\nrrf_k = 'x'\n")
    with pytest.raises(ConfigError, match=re.escape(str(file))):
        load(tmp_path, {})


def test_a_value_where_a_section_belongs_is_explained(tmp_path: Path) -> None:
    write(tmp_path, "retrieval = 5\n")
    with pytest.raises(ConfigError, match="应为一组设置"):
        load(tmp_path, {"YOUJU_RETRIEVAL__RRF_K": "60"})


@pytest.mark.parametrize("data", [b"rrf_k = = 1", b"\xff\xfe", b"[retrieval"])
def test_a_file_that_is_no_toml_is_explained(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "youju.toml").write_bytes(data)
    with pytest.raises(ConfigError, match="不是有效的 TOML"):
        load(tmp_path, {})


def test_a_byte_order_mark_does_not_spoil_the_file(tmp_path: Path) -> None:
    (tmp_path / "youju.toml").write_bytes(b"\xef\xbb\xbf[retrieval]\nrrf_k = 7\n")
    assert entries(tmp_path)["retrieval.rrf_k"].value == 7


def test_a_wrong_secret_is_not_shown(tmp_path: Path) -> None:
    write(tmp_path, "[embedding]\napi_key = 12345678\n")
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, {})
    assert "12345678" not in str(caught.value)


@pytest.mark.parametrize("line", ['data = ""', "data = ' '", "retrieval.rrf_k = true", "ingest.parse_timeout_s = true"])
def test_what_would_silently_mean_something_else_is_refused(tmp_path, line) -> None:
    (tmp_path / "youju.toml").write_text(line, encoding="utf-8")
    with pytest.raises(ConfigError, match=line.split()[0]):
        load(tmp_path, {})


def test_a_way_of_chunking_has_what_it_does_not_say_from_all(tmp_path: Path) -> None:
    file = tmp_path / "youju.toml"
    file.write_text("[chunking]\noverlap_chars = 20\n[chunking.law]\nchild_max_chars = 300\n", encoding="utf-8")
    chunking = load(tmp_path, {"YOUJU_CHUNKING__LAW__CHILD_MIN_CHARS": "60"}).settings.chunking
    law, plain = chunking.of("law"), chunking.of("plain")
    assert (law.child_min_chars, law.child_max_chars, law.overlap_chars, law.parent_max_chars) == (60, 300, 20, 1800)
    assert (plain.child_min_chars, plain.child_max_chars, plain.overlap_chars) == (120, 450, 20)


def test_a_setting_of_a_way_of_chunking_is_shown_with_its_origin_and_meaning(tmp_path: Path) -> None:
    (tmp_path / "youju.toml").write_text("[chunking.law]\nchild_max_chars = 300\n", encoding="utf-8")
    found = {one.name: one for one in load(tmp_path, {}).entries}
    law, plain = found["chunking.law.child_max_chars"], found["chunking.plain.child_max_chars"]
    assert (law.value, law.origin) == (300, str(tmp_path / "youju.toml"))
    assert law.description.startswith("法规制度：")
    assert (plain.value, plain.origin) == (None, "默认")


def test_every_way_of_chunking_may_have_settings_of_its_own() -> None:
    own = {name for name, field in Chunking.model_fields.items() if field.annotation is Bounds}
    assert own == set(STRATEGIES)


@pytest.mark.parametrize(
    "lines, said",
    [
        ("[chunking.law]\nchild_max_chars = 100", "[chunking.law] 须满足 child_min_chars ≤ child_max_chars"),
        ("[chunking.qa]\noverlap_chars = 300", "[chunking.qa] overlap_chars 不能超过 child_max_chars 的一半"),
        ("[chunking.law]\nchild_max = 300", "设置 chunking.law.child_max 有误"),
        ("[chunking.law]\nchild_max_chars = true", "不能是 true 或 false"),
        ("[chunking.laws]\nchild_max_chars = 300", "设置 chunking.laws 有误"),
        ("[chunking]\nlaw = 300", "应为一组设置，不是单个值"),
    ],
)
def test_sizes_of_a_way_that_cannot_be_are_explained(tmp_path: Path, lines: str, said: str) -> None:
    (tmp_path / "youju.toml").write_text(lines, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, {})
    assert said in caught.value.message
