"""The judge's part of a run: controls first, then every answer, then some of them again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from time import monotonic

from youju.lab.assembling import sights
from youju.lab.bill import OverspentError, first
from youju.lab.calls import Calls, Remembering
from youju.lab.dataset import Case
from youju.lab.judge import quality
from youju.lab.judge.controls import check
from youju.lab.judge.judging import judged
from youju.lab.judge.quality import Agreement
from youju.lab.judgement import Judgement
from youju.lab.plan import Plan
from youju.lab.runs import Folder, Judgements, Key
from youju.lab.seen import Seen
from youju.ports import LLM
from youju.stages.judge import Judge
from youju.stages.pace import Pace

TOO_LATE = "judge_deadline"
AGAIN = -1
"""The repeat under which verdicts of the noise floor are kept: the same question, asked once more."""
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Asked:
    """The model that judges; `deadline_s` is for all verdicts of a run together, `max_tokens` of a reply."""

    llm: LLM
    max_tokens: int = 2048
    deadline_s: float = 4 * 3600.0


@dataclass(frozen=True)
class Judging:
    asked: Asked
    calls: Calls
    plan: Plan

    async def of(self, folder: Folder, cases: Sequence[Case], told: Told) -> tuple[dict[str, object], str]:
        """Judges what is not judged yet; what the run says about its judge, and why it stopped early, "" if not.

        Args:
            folder: the run.
            cases: of the run.
            told: how many of how many answers are judged; raises OverspentError where no more may be asked.
        """
        deadline, pace = monotonic() + self.asked.deadline_s, Pace(self.plan.concurrency)
        judge, second = (
            Judge(Remembering(self.asked.llm, self.calls, n), self.asked.max_tokens, deadline=deadline, pace=pace)
            for n in (0, AGAIN)
        )
        checked = await check(judge)
        seens, kept = sights(folder, cases), folder.judgements()
        # What failed is asked again when the run is taken up again.
        known = {key: one for key, one in kept.read().items() if not one.errors}
        stopped = ""
        try:
            await self._judge(seens, judge, known, kept, told)
        except* OverspentError as errors:
            stopped = first(errors)
        whole = [] if stopped else [replace(seen, judgement=known.get(key)) for key, seen in seens.items()]
        noise = await quality.noise(whole, second, seed=self.plan.seed)
        modes = await quality.modes(whole, judge, seed=self.plan.seed)
        if any(reason.startswith(TOO_LATE) for one in known.values() for _, reason in one.errors):
            stopped = TOO_LATE
        section: dict[str, object] = {
            "judge": repr(judge),
            "mode": self.plan.judge_mode,
            "controls": asdict(checked),
            "void": checked.void,
            "noise": _rows(noise),
            "modes": _rows(modes),
            "calibrated": False,
        }
        return section, stopped

    async def _judge(
        self, seens: Mapping[Key, Seen], judge: Judge, known: dict[Key, Judgement], kept: Judgements, told: Told
    ) -> None:
        left = [(key, seen) for key, seen in seens.items() if key not in known and not seen.broke]
        done = len(seens) - len(left)
        gate = asyncio.Semaphore(self.plan.concurrency)

        async def one(key: Key, seen: Seen) -> None:
            nonlocal done
            async with gate:
                known[key] = await judged(seen, judge, mode=self.plan.judge_mode)
                await asyncio.to_thread(kept.keep, key, known[key])
                done += 1
                told(done, len(seens))

        async with asyncio.TaskGroup() as group:
            for key, seen in left:
                group.create_task(one(key, seen))


def _rows(found: Sequence[Agreement]) -> list[dict[str, object]]:
    return [asdict(one) | {"disagreement": one.disagreement} for one in found]
