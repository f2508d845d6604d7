"""Reading the weights file."""

import importlib.util

import numpy as np
import pytest

from youju.errors import ConfigError
from youju.providers.e5 import weights as e5_weights
from youju.providers.e5.weights import E5Weights, find_weights


def test_the_low_halves_of_a_block_come_first_then_the_high_halves():
    block = np.zeros(1, dtype=e5_weights._BLOCK_TYPE)
    block["scale"] = 0.5
    block["nibbles"] = [0x9F] + [0x88] * 15  # low half 15 → (15 − 8)·½ = 3.5; high half 9 → (9 − 8)·½ = 0.5
    (row,) = e5_weights._unpack(block)
    assert row.tolist() == [3.5] + [0.0] * 15 + [0.5] + [0.0] * 15


def test_the_shape_is_that_of_the_published_model():
    shape = E5Weights(find_weights()).shape
    assert (shape.hidden, shape.layers, shape.heads, shape.inner, shape.window) == (384, 12, 12, 1536, 512)


def test_what_the_first_layer_sees_depends_on_token_and_place():
    first, second = E5Weights(find_weights()).embed([100, 100])
    assert not np.allclose(first, second)


@pytest.mark.parametrize("content", [b"", b"E5S1", b"PK\x03\x04" * 100])
def test_a_file_of_another_make_is_refused(tmp_path, content):
    refused(tmp_path / "weights.bin", content)


@pytest.mark.parametrize("size", [1_000_000, 10_000_000, -1])
def test_a_file_cut_off_is_refused_wherever_it_ends(tmp_path, size):
    refused(tmp_path / "weights.bin", find_weights().read_bytes()[:size])


def refused(path, content):
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="权重文件无法识别") as caught:
        E5Weights(path)
    assert caught.value.code == "embedder_weights"


def test_where_the_package_is_missing_the_remedy_is_an_embedding_api(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match="Windows") as caught:
        find_weights()
    assert caught.value.code == "embedder_missing"
    assert "embedding.provider=openai" in caught.value.remedy


def test_another_file_has_another_digest(tmp_path):
    data = bytearray(find_weights().read_bytes())
    data[-1000] ^= 1
    # The last MiB begins a new sample; its first bytes are hashed.
    data[(len(data) >> 20) << 20] ^= 1
    path = tmp_path / "other.bin"
    path.write_bytes(data)
    assert E5Weights(path).digest != E5Weights(find_weights()).digest
