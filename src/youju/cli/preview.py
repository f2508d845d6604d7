"""youju docs preview."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import PathArgument, Whole, as_json, command, data_dir, run

if TYPE_CHECKING:
    from youju.compose import App
    from youju.ingest.preview import Preview

STRATEGIES = {
    "textbook": "教材",
    "law": "法规制度",
    "manual": "手册",
    "qa": "问答",
    "table": "表格",
    "plain": "普通文本",
}


@command(help="预览：一个文件会怎样切分。不存入资料库。")
@click.argument("path", metavar="文件", type=PathArgument())
@click.option(
    "--first", metavar="整数 0–1000", type=Whole(0, 1000), default=3, show_default="3", help="显示前几个片段。"
)
@as_json
@data_dir
def preview(path: Path, *, first: int, json_: bool, data: Path | None) -> None:
    async def work(app: App) -> Preview:
        return await app.documents.preview(path)

    from youju.ingest.preview import preview_view  # noqa: PLC0415 - see `frame`

    made = run(data, work, quiet=True)
    if json_:
        output.as_json(preview_view(made, first))
        return
    pages = f"{made.pages} 页，" if made.pages else ""
    output.say(f"{made.title}：{pages}{len(made.chunks)} 个片段，覆盖正文的 {made.coverage:.1%}")
    output.say(f"切分方式 {STRATEGIES[made.strategy.name]}：{'；'.join(made.strategy.reasons)}")
    for warning in made.warnings:
        output.say(f"注意：{warning}")
    for number, chunk in enumerate(made.chunks[:first], start=1):
        output.say(f"\n{number}. {output.place(chunk.book, chunk.section, output.pages(chunk))}")
        output.say(chunk.text)
