"""What every command shares: Chinese help, the options that open a store, and errors with a remedy."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

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

    def __init__(self, *args: Any, **more: Any) -> None:  # noqa: ANN401 - click's own arguments
        super().__init__(*args, **{"help_option_names": ["-h", "--help"]} | more)


class Whole(click.IntRange):
    """A whole number between two; the metavar of the option says which."""

    def _describe_range(self) -> str:
        return ""


class PathArgument(click.Path):
    """A path, and no empty one: that is an unset variable in a script, and would mean the present folder."""

    def __init__(self) -> None:
        super().__init__(readable=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - as click
        if not str(value).strip():
            self.fail("不能为空", param, ctx)
        return super().convert(value, param, ctx)


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


def run(data: Path | None, work: Callable[[App], Awaitable[T]], *, creates: bool = False, quiet: bool = False) -> T:
    """What `work` returns with the product open over the chosen store.

    Where there is none yet, only what `creates` makes it; the others see an empty one, and say so unless `quiet`.
    """
    from youju.compose import open_app  # noqa: PLC0415 - see above

    chosen = settings(data).settings

    async def opened(folder: Path) -> T:
        async with open_app(chosen.model_copy(update={"data": folder}), notice=output.note) as app:
            return await work(app)

    if creates or there(data, quiet=True):
        return asyncio.run(opened(chosen.data))
    with tempfile.TemporaryDirectory(prefix="youju-") as empty:
        done = asyncio.run(opened(Path(empty)))
    there(data, quiet=quiet)
    return done


def there(data: Path | None, *, quiet: bool = False) -> bool:
    """Whether there is a store in the chosen folder; told if not, unless `quiet`."""
    from youju.storage.engine import Store  # noqa: PLC0415 - see above

    folder = settings(data).settings.data
    found = Store.there(folder)
    if not (found or quiet):
        output.note(f"这里还没有资料库（{folder.absolute()}），用 youju add 文件名 导入。")
    return found


def main(group: click.Group, argv: Sequence[str] | None = None) -> int:
    """Run a command line; the exit code: 0 done, 1 failed, 2 wrong use, 130 interrupted.

    Errors are told on standard error; with --json as an object on standard output instead.
    """
    try:
        return _ran(group, list(sys.argv[1:] if argv is None else argv))
    except output.UnwritableError as error:
        output.give_up(error)
    except OSError as error:
        # Help is written by click itself.
        if not _unwritable(error):
            raise
        unwritable = output.UnwritableError(error.strerror)
        unwritable.__cause__ = error
        output.give_up(unwritable)
    return 1


def _unwritable(error: Exception) -> bool:
    out_of_room = isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EPIPE, errno.EBADF}
    return isinstance(error, output.UnwritableError) or out_of_room


def _ran(group: click.Group, args: list[str]) -> int:
    options = args[: args.index("--")] if "--" in args else args
    try:
        result = group.main(args=args, prog_name="youju", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        output.note(error.ctx.get_help())
        return 2
    except (click.Abort, KeyboardInterrupt):
        output.note("已中断。")
        return 130
    except (YoujuError, click.UsageError) as error:
        known = explained(error) if isinstance(error, click.UsageError) else error
        return _failed(known, json_=JSON in options)
    except Exception as error:
        if _unwritable(error) or os.environ.get("YOUJU_DEBUG"):
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
