"""Reading what an OpenAI-compatible embeddings endpoint answers: rows of numbers, or the reason why not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus

import httpx
import numpy as np
import numpy.typing as npt

from youju.errors import ProviderError
from youju.providers.openai_http import hints, json_of, out_of_quota, said

Rows = npt.NDArray[np.float64]
_Reason = tuple[str, str]
_BY_STATUS: Mapping[int, _Reason] = {
    HTTPStatus.UNAUTHORIZED: ("embedder_auth", "请检查 embedding.api_key"),
    HTTPStatus.FORBIDDEN: ("embedder_auth", "请检查 embedding.api_key 的权限"),
    HTTPStatus.NOT_FOUND: ("embedder_not_found", "请检查 embedding.base_url（通常以 /v1 结尾）与 embedding.model"),
    HTTPStatus.TOO_MANY_REQUESTS: ("embedder_rate_limited", "请求过于频繁，请稍后重试"),
}
_TOO_LONG = ("embedder_input_too_long", "请调小 chunking.child_max_chars，或换用窗口更长的嵌入模型")
# Servers agree on no code for these two; the words are those of the common ones.
_BY_WORDS: Sequence[tuple[re.Pattern[str], _Reason]] = (
    (
        re.compile(r"batch[ _-]?size|batch.{0,40}(larger|exceed|too|limit|maximum)|too many inputs|array.{0,20}length"),
        ("embedder_batch_too_large", "请调小 embedding.batch_size"),
    ),
    (
        re.compile(
            r"context[ _]length|too long|too many tokens|max(imum)?[ _].{0,40}(token|length)|range of input length"
            r"|(token|length|input).{0,40}(exceed|limit)|exceed.{0,40}(token|length|limit)|过长|超长|长度"
        ),
        _TOO_LONG,
    ),
)


def read_rows(response: httpx.Response, count: int, key: str) -> Rows:
    """The vectors of a 200 in the order of the request, shape (count, dim), as sent: not normalised.

    Raises:
        ProviderError: the reply is no JSON, an error in disguise, has rows too many, too few or twice, or rows of
            different lengths.
    """
    try:
        reply = response.json()
    except (ValueError, RecursionError) as error:
        raise _bad("embedder_bad_json", "嵌入接口的答复不是 JSON") from error
    data = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(data, list):
        words = said(reply, key)
        if words:
            raise _bad("embedder_error_reply", f"嵌入接口报错：{words}")
        raise _bad("embedder_bad_reply", "嵌入接口的答复里没有 data")
    return _matrix([_numbers(item) for item in _in_order(data, count)])


def refusal(response: httpx.Response, key: str) -> ProviderError:
    """What an answer other than 200 means and what the operator can do."""
    reply = json_of(response)
    code, remedy = _reason(response.status_code, hints(reply))
    words = said(reply, key)
    message = f"嵌入接口拒绝了请求（HTTP {response.status_code}）" + (f"：{words}" if words else "")
    return ProviderError(message, part="embedder", remedy=remedy, code=code)


def _reason(status: int, hinted: str) -> _Reason:
    if out_of_quota(hinted):
        return "embedder_quota", "额度已用完，请在服务商处充值"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "embedder_server", "服务暂时不可用，请稍后重试"
    too_large = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    other = _TOO_LONG if too_large else ("embedder_rejected", "请检查 embedding 下的各项设置")
    return next((reason for words, reason in _BY_WORDS if words.search(hinted)), other)


def _in_order(data: Sequence[object], count: int) -> list[Mapping[str, object]]:
    """The items by their `index`; servers that send none are taken to keep the order."""
    items: list[Mapping[str, object]] = [item for item in data if isinstance(item, dict)]
    places = [item.get("index") for item in items]
    if places == [None] * count and len(data) == count:
        return items
    by_place = {place: item for place, item in zip(places, items, strict=True) if type(place) is int}
    if len(data) != count or sorted(by_place) != list(range(count)):
        raise _bad("embedder_bad_index", f"嵌入接口的答复与请求对不上：请求 {count} 条，返回 {len(data)} 条或序号有误")
    return [by_place[place] for place in range(count)]


def _numbers(item: Mapping[str, object]) -> list[float]:
    values = item.get("embedding")
    if not isinstance(values, list) or not values or not all(type(value) in {int, float} for value in values):
        raise _bad("embedder_bad_reply", "嵌入接口返回的向量不是数字列表")
    return values


def _matrix(rows: Sequence[Sequence[float]]) -> Rows:
    sizes = sorted({len(row) for row in rows})
    if len(sizes) > 1:
        raise _bad("embedder_bad_dim", f"嵌入接口在同一答复里返回了不同维度的向量：{sizes}")
    try:
        return np.array(rows, dtype=np.float64)
    except OverflowError as error:
        raise _bad("embedder_not_finite", "嵌入接口返回了过大的数值") from error


def _bad(code: str, message: str) -> ProviderError:
    remedy = "请检查 embedding.base_url 是否为兼容的嵌入接口"
    return ProviderError(message, part="embedder", remedy=remedy, code=code)
