"""youju eval label: people check what the judge said."""

from __future__ import annotations

from pathlib import Path

import click

from youju.cli import output
from youju.cli.eval.run import OUT
from youju.cli.eval.sets import opened_bytes, save
from youju.cli.frame import PathArgument, Whole, as_json, command
from youju.errors import InputError


@command(help="抽出裁判的判定写成表格给人填，或读回填好的表格并校准裁判。", short_help="人工校准裁判")
@click.argument("run", metavar="[运行]", type=PathArgument(), default=OUT)
@click.option("--export", "out", metavar="文件.csv", type=PathArgument(), default=None, help="写出要填的表格。")
@click.option("--size", metavar="整数", type=Whole(1, 100_000), default=60, show_default=True, help="抽多少条。")
@click.option("--seed", metavar="整数", type=int, default=7, show_default=True, help="抽样的随机种子。")
@click.option("--import", "filled", metavar="文件.csv", type=PathArgument(), default=None, help="读回填好的表格。")
@as_json
def label(run: Path, *, out: Path | None, size: int, seed: int, filled: Path | None, json_: bool) -> int:
    from youju.lab.judge.calibration import calibrate  # noqa: PLC0415 - see `frame`
    from youju.lab.judge.labels import draw, read_labels, sheet  # noqa: PLC0415
    from youju.lab.labelling import judged_claims, keep  # noqa: PLC0415
    from youju.lab.runs import found  # noqa: PLC0415
    from youju.lab.summary.plain import plain  # noqa: PLC0415

    if (out is None) == (filled is None):
        raise InputError("请给出 --export 或 --import 其中之一", remedy="先 --export，填好后 --import", code="usage")
    folder = found(run)
    known = judged_claims(folder)
    if out is not None:
        save(out, sheet(draw(known, size, seed)))
        output.say(f"已写出 {min(size, len(known))} 条待填的判定：{out}")
        return 0
    done = calibrate(known, read_labels(opened_bytes(filled or Path()), known))
    if done is None:
        raise InputError("表格里一条都没有填", remedy="请填好“判定”一列", code="no_labels")
    keep(folder, done)
    if json_:
        output.as_json(plain(done))
        return 0
    kappa = done.agreement.kappa
    output.say(f"κ = {'—' if kappa is None else f'{kappa:.3f}'}，{done.agreement.n} 条")
    output.say("裁判已校准" if done.calibrated else "裁判未达到校准的标准（κ ≥ 0.6，至少 30 条）")
    if done.corrected:
        low, high = done.corrected.low, done.corrected.high
        output.say(
            f"有依据的论断：裁判说 {done.judged:.3f}，校正后 {done.corrected.estimate:.3f} [{low:.3f}, {high:.3f}]"
        )
    return 0
