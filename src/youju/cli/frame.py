"""What every command shares: Chinese help, the options that open a store, and errors with a remedy."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from youju.cli import output
from youju.compose import App, open_app
from youju.errors import InputError, YoujuError
from youju.settings import Loaded, load

T = TypeVar("T")
HEADINGS = {"Options": "选项", "Commands": "命令", "Arguments": "参数"}


class Formatter(click.HelpFormatter):
    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:  # noqa: ARG002
        super().write_usage(prog, args, prefix="用法：")

    def write_heading(self, heading: str) -> None:
        super().write_heading(HEADINGS.get(heading, heading))


class Context(click.Context):
    formatter_class = Formatter


class Command(click.Command):
    context_class = Context

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = "显示这段说明。"
        return option


class Group(click.Group):
    context_class = Context
    command_class = Command

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = "显示这段说明。"
        return option


Group.group_class = Group

as_json = click.option("--json", "json_", is_flag=True, help="输出 JSON。")


def _chosen_data(context: click.Context, _: click.Parameter, value: Path | None) -> Path | None:
    """The command's own --data, else the one given before the command."""
    before: Path | None = context.find_root().params.get("data")
    return value or before


data_dir = click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=None,
    callback=_chosen_data,
    help="资料库所在的文件夹（默认 .youju，或环境变量 YOUJU_DATA_DIR）。",
)


def settings(data: Path | None, options: dict[str, object] | None = None) -> Loaded:
    chosen = dict(options or {})
    if data is not None:
        chosen["data"] = str(data)
    return load(Path.cwd(), os.environ, chosen)


def run(data: Path | None, work: Callable[[App], Awaitable[T]]) -> T:
    """What `work` returns with the product open over the chosen store."""

    async def opened() -> T:
        async with open_app(settings(data).settings, notice=output.note) as app:
            return await work(app)

    return asyncio.run(opened())


def usage(error: click.UsageError) -> YoujuError:
    """Click's complaint in our words."""
    remedy = f"请运行 {error.ctx.command_path} --help" if error.ctx else "请运行 youju --help"
    message = {
        click.NoSuchOption: lambda e: f"没有选项 {e.option_name}",
        click.NoSuchCommand: lambda e: f"没有命令 {e.command_name}",
        click.MissingParameter: lambda e: f"缺少参数 {e.param.human_readable_name if e.param else ''}",
        click.BadParameter: lambda e: f"参数的值不合适：{e.message}",
    }
    say: Callable[[Any], str] = next(
        (message[kind] for kind in message if isinstance(error, kind)), lambda e: e.message
    )
    return InputError(say(error), remedy=remedy, code="usage")


def main(group: click.Group, argv: Sequence[str] | None = None) -> int:
    """Run a command line; the exit code: 0 done, 1 failed, 2 wrong use, 130 interrupted."""
    try:
        result = group.main(args=argv, prog_name="youju", standalone_mode=False)
    except click.UsageError as error:
        output.complain(usage(error))
        return 2
    except (click.Abort, KeyboardInterrupt):
        output.note("已中断。")
        return 130
    except YoujuError as error:
        output.complain(error)
        return 1
    return int(result or 0) if isinstance(result, int) else 0
