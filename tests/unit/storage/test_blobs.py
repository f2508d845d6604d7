from __future__ import annotations

import hashlib
import threading

import pytest

from youju.errors import InputError, StoreError, TooLargeError
from youju.storage.blobs import Blobs

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-4, example of SHA-256


@pytest.fixture
def blobs(tmp_path):
    return Blobs(tmp_path / "blobs")


def test_bytes_are_kept_under_their_hash(blobs):
    assert blobs.put([b"a", b"bc"]) == (ABC, 3)
    assert blobs.path(ABC).read_bytes() == b"abc"
    assert blobs.path(ABC).parent.name == "ba"
    assert blobs.all() == [ABC]


def test_the_same_bytes_are_kept_once(blobs):
    blobs.put([b"abc"])
    blobs.put([b"ab", b"c"])
    assert blobs.all() == [ABC]


def test_the_same_bytes_may_come_from_many_threads_at_once(blobs):
    threads = [threading.Thread(target=blobs.put, args=([b"abc"],)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.name for path in blobs.folder.rglob("*") if path.is_file()] == [ABC]


def test_an_empty_file_is_a_file(blobs):
    assert blobs.put([]) == (hashlib.sha256().hexdigest(), 0)


def test_a_file_of_exactly_the_limit_is_kept(tmp_path):
    assert Blobs(tmp_path, limit=3).put([b"ab", b"c"]).size_bytes == 3


def test_a_file_over_the_limit_is_refused_before_it_is_read_to_its_end(tmp_path):
    read = []

    def pieces():
        for piece in (b"ab", b"cd", b"ef"):
            read.append(piece)
            yield piece

    with pytest.raises(TooLargeError):
        Blobs(tmp_path, limit=3).put(pieces())
    assert read == [b"ab", b"cd"]
    assert list(tmp_path.iterdir()) == []


def test_an_upload_that_breaks_off_leaves_nothing(blobs):
    def pieces():
        yield b"ab"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        blobs.put(pieces())
    assert list(blobs.folder.iterdir()) == []


def test_what_a_killed_process_left_is_swept(blobs):
    blobs.put([b"abc"])
    (blobs.folder / "partial-0123").write_bytes(b"half")
    assert blobs.all() == [ABC]
    assert blobs.sweep() == 1
    assert [path.name for path in blobs.folder.iterdir()] == ["ba"]


def test_a_dropped_file_is_gone(blobs):
    blobs.put([b"abc"])
    assert blobs.drop(ABC) is True
    assert blobs.drop(ABC) is False
    assert blobs.all() == []


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "a" * 63, "A" * 64, "a" * 63 + "/"])
def test_only_a_hash_is_a_name(blobs, name):
    with pytest.raises(InputError):
        blobs.path(name)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="file"):
        Blobs(tmp_path / "file").put([b"abc"])


def test_an_empty_folder_that_is_not_there_holds_nothing(blobs):
    assert blobs.all() == []
