"""The composition root: the only place where objects are made and providers are loaded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import cast

from youju.chat.log import Log
from youju.chat.service import Chat
from youju.chat.views import Wording
from youju.documents.doctor import Doctor
from youju.documents.purge import Purge
from youju.errors import ConfigError, InputError
from youju.ingest.chunkers import STRATEGIES, Sizes, Strategy
from youju.ingest.job import Job, Limits
from youju.ingest.pictures import Pictures
from youju.ingest.service import Documents
from youju.lab.forgetting import Forgetting
from youju.lab.judging import Asked
from youju.lab.plan import Price
from youju.lab.service import Lab
from youju.ports import LLM, Embedder, KeywordIndex, Reranker, StepsBack, VectorIndex
from youju.providers.registry import PROVIDERS, load
from youju.settings import Chunking, Grading, Llm, Settings
from youju.stages import grade
from youju.stages.recipes import Parts
from youju.storage.blobs import Blobs
from youju.storage.chunks import SqlChunks
from youju.storage.engine import Store

DICTIONARY_MAX = 20 << 20
"""Bytes of a dictionary file."""
Notice = Callable[[str], None]


def silent(message: str) -> None:
    """A `Notice` for callers who show nothing."""


@dataclass(frozen=True)
class App:
    """What the command line and the HTTP routes hold; nobody below receives it."""

    documents: Documents
    chat: Chat
    log: Log
    doctor: Doctor
    pictures: Pictures
    wording: Wording
    lab: Lab


@asynccontextmanager
async def open_app(
    settings: Settings, *, embedder: Embedder | None = None, notice: Notice = silent
) -> AsyncIterator[App]:
    """The running product over the store in `settings.data`; closed when the block ends.

    Args:
        settings: as `settings.load` returned them.
        embedder: instead of the one the settings name.
        notice: told in the user's language what takes long, such as preparing the embedded model.

    Raises:
        StoreError, ConfigError: with a remedy.
    """
    async with AsyncExitStack() as stack:
        store = Store.open(settings.data)
        stack.push_async_callback(store.aclose)
        model = embedder or make_embedder(settings, notice)
        stack.push_async_callback(model.aclose)
        llm, reranker, judge = make_llm(settings), make_reranker(settings), make_judge_llm(settings)
        for one in (llm, reranker, judge):
            if one is not None:
                stack.push_async_callback(one.aclose)
        log = Log(store, settings.log.keep_days, settings.log.texts)
        stack.push_async_callback(log.aclose)
        await log.tidy()
        yield _assembled(settings, store, (model, llm, reranker, judge), log)


Models = tuple[Embedder, LLM | None, Reranker | None, LLM | None]
Indexes = tuple[VectorIndex, KeywordIndex]


def _assembled(settings: Settings, store: Store, models: Models, log: Log) -> App:
    embedder, words = models[0], load("words", "sqlite")
    keywords: KeywordIndex = words(store, df_budget=settings.keyword.df_budget, dictionary=_dictionary(settings))
    indexes: Indexes = (load("vectors", "sqlite")(store), keywords)
    wording = Wording(settings.answering.refusal, settings.answering.nothing_found, settings.answering.citation_style)
    parts = _parts(settings, SqlChunks(store), models, indexes)
    chat = Chat(store, parts, settings.retrieval, wording, log, settings.answering.persona)
    _check_persona(chat)
    blobs = Blobs(settings.data / "blobs", settings.ingest.max_file_mib << 20)
    job = _job(settings, (store, blobs), embedder, indexes)
    runs = Forgetting(settings.data / "evals" / "runs")
    return App(
        documents=Documents(store, blobs, job, Purge(store, blobs, *indexes, runs)),
        chat=chat,
        log=log,
        doctor=Doctor(store, blobs, keywords, runs, lambda: embedder.profile.fingerprint),
        pictures=Pictures(store, blobs, PROVIDERS["renderer"]),
        wording=wording,
        lab=_lab(settings, store, parts, models[3]),
    )


def _lab(settings: Settings, store: Store, parts: Parts, judge: LLM | None) -> Lab:
    prices = [Price(one.prompt_price, one.completion_price) for one in (settings.llm, settings.judge)]
    asked = Asked(judge, settings.judge.max_tokens, settings.judge.deadline_s) if judge else None
    return Lab(store, parts, settings.retrieval, settings.answering.persona, asked, *prices)


def _parts(settings: Settings, chunks: SqlChunks, models: Models, indexes: Indexes) -> Parts:
    embedder, llm, reranker, _ = models
    words_grader = grade.load("words")
    grader = grade.load("e5") if settings.embedding.provider == "e5" else words_grader
    return Parts(
        embedder,
        *indexes,
        chunks,
        _calibrated(grader, settings.grading, embedder.profile.fingerprint),
        words_grader,
        parent_max_chars=max(sizes.parent_max for sizes in _sizes(settings.chunking).values()),
        citation_style=settings.answering.citation_style,
        reranker=reranker,
        llm=llm,
        refusal=settings.answering.refusal,
        temperature=settings.llm.temperature,
        max_tokens=settings.llm.max_tokens,
    )


def _sizes(chunking: Chunking) -> dict[Strategy, Sizes]:
    found: dict[Strategy, Sizes] = {}
    for way in STRATEGIES:
        own = chunking.of(way)
        found[way] = Sizes(own.child_min_chars, own.child_max_chars, own.overlap_chars, own.parent_max_chars)
    return found


def _calibrated(grader: grade.Model, chosen: Grading, fingerprint: str) -> grade.Model:
    """The grader with the deployment's own bounds, where they were chosen for this embedder."""
    if chosen.calibrated_for not in {"", fingerprint}:
        return grader
    low, high = chosen.low, chosen.high
    found = replace(grader, low=grader.low if low is None else low, high=grader.high if high is None else high)
    # One bound alone may pass the other: nothing is HIGH and LOW at once.
    return replace(found, high=max(found.low, found.high))


def _job(settings: Settings, kept: tuple[Store, Blobs], embedder: Embedder, indexes: Indexes) -> Job:
    chunking, ingest = settings.chunking, settings.ingest
    return Job(
        *kept,
        embedder.background() if isinstance(embedder, StepsBack) else embedder,
        *indexes,
        PROVIDERS["parser"],
        _sizes(chunking),
        Limits(ingest.parse_timeout_s, ingest.parse_memory_mib, ingest.max_garbage_ratio),
        chunking.window_chars,
    )


def make_embedder(settings: Settings, notice: Notice) -> Embedder:
    """The embedder the settings name.

    Raises:
        ConfigError: unknown, its package or model is missing, or an address is needed and not set.
    """
    chosen = settings.embedding
    provider = load("embedder", chosen.provider)
    if chosen.provider == "e5":
        return cast("Embedder", provider(threads=chosen.threads, on_notice=notice))
    if chosen.provider != "openai":
        return cast("Embedder", provider())
    missing = [name for name in ("base_url", "model") if not getattr(chosen, name)]
    if missing:
        raise ConfigError(
            f"使用嵌入接口需要设置 embedding.{missing[0]}",
            remedy=f"请设置环境变量 YOUJU_EMBEDDING__{missing[0].upper()}，或写入 youju.toml",
        )
    return cast("Embedder", provider(**chosen.model_dump(exclude={"provider", "threads"})))


def make_llm(settings: Settings) -> LLM | None:
    """The language model the settings name; None without an address.

    Raises:
        ConfigError: the address, model or key cannot be used.
    """
    return _asked_by(settings.llm)


def make_judge_llm(settings: Settings) -> LLM | None:
    """The language model that judges in the lab; None without an address.

    Raises:
        ConfigError: the address, model or key cannot be used.
    """
    return _asked_by(settings.judge)


def _asked_by(chosen: Llm) -> LLM | None:
    if not chosen.wanted:
        return None
    # What is asked of it, how often and at what price is not the provider's.
    others = {"provider", "temperature", "max_tokens", "prompt_price", "completion_price", "mode", "deadline_s"}
    return cast("LLM", load("llm", chosen.provider)(**chosen.model_dump(exclude=others)))


def make_reranker(settings: Settings) -> Reranker | None:
    """The reranker the settings name; None for "none".

    Raises:
        ConfigError: the address, model or key cannot be used.
    """
    chosen = settings.reranker
    if chosen.provider == "none":
        return None
    return cast("Reranker", load("reranker", chosen.provider)(**chosen.model_dump(exclude={"provider"})))


def _check_persona(chat: Chat) -> None:
    try:
        chat.checked_persona(None)
    except InputError as error:
        # Here it is not the caller who named it.
        raise ConfigError(
            f"设置 answering.persona 有误：{error.message}", remedy=error.remedy, code=error.code
        ) from error


def _dictionary(settings: Settings) -> frozenset[str]:
    """Words of the user's dictionary file.

    Raises:
        ConfigError: the file cannot be read.
    """
    path = settings.keyword.dictionary
    if path is None:
        return frozenset()
    unusable = ConfigError(
        f"无法读取用户词典 {path}",
        remedy="请检查 keyword.dictionary；应为 UTF-8 的普通文件，每行一个词，不超过 20 MiB",
    )
    try:
        # A device has no end.
        if not path.is_file() or path.stat().st_size > DICTIONARY_MAX:
            raise unusable
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise unusable from error
    return frozenset(word for line in lines if (word := line.strip()) and not word.startswith("#"))
