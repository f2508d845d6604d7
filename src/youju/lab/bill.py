"""What the calls of a run cost so far, and when that is too much."""

from __future__ import annotations

from dataclasses import dataclass

from youju.errors import YoujuError
from youju.lab.calls import Calls
from youju.lab.plan import Price


class OverspentError(YoujuError):
    """The bound of a run's cost is reached, or cannot be watched: code max_cost or unknown_cost."""


def first(errors: BaseExceptionGroup[OverspentError]) -> str:
    """The code of one of them."""
    one = errors.exceptions[0]
    return first(one) if isinstance(one, BaseExceptionGroup) else one.code


@dataclass(frozen=True)
class Bill:
    """By the tokens that the services told, in all processes that worked on the run; `bound` None = no bound."""

    bound: float | None
    calls: Calls
    answer: Price
    judge: Price
    judged_by: str

    def cost(self) -> float | None:
        """None where a price or a number of tokens is unknown."""
        each = [self._of(model) for model in self.calls.told]
        return None if any(one is None for one in each) else sum(one for one in each if one is not None)

    def check(self) -> None:
        """Raises OverspentError where more than the bound is spent, or nobody knows how much is."""
        if self.bound is None:
            return
        cost = self.cost()
        if cost is None:
            raise OverspentError("服务没有报告用量，费用无法控制", code="unknown_cost")
        if cost > self.bound:
            raise OverspentError("费用到了上限", code="max_cost")

    def _of(self, model: str) -> float | None:
        told = self.calls.told[model]
        price = self.judge if model == self.judged_by else self.answer
        return None if told.untold else price.cost(told.prompt, told.completion)
