"""How long one answer may keep us waiting, and which limit it broke."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from youju.errors import ProviderError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """In seconds: to the first token, between two tokens, and for everything together."""

    first_token_s: float
    between_tokens_s: float
    total_s: float


class Patience:
    """Counts the seconds spent waiting for the server; those that the listener takes between two pieces are his own."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._token_s = limits.first_token_s
        self._begun = False
        self.left_s = limits.total_s

    async def wait(self, for_what: Awaitable[T]) -> T:
        """What is awaited.

        Raises:
            ProviderError: it did not come in time; codes llm_first_token_timeout, llm_stalled, llm_timeout.
        """
        begun = monotonic()
        error = self._broken()
        try:
            async with asyncio.timeout(min(self._token_s, self.left_s)):
                return await for_what
        except TimeoutError as cause:
            raise error from cause
        finally:
            waited = monotonic() - begun
            self._token_s -= waited
            self.left_s -= waited

    def token_came(self) -> None:
        self._begun = True
        self._token_s = self._limits.between_tokens_s

    def asked_again(self, after_s: float) -> None:
        """A new request has the whole time to its first token; the pause before it counts towards the total."""
        self._token_s = self._limits.first_token_s
        self.left_s -= after_s

    def _broken(self) -> ProviderError:
        """The error for the limit that is reached first from here."""
        limits = self._limits
        if self.left_s <= self._token_s:
            return ProviderError(
                f"语言模型在 {limits.total_s:g} 秒内没有答完",
                part="llm",
                remedy="请调大 llm.total_timeout_s，或调小回答长度上限",
                code="llm_timeout",
            )
        if self._begun:
            return ProviderError(
                f"语言模型答到一半停住，{limits.between_tokens_s:g} 秒内没有新的内容",
                part="llm",
                remedy="请重试，或调大 llm.between_tokens_timeout_s",
                code="llm_stalled",
            )
        return ProviderError(
            f"语言模型在 {limits.first_token_s:g} 秒内没有开始回答",
            part="llm",
            remedy="请检查语言模型服务是否繁忙，或调大 llm.first_token_timeout_s",
            code="llm_first_token_timeout",
        )
