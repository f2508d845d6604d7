"""What an answer costs in tokens and characters. Seconds come from a sequential pass of their own."""

from __future__ import annotations

from functools import partial

from youju.lab.measures.base import Computed, Measure
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, not_applicable, ok
from youju.lab.seen import Seen, walked


def tokens(seen: Seen, name: str) -> Score:
    """The tokens of all calls of a language model for this question, as the service reported them.

    n/a where no model was called, or any call has no figure: what is unknown is not 0.
    """
    told = [step.note[name] for step in walked(seen.turn.steps) if name in step.note]
    if not told:
        return not_applicable("没有调用语言模型")
    known = [one for one in told if isinstance(one, int)]
    return ok(sum(known)) if len(known) == len(told) else not_applicable("服务没有报告用量")


def context_chars(seen: Seen) -> Score:
    """Characters of what the model was given; n/a where no context was made."""
    context = seen.turn.context
    return ok(sum(len(item.text) for item in context)) if context else not_applicable("没有建立上下文")


def measures() -> tuple[Measure, ...]:
    return (
        Computed(_info("prompt_tokens", "提示词元", "词元"), partial(tokens, name="prompt_tokens")),
        Computed(_info("completion_tokens", "回答词元", "词元"), partial(tokens, name="completion_tokens")),
        Computed(_info("context_chars", "上下文字数", "字", neither=True), context_chars),
    )


def _info(name: str, title: str, unit: str, *, neither: bool = False) -> MeasureInfo:
    return MeasureInfo(name, title, "cost", "neither" if neither else "lower", unit, gate="none")
