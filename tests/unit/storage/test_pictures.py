from __future__ import annotations

import os
from pathlib import Path

import pytest

from youju.errors import StoreError
from youju.storage.pictures import PictureCache

SHA = "a" * 64


def test_what_was_kept_is_found_under_its_version_and_hash_alone(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "pages")
    assert cache.get(1, SHA, "1-x") is None
    cache.put(1, SHA, "1-x", b"one")
    assert cache.get(1, SHA, "1-x") == b"one"
    assert cache.get(2, SHA, "1-x") is None
    # A restored store gives the number 1 to other bytes.
    assert cache.get(1, "b" * 64, "1-x") is None


def test_the_pictures_of_a_version_go_together_and_those_of_others_stay(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "pages")
    for version_id in (1, 11, 2):
        cache.put(version_id, SHA, "1-x", b"one")
    cache.drop([1, 7])
    assert cache.versions() == {2, 11}
    cache.keep([11, 12])
    assert cache.versions() == {11}
    assert [path.name for path in cache.folder.iterdir()] == [f"11-{'a' * 16}"]


def test_the_oldest_pictures_make_room(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "pages", limit_bytes=10)
    for n in range(4):
        cache.put(1, SHA, str(n), b"1234")
        path = next(cache.folder.glob(f"*/{n}.png"))
        os.utime(path, ns=(n, n))
    assert [cache.get(1, SHA, str(n)) for n in range(4)] == [None, None, b"1234", b"1234"]


def test_one_larger_than_all_the_room_is_kept_until_the_next(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "pages", limit_bytes=1)
    cache.put(1, SHA, "a", b"1234")
    assert cache.get(1, SHA, "a") == b"1234"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "pages").write_bytes(b"")
    with pytest.raises(StoreError):
        PictureCache(tmp_path / "pages").put(1, SHA, "a", b"")
