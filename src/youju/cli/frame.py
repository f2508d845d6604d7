"""What every command shares: Chinese help, the options that open a store, and errors with a remedy."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from youju.cli import output
from youju.cli.usage import explained
from youju.errors import ConfigError, InputError, YoujuError

if TYPE_CHECKING:
    # Imported when a store is opened: help, errors and `settings` must not wait for models and databases.
    from youju.compose import App
    from youju.settings import Loaded

T = TypeVar("T")
HEADINGS = {"Options": "选项", "Commands": "命令", "Arguments": "参数"}


class Formatter(click.HelpFormatter):
    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:  # noqa: ARG002
        translated = args.replace("[OPTIONS]", "[选项]").replace("COMMAND [ARGS]...", "命令 …")
        super().write_usage(prog, translated, prefix="用法：")

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
command = partial(click.command, cls=Command)

JSON = "--json"
as_json = click.option(JSON, "json_", is_flag=True, help='输出 JSON；出错时为 {"error": {code, message, remedy}}。')


def folder(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """The path given for an option, None for none."""
    if value == "":
        # An unset variable in a script; as a path it would mean the present folder.
        raise click.BadParameter("不能为空", context, parameter)
    return None if value is None else Path(value)


def _chosen_data(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """The command's own --data, else the one given before the command."""
    before: Path | None = context.find_root().params.get("data")
    return folder(context, parameter, value) or before


data_dir = click.option(
    "--data",
    metavar="文件夹",
    default=None,
    callback=_chosen_data,
    help="资料库所在的文件夹（默认 .youju，或环境变量 YOUJU_DATA_DIR）；也可以写在命令之前。",
)


def settings(data: Path | None) -> Loaded:
    """All settings as they stand for a command that is run here and now.

    Raises:
        ConfigError: a wrong setting, or no folder to look for youju.toml in.
    """
    from youju.settings import load  # noqa: PLC0415 - see above

    try:
        folder = Path.cwd()
    except OSError as error:
        raise ConfigError("当前文件夹已不存在", remedy="请先进入一个存在的文件夹") from error
    return load(folder, os.environ, {} if data is None else {"data": str(data)})


def run(data: Path | None, work: Callable[[App], Awaitable[T]]) -> T:
    """What `work` returns with the product open over the chosen store."""
    from youju.compose import open_app  # noqa: PLC0415 - see above

    async def opened() -> T:
        async with open_app(settings(data).settings, notice=output.note) as app:
            return await work(app)

    return asyncio.run(opened())


def main(group: click.Group, argv: Sequence[str] | None = None) -> int:
    """Run a command line; the exit code: 0 done, 1 failed, 2 wrong use, 130 interrupted.

    Errors are told on standard error; with --json as an object on standard output instead.
    """
    args = list(sys.argv[1:] if argv is None else argv)
    options = args[: args.index("--")] if "--" in args else args
    try:
        result = group.main(args=args, prog_name="youju", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        output.note(error.ctx.get_help())
        return 2
    except click.UsageError as error:
        return _failed(explained(error), json_=JSON in options)
    except (click.Abort, KeyboardInterrupt):
        output.note("已中断。")
        return 130
    except YoujuError as error:
        return _failed(error, json_=JSON in options)
    except Exception as error:
        if os.environ.get("YOUJU_DEBUG"):
            raise
        what = YoujuError(
            f"程序出错：{type(error).__name__}：{error}",
            remedy="请报告这个问题；设置环境变量 YOUJU_DEBUG=1 后重试可看到详情",
            code="internal",
        )
        return _failed(what, json_=JSON in options)
    return int(result or 0) if isinstance(result, int) else 0


def _failed(error: YoujuError, *, json_: bool) -> int:
    if json_:
        output.as_json({"error": output.error_json(error)})
    else:
        output.complain(error)
    return 2 if isinstance(error, InputError) and error.code == "usage" else 1
