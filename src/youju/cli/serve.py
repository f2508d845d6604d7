"""youju serve."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import Whole, command, data_dir, run, settings

if TYPE_CHECKING:
    from youju.compose import App


@command(
    help="启动 HTTP 服务，直到按下 Ctrl-C 或收到终止信号。只监听本机地址；不打开网页。",
    short_help="启动 HTTP 服务",
)
@click.option("--host", metavar="地址", default=None, help="监听的本机地址（默认 127.0.0.1）。")
@click.option(
    "--port", metavar="整数 0–65535", type=Whole(0, 65535), default=None, help="监听的端口（默认 8710；0 = 任选）。"
)
@click.option("--access-log", is_flag=True, help="把每个请求记到标准错误。")
@data_dir
def serve(*, host: str | None, port: int | None, access_log: bool, data: Path | None) -> None:
    from youju.api import binding, running  # noqa: PLC0415 - see `frame`

    chosen = settings(data).settings
    # Before the store and the model are opened: a port that is taken should be told at once.
    listener = binding.listening(
        chosen.server.host if host is None else host, chosen.server.port if port is None else port
    )
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    if access_log:
        logging.getLogger("uvicorn.access").setLevel(logging.INFO)

    def ready(address: str) -> None:
        output.say(f"有据已就绪：{address}（按 Ctrl-C 停止）")

    async def work(app: App) -> None:
        await running.serve(chosen, app, listener, ready, access_log=access_log)

    with listener:
        run(data, work, creates=True)
    output.note("已停止。")
