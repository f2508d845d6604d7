"""Reading what a rerank endpoint answers: one score a document in the order of the request, or the reason why not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus

import httpx

from youju.errors import ProviderError
from youju.providers.openai_http import json_of, said

_CHECK_ADDRESS = "请检查 reranker.base_url 与类型（dashscope、jina、tei）是否相符"
_CHECK_MODEL = "请检查模型名是否为重排模型，以及服务是否正常"
_BY_STATUS: Mapping[int, tuple[str, str]] = {
    HTTPStatus.UNAUTHORIZED: ("reranker_auth", "请检查重排接口的密钥（api_key）"),
    HTTPStatus.FORBIDDEN: ("reranker_auth", "请检查重排接口密钥的权限与账户余额"),
    HTTPStatus.NOT_FOUND: ("reranker_not_found", "请检查 reranker.base_url 与 model"),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("reranker_too_large", "请调小重排接口的 max_chars 或 rrf_top_k"),
    HTTPStatus.TOO_MANY_REQUESTS: ("reranker_rate_limited", "请求过于频繁或额度用完，请稍后重试或检查额度"),
}


def read_json(response: httpx.Response) -> object:
    """The reply as JSON.

    Raises:
        ProviderError: "reranker_bad_json".
    """
    try:
        return response.json()
    except (ValueError, RecursionError) as error:
        raise _bad("reranker_bad_json", "重排接口的答复不是 JSON") from error


def read_scores(results: object, count: int, field: str) -> list[float]:
    """The number under `field` of each of `count` results, by their `index`; the scale stays the server's.

    Raises:
        ProviderError: another number of results, an index that is missing, out of range or there twice, or a score
            that is no finite number; each has a code of its own.
    """
    if not isinstance(results, list):
        raise _bad("reranker_bad_reply", "重排接口的答复里没有结果列表")
    if len(results) != count:
        raise _bad("reranker_wrong_count", f"重排接口的答复与请求对不上：请求 {count} 条，返回 {len(results)} 条")
    scores: dict[int, float] = {}
    for item in results:
        place = _place(item, count)
        if place in scores:
            raise _bad("reranker_index_repeated", f"重排接口把序号 {place} 返回了两次")
        scores[place] = _finite(item, field)
    return [scores[place] for place in range(count)]


def refusal(response: httpx.Response, key: str) -> ProviderError:
    """What an answer other than 2xx means and what the operator can do."""
    status = response.status_code
    server = ("reranker_server", "服务暂时不可用，请稍后重试")
    other = ("reranker_rejected", "请检查 reranker.base_url、model 与 max_chars")
    code, remedy = _BY_STATUS.get(status, server if status >= HTTPStatus.INTERNAL_SERVER_ERROR else other)
    words = _words(json_of(response), key)
    message = f"重排接口拒绝了请求（HTTP {status}）" + (f"：{words}" if words else "")
    return ProviderError(message, part="reranker", remedy=remedy, code=code)


def disguised(reply: object, key: str) -> ProviderError | None:
    """The error that a 200 without results tells of, or None if it tells of none."""
    words = _words(reply, key)
    return _bad("reranker_error_reply", f"重排接口报错：{words}") if words else None


def _words(reply: object, key: str) -> str:
    # Some servers answer with a bare string.
    return said({"message": reply} if isinstance(reply, str) else reply, key)


def _place(item: object, count: int) -> int:
    place = item.get("index") if isinstance(item, dict) else None
    # A bool is an int, but no index.
    if type(place) is not int:
        raise _bad("reranker_no_index", "重排接口的结果缺少整数序号 index")
    if not 0 <= place < count:
        raise _bad("reranker_index_out_of_range", f"重排接口返回的序号 {_short(place)} 不在 0 到 {count - 1} 之间")
    return place


def _finite(item: Mapping[str, object], field: str) -> float:
    value = item.get(field)
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    except OverflowError:
        # An integer beyond every float.
        pass
    raise _bad("reranker_bad_score", f"重排接口返回的分数 {field} 不是有限的数值", _CHECK_MODEL)


def _short(number: int) -> str:
    # The message is for people; JSON lets an integer have thousands of digits.
    return str(number) if abs(number) < 10**9 else "…"


def _bad(code: str, message: str, remedy: str = _CHECK_ADDRESS) -> ProviderError:
    return ProviderError(message, part="reranker", remedy=remedy, code=code)
