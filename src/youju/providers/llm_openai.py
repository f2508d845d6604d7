"""A language model behind an OpenAI-compatible HTTP interface (`POST …/chat/completions`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from http import HTTPStatus

import httpx

from youju.errors import ConfigError, ProviderError
from youju.ports import Piece, Prompt
from youju.providers import openai_http as http
from youju.providers.openai_chat import Answer, cut_off, refusal, too_large, unreachable
from youju.providers.openai_request import Body, Requests
from youju.providers.openai_stream import Events, Whole
from youju.providers.patience import Limits, Patience

_PATH = "/chat/completions"
_LARGEST_ANSWER = 32 << 20


class OpenAILLM:
    """Answers by asking a server, in pieces as they come; what a model thinks before it answers is left out.

    Time limits count the seconds spent waiting for the server, not those the listener takes. Leaving the stream, by
    `aclose()` or by cancelling, closes the connection, on which servers stop generating.

    Args:
        base_url: with the version path, as in https://host/v1; only a bare host gets /v1 appended.
        api_key: may be empty for a server that asks for none.
        connect_timeout_s: for one connection.
        first_token_timeout_s: from asking to the first token, thoughts included; not for replies in one piece.
        between_tokens_timeout_s: keep-alive comments are no tokens.
        total_timeout_s: everything, further tries and the pauses between them included.
        retries: further tries, only before the first token and only after a failed connection, 429 or 5xx;
            `Retry-After` is honoured up to 60 s.
        stream: False for a server that cannot; the answer then comes in one piece.

    Raises:
        ConfigError: the address, the model or the key cannot be used.
    """

    def __init__(  # noqa: PLR0913 - one argument a setting
        self,
        *,
        base_url: str,
        api_key: str = "",
        model: str,
        connect_timeout_s: float = 5,
        first_token_timeout_s: float = 60,
        between_tokens_timeout_s: float = 30,
        total_timeout_s: float = 300,
        retries: int = 2,
        stream: bool = True,
    ) -> None:
        if not model.strip():
            raise ConfigError("未设置语言模型的模型名", remedy="请设置 llm.model", code="llm_model")
        url = _endpoint(base_url)
        self._key = _checked_key(api_key)
        self._model = model.strip()
        # httpx logs the address; user and password travel in the header alone.
        self._url = url.copy_with(username=None, password=None)
        self._stream = stream
        self._connect_timeout_s = connect_timeout_s
        first_s = first_token_timeout_s if stream else total_timeout_s
        self._limits = Limits(first_s, between_tokens_timeout_s, total_timeout_s)
        self._retries = retries
        self._requests = Requests(self._model, stream=stream)
        self._client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
            auth=httpx.BasicAuth(url.username, url.password) if url.userinfo else None,
            timeout=httpx.Timeout(None, connect=connect_timeout_s),
            # A kept connection may be dead by the next question, and a lost one is not tried again.
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
        )
        self._sleep = asyncio.sleep

    def __repr__(self) -> str:
        return f"{self._model}@{http.host(self._url)}"

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        patience, answer = Patience(self._limits), Answer(self._key)
        async with aclosing(await self._open(prompt, patience)) as response:
            reader, packets = self._reader(response), response.aiter_bytes()
            ended, received = False, 0
            while not (ended or answer.done):
                packet = await self._next(packets, patience, answer)
                ended = packet is None
                received += len(packet or b"")
                if received > _LARGEST_ANSWER:
                    raise too_large(_LARGEST_ANSWER)
                for data in reader.end() if packet is None else reader.feed(packet):
                    text = answer.take(data)
                    if answer.alive:
                        patience.token_came()
                    if text:
                        yield Piece(text)
        if text := answer.end():
            yield Piece(text)
        yield answer.last()

    async def aclose(self) -> None:
        await self._client.aclose()

    def _reader(self, response: httpx.Response) -> Events | Whole:
        # Servers that cannot stream answer in one piece although asked to stream.
        kind = response.headers.get("content-type", "")
        return Events() if "event-stream" in kind or (self._stream and "json" not in kind) else Whole()

    async def _next(self, packets: AsyncIterator[bytes], patience: Patience, answer: Answer) -> bytes | None:
        """None at the end of the stream; once the answer is complete, its usage is not worth an error."""
        try:
            return await patience.wait(anext(packets, None))
        except ProviderError:
            if not answer.finish_reason:
                raise
        except httpx.RequestError as error:
            if not answer.finish_reason:
                raise cut_off() from error
        return None

    async def _open(self, prompt: Prompt, patience: Patience) -> httpx.Response:
        """The first good reply, its body unread; an error that may pass is tried again."""
        attempt = 0
        while True:
            wait_s = http.backoff_s(attempt)
            cause: httpx.TransportError | None = None
            body = self._requests.body(prompt)
            try:
                response = await self._send(body, patience)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                problem, cause = unreachable(http.host(self._url), error, self._connect_timeout_s), error
                again = True
            except httpx.RequestError as error:
                raise cut_off() from error
            else:
                if response.is_success:
                    return response
                if self._requests.learnt_from(response, body):
                    continue
                problem, again = refusal(response, self._key), _worth_another_try(response)
                asked_s = http.retry_after_s(response)
                wait_s = wait_s if asked_s is None else asked_s
            if not again or attempt == self._retries or wait_s > min(http.LONGEST_WAIT_S, patience.left_s):
                raise problem from cause
            await self._sleep(wait_s)
            patience.asked_again(wait_s)
            attempt += 1

    async def _send(self, body: Body, patience: Patience) -> httpx.Response:
        request = self._client.build_request("POST", self._url, json=body)
        response = await patience.wait(self._client.send(request, stream=True))
        if not response.is_success:
            async with aclosing(response):
                return await patience.wait(http.beginning(response))
        return response


def _worth_another_try(response: httpx.Response) -> bool:
    status = response.status_code
    again = status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return again and http.may_pass(response)


def _endpoint(base_url: str) -> httpx.URL:
    url = http.endpoint(base_url, _PATH)
    if url is None:
        raise ConfigError(
            "语言模型接口的地址无法使用", remedy="请设置 llm.base_url，如 https://…/v1", code="llm_base_url"
        )
    return url


def _checked_key(api_key: str) -> str:
    key = http.usable_key(api_key)
    if key is None:
        # The key itself is not shown.
        raise ConfigError(
            "语言模型接口的密钥含有空格或非 ASCII 字符", remedy="请重新复制 llm.api_key", code="llm_api_key"
        )
    return key
