"""youju docs …"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.add import say_added
from youju.cli.frame import Group, as_json, data_dir, run
from youju.cli.wording import EVENTS, FIGURES, PHASES, STRATEGIES, WAYS, figure
from youju.documents.views import document_view as view
from youju.errors import InputError

if TYPE_CHECKING:
    from youju.compose import App
    from youju.documents.purge import Receipt
    from youju.types import Document, Status, Version

docs = Group("docs", help="查看与管理文档。", short_help="管理文档")


@docs.command("list", help="列出文档。")
@click.option("--collection", metavar="名称", default=None, help="只看这个资料集。")
@as_json
@data_dir
def list_(*, collection: str | None, json_: bool, data: Path | None) -> None:
    found = run(data, lambda app: app.documents.listed(collection))
    if json_:
        output.as_json([view(one) for one in found])
        return
    if not found:
        output.say("还没有文档。用 youju add 文件名 导入。")
    titles = Counter(one.title for one in found)
    for one in found:
        version = one.active or one.pending
        pages = f"{version.pages} 页  " if version and version.pages else ""
        file = f"（{one.file_name}）" if titles[one.title] > 1 else ""
        state = PHASES[one.status] + ("" if one.enabled else "（已停用）")
        output.say(
            f"{one.id}  {state}  {pages}{version.chunks if version else 0} 片段  [{one.collection}] {one.title}{file}"
        )
        if one.pending and one.pending.failure:
            output.say(f"    {one.pending.failure.message}（{one.pending.failure.remedy}）")


@docs.command(help="查看一份文档：版本、状态、质量、各阶段用时。")
@click.argument("document", metavar="文档")
@as_json
@data_dir
def show(document: str, *, json_: bool, data: Path | None) -> None:
    one = run(data, lambda app: app.documents.find(document))
    if json_:
        output.as_json(view(one))
        return
    output.say(
        f"{one.title}（{one.file_name}）\n编号 {one.id}  资料集 {one.collection}" + ("" if one.enabled else "  已停用")
    )
    for name, version in (("当前版本", one.active), ("处理中的版本", one.pending)):
        if version is None:
            continue
        pages = f"{version.pages} 页  " if version.pages else ""
        output.say(f"{name} {version.number}：{PHASES[version.status]}  {pages}{version.chunks} 片段")
        _say_course(version)
        for key, value in version.quality.items():
            output.say(f"    {FIGURES.get(key, key)} {figure(value)}")
        if version.failure:
            output.say(f"    失败：{version.failure.message}（{version.failure.remedy}）")


def _say_course(version: Version) -> None:
    """How a version was divided, how long each phase took, and what happened when."""
    if version.divided:
        way = str(version.divided.get("strategy"))
        reasons = version.divided.get("reasons")
        why = "；".join(map(str, reasons)) if isinstance(reasons, list) else ""
        output.say(f"    切分方式 {STRATEGIES.get(way, way)}：{why}")
    for phase, seconds in version.timeline:
        output.say(f"    {PHASES[phase]} {seconds:.2f} 秒")
    for at, name, detail in version.events:
        when = datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        output.say(f"    {when}  {EVENTS.get(name, name)} {STRATEGIES.get(detail, detail)}".rstrip())


@docs.command(help="删除文档：索引、缓存、原始文件一并清除，并给出回执。")
@click.argument("documents", nargs=-1, required=True, metavar="文档…")
@as_json
@data_dir
def rm(documents: tuple[str, ...], *, json_: bool, data: Path | None) -> None:
    async def work(app: App) -> list[tuple[Receipt, bool]]:
        # All are looked up before any goes: a mistyped name deletes nothing.
        found = {one.id: one for one in [await app.documents.find(name) for name in documents]}
        paged = {id_: bool((version := one.active or one.pending) and version.pages) for id_, one in found.items()}
        return [(await app.documents.delete(id_), paged[id_]) for id_ in found]

    receipts = run(data, work)
    if json_:
        output.as_json([asdict(receipt) for receipt, _ in receipts])
    for receipt, paged in receipts if not json_ else []:
        # The text of a format without pages is kept as one.
        pages = f"{receipt.pages} 页、" if paged else ""
        output.say(
            f"已删除 {receipt.title}：{receipt.versions} 个版本、{receipt.chunks} 个片段、"
            f"{receipt.vectors} 个向量、{pages}{receipt.blobs} 个原始文件"
        )


@docs.command(help="重试失败或没有做完的文档。")
@click.argument("document", metavar="文档")
@as_json
@data_dir
def retry(document: str, *, json_: bool, data: Path | None) -> int:
    async def work(app: App) -> tuple[Document, Status]:
        one = await app.documents.find(document)
        with output.progress(one.title, shown=not json_) as report:
            status = await app.documents.retry(one.id, report)
        return await app.documents.find(one.id), status

    one, status = run(data, work)
    if json_:
        output.as_json(view(one))
    else:
        say_added(one, status, duplicate=False)
    return 0 if status == "READY" else 1


@docs.command(help="取消处理中的版本；旧版本继续作答。")
@click.argument("document", metavar="文档")
@as_json
@data_dir
def cancel(document: str, *, json_: bool, data: Path | None) -> None:
    async def work(app: App) -> Document:
        one = await app.documents.find(document)
        await app.documents.cancel(one.id)
        return await app.documents.find(one.id)

    one = run(data, work)
    if json_:
        output.as_json(view(one))
    else:
        output.say(f"已取消 {one.title} 的处理；重新开始：youju docs retry {one.id}")


@docs.command(help="重新解析和切分文档的原始文件；就绪之前旧版本继续作答，没有变化的片段沿用原来的向量。")
@click.argument("document", metavar="文档")
@click.option("--strategy", metavar="方式", default=None, help=f"{WAYS}不写则与上次相同。")
@as_json
@data_dir
def rechunk(document: str, *, strategy: str | None, json_: bool, data: Path | None) -> int:
    async def work(app: App) -> tuple[Document, Status]:
        one = await app.documents.find(document)
        accepted = await app.documents.rechunk(one.id, strategy)
        with output.progress(one.title, shown=not json_) as report:
            status = await app.documents.process(accepted, report)
        return await app.documents.find(one.id), status

    one, status = run(data, work)
    if json_:
        output.as_json(view(one))
    else:
        say_added(one, status, duplicate=False)
    return 0 if status == "READY" else 1


@docs.command(help="停用文档：保留在库中，但不参与回答。")
@click.argument("document", metavar="文档")
@as_json
@data_dir
def disable(document: str, *, json_: bool, data: Path | None) -> None:
    _switch(document, data, enabled=False, json_=json_)


@docs.command(help="启用已停用的文档。")
@click.argument("document", metavar="文档")
@as_json
@data_dir
def enable(document: str, *, json_: bool, data: Path | None) -> None:
    _switch(document, data, enabled=True, json_=json_)


def _switch(reference: str, data: Path | None, *, enabled: bool, json_: bool) -> None:
    async def work(app: App) -> Document:
        one = await app.documents.find(reference)
        await app.documents.enable(one.id, enabled=enabled)
        return await app.documents.find(one.id)

    one = run(data, work)
    if json_:
        output.as_json(view(one))
    else:
        output.say(f"已{'启用' if enabled else '停用'} {one.title}")


@docs.command(help="更换嵌入模型之后，为文档重新计算向量。")
@click.argument("documents", nargs=-1, metavar="[文档…]")
@click.option("--all", "everything", is_flag=True, help="所有需要的文档。")
@as_json
@data_dir
def reembed(documents: tuple[str, ...], *, everything: bool, json_: bool, data: Path | None) -> None:
    if everything == bool(documents):
        raise InputError("请给出文档，或使用 --all", remedy="例如 youju docs reembed --all", code="usage")

    async def work(app: App) -> list[Document]:
        found = await app.documents.listed() if everything else [await app.documents.find(one) for one in documents]
        wanted = await app.documents.to_reembed() if everything else {one.id for one in found if one.active}
        done = [one for one in found if one.id in wanted]
        for one in done:
            with output.progress(one.title, shown=not json_) as report:
                await app.documents.reembed(one.id, report)
            if not json_:
                output.say(f"✓ {one.title}")
        return done

    done = run(data, work)
    if json_:
        output.as_json([{"document_id": one.id, "title": one.title} for one in done])
    elif not done:
        output.say("所有文档的向量都与当前模型一致。")
