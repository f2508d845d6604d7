"""youju add · youju docs … · youju collections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from youju.cli import output
from youju.cli.frame import Group, as_json, data_dir, run
from youju.cli.output import PHASES
from youju.compose import App
from youju.errors import InputError, YoujuError
from youju.types import Document


def expanded(paths: Sequence[Path], suffixes: frozenset[str]) -> list[Path]:
    """Files as they are, folders as the readable files in them (recursively, hidden ones left out).

    Raises:
        InputError: a folder without any file that can be read.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(
                p
                for p in path.rglob("*")
                if p.suffix.lower() in suffixes
                and p.is_file()
                and not any(x.startswith(".") for x in p.relative_to(path).parts)
            )
            if not inside:
                known = " ".join(sorted(suffixes))
                raise InputError(f"文件夹里没有可导入的文件：{path}", remedy=f"目前支持 {known}", code="empty_folder")
            found += inside
        else:
            found.append(path)
    return list(dict.fromkeys(found))


@click.command(help="导入文件或文件夹，等到就绪或失败为止。", short_help="导入文件")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--collection", default=None, help="放入哪个资料集（没有就新建）。")
@click.option("--title", default=None, help="文档的标题（默认用文件名；只能用于单个文件）。")
@as_json
@data_dir
def add(paths: tuple[Path, ...], *, collection: str | None, title: str | None, json_: bool, data: Path | None) -> int:
    async def work(app: App) -> int:
        files = expanded(paths, app.documents.suffixes)
        if title is not None and len(files) != 1:
            raise InputError("--title 只能用于单个文件", remedy="请逐个导入，或省略 --title", code="usage")
        results = [await _added(app, path, (collection, title), shown=not json_) for path in files]
        if json_:
            output.as_json(results)
        return 1 if any(result["status"] != "READY" for result in results) else 0

    return run(data, work)


async def _added(app: App, path: Path, named: tuple[str | None, str | None], *, shown: bool) -> dict[str, object]:
    """One file, whatever becomes of it: one bad file does not stop the others."""
    try:
        with output.progress(path.name, shown=shown) as report:
            accepted = await app.documents.accept(path, collection=named[0], title=named[1])
            status = await app.documents.process(accepted, report)
        document = await app.documents.find(accepted.document_id)
    except YoujuError as error:
        if shown:
            output.say(f"✗ {path.name}")
            output.complain(error)
        return {"path": str(path), "status": "FAILED", "failure": output.error_json(error)}
    if shown:
        _say_added(document, status, duplicate=accepted.duplicate)
    version = document.active if status == "READY" else document.pending
    return {
        "path": str(path),
        "document_id": accepted.document_id,
        "version": accepted.version,
        "status": status,
        "duplicate": accepted.duplicate,
        "failure": asdict(version.failure) if version and version.failure else None,
    }


def _say_added(document: Document, status: str, *, duplicate: bool) -> None:
    version = document.active if status == "READY" else document.pending
    if status == "READY" and version:
        pages = f"{version.pages} 页，" if version.pages else ""
        again = "（内容未变，无需重复导入）" if duplicate else ""
        output.say(f"✓ {document.title}：{pages}{version.chunks} 个片段 {again}".rstrip())
        for warning in version.warnings:
            output.say(f"  注意：{warning}")
    else:
        output.say(f"✗ {document.title}：{PHASES[status]}")
        failure = version.failure if version else None
        if failure:
            output.note(f"错误：{failure.message}")
            if failure.remedy:
                output.note(f"建议：{failure.remedy}")


docs = Group("docs", help="查看与管理文档。", short_help="管理文档")


@docs.command("list", help="列出文档。")
@click.option("--collection", default=None, help="只看这个资料集。")
@as_json
@data_dir
def list_(*, collection: str | None, json_: bool, data: Path | None) -> None:
    found = run(data, lambda app: app.documents.listed(collection))
    if json_:
        output.as_json([view(one) for one in found])
        return
    if not found:
        output.say("还没有文档。用 youju add 文件名 导入。")
    for one in found:
        version = one.active or one.pending
        pages = f"{version.pages} 页  " if version and version.pages else ""
        state = PHASES[one.status] + ("" if one.enabled else "（已停用）")
        output.say(f"{one.id}  {state}  {pages}{version.chunks if version else 0} 片段  [{one.collection}] {one.title}")
        if one.pending and one.pending.failure:
            output.say(f"    {one.pending.failure.message}（{one.pending.failure.remedy}）")


@docs.command(help="查看一份文档：版本、状态、质量、各阶段用时。")
@click.argument("document")
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
        output.say(f"{name} {version.number}：{PHASES[version.status]}  {version.pages} 页  {version.chunks} 片段")
        for phase, seconds in version.timeline:
            output.say(f"    {PHASES.get(phase, phase)} {seconds:.2f} 秒")
        for key, value in version.quality.items():
            output.say(f"    {key} {value}")
        if version.failure:
            output.say(f"    失败：{version.failure.message}（{version.failure.remedy}）")


@docs.command(help="删除文档：索引、缓存、原始文件一并清除，并给出回执。")
@click.argument("documents", nargs=-1, required=True)
@as_json
@data_dir
def rm(documents: tuple[str, ...], *, json_: bool, data: Path | None) -> None:
    async def work(app: App) -> list[dict[str, object]]:
        # All are looked up before any goes: a mistyped name deletes nothing.
        found = [await app.documents.find(one) for one in documents]
        return [asdict(await app.documents.delete(one.id)) for one in found]

    receipts = run(data, work)
    if json_:
        output.as_json(receipts)
    for receipt in receipts if not json_ else []:
        output.say(
            f"已删除 {receipt['title']}：{receipt['versions']} 个版本、{receipt['chunks']} 个片段、"
            f"{receipt['vectors']} 个向量、{receipt['pages']} 页、{receipt['blobs']} 个原始文件"
        )


@docs.command(help="重试失败的文档。")
@click.argument("document")
@data_dir
def retry(document: str, *, data: Path | None) -> int:
    async def work(app: App) -> int:
        one = await app.documents.find(document)
        with output.progress(one.title, shown=True) as report:
            status = await app.documents.retry(one.id, report)
        _say_added(await app.documents.find(one.id), status, duplicate=False)
        return 0 if status == "READY" else 1

    return run(data, work)


@docs.command(help="停用文档：保留在库中，但不参与回答。")
@click.argument("document")
@data_dir
def disable(document: str, *, data: Path | None) -> None:
    _switch(document, data, enabled=False)


@docs.command(help="启用已停用的文档。")
@click.argument("document")
@data_dir
def enable(document: str, *, data: Path | None) -> None:
    _switch(document, data, enabled=True)


def _switch(reference: str, data: Path | None, *, enabled: bool) -> None:
    async def work(app: App) -> Document:
        one = await app.documents.find(reference)
        await app.documents.enable(one.id, enabled=enabled)
        return one

    output.say(f"已{'启用' if enabled else '停用'} {run(data, work).title}")


@docs.command(help="更换嵌入模型之后，为文档重新计算向量。")
@click.argument("documents", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="所有需要的文档。")
@data_dir
def reembed(documents: tuple[str, ...], *, everything: bool, data: Path | None) -> None:
    if everything == bool(documents):
        raise InputError("请给出文档，或使用 --all", remedy="例如 youju docs reembed --all", code="usage")

    async def work(app: App) -> None:
        engine = app.chat.parts.embedder.profile.fingerprint
        found = await app.documents.listed() if everything else [await app.documents.find(one) for one in documents]
        stale = [one for one in found if one.active and (one.active.engine != engine or not everything)]
        for one in stale:
            with output.progress(one.title, shown=True) as report:
                await app.documents.reembed(one.id, report)
            output.say(f"✓ {one.title}")
        if not stale:
            output.say("所有文档的向量都与当前模型一致。")

    run(data, work)


@click.command(help="列出资料集。", short_help="资料集")
@as_json
@data_dir
def collections(*, json_: bool, data: Path | None) -> None:
    rows = run(data, lambda app: app.documents.collections())
    if json_:
        output.as_json([asdict(row) for row in rows])
        return
    if not rows:
        output.say("还没有资料集。用 youju add 文件名 --collection 名称 新建。")
    for row in rows:
        output.say(f"{row.name}  {row.documents} 份文档")


def view(one: Document) -> dict[str, object]:
    """A document as `GET /api/documents/{id}` shows it."""
    version = one.active or one.pending
    pending = one.pending if one.active else None
    failure = version.failure if version else None
    return {
        "document_id": one.id,
        "title": one.title,
        "file_name": one.file_name,
        "collection": one.collection,
        "enabled": one.enabled,
        "version": version.number if version else None,
        "status": one.status,
        "pending": {
            "version": pending.number,
            "status": pending.status,
            "failure": asdict(pending.failure) if pending.failure else None,
        }
        if pending
        else None,
        "failure": asdict(failure) if failure else None,
        "pages": version.pages if version else 0,
        "chunks": version.chunks if version else 0,
        "quality": dict(version.quality) if version else {},
        "warnings": list(version.warnings) if version else [],
        "timeline": [{"phase": phase, "seconds": seconds} for phase, seconds in version.timeline] if version else [],
    }
