"""youju eval calibrate · sweep."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import PathArgument, Whole, as_json, command, data_dir, run
from youju.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from youju.compose import App
    from youju.lab.calibrate import Point, Rate
    from youju.lab.dataset import Case
    from youju.lab.sweep import Swept
    from youju.lab.tuning import Calibrated


@command(help="在一部分题目上选定拒答的界限与相似度阈值，写入设置，并在另一部分上报告。", short_help="校准阈值")
@click.argument("sets", metavar="题目集…", nargs=-1, required=True, type=PathArgument())
@click.option("--precision", metavar="0–1", type=click.FloatRange(0, 1, min_open=True), default=0.9, show_default=True,
              help="拒答中至少多少该拒答。")  # fmt: skip
@click.option("--split", metavar="名称", default=None, help="在哪一部分上选定（默认 dev；题目没有分开时用全部）。")
@click.option(
    "--report-split", metavar="名称", default="test", show_default=True, help="在哪一部分上报告；空 = 不报告。"
)
@click.option("--write", metavar="文件", type=PathArgument(), default=None, help="写入这个设置文件，如 youju.toml。")
@as_json
@data_dir
def calibrate(
    sets: tuple[Path, ...],
    *,
    precision: float,
    split: str | None,
    report_split: str,
    write: Path | None,
    json_: bool,
    data: Path | None,
) -> int:
    from youju.lab.calibrate import ENOUGH  # noqa: PLC0415 - see `frame`
    from youju.lab.plan import Plan  # noqa: PLC0415
    from youju.lab.sets import opened  # noqa: PLC0415
    from youju.lab.summary.plain import plain  # noqa: PLC0415
    from youju.lab.tuning import calibrated, write_settings  # noqa: PLC0415

    cases = opened(sets, output.note)
    split, other = _splits(cases, split, report_split)

    async def work(app: App) -> Calibrated:
        return await calibrated(app.lab, cases, Plan(split=split), wanted=precision, told_on=other)

    found = run(data, work)
    if write and not found.found.enough:
        raise InputError(
            f"题目太少，没有写入：有答案与没有答案的题各要至少 {ENOUGH} 道，否则选出的界限只适合这几题",
            remedy="请补题后再校准；不加 --write 可以只看结果",
            code="too_few_cases",
        )
    if write:
        write_settings(write, found.values)
    if json_:
        output.as_json(plain(found))
    else:
        _say(found, split, other, write)
    return 0 if found.found.reached else 2


def _splits(cases: Sequence[Case], split: str | None, other: str) -> tuple[str, str]:
    """On which part to choose and on which to tell; a note where that is the same one.

    Raises:
        InputError: the set has no such part.
    """
    parts = {case.split for case in cases} - {""}
    if split and split not in parts:
        raise InputError(
            f"题目集没有 {split} 这一部分",
            remedy="请先用 youju eval split 分开，或用 --split '' 取全部",
            code="no_cases",
        )
    if split is None:
        split = "dev" if "dev" in parts else ""
    if other not in parts:
        output.note("题目没有分成两部分，选定与报告用的是同一批题，数字会偏好；可先用 youju eval split 分开。")
        other = ""
    return split, other


def _say(done: Calibrated, split: str, other: str, write: Path | None) -> None:
    found = done.found
    if not found.enough:
        output.say("题目太少：下面的界限只适合这几题，区间很宽。")
    if not found.reached:
        output.say(f"没有一个界限达到拒答精度 {found.wanted:g}，下面是最接近的。")
    output.say(f"LOW 的界限 {found.low:g}，HIGH 的界限 {found.high:g}")
    if found.threshold is not None:
        kept = f"保留 {_rate(found.gold_kept)} 的正确片段，{_rate(found.others_kept)} 的其他片段"
        output.say(f"相似度阈值 {found.threshold:g}：{kept}")
    _say_point(f"选定（{split or '全部'}）", found.chosen)
    if done.told:
        _say_point(f"报告（{other}）", done.told)
    output.say(f"已写入 {write}" if write else "没有写入；要写入请加 --write youju.toml")


def _say_point(title: str, one: Point) -> None:
    output.say(
        f"{title}：拒答精度 {_rate(one.precision)}，拒答召回 {_rate(one.recall)}，过度拒答 {_rate(one.over_refusal)}，"
        f"覆盖 {one.coverage:.3f}"
    )


def _rate(one: Rate) -> str:
    if one.value is None:
        return "—"
    return f"{one.value:.3f} [{one.interval.low:.3f}, {one.interval.high:.3f}]"


@command(help="试遍一组检索设置：在一部分题目上选最好的，在另一部分上报告它比现有设置好多少。", short_help="试设置")
@click.argument("sets", metavar="题目集…", nargs=-1, required=True, type=PathArgument())
@click.option("--arm", metavar="方案", default="V2", show_default=True, help="以哪个方案为底。")
@click.option("--grid", "axes", metavar="名称=值,值…", multiple=True, required=True, help="要试的设置（可重复）。")
@click.option("--measure", metavar="指标", default="evidence_mrr", show_default=True, help="看哪个指标。")
@click.option("--split", metavar="名称", default=None, help="在哪一部分上选（默认 dev；题目没有分开时用全部）。")
@click.option("--report-split", metavar="名称", default="test", show_default=True, help="在哪一部分上报告。")
@click.option("--limit", metavar="整数", type=Whole(1, 1_000_000), default=None, help="最多几题。")
@click.option("--answers", is_flag=True, help="连回答一起测（较慢）；默认只测检索。")
@as_json
@data_dir
def sweep(
    sets: tuple[Path, ...],
    *,
    arm: str,
    axes: tuple[str, ...],
    measure: str,
    split: str | None,
    report_split: str,
    limit: int | None,
    answers: bool,
    json_: bool,
    data: Path | None,
) -> int:
    from youju.lab.plan import Plan  # noqa: PLC0415 - see `frame`
    from youju.lab.sets import opened  # noqa: PLC0415
    from youju.lab.summary.plain import plain  # noqa: PLC0415
    from youju.lab.tuning import Search, swept  # noqa: PLC0415

    cases = opened(sets, output.note)
    split, other = _splits(cases, split, report_split)
    plan = Plan(arms=(arm,), split=split, limit=limit, measuring="answers" if answers else "retrieval")

    async def work(app: App) -> Swept:
        with output.counting("试设置", shown=not json_) as show:
            return await swept(app.lab, cases, plan, Search(_axes(axes), measure), told_on=other, show=show)

    found = run(data, work)
    if json_:
        output.as_json(plain(found))
    else:
        _say_swept(found, split, other)
    return 0


def _axes(pairs: tuple[str, ...]) -> dict[str, list[object]]:
    axes: dict[str, list[object]] = {}
    for pair in pairs:
        name, sign, values = pair.partition("=")
        if not sign:
            raise InputError(f"--grid 的值 {pair!r} 不是 名称=值,值 的形式", remedy="例如 rrf_k=20,60", code="bad_grid")
        axes[name.strip()] = [value.strip() for value in values.split(",") if value.strip()]
    return axes


def _say_swept(found: Swept, split: str, other: str) -> None:
    output.say(f"{found.measure}（{split or '全部'}，{found.best.n} 题）")
    for one in found.tried[:20]:
        output.say(f"  {one.mean:.4f}  {'现有设置' if one is found.usual else one.arm}")
    if found.best.arm == found.usual.arm:
        output.say("现有设置就是最好的。")
        return
    output.say(f"最好的比现有设置多 {found.lead:.4f}，其中挑选的运气约 {found.luck:.4f}")
    if found.told:
        gain = found.told
        output.say(f"在 {other} 上：{gain.delta:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}]，{gain.n} 题")
