"""The judge's part of a run: controls first, then every answer, then some of them again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

from youju.lab.assembling import sights
from youju.lab.calls import Calls, Remembering
from youju.lab.dataset import Case
from youju.lab.judge import quality
from youju.lab.judge.controls import check
from youju.lab.judge.judging import judged
from youju.lab.plan import Plan
from youju.lab.runs import Folder, Key
from youju.lab.seen import Seen
from youju.ports import LLM
from youju.stages.judge import Judge

AGAIN = -1
"""The repeat under which verdicts of the noise floor are kept: the same question, asked once more."""


@dataclass(frozen=True)
class Judging:
    llm: LLM
    calls: Calls
    plan: Plan
    max_tokens: int

    async def of(self, folder: Folder, cases: Sequence[Case], told: Callable[[int, int], None]) -> dict[str, object]:
        """Judges what is not judged yet; what the run says about its judge."""
        judge = Judge(Remembering(self.llm, self.calls), self.max_tokens)
        checked = await check(judge)
        seens = sights(folder, cases)
        kept = folder.judgements()
        known = kept.read()
        left = [(key, seen) for key, seen in seens.items() if key not in known and not seen.broke]
        done = len(seens) - len(left)

        async def one(key: Key, seen: Seen) -> None:
            nonlocal done
            async with gate:
                known[key] = await judged(seen, judge, mode=self.plan.judge_mode)
            if not known[key].errors:
                # What failed is asked again when the run is taken up again.
                await asyncio.to_thread(kept.keep, key, known[key])
            done += 1
            told(done, len(seens))

        gate = asyncio.Semaphore(self.plan.concurrency)
        async with asyncio.TaskGroup() as group:
            for key, seen in left:
                group.create_task(one(key, seen))
        for key, judgement in known.items():
            if judgement.errors:
                kept.keep(key, judgement)
        whole = [replace(seen, judgement=known.get(key)) for key, seen in seens.items()]
        second = Judge(Remembering(self.llm, self.calls, AGAIN), self.max_tokens)
        noise = await quality.noise(whole, second, seed=self.plan.seed)
        return {
            "judge": repr(judge),
            "mode": self.plan.judge_mode,
            "controls": asdict(checked),
            "void": checked.void,
            "noise": [asdict(one) | {"disagreement": one.disagreement} for one in noise],
            "calibrated": False,
        }
