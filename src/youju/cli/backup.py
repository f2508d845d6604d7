"""youju backup · youju restore."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from youju.cli import output
from youju.cli.frame import PathArgument, as_json, command, data_dir, settings

if TYPE_CHECKING:
    # Imported when a store is opened, see `frame`.
    from youju.storage.archive import Manifest, Report


SHOWN = 5
"""Missing originals that are named; the others are only counted."""


class Place(PathArgument):
    """A path, and whether it was written as a folder: with a separator at its end, which a `Path` forgets."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - as click
        return super().convert(value, param, ctx), str(value).endswith(("/", os.sep))


@command(
    help="把整个资料库备份成一个文件；别的程序正在使用它也可以。以 / 结尾的是文件夹，没有就新建。",
    short_help="备份资料库",
)
@click.argument("to", metavar="文件或文件夹", type=Place())
@as_json
@data_dir
def backup(to: tuple[Path, bool], *, json_: bool, data: Path | None) -> None:
    from youju.storage.backup import back_up  # noqa: PLC0415 - see `frame`

    with _progress("备份", shown=not json_) as report:
        made = back_up(settings(data).settings.data, to[0], report, into=to[1])
    if json_:
        output.as_json({"path": str(made.path), **_view(made.manifest)})
        return
    output.say(f"✓ 已备份到 {made.path}：{_summary(made.manifest)}")
    if made.manifest.missing:
        output.note(
            f"注意：资料库里有 {len(made.manifest.missing)} 个原始文件缺失或被改动，备份中没有它们；请运行 youju doctor"
        )


@command(help="从备份恢复资料库。文件夹不是空的就不恢复，除非 --force。", short_help="从备份恢复")
@click.argument("archive", metavar="备份", type=PathArgument())
@click.option("--force", is_flag=True, help="文件夹里原有的内容移到旁边（不删除），再恢复。")
@as_json
@data_dir
def restore(archive: Path, *, force: bool, json_: bool, data: Path | None) -> None:
    from youju.storage.restore import restore  # noqa: PLC0415 - see `frame`

    folder = settings(data).settings.data
    with _progress("恢复", shown=not json_) as report:
        made = restore(archive, folder, force=force, report=report)
    if json_:
        moved = str(made.moved) if made.moved else None
        output.as_json({"path": str(folder), "moved": moved, **_view(made.manifest), "missing": list(made.missing)})
        return
    output.say(f"✓ 已恢复到 {folder}：{_summary(made.manifest)}（备份于 {made.manifest.created_at}）")
    if made.moved:
        output.say(f"  原来的内容移到了 {made.moved}")
    if made.missing:
        more = " …" if len(made.missing) > SHOWN else ""
        output.note(
            f"注意：备份里没有 {len(made.missing)} 个原始文件：{'、'.join(made.missing[:SHOWN])}{more}；"
            "备份时可能已经缺失。这些文档仍可检索，但无法重新处理；详情请运行 youju doctor"
        )


def _summary(manifest: Manifest) -> str:
    size = f"{manifest.size / 2**20:.1f} MiB"
    return f"{manifest.counts.get('document', 0)} 份文档，{len(manifest.files) - 1} 个原始文件，{size}"


def _view(manifest: Manifest) -> dict[str, object]:
    return {
        "created_at": manifest.created_at,
        "youju": manifest.youju,
        "schema": manifest.schema,
        "documents": manifest.counts.get("document", 0),
        "files": len(manifest.files),
        "bytes": manifest.size,
        "missing": list(manifest.missing),
    }


@contextmanager
def _progress(title: str, *, shown: bool) -> Iterator[Report]:
    """A bar of bytes; not shown when standard error is no terminal."""
    if not (shown and sys.stderr.isatty()):
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - see `output.progress`
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
