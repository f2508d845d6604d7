"""Click's complaints in our users' language."""

from __future__ import annotations

import click

from youju.errors import InputError


def explained(error: click.UsageError) -> InputError:
    """What was wrong with the command line, and what to do; code "usage"."""
    remedy = f"请运行 {error.ctx.command_path} --help" if error.ctx else "请运行 youju --help"
    if isinstance(error, click.NoSuchOption):
        remedy += "；以 - 开头的内容请写在 -- 之后"
    return InputError(_message(error), remedy=remedy, code="usage")


def _message(error: click.UsageError) -> str:
    match error:
        case click.NoSuchOption():
            return f"没有选项 {error.option_name}{_alike(error.possibilities)}"
        case click.NoSuchCommand():
            return f"没有命令 {error.command_name}{_alike(error.possibilities)}"
        case click.MissingParameter():
            return f"缺少参数 {_name(error.param)}"
        case click.BadParameter():
            return f"参数 {_name(error.param)} 的值不合适：{_wanted(error)}"
        case click.BadOptionUsage():
            lacking = "requires an argument" in error.message
            return f"选项 {error.option_name} {'后面缺少值' if lacking else '不接受值'}"
    return _unclassed(error.message)


def _unclassed(message: str) -> str:
    """The two complaints without a class of their own."""
    _, extra, rest = message.partition("Got unexpected extra argument")
    if extra:
        return f"多余的参数{rest.lstrip('s')}；含有空格的内容请加引号"
    return "没有给出命令" if message == "Missing command." else message


def _alike(possibilities: object) -> str:
    names = sorted(str(one) for one in possibilities) if isinstance(possibilities, list | tuple | set) else []
    return f"；是不是 {'、'.join(names)}？" if names else ""


def _name(parameter: click.Parameter | None) -> str:
    if isinstance(parameter, click.Option):
        return parameter.opts[0]
    return parameter.human_readable_name if parameter else ""


def _wanted(error: click.BadParameter) -> str:
    kind = error.param.type if error.param else None
    if isinstance(kind, click.IntRange):
        return f"应为 {kind.min} 到 {kind.max} 的整数"
    if isinstance(kind, click.Choice):
        return f"只能是 {'、'.join(kind.choices)} 之一"
    if isinstance(kind, click.FloatRange):
        return "应为范围内的数字，见 --help"
    return error.message
