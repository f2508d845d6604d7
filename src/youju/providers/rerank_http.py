"""Rerankers behind HTTP: three request and reply forms on one core."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import httpx

from youju.errors import ConfigError, ProviderError
from youju.providers.embed_input import clean
from youju.providers.http_retry import ReplyTooLargeError, Tries, persistent, whole_reply
from youju.providers.openai_http import host, usable_key
from youju.providers.rerank_replies import disguised, read_json, read_scores, refusal
from youju.types import Hit

# Some servers send the documents back; far more than this is no answer to what was asked.
_LARGEST_REPLY = 16 << 20


class HttpReranker(ABC):
    """What the forms share: the client, the tries, the texts and the order.

    A document is the book, the section and the text of a hit. Scores are passed on as they come; only their order
    means something.

    Args:
        base_url: the address up to the version; what is missing of the path is appended.
        api_key: sent as a bearer token; may be empty for a server that asks for none.
        model: the server's name for it.
        timeout_s: for one request, from connecting to the last byte.
        retries: further tries after a lost connection, 408, 425, 429 or 5xx; a `Retry-After` beyond `timeout_s` is not
            waited for, because the question goes on in the fused order meanwhile.
        max_chars: query and documents are cut to this many characters; the headings take at most a quarter.

    Raises:
        ConfigError: the address, the model, the key or a bound cannot be used.
    """

    form: ClassVar[str]
    bare_path: ClassVar[str]  # put before `path` if the address is a bare host
    path: ClassVar[str]
    score_field: ClassVar[str] = "relevance_score"
    batch_size: ClassVar[int] = 500  # documents a request, at most
    needs_model: ClassVar[bool] = False

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str = "",
        model: str = "",
        timeout_s: float = 10,
        retries: int = 1,
        max_chars: int = 1000,
    ) -> None:
        if not (timeout_s > 0 and retries >= 0 and max_chars > 0):
            raise ConfigError(
                "重排接口的 timeout_s、max_chars 须大于 0，retries 不能为负",
                remedy="请修改重排接口的设置",
                code="reranker_bounds",
            )
        if self.needs_model and not model.strip():
            raise ConfigError("未设置重排接口的模型名", remedy="请设置 reranker.model", code="reranker_model")
        self._url = self._endpoint(base_url)
        self._key = _checked_key(api_key)
        self._model = model.strip()
        self._timeout_s = timeout_s
        self._retries = retries
        self._max_chars = max_chars
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._client = httpx.AsyncClient(headers=headers, timeout=timeout_s)
        self._sleep = asyncio.sleep

    def __repr__(self) -> str:
        return f"{self._model or self.form}@{host(self._url)}"

    async def score(self, query: str, hits: Sequence[Hit]) -> list[float]:
        asked = self._cut(query)
        documents = [self._document(hit) for hit in hits]
        scores: list[float] = []
        for at in range(0, len(documents), self.batch_size):
            scores += await self._ask(asked, documents[at : at + self.batch_size])
        return scores

    async def aclose(self) -> None:
        await self._client.aclose()

    @abstractmethod
    def _body(self, query: str, documents: Sequence[str]) -> dict[str, object]: ...

    @abstractmethod
    def _results(self, reply: object) -> object:
        """The part of the reply that should be the list of results."""

    def _endpoint(self, base_url: str) -> httpx.URL:
        try:
            url = httpx.URL(base_url.strip())
        except httpx.InvalidURL:
            url = httpx.URL("")
        if url.scheme not in {"http", "https"} or not url.host:
            raise ConfigError(
                "重排接口的地址无法使用", remedy="请设置 reranker.base_url，如 https://…", code="reranker_base_url"
            )
        path = url.path.rstrip("/") or self.bare_path
        # One of the vendors calls its endpoint "reranks".
        return url.copy_with(path=path if path.endswith((self.path, f"{self.path}s")) else path + self.path)

    def _document(self, hit: Hit) -> str:
        chunk = hit.chunk
        # Headings without end must not push the text out.
        heading = "\n".join((chunk.book, *chunk.section))[: self._max_chars // 4]
        return self._cut(f"{heading}\n{chunk.text}")

    def _cut(self, text: str) -> str:
        # Some servers refuse "".
        return clean(text)[: self._max_chars].strip() or " "

    async def _ask(self, query: str, documents: Sequence[str]) -> list[float]:
        reply = read_json(await self._post(self._body(query, documents)))
        results = self._results(reply)
        error = None if isinstance(results, list) else disguised(reply, self._key)
        if error:
            raise error
        return read_scores(results, len(documents), self.score_field)

    async def _post(self, body: dict[str, object]) -> httpx.Response:
        """The first good reply; an error that may pass is tried again."""
        tries = Tries(self._timeout_s, self._retries, longest_s=self._timeout_s)
        try:
            response = await persistent(
                lambda: whole_reply(self._client, self._url, body, _LARGEST_REPLY), tries, self._sleep
            )
        except (TimeoutError, httpx.RequestError) as error:
            raise self._unreachable(error) from error
        except ReplyTooLargeError as error:
            raise ProviderError(
                f"重排接口 {host(self._url)} 的答复超过 {_LARGEST_REPLY >> 20} MiB",
                part="reranker",
                remedy="请检查 reranker.base_url",
                code="reranker_reply_too_large",
            ) from error
        if not response.is_success:
            raise refusal(response, self._key)
        return response

    def _unreachable(self, error: Exception) -> ProviderError:
        if isinstance(error, TimeoutError | httpx.TimeoutException):
            return ProviderError(
                f"重排接口 {host(self._url)} 在 {self._timeout_s:g} 秒内没有答复",
                part="reranker",
                remedy="请检查网络，或调大 reranker.timeout_s",
                code="reranker_timeout",
            )
        return ProviderError(
            f"无法连接重排接口 {host(self._url)}（{type(error).__name__}）",
            part="reranker",
            remedy="请检查 reranker.base_url、网络与代理设置",
            code="reranker_unreachable",
        )


class DashScopeReranker(HttpReranker):
    """Reranks by DashScope's own text-rerank interface, as of gte-rerank-v2.

    qwen3-rerank stands behind DashScope's `/compatible-api/v1/reranks`, which speaks the form of `JinaReranker`.

    Source:
        https://help.aliyun.com/zh/model-studio/text-rerank-api
    """

    form = "dashscope"
    bare_path = "/api/v1"
    path = "/services/rerank/text-rerank/text-rerank"
    needs_model = True

    def _body(self, query: str, documents: Sequence[str]) -> dict[str, object]:
        return {
            "model": self._model,
            "input": {"query": query, "documents": list(documents)},
            "parameters": {"top_n": len(documents), "return_documents": False},
        }

    def _results(self, reply: object) -> object:
        return _under(_under(reply, "output"), "results")


class JinaReranker(HttpReranker):
    """Reranks by the `/rerank` interface that Jina, Cohere, SiliconFlow, vLLM and others share.

    Source:
        https://docs.cohere.com/reference/rerank
    """

    form = "jina"
    bare_path = "/v1"
    path = "/rerank"

    def _body(self, query: str, documents: Sequence[str]) -> dict[str, object]:
        # No `return_documents`: not every server knows it.
        body: dict[str, object] = {"query": query, "documents": list(documents), "top_n": len(documents)}
        return body | ({"model": self._model} if self._model else {})

    def _results(self, reply: object) -> object:
        return _under(reply, "results")


class TeiReranker(HttpReranker):
    """Reranks by the `/rerank` interface of text-embeddings-inference; the server has one model, `model` names it here.

    Source:
        https://huggingface.github.io/text-embeddings-inference
    """

    form = "tei"
    bare_path = ""
    path = "/rerank"
    score_field = "score"
    batch_size = 32  # the server's default bound; its models score each pair alone, so requests may be split

    def _body(self, query: str, documents: Sequence[str]) -> dict[str, object]:
        return {"query": query, "texts": list(documents), "truncate": True}

    def _results(self, reply: object) -> object:
        return reply


def _under(reply: object, name: str) -> object:
    return reply.get(name) if isinstance(reply, dict) else None


def _checked_key(api_key: str) -> str:
    key = usable_key(api_key)
    if key is None:
        # The key itself is not shown.
        raise ConfigError(
            "重排接口的密钥含有空格或非 ASCII 字符", remedy="请重新复制 reranker.api_key", code="reranker_api_key"
        )
    return key
