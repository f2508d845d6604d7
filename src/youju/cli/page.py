"""youju docs page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import PathArgument, command, data_dir, run
from youju.errors import InputError

if TYPE_CHECKING:
    from youju.compose import App


@command(help="把一页存成 PNG 图像，可标出一个片段所在之处。")
@click.argument("document", metavar="文档")
@click.argument("n", metavar="页码", type=click.INT)
@click.option("--out", metavar="文件", type=PathArgument(), required=True, help="图像存到哪里；已有的文件会被覆盖。")
@click.option("--chunk", metavar="编号", default=None, help="标出这个片段。")
@data_dir
def page(document: str, n: int, *, out: Path, chunk: str | None, data: Path | None) -> None:
    async def work(app: App) -> bytes:
        wanted = await app.pictures.wanted(await app.documents.find(document), n, chunk)
        return await app.pictures.png(wanted)

    drawn = run(data, work)
    try:
        out.write_bytes(drawn)
    except OSError as error:
        raise InputError(
            f"无法写入 {out}：{error.strerror}", remedy="请检查路径与权限", code="unwritable_file"
        ) from error
    output.say(f"已存到 {out}")
