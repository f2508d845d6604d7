"""youju eval run · report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from youju.cli import output
from youju.cli.ask import parsed
from youju.cli.frame import PathArgument, Whole, as_json, command, data_dir, run, settings
from youju.errors import InputError

if TYPE_CHECKING:
    from youju.compose import App
    from youju.lab.dataset import Case
    from youju.lab.plan import Estimate, Measuring, Plan
    from youju.lab.runs import Folder
    from youju.settings import Settings

OUT = Path("youju-eval")
out_dir = click.option(
    "--out", metavar="文件夹", type=PathArgument(), default=OUT, show_default=True, help="运行与报告所在的文件夹。"
)


def planned(work: Callable[..., int]) -> Callable[..., int]:
    """The options of a plan, gathered."""

    @wraps(work)
    def gathered(**options: Any) -> int:  # noqa: ANN401 - what click parsed, by name
        return work(**options)

    function: Callable[..., int] = gathered
    for option in (
        click.argument("sets", metavar="题目集…", nargs=-1, required=True, type=PathArgument()),
        click.option("--arms", metavar="V1,V2…", default=None, help="要比较的方案，逗号分隔；默认 V0 到 V6 与 chat。"),
        click.option("--arms-file", metavar="文件", type=PathArgument(), default=None, help="自定义方案（TOML）。"),
        click.option("--category", "categories", metavar="类别", multiple=True, help="只跑这些类别（可重复）。"),
        click.option("--split", metavar="dev|test", default="", help="只跑题目集的这一部分。"),
        click.option("--limit", metavar="整数", type=Whole(1, 1_000_000), default=None, help="最多几题，均匀抽取。"),
        click.option("--repeats", metavar="整数 1–50", type=Whole(1, 50), default=1, help="每题回答几次（默认 1）。"),
        click.option(
            "--measures",
            "measuring",
            type=click.Choice(["retrieval", "answers", "full"]),
            default=None,
            help="retrieval 只测检索；answers 加上回答，不用裁判（默认）；full 全部，须允许裁判。",
        ),
        click.option("--judge", is_flag=True, help="允许使用裁判模型（收费），等于 --measures full。"),
        click.option(
            "--set", "knobs", metavar="名称=值", multiple=True, help="这次运行的检索设置，如 rrf_k=30（可重复）。"
        ),
        click.option("--persona", metavar="角色", default=None, help="谁来回答，各方案相同。"),
        click.option("--concurrency", metavar="整数 1–64", type=Whole(1, 64), default=None, help="同时进行的题数。"),
        click.option("--max-cost", metavar="金额", type=float, default=None, help="费用到此为止，已得结果照常成报告。"),
        click.option("--seed", metavar="整数", type=int, default=7, show_default=True, help="抽样与统计的随机种子。"),
        click.option("--resume", is_flag=True, help="接着上一次没有跑完的运行，已付费的调用不重复。"),
        click.option("--fresh", is_flag=True, help="不用留存的模型回答，重新提问。"),
        click.option("--dry-run", is_flag=True, help="只估算规模与费用，不运行。"),
        click.option("--despite-audit", is_flag=True, help="题目集没有通过审核也照跑；报告中会写明。"),
        out_dir,
        as_json,
        data_dir,
    ):
        function = option(function)
    return function


@command("run", help="让一个或多个题目集走过各个方案，写出报告。", short_help="运行评测")
@planned
def run_(*, data: Path | None, json_: bool, out: Path, dry_run: bool, resume: bool, **options: Any) -> int:  # noqa: ANN401 - the plan's
    from youju.chat.service import Request, narrowed  # noqa: PLC0415 - see `frame`

    chosen = settings(data).settings
    sets: tuple[Path, ...] = options.pop("sets")

    knobs = parsed(options.pop("knobs"))

    async def work(app: App) -> int:
        plan = _plan(chosen, options)
        lab = replace(app.lab, knobs=narrowed(app.lab.knobs, Request("", settings=knobs)))
        cases, about = await _asked(app, sets, plan)
        if dry_run:
            _say_estimate(lab.estimate(plan, cases), json_=json_)
            return 0
        for arm in lab.arms(plan):
            if arm.info.missing:
                output.note(f"方案 {arm.info.name}（{arm.info.title}）不能运行：{arm.info.missing}")
        go = lab.resume if resume else lab.run
        with output.counting("评测", shown=not json_) as show:
            folder = await go(plan, cases, out, about=about, show=show)
        return _reported(folder, out, json_=json_)

    return run(data, work)


@command(help="把一次运行重新打分，写出报告；不调用任何模型。", short_help="重写报告")
@click.argument("run", metavar="[运行]", type=PathArgument(), default=OUT)
@as_json
def report(run: Path, *, json_: bool) -> int:
    from youju.lab.runs import found  # noqa: PLC0415 - see `frame`

    folder = found(run)
    return _reported(folder, folder.path.parent, json_=json_)


def _plan(chosen: Settings, options: dict[str, Any]) -> Plan:
    from youju.lab.arms import LADDER, own  # noqa: PLC0415 - see `frame`
    from youju.lab.plan import Plan  # noqa: PLC0415

    judge, measuring = options.pop("judge"), options.pop("measuring")
    measuring = cast("Measuring", measuring or ("full" if judge else "answers"))
    if measuring == "full" and not (judge or chosen.eval.enabled):
        raise InputError(
            "裁判模型会产生费用，须明确允许",
            remedy="请加上 --judge，或设置 YOUJU_EVAL_ENABLED=true",
            code="judge_not_allowed",
        )
    file, names = options.pop("arms_file"), options.pop("arms")
    mine = own(file) if file else {}
    arms = tuple(one.strip() for one in names.split(",") if one.strip()) if names else (*LADDER, *mine)
    return Plan(
        arms,
        mine,
        persona=options.pop("persona") or chosen.answering.persona,
        concurrency=options.pop("concurrency") or chosen.eval.concurrency,
        measuring=measuring,
        judge_mode=chosen.judge.mode,
        **options,
    )


async def _asked(app: App, sets: tuple[Path, ...], plan: Plan) -> tuple[list[Case], dict[str, object]]:
    """The cases of a run and what its manifest says of their set.

    Raises:
        InputError: the set cannot be read, or failed its audit.
    """
    from youju.lab.audit import audited  # noqa: PLC0415 - see `frame`
    from youju.lab.plan import selected  # noqa: PLC0415
    from youju.lab.sets import described, opened  # noqa: PLC0415

    whole = opened(sets, output.note)
    audit = await audited(app.lab.store, whole)
    if not audit.passed and not plan.despite_audit:
        raise InputError(
            f"题目集没有通过审核：{audit.digest}",
            remedy="请用 youju eval audit 查看并改正，或加上 --despite-audit",
            code="audit_failed",
        )
    cases = selected(whole, plan)
    return cases, described(sets, cases) | {"audit": {"passed": audit.passed, "digest": audit.digest}}


def _reported(folder: Folder, out: Path, *, json_: bool) -> int:
    from youju.lab.assembling import results  # noqa: PLC0415 - see `frame`
    from youju.lab.report import written  # noqa: PLC0415

    found = results(folder)
    report = written(found, out, folder.name)
    if json_:
        output.as_json(report.json)
    else:
        output.say(report.verdict)
        output.say(f"\n报告：{report.markdown}")
    return 0


def _say_estimate(one: Estimate, *, json_: bool) -> None:
    from dataclasses import asdict  # noqa: PLC0415

    if json_:
        output.as_json(asdict(one))
        return
    output.say(f"{one.cases} 题 × {one.arms} 个方案，至多 {one.answers} 个回答")
    output.say(f"语言模型至多 {one.model_calls} 次调用，费用{_price(one.model_cost)}")
    output.say(f"裁判至多 {one.judge_calls} 次调用，费用{_price(one.judge_cost)}")


def _price(cost: float | None) -> str:
    return "未知（没有设置价格）" if cost is None else f"至多约 {cost:.4g}"
