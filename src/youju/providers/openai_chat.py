"""Reading what an OpenAI-compatible chat endpoint answers: text, why it ended and its usage, or what went wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus

import httpx

from youju.errors import ProviderError
from youju.ports import Piece
from youju.providers.openai_http import hints, json_of, out_of_quota, said
from youju.providers.openai_stream import Thoughts

_Reason = tuple[str, str]
_BY_STATUS: Mapping[int, _Reason] = {
    HTTPStatus.UNAUTHORIZED: ("llm_auth", "请检查 llm.api_key"),
    HTTPStatus.FORBIDDEN: ("llm_auth", "请检查 llm.api_key 的权限"),
    HTTPStatus.NOT_FOUND: ("llm_not_found", "请检查 llm.base_url（通常以 /v1 结尾）与 llm.model"),
    HTTPStatus.TOO_MANY_REQUESTS: ("llm_rate_limited", "请求过于频繁，请稍后重试"),
}
_OVERFLOW_REMEDY = "请减少送入的资料或对话历史、调小回答长度上限，或换用窗口更长的模型"
# Servers agree on no code; these are the words of the common ones. A bare "max_tokens" is about the answer's length.
_OVERFLOW = re.compile(
    r"context[ _](length|size|window)|range of input length|(prompt|input)( is)? too long|too many input tokens"
    r"|上下文|输入.{0,10}(过长|超长|超过|超出)"
)
_THOUGHTS = ("reasoning_content", "reasoning")


class Answer:
    """One answer, put together from the chunks of a stream, or from the one reply of a server that does not stream.

    `done`: the server said that nothing follows. `finish_reason` is "" until it is known. `alive`: the last chunk held
    text or thoughts.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._thoughts = Thoughts()
        self._begun = False
        self._usage: Mapping[str, object] = {}
        self.done = False
        self.alive = False
        self.finish_reason = ""

    def take(self, data: str) -> str:
        """The answer text in one chunk; thoughts are left out.

        Raises:
            ProviderError: the chunk is no JSON object, or an error in disguise.
        """
        self.alive = False
        self.done = self.done or data.strip() == "[DONE]"
        if self.done:
            return ""
        chunk = self._checked(data)
        usage = chunk.get("usage")
        self._usage = usage if isinstance(usage, dict) else self._usage
        choice = _first(chunk.get("choices"))
        if choice is None:
            return ""
        self._begun = True
        self.finish_reason = _text(choice.get("finish_reason")) or self.finish_reason
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, dict):
            return ""
        text = _text(delta.get("content"))
        self.alive = bool(text or any(delta.get(name) for name in _THOUGHTS))
        return self._thoughts.feed(text)

    def end(self) -> str:
        """The text held back till now.

        Raises:
            ProviderError: the stream ended before the answer did, or there was none.
        """
        if not self._begun:
            raise _bad("llm_bad_reply", "语言模型接口的答复里没有回答")
        if not self.done and not self.finish_reason:
            raise cut_off()
        return self._thoughts.end()

    def last(self) -> Piece:
        """Why it ended, "stop" if the server only said that it did, and its usage."""
        return Piece(
            finish_reason=self.finish_reason or "stop",
            prompt_tokens=_count(self._usage.get("prompt_tokens")),
            completion_tokens=_count(self._usage.get("completion_tokens")),
        )

    def _checked(self, data: str) -> Mapping[str, object]:
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise _bad("llm_bad_json", "语言模型接口的答复不是 JSON") from error
        if not isinstance(chunk, dict):
            raise _bad("llm_bad_reply", "语言模型接口的答复里没有回答")
        # A chunk may hold "error": null; an error may come bare, without choices.
        if chunk.get("error") or ("choices" not in chunk and said(chunk, self._key)):
            raise _error_reply(chunk, self._key)
        return chunk


def refusal(response: httpx.Response, key: str) -> ProviderError:
    """What an answer other than 200 means and what the operator can do."""
    reply = json_of(response)
    status = response.status_code
    words = said(reply, key)
    code, remedy = _reason(status, hints(reply))
    message = f"语言模型接口拒绝了请求（HTTP {status}）" + (f"：{words}" if words else "")
    return ProviderError(message, part="llm", remedy=remedy, code=code)


def cut_off() -> ProviderError:
    return ProviderError(
        "语言模型接口的连接在回答结束之前断开",
        part="llm",
        remedy="请重试；常发生时请检查网络与代理",
        code="llm_cut_off",
    )


def too_large(limit: int) -> ProviderError:
    return _bad("llm_reply_too_large", f"语言模型接口的答复超过 {limit >> 20} MiB")


def unreachable(host: str, error: Exception, timeout_s: float) -> ProviderError:
    if isinstance(error, httpx.TimeoutException):
        return ProviderError(
            f"在 {timeout_s:g} 秒内没有连上语言模型接口 {host}",
            part="llm",
            remedy="请检查网络与 llm.base_url，或调大 llm.connect_timeout_s",
            code="llm_connect_timeout",
        )
    return ProviderError(
        f"无法连接语言模型接口 {host}（{type(error).__name__}）",
        part="llm",
        remedy="请检查 llm.base_url、网络与代理设置，以及服务是否已启动",
        code="llm_unreachable",
    )


def _reason(status: int, hinted: str) -> _Reason:
    if out_of_quota(hinted):
        return "llm_quota", "额度已用完，请在服务商处充值"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    # Before 5xx: some servers count too long a prompt among their own failures.
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or _OVERFLOW.search(hinted):
        return "llm_context_overflow", _OVERFLOW_REMEDY
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "llm_server", "服务暂时不可用，请稍后重试"
    return "llm_rejected", "请检查 llm 下的各项设置"


def _error_reply(chunk: Mapping[str, object], key: str) -> ProviderError:
    words, hinted = said(chunk, key), hints(chunk)
    known = out_of_quota(hinted) or _OVERFLOW.search(hinted)
    code, remedy = _reason(HTTPStatus.OK, hinted) if known else ("llm_error_reply", "请稍后重试，或检查语言模型服务")
    return ProviderError("语言模型接口报错" + (f"：{words}" if words else ""), part="llm", remedy=remedy, code=code)


def _first(choices: object) -> Mapping[str, object] | None:
    found = choices[0] if isinstance(choices, list) and choices else None
    return found if isinstance(found, dict) else None


def _text(value: object) -> str:
    """A string, or the text among parts; "" for anything else."""
    if isinstance(value, list):
        return "".join(_parts(value))
    return value if isinstance(value, str) else ""


def _parts(values: Sequence[object]) -> list[str]:
    return [_text(part.get("text")) for part in values if isinstance(part, dict) and part.get("type") == "text"]


def _count(value: object) -> int | None:
    return value if type(value) is int else None


def _bad(code: str, message: str) -> ProviderError:
    return ProviderError(message, part="llm", remedy="请检查 llm.base_url 是否为兼容的对话接口", code=code)
