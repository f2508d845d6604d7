"""The command `youju`."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import click

from youju import __version__
from youju.cli import add, admin, ask, backup, demo, docs, frame, log, page, preview, serve, shelves
from youju.cli.eval import eval_


@click.group(cls=frame.Group, help="有据：从自己的资料里得到有出处、可核对的回答。")
@click.version_option(__version__, message="youju %(version)s", help="显示版本号。")
@click.option(
    "--data", metavar="文件夹", callback=frame.folder, default=None, help="资料库所在的文件夹；也可以写在命令之后。"
)
def group(*, data: Path | None) -> None:
    del data  # read by the commands, see frame.data_dir


for command in (
    demo.demo,
    add.add,
    docs.docs,
    shelves.collections,
    ask.ask,
    ask.retrieve,
    log.log,
    eval_,
    serve.serve,
    admin.doctor,
    backup.backup,
    backup.restore,
    admin.settings_,
):
    group.add_command(command)


for command in (preview.preview, page.page):
    docs.docs.add_command(command)


def main() -> None:
    """The entry point of the package."""
    # A failure is told once, by the command; its traceback is for YOUJU_DEBUG.
    logging.getLogger("youju").addHandler(logging.NullHandler())
    # Closed by whoever started us: what is told beside the result may be lost, the result may not.
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as we live
    if sys.stdout is None:
        sys.stderr.write("错误：标准输出已关闭，无法显示结果\n")
        sys.exit(1)
    for stream in (sys.stdout, sys.stderr):
        # Arguments may hold bytes that are no text; showing them must not fail.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a text stream when run as a command
    sys.exit(frame.main(group))
