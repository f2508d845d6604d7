"""The whole product over a store in a temporary folder, and the command line over it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from youju.compose import App, open_app
from youju.errors import ProviderError
from youju.ingest.job import Report, unreported
from youju.ports import Embedder, EmbedderProfile, Vectors
from youju.providers.fakes import FakeEmbedder
from youju.settings import Embedding, Settings
from youju.types import Document, Side

RULES = """# 报销规定

## 第一章 住宿

第一条 出差住宿费的上限是每晚三百二十元，凭发票报销。

第二条 陪同客户时，住宿费的上限可以提高到每晚四百元。

## 第二章 交通

第十二条 乘坐火车可以报销二等座，乘坐飞机须由部门经理批准。
"""
MANUAL = """# 网关手册

## 连接

QINGWU_MAX_CONN 的默认值是 512，超过后新的连接会排队。

## 日志

日志保留 14 天，由 LOG_KEEP_DAYS 决定。
"""


def settings(folder: Path, **sections: object) -> Settings:
    return Settings.model_validate({"data": folder, "embedding": Embedding(provider="fake")} | sections)


@asynccontextmanager
async def opened(folder: Path, embedder: Embedder | None = None, **sections: object) -> AsyncIterator[App]:
    async with open_app(settings(folder, **sections), embedder=embedder or SqueezedEmbedder()) as app:
        yield app


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


async def added(app: App, path: Path, report: Report = unreported, **named: str) -> Document:
    accepted = await app.documents.accept(path, **named)
    await app.documents.process(accepted, report)
    return await app.documents.find(accepted.document_id)


class SqueezedEmbedder(FakeEmbedder):
    """The fake one with cosines where the embedded model has them: .8 for what has nothing in common."""

    @property
    def profile(self) -> EmbedderProfile:
        return replace(super().profile, fingerprint="squeezed", dim=257, threshold=0.82)

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        rows = await super().embed(texts, kind)
        same = np.full((len(rows), 1), np.sqrt(0.8), np.float32)
        return np.hstack([rows * np.float32(np.sqrt(0.2)), same])


class BrokenEmbedder(FakeEmbedder):
    """Like an embedding service that is down."""

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:
        raise ProviderError("嵌入服务没有回答", part="embedder", remedy="请稍后重试", code="embedder_down")


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("YOUJU_")}
    return kept | {"YOUJU_EMBEDDING__PROVIDER": "fake", "OMP_NUM_THREADS": "1"} | more


def started(args: Sequence[str | bytes], folder: Path, **more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-m", "youju", *args]
    return subprocess.Popen(  # noqa: S603 - this very program
        command,
        cwd=folder,
        env=environment(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def ran(process: subprocess.Popen[str]) -> Ran:
    out, err = process.communicate(timeout=100)
    return Ran(process.returncode, out, err)
