"""youju docs preview."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import PathArgument, Whole, as_json, command, data_dir, run
from youju.cli.wording import STRATEGIES, WAYS

if TYPE_CHECKING:
    from youju.compose import App
    from youju.ingest.preview import Preview

SECTIONS = 12
"""Sections that are named; the others are only counted."""


@command(help="预览：一个文件会怎样切分。不存入资料库。")
@click.argument("path", metavar="文件", type=PathArgument())
@click.option(
    "--first", metavar="整数 0–1000", type=Whole(0, 1000), default=3, show_default="3", help="显示前几个片段。"
)
@click.option("--strategy", metavar="方式", default=None, help=WAYS)
@as_json
@data_dir
def preview(path: Path, *, first: int, strategy: str | None, json_: bool, data: Path | None) -> None:
    async def work(app: App) -> Preview:
        return await app.documents.preview(path, strategy=strategy)

    from youju.ingest.preview import preview_view, sizes_view  # noqa: PLC0415 - see `frame`

    made = run(data, work, quiet=True)
    if json_:
        output.as_json(preview_view(made, first))
        return
    pages = f"{made.pages} 页，" if made.pages else ""
    output.say(f"{made.title}：{pages}{len(made.chunks)} 个片段，覆盖正文的 {made.coverage.share:.1%}")
    output.say(f"切分方式 {STRATEGIES[made.strategy.name]}：{'；'.join(made.strategy.reasons)}")
    sizes = sizes_view(made)
    output.say(
        f"片段 {sizes['least']}–{sizes['most']} 字，中位数 {sizes['median']:.0f} 字；"
        f"不足 {made.sizes.child_min} 字的占 {sizes['below_min']:.0%}，"
        f"超过 {made.sizes.child_max} 字的占 {sizes['above_max']:.0%}"
    )
    sections = list(dict.fromkeys(chunk.section for chunk in made.chunks if chunk.section))
    if sections:
        more = f"，前 {SECTIONS} 个是" if len(sections) > SECTIONS else ""
        output.say(f"章节 {len(sections)} 个{more}：")
    for path_ in sections[:SECTIONS]:
        output.say(f"  {' - '.join(path_)}")
    for warning in made.warnings:
        output.say(f"注意：{warning}")
    for number, chunk in enumerate(made.chunks[:first], start=1):
        output.say(f"\n{number}. {output.place(chunk.book, chunk.section, output.pages(chunk))}")
        output.say(chunk.text)
