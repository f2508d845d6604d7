"""How the command line speaks: tables, progress bars, answers, JSON. Everything a person reads passes here."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from youju.cli.wording import DOING, DOUBTS, PHASES, REFUSALS, degraded
from youju.errors import YoujuError
from youju.text.markers import Style, render
from youju.text.normal import clean
from youju.types import Chunk, Source

if TYPE_CHECKING:
    # What reads a store is imported with it, not to say that an option is unknown.
    from youju.ingest.job import Progress as Phase
    from youju.ingest.job import Report
    from youju.lab.service import Progress as Counted
    from youju.lab.service import Show
    from youju.stages.base import Event
    from youju.trace.entry import Recalled
    from youju.types import Turn

DOUBTFUL = 0.5


class UnwritableError(Exception):
    """Nothing more can be shown: whoever reads our output has gone, or the disk it goes to is full."""


def _shown(text: str, *, err: bool = False, ends: bool = True) -> None:
    try:
        click.echo(text, err=err, nl=ends)
    except OSError as error:
        raise UnwritableError(error.strerror) from error


def give_up(error: UnwritableError) -> None:
    """Say so where it may still be read, and keep the interpreter from trying to write the rest."""
    if not isinstance(error.__cause__, BrokenPipeError):
        # Of a reader that has seen enough (`| head`) nobody wants to hear.
        with contextlib.suppress(OSError):
            click.echo(f"错误：无法写出结果：{error}", err=True)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(text: str) -> None:
    """A result. Control characters, which file names and documents may hold, never reach the terminal."""
    _shown(clean(text))


def note(text: str) -> None:
    """Beside the result: goes to standard error, so that pipes and `--json` stay clean."""
    _shown(clean(text), err=True)


def as_json(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    # File names may hold bytes that are no text; JSON can write them as escapes.
    _shown(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def complain(error: YoujuError) -> None:
    note(f"错误：{error.message}")
    if error.remedy:
        note(f"建议：{error.remedy}")


def error_json(error: YoujuError) -> dict[str, object]:
    return {"code": error.code, "message": error.message, "remedy": error.remedy}


@contextmanager
def counting(title: str, *, shown: bool) -> Iterator[Show]:
    """A bar for a run of the lab, with the time that is left and what was spent; hidden as `progress` is."""
    if not (shown and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - as in `progress`
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.fields[title]} {task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[spent]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True, markup=False, highlight=False), transient=True) as bar:
        task = bar.add_task("", total=None, title=title, spent="")

        def show(one: Counted) -> None:
            cost = "费用未知" if one.cost is None else f"费用 {one.cost:.4g}"
            spent = f"{one.calls} 次调用，{cost}" if one.calls else ""
            bar.update(task, description=DOING[one.doing], completed=one.done, total=one.total, spent=spent)

        yield show


@contextmanager
def progress(title: str, *, shown: bool) -> Iterator[Report]:
    """A bar for one document; the report to give to the job. Not shown when standard error is no terminal."""
    if not (shown and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - 40 ms that pipes and questions need not wait for
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.fields[title]}", markup=False),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True, markup=False, highlight=False),
        transient=True,
    )
    with bar:
        task = bar.add_task("等待", total=None, title=clean(title), count="")

        def report(phase: Phase) -> None:
            count = f"{phase.done}/{phase.total}" if phase.total else ""
            bar.update(
                task, description=PHASES[phase.phase], completed=phase.done, total=phase.total or None, count=count
            )

        yield report


async def told(event: Event) -> None:
    """Shows the answer while it comes; what belongs to it is for `show_rest`."""
    if event.kind == "token":
        _shown(clean(str(event.data["text"])), ends=False)


def show_rest(turn: Turn, style: Style = "n") -> None:
    """What goes with an answer that has been told: its sources, or what was nearest."""
    _shown("")
    if turn.refusal:
        say("")
        say(f"（{REFUSALS[turn.refusal]}）")
        if turn.refusal == "low_evidence" and turn.grade:
            say("".join(f"· {reason}\n" for reason in turn.grade.reasons).rstrip())
        for hit in turn.nearest[:3]:
            chunk = hit.chunk
            say(f"最接近但不充分：{place(chunk.book, chunk.section, pages(chunk))}")
    else:
        _show_sources(turn, style)
    for mark in dict.fromkeys(turn.degradations):
        say(degraded(mark))


def _show_sources(turn: Turn, style: Style) -> None:
    cited = [source for source in turn.sources if source.cited]
    others = [source for source in turn.sources if not source.cited]
    if cited:
        say("\n来源")
    for source in cited:
        say(f"{render([source.n], style)} {place(source.book, source.section, pages(source))}")
    if others and not cited:
        say("\n参考资料（回答未标注）")
        for source in others:
            say(f"{render([source.n], style)} {place(source.book, source.section, pages(source))}")
    for verdict in turn.verdicts:
        if verdict.verdict in DOUBTS:
            say(f"注意：{DOUBTS[verdict.verdict]}：{verdict.sentence}")
    if turn.removed_markers:
        say(f"注意：回答里对不上任何片段的编号已去掉：{' '.join(turn.removed_markers)}")
    if turn.grade and turn.grade.level == "AMBIGUOUS":
        say("\n注意：证据不够充分，请对照来源核实。")
    elif turn.confidence and turn.confidence.value < DOUBTFUL:
        say(f"\n注意：可信度较低（{turn.confidence.value:.2f}），请对照来源核实。")


def place(book: str, section: tuple[str, ...], where: str) -> str:
    """Book, section and pages as a person would cite them."""
    return " ".join(part for part in (f"《{book}》", " › ".join(section[-2:]), where) if part)


def pages(one: Source | Chunk | Recalled) -> str:
    """第 12 页, with the printed number where there is one; a locator where there are no pages."""
    if one.page_start is None:
        return one.locator
    start, end = one.page_start, one.page_end or one.page_start
    first, last = one.label_start or str(start), one.label_end or str(end)
    shown = f"第 {first} 页" if first == last else f"第 {first}–{last} 页"
    physical = f"（文件第 {start} 页）" if one.label_start and first != str(start) else ""
    return shown + physical
