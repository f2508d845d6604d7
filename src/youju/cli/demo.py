"""youju demo: the sample books in a store of their own, and four questions."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju import samples
from youju.cli import output
from youju.cli.frame import PathArgument, command, settings

if TYPE_CHECKING:
    from youju.compose import App


@command(help="演示：把自带的样书导入一个单独的资料库，然后提四个问题（其中一个无法回答）。", short_help="演示")
@click.option("--keep", type=PathArgument(), default=None, help="把演示资料库保留在这个文件夹里。")
def demo(*, keep: Path | None) -> int:
    folder = keep or Path(tempfile.mkdtemp(prefix="youju-demo-"))
    try:
        return asyncio.run(_demo(folder))
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


async def _demo(folder: Path) -> int:
    from youju.chat.service import Request  # noqa: PLC0415 - see `frame`
    from youju.compose import open_app  # noqa: PLC0415

    chosen = settings(folder).settings
    async with open_app(chosen, notice=output.note) as app:
        output.say("一、导入样书\n")
        ready = [await _added(app, name) for name in samples.books()]
        output.say("\n二、提问")
        for number, question in enumerate(samples.QUESTIONS, start=1):
            output.say(f"\n—— 问题 {number}：{question}\n")
            output.show_rest(await app.chat.ask(Request(question), output.told), app.wording.style)
        output.say("\n接下来：youju add 你的文件.pdf，然后 youju ask 你的问题")
        return 0 if all(ready) else 1


async def _added(app: App, book: resources.abc.Traversable) -> bool:
    with resources.as_file(book) as path, output.progress(path.stem, shown=True) as report:
        accepted = await app.documents.accept(path)
        status = await app.documents.process(accepted, report)
    one = await app.documents.find(accepted.document_id)
    version = one.active or one.pending
    pages = f"{version.pages} 页，" if version and version.pages else ""
    output.say(f"{'✓' if status == 'READY' else '✗'} {one.title}：{pages}{version.chunks if version else 0} 个片段")
    return status == "READY"
