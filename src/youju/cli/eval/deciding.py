"""youju eval compare · gate: what changed, and whether it may ship."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.eval.run import OUT
from youju.cli.frame import PathArgument, as_json, command

if TYPE_CHECKING:
    from youju.lab.results import Results


@command(help="比较两次运行，或一次运行里的两个方案，只看两边相同的题。", short_help="比较两次运行")
@click.argument("before", metavar="之前的运行", type=PathArgument())
@click.argument("after", metavar="[之后的运行]", type=PathArgument(), required=False)
@click.option("--arm", metavar="方案", default="chat", show_default=True, help="比较哪个方案。")
@click.option("--with", "other", metavar="方案", default="", help="之后的运行里的另一个方案。")
@as_json
def compare(before: Path, after: Path | None, *, arm: str, other: str, json_: bool) -> int:
    from youju.lab.compare import compare as compared  # noqa: PLC0415 - see `frame`
    from youju.lab.report.deciding import compared as told  # noqa: PLC0415
    from youju.lab.report.deciding import settings  # noqa: PLC0415
    from youju.lab.summary.plain import plain  # noqa: PLC0415

    first = read(before)
    second = read(after) if after else first
    found = compared(first, second, arm=arm, other=other)
    if json_:
        output.as_json(plain(found))
    else:
        if other_settings := settings(first, second):
            output.say(other_settings)
        for part in told(found, second.measures):
            output.say(part + "\n")
    return 0


@command(help="这次改动能不能上线：0 通过，1 有显著损失或硬性检查不合格，2 题目太少不能下结论。", short_help="门禁")
@click.argument("run", metavar="[运行]", type=PathArgument(), default=OUT)
@click.option("--baseline", metavar="运行", type=PathArgument(), required=True, help="作为标准的那次运行。")
@click.option("--arm", metavar="方案", default="chat", show_default=True, help="看哪个方案。")
@click.option("--primary", metavar="指标", default="hit@5", show_default=True, help="决定去留的指标。")
@click.option("--margin", metavar="数值", type=float, default=0.03, show_default=True, help="容许它降低多少。")
@as_json
def gate(run: Path, *, baseline: Path, arm: str, primary: str, margin: float, json_: bool) -> int:
    from youju.lab.gate import gate as gated  # noqa: PLC0415 - see `frame`
    from youju.lab.report.deciding import paragraph, settings  # noqa: PLC0415
    from youju.lab.summary.plain import plain  # noqa: PLC0415

    before, now = read(baseline), read(run)
    found = gated(before, now, arm=arm, primary=primary, margin=margin)
    said = paragraph(found, now.measures, arm) + settings(before, now)
    if json_:
        facts = plain(asdict(found))
        output.as_json({"reason": said, **(facts if isinstance(facts, dict) else {})})
    else:
        output.say(said)
    return found.code


def read(run: Path) -> Results:
    """The figures of a run that the user named.

    Raises:
        NotFoundError: there is none.
    """
    from youju.lab.assembling import results  # noqa: PLC0415 - see `frame`
    from youju.lab.runs import found  # noqa: PLC0415

    return results(found(run))
