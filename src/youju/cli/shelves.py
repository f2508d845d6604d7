"""youju collections …"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import Group, as_json, data_dir, run
from youju.cli.wording import STRATEGIES, WAYS
from youju.errors import InputError, NotFoundError

if TYPE_CHECKING:
    from youju.compose import App
    from youju.documents.listing import CollectionRow


@click.group(
    cls=Group,
    invoke_without_command=True,
    help="列出资料集；用 set 修改它们的设定。",
    short_help="资料集",
)
@as_json
@data_dir
@click.pass_context
def collections(context: click.Context, *, json_: bool, data: Path | None) -> None:
    if context.invoked_subcommand is not None:
        return
    rows = run(data, lambda app: app.documents.collections())
    if json_:
        output.as_json([asdict(row) for row in rows])
        return
    if not rows:
        output.say("还没有资料集。用 youju add 文件名 --collection 名称 新建。")
    for row in rows:
        output.say(_line(row))


@collections.command("set", help="设定一个资料集：以后导入的文件怎样切分。已有的文档用 youju docs rechunk 重新切分。")
@click.argument("name", metavar="名称")
@click.option("--strategy", metavar="方式", default=None, help=WAYS)
@as_json
@data_dir
def set_(name: str, *, strategy: str | None, json_: bool, data: Path | None) -> None:
    if strategy is None:
        raise InputError("没有要设定的内容", remedy="例如 youju collections set 规章 --strategy law", code="usage")

    async def work(app: App) -> CollectionRow:
        from youju.ingest.desk import Desk  # noqa: PLC0415 - see `frame`

        found = [row for row in await app.documents.collections() if name in {row.name, row.id}]
        if not found:
            raise NotFoundError(f"没有资料集 {name!r}", remedy="请用 youju collections 查看所有资料集")
        return await Desk(app.documents).change_collection(found[0].id, None, strategy)

    row = run(data, work)
    if json_:
        output.as_json(asdict(row))
    else:
        output.say(_line(row))


def _line(row: CollectionRow) -> str:
    way = f"  切分方式 {STRATEGIES.get(row.strategy, row.strategy)}" if row.strategy else ""
    return f"{row.name}  {row.documents} 份文档{way}"
