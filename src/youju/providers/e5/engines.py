"""Two ways to run multilingual-e5-small: 8-bit through onnxruntime (fast), or float32 in numpy (slow, runs anywhere).

The numpy one is the yardstick of the other at every start, and its stand-in where the 8-bit arithmetic of a processor
is not good enough or onnxruntime cannot be loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from youju.errors import ProviderError
from youju.ports import Vectors
from youju.providers.e5.tokens import Tokeniser
from youju.providers.e5.weights import E5Weights

Notice = Callable[[str], None]
_SAMPLES = (
    "query: 试用期内离职需要提前几天通知？",
    "passage: 第三章 The gateway restarts after 30 seconds（见表 2）。",
)
# int8 gives .996 and more; a wrong kernel or saturated sums give far less.
_GOOD_COSINE = 0.97


class Engine(Protocol):
    @property
    def name(self) -> str: ...

    def mean(self, words: Vectors) -> Vectors:
        """The mean of the last layer over the tokens: (tokens, hidden) → (hidden,). Safe in several threads."""
        ...


class Int8Engine:
    """One single-threaded session: callers run it in as many threads as they like; each run stays in its thread.

    Two single-threaded runs give a quarter more passages a second than one run on two threads.
    """

    name = "int8"

    def __init__(self, weights: E5Weights) -> None:
        # Heavy imports (0.2 s, 60 MB), made only where the embedded model is used.
        import onnxruntime  # noqa: PLC0415

        from youju.providers.e5.graph import build  # noqa: PLC0415

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = onnxruntime.InferenceSession(build(weights), options, providers=["CPUExecutionProvider"])

    def mean(self, words: Vectors) -> Vectors:
        try:
            (means,) = self._session.run(["mean"], {"words": words[None]})
        except Exception as error:  # onnxruntime's errors share no base
            raise ProviderError(
                f"内置嵌入模型运行失败：{error}", part="embedder", remedy="请重启服务后重试", code="embedder_failed"
            ) from error
        return np.asarray(means[0], dtype=np.float32)


class ExactEngine:
    """Float32 in numpy; holds 85 MB of unpacked matrices."""

    name = "fp32"

    def __init__(self, weights: E5Weights) -> None:
        self._weights = weights
        self._layers = list(_layers(weights))

    def mean(self, words: Vectors) -> Vectors:
        return _means(self._weights, self._layers, [words])[0]


def choose_engine(weights: E5Weights, tokeniser: Tokeniser, notice: Notice) -> Engine:
    """The 8-bit engine if it works here and agrees with float32 on two sentences, else the float32 one.

    `notice` is told, in the user's language, when the slow one has to do.
    """
    try:
        engine = Int8Engine(weights)
        cosine = agreement(engine, weights, tokeniser)
    except Exception as error:  # noqa: BLE001 - onnxruntime's errors share no base; whatever it is, numpy still works
        notice(f"内置嵌入模型的快速引擎无法使用（{type(error).__name__}），改用较慢的备用引擎")
        return ExactEngine(weights)
    if cosine >= _GOOD_COSINE:
        return engine
    notice(f"内置嵌入模型的快速引擎在本机上精度不足（余弦 {cosine:.3f}），改用较慢的备用引擎")
    return ExactEngine(weights)


def agreement(engine: Engine, weights: E5Weights, tokeniser: Tokeniser) -> float:
    """The smallest cosine between the engine's vectors and float32 ones, over the fixed sentences; NaN counts as −1."""
    words = [weights.embed(framed(tokeniser.ids(text), weights)) for text in _SAMPLES]
    exact = _means(weights, _layers(weights), words)
    cosines = [_cosine(engine.mean(rows), row) for rows, row in zip(words, exact, strict=True)]
    return min(cosine if np.isfinite(cosine) else -1.0 for cosine in cosines)


def framed(ids: Sequence[int], weights: E5Weights) -> list[int]:
    """The tokens between the start and the end token."""
    return [weights.vocabulary.start, *ids, weights.vocabulary.end]


def _cosine(a: Vectors, b: Vectors) -> float:
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


class _Layer:
    """One layer with its matrices unpacked."""

    def __init__(self, weights: E5Weights, name: str) -> None:
        self._weights = weights
        self._name = name
        self._matrices = {part: weights.matrix(f"{name}{part}.w") for part in ("q", "k", "v", "ao", "fi", "fo")}

    def __call__(self, rows: Vectors) -> Vectors:
        rows = self._norm(rows + self._dense(self._attend(rows), "ao"), "aln")
        return self._norm(rows + self._dense(_gelu(self._dense(rows, "fi")), "fo"), "oln")

    def _attend(self, rows: Vectors) -> Vectors:
        tokens, hidden = rows.shape
        heads = (tokens, self._weights.shape.heads, -1)
        q, k, v = (self._dense(rows, part).reshape(heads).transpose(1, 0, 2) for part in ("q", "k", "v"))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(np.float32(q.shape[-1]))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        return np.asarray((scores @ v).transpose(1, 0, 2).reshape(tokens, hidden))

    def _dense(self, rows: Vectors, part: str) -> Vectors:
        return np.asarray(rows @ self._matrices[part] + self._weights.vector(f"{self._name}{part}.b"))

    def _norm(self, rows: Vectors, part: str) -> Vectors:
        return _norm(self._weights, rows, self._name + part)


def _layers(weights: E5Weights) -> Iterable[_Layer]:
    """One layer after the other, so that the check at start-up holds only one unpacked."""
    return (_Layer(weights, f"l{i}.") for i in range(weights.shape.layers))


def _means(weights: E5Weights, layers: Iterable[_Layer], texts: Sequence[Vectors]) -> list[Vectors]:
    states = [_norm(weights, rows, "emb.ln") for rows in texts]
    for layer in layers:
        states = [layer(rows) for rows in states]
    return [rows.mean(axis=0) for rows in states]


def _norm(weights: E5Weights, rows: Vectors, name: str) -> Vectors:
    centred = rows - rows.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(weights.shape.epsilon))
    return np.asarray(centred / spread * weights.vector(name + ".w") + weights.vector(name + ".b"))


def _gelu(x: Vectors) -> Vectors:
    """x·Φ(x), with the error function of Abramowitz and Stegun 7.1.26 (error below 1.5e-7): numpy has none."""
    z = np.abs(x) * np.float32(np.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + np.float32(factor)) * t
    erf = np.copysign(1 - series * np.exp(-z * z), x)
    return np.asarray(x * (1 + erf) / 2)
