"""Bytes in the encodings Chinese text comes in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from youju.errors import DocumentError
from youju.providers.parsing.decoding import decode, garbage_ratio, read_text

SIMPLE = "第一章 总则\n为了规范公司的用工管理，维护员工的合法权益，根据国家有关规定，制定本规定。\n"
TRADITIONAL = "第一章 總則\n為了規範公司的用工管理，維護員工的合法權益，根據國家有關規定，制定本規定。\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [SIMPLE, SIMPLE * 200, "他说：“好的。”"])
def test_simplified_text_comes_back_from_every_encoding(encoding, text):
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["utf-8", "big5", "gb18030", "utf-16-be"])
def test_traditional_text_comes_back_from_every_encoding(encoding):
    assert decode(TRADITIONAL.encode(encoding)) == TRADITIONAL


def test_a_character_cut_off_at_the_end_does_not_change_the_encoding():
    assert decode(SIMPLE.strip().encode("gb18030")[:-1]).startswith("第一章 总则\n为了规范公司的用工管理")


@pytest.mark.parametrize(
    "text, encoding", [(SIMPLE, "gbk"), (SIMPLE, "utf-8"), (TRADITIONAL, "big5")], ids=["gbk", "utf-8", "big5"]
)
def test_damaged_bytes_do_not_change_the_encoding(text, encoding):
    data = bytearray((text * 40).encode(encoding))
    for at in (100, 901, 2000):
        data[at] = 0xFF
    read = decode(bytes(data))
    assert 3 <= read.count("\ufffd") <= 9
    assert read.endswith(text * 10)


def test_the_mark_of_utf_32_is_not_taken_for_that_of_utf_16():
    assert decode(SIMPLE.encode("utf-32")) == SIMPLE


def test_characters_of_hong_kong_are_read():
    assert decode((TRADITIONAL + "佢哋喺嗰度食飯。").encode("big5hkscs")).endswith("佢哋喺嗰度食飯。")


def test_plain_english_is_read():
    assert decode(b"Plain words, no more.\n") == "Plain words, no more.\n"


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n%\xe2\xe3",
        b"PK\x03\x04" + b"a" * 60,
        b"\x7fELF\x02\x01\x01",
        b"\x89PNG\r\n\x1a\n",
        bytes(range(32)) * 40,
    ],
)
def test_binary_files_are_refused_as_such(data):
    with pytest.raises(DocumentError) as caught:
        decode(data)
    assert caught.value.code == "not_text"
    assert caught.value.remedy


@pytest.mark.parametrize("data", [b"", b"  \n\t\n", "\u200b\ufeff".encode()])
def test_a_file_without_a_word_is_empty(tmp_path: Path, data):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        read_text(path, 0.05)
    assert caught.value.code == "empty"


def test_garbage_over_the_limit_is_refused_and_under_it_measured(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("正文" * 45 + "\ufffd" * 10, encoding="utf-8")
    assert read_text(path, 0.1)[1] == 0.1
    with pytest.raises(DocumentError, match=r"10\.0%") as caught:
        read_text(path, 0.09)
    assert caught.value.code == "garbled"


def test_random_bytes_never_pass(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_bytes(os.urandom(5000))
    with pytest.raises(DocumentError) as caught:
        read_text(path, 0.05)
    assert caught.value.code in {"not_text", "garbled"}


@pytest.mark.parametrize(
    "text, ratio",
    [("", 0.0), (" \n", 0.0), ("好", 0.0), ("好\ue000", 0.5), ("好好(cid:12)", 0.8), ("a\x01\u0086b", 0.5)],
)
def test_the_garbage_ratio_counts_what_nobody_typed(text, ratio):
    assert garbage_ratio(text) == ratio


def test_a_character_for_private_use_leaves_a_mark_that_can_be_seen(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("正文" * 45 + "违约金为百分之\ue123。", encoding="utf-8")
    text, ratio = read_text(path, 0.05)
    assert text.endswith("违约金为百分之\ufffd。")
    assert ratio > 0


@pytest.mark.parametrize("text", ["\U000e1000", "\U0003fffe", "\ufdd0", "\U00050000"])
def test_what_is_no_character_is_garbage(text):
    assert garbage_ratio(text * 3 + "甲") == 0.75


@pytest.mark.parametrize("text", ["\U00020bb7", "\U00031350", "葛\U000e0100", "\U0001f3f4\U000e0067\U000e007f"])
def test_rare_characters_variants_and_flags_are_no_garbage(text):
    assert garbage_ratio(text * 3) == 0.0
