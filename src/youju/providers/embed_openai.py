"""An embedder behind an OpenAI-compatible HTTP interface (`POST …/embeddings`)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import httpx
import numpy as np

from youju.errors import ConfigError, ProviderError
from youju.ports import EmbedderProfile, Vectors
from youju.providers.embed_input import clean, distinct, unit
from youju.providers.http_retry import ReplyTooLargeError, Tries, persistent, whole_reply
from youju.providers.openai_embeddings import Rows, read_rows, refusal
from youju.providers.openai_http import LONGEST_WAIT_S, endpoint, host, usable_key
from youju.types import Side

_LARGEST_REPLY = 64 << 20


class OpenAIEmbedder:
    """Embeds by asking a server; queries and passages are sent alike, without prefixes.

    The dimension is the server's: `profile.dim` is `dimensions`, or 0 until the first `embed` has come back. The
    fingerprint is known from the start. An empty text is sent as one space, because some servers refuse "".

    Args:
        base_url: with the version path, as in https://host/v1; only a bare host gets /v1 appended.
        api_key: may be empty for a server that asks for none.
        dimensions: sent only if set.
        batch_size: texts a request.
        timeout_s: for one request, from connecting to the last byte.
        retries: further tries after a lost connection, 408, 425, 429 or 5xx; `Retry-After` is honoured up to 60 s.
        threshold: the model's cosine below which neighbours are noise; differs widely between models.

    Raises:
        ConfigError: the address, the model or the key cannot be used.
    """

    def __init__(  # noqa: PLR0913 - one argument a setting
        self,
        *,
        base_url: str,
        api_key: str,
        model: str,
        dimensions: int | None = None,
        batch_size: int = 16,
        timeout_s: float = 30,
        retries: int = 3,
        threshold: float = 0.70,
    ) -> None:
        if not model.strip():
            raise ConfigError("未设置嵌入接口的模型名", remedy="请设置 embedding.model", code="embedder_model")
        self._url = _endpoint(base_url)
        self._key = _checked_key(api_key)
        self._model = model.strip()
        self._dimensions = dimensions
        self._dim = dimensions or 0
        self._threshold = threshold
        self._batch_size = batch_size
        self._timeout_s = timeout_s
        self._retries = retries
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._client = httpx.AsyncClient(headers=headers, timeout=timeout_s)
        self._sleep = asyncio.sleep

    def __repr__(self) -> str:
        size = f"/{self._dimensions}" if self._dimensions else ""
        return f"{self._model}@{self._host}{size}"

    @property
    def profile(self) -> EmbedderProfile:
        fingerprint = f"openai/{self._host}/{self._model}/{self._dimensions or 'default'}"
        return EmbedderProfile(self._model, fingerprint, self._dim, self._threshold)

    async def embed(self, texts: Sequence[str], kind: Side) -> Vectors:  # noqa: ARG002 - the port's signature
        different, where = distinct([clean(text) or " " for text in texts])
        if not different:
            if not self._dim:
                await self._ask([" "])
            return np.empty((0, self._dim), dtype=np.float32)
        starts = range(0, len(different), self._batch_size)
        batches = [await self._ask(different[at : at + self._batch_size]) for at in starts]
        return np.concatenate(batches)[where]

    async def aclose(self) -> None:
        await self._client.aclose()

    @property
    def _host(self) -> str:
        return host(self._url)

    async def _ask(self, texts: Sequence[str]) -> Vectors:
        body: dict[str, object] = {"model": self._model, "input": list(texts)}
        if self._dimensions:
            body["dimensions"] = self._dimensions
        rows = read_rows(await self._post(body), len(texts), self._key)
        self._check_dim(rows)
        return unit(rows)

    def _check_dim(self, rows: Rows) -> None:
        dim = rows.shape[1]
        if self._dim and dim != self._dim:
            raise ProviderError(
                f"嵌入接口返回了 {dim} 维向量，应为 {self._dim} 维",
                part="embedder",
                remedy="请检查 embedding.dimensions 与模型是否相符；更换模型后需重建索引",
                code="embedder_bad_dim",
            )
        self._dim = dim

    async def _post(self, body: dict[str, object]) -> httpx.Response:
        """The first good reply; an error that may pass is tried again."""
        tries = Tries(self._timeout_s, self._retries, LONGEST_WAIT_S)
        try:
            response = await persistent(
                lambda: whole_reply(self._client, self._url, body, _LARGEST_REPLY), tries, self._sleep
            )
        except (TimeoutError, httpx.RequestError) as error:
            raise self._unreachable(error) from error
        except ReplyTooLargeError as error:
            raise ProviderError(
                f"嵌入接口 {self._host} 的答复超过 {_LARGEST_REPLY >> 20} MiB",
                part="embedder",
                remedy="请检查 embedding.base_url 是否为兼容的嵌入接口，或调小 embedding.batch_size",
                code="embedder_reply_too_large",
            ) from error
        if not response.is_success:
            raise refusal(response, self._key)
        return response

    def _unreachable(self, error: Exception) -> ProviderError:
        if isinstance(error, TimeoutError | httpx.TimeoutException):
            return ProviderError(
                f"嵌入接口 {self._host} 在 {self._timeout_s:g} 秒内没有答复",
                part="embedder",
                remedy="请检查网络，或调大 embedding.timeout_s",
                code="embedder_timeout",
            )
        return ProviderError(
            f"无法连接嵌入接口 {self._host}（{type(error).__name__}）",
            part="embedder",
            remedy="请检查 embedding.base_url、网络与代理设置",
            code="embedder_unreachable",
        )


def _endpoint(base_url: str) -> httpx.URL:
    url = endpoint(base_url, "/embeddings")
    if url is None:
        raise ConfigError(
            "嵌入接口的地址无法使用", remedy="请设置 embedding.base_url，如 https://…/v1", code="embedder_base_url"
        )
    return url


def _checked_key(api_key: str) -> str:
    key = usable_key(api_key)
    if key is None:
        # The key itself is not shown.
        raise ConfigError(
            "嵌入接口的密钥含有空格或非 ASCII 字符", remedy="请重新复制 embedding.api_key", code="embedder_api_key"
        )
    return key
