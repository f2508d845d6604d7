"""What a chat endpoint is asked with, less the fields that this server has refused."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

import httpx

from youju.ports import Prompt
from youju.providers.embed_input import clean

Body = Mapping[str, object]


class Requests:
    """Bodies for one model; `learnt_from` remembers for the next ones what the server does not know."""

    def __init__(self, model: str, *, stream: bool) -> None:
        self._model = model
        self._stream = stream
        self._refused: frozenset[str] = frozenset()

    def body(self, prompt: Prompt) -> Body:
        length = "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"
        body: dict[str, object] = {
            "model": self._model,
            "messages": [{"role": role, "content": clean(text)} for role, text in prompt.messages],
            "temperature": prompt.temperature,
            length: prompt.max_tokens,
            "stream": self._stream,
        }
        if self._stream and "stream_options" not in self._refused:
            body["stream_options"] = {"include_usage": True}
        if prompt.schema is not None and "response_format" not in self._refused:
            wanted = {"name": "reply", "strict": True, "schema": prompt.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": wanted}
        return body

    def learnt_from(self, refusal: httpx.Response, sent: Body) -> bool:
        """Whether the server refused a field of `sent` that can be left out or has a newer name: ask again at once."""
        if refusal.status_code not in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}:
            return False
        # Only where the server names the successor: max_tokens alone may just be too large.
        words = {
            "stream_options": ("stream_options",),
            "max_tokens": ("max_completion_tokens",),
            "response_format": ("response_format", "json_schema"),
        }
        named = {field for field, known in words.items() if field in sent and any(one in refusal.text for one in known)}
        self._refused |= named
        return bool(named)
