"""youju log list · show · rm."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import Group, Whole, as_json, data_dir, run
from youju.cli.telling import line, tell
from youju.errors import InputError, NotFoundError

if TYPE_CHECKING:
    from youju.chat.log import Finding, Trace
    from youju.compose import App

log = Group("log", help="查看与管理问答记录。", short_help="问答记录")


@log.command("list", help="列出问答记录，新的在前。")
@click.option("--limit", metavar="整数 1–1000", type=Whole(1, 1000), default=20, help="最多几条（默认 20）。")
@click.option("--before", metavar="编号", default=None, help="只列这条记录之前的，用于翻页。")
@click.option("--refused", is_flag=True, help="只列拒答的。")
@click.option("--doc", "document", metavar="文档", default=None, help="只列召回过这份文档的。")
@as_json
@data_dir
def list_(
    *, limit: int, before: str | None, refused: bool, document: str | None, json_: bool, data: Path | None
) -> None:
    from youju.chat.trace_views import summary_view  # noqa: PLC0415 - see `frame`

    async def work(app: App) -> None:
        document_id = (await app.documents.find(document)).id if document is not None else None
        found = await app.log.listed(
            limit=limit, before=before, refused=True if refused else None, document_id=document_id
        )
        if json_:
            output.as_json([summary_view(one) for one in found])
        elif not found:
            output.say("还没有问答记录。")
        for one in found if not json_ else []:
            output.say(line(one))

    run(data, work)


@log.command(help="查看一条记录：范围、每一步、每个片段的名次、回答与核对；不给编号则看最近的一条。")
@click.argument("trace", metavar="[编号]", required=False)
@click.option("--find", "text", metavar="文字", default=None, help="标出含有这段文字的片段，并说明它在哪一步止步。")
@as_json
@data_dir
def show(trace: str | None, *, text: str | None, json_: bool, data: Path | None) -> None:
    from youju.chat.trace_views import finding_view, trace_view  # noqa: PLC0415 - see `frame`

    async def work(app: App) -> tuple[Trace, Finding | None]:
        found = await app.log.find(await _newest(app) if trace is None else trace)
        return found, None if text is None else await app.log.follow(found, text)

    found, finding = run(data, work)
    if json_:
        output.as_json(trace_view(found) | ({"finding": finding_view(found, finding)} if finding else {}))
        return
    for said in tell(found, finding):
        output.say(said)


async def _newest(app: App) -> str:
    newest = await app.log.listed(limit=1)
    if not newest:
        raise NotFoundError("还没有问答记录", remedy="请先用 youju ask 提问")
    return newest[0].id


@log.command(help="删除问答记录。")
@click.argument("traces", nargs=-1, metavar="[编号…]")
@click.option("--all", "everything", is_flag=True, help="所有记录。")
@click.option("--older-than", "days", metavar="天数", type=Whole(0, 36500), default=None, help="早于这么多天的记录。")
@as_json
@data_dir
def rm(traces: tuple[str, ...], *, everything: bool, days: int | None, json_: bool, data: Path | None) -> None:
    if [bool(traces), everything, days is not None].count(True) != 1:
        raise InputError(
            "请给出编号、--all 或 --older-than 其中之一", remedy="例如 youju log rm --older-than 30", code="usage"
        )
    count = run(data, lambda app: app.log.delete(traces, everything=everything, older_than_days=days))
    if json_:
        output.as_json({"deleted": count})
    else:
        output.say(f"已删除 {count} 条记录")
