"""How the command line speaks: tables, progress bars, answers, JSON. Everything a person reads passes here."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from youju.chat.views import Json, Wording, answer_text
from youju.errors import YoujuError
from youju.ingest.job import Progress as Phase
from youju.ingest.job import Report
from youju.types import Source, Turn

PHASES = {
    "UPLOADED": "等待",
    "PARSING": "解析",
    "CHUNKING": "切分",
    "EMBEDDING": "嵌入",
    "READY": "就绪",
    "FAILED": "失败",
    "DELETING": "清除中",
}
REFUSALS = {
    "scope_empty": "所选范围内没有可用的文档",
    "no_candidates": "没有检索到任何片段",
    "low_evidence": "找到的片段不足以回答",
    "model_refused": "模型认为资料不足",
}
DOUBTFUL = 0.5


def printer() -> Console:
    """A console that keeps to the text: no mark-up, no highlighting, no wrapping of what is copied."""
    return Console(markup=False, highlight=False, emoji=False, soft_wrap=True)


def say(text: str) -> None:
    printer().print(text)


def note(text: str) -> None:
    """Beside the result: goes to standard error, so that pipes and `--json` stay clean."""
    click.echo(text, err=True)


def as_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def complain(error: YoujuError) -> None:
    note(f"错误：{error.message}")
    if error.remedy:
        note(f"建议：{error.remedy}")


def error_json(error: YoujuError) -> Json:
    return {"code": error.code, "message": error.message, "remedy": error.remedy}


@contextmanager
def progress(title: str, *, shown: bool) -> Iterator[Report]:
    """A bar for one document; the report to give to the job. Not shown when standard error is no terminal."""
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.fields[title]}"),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True, markup=False, highlight=False),
        disable=not (shown and sys.stderr.isatty()),
        transient=True,
    )
    with bar:
        task: TaskID = bar.add_task("等待", total=None, title=title, count="")

        def report(phase: Phase) -> None:
            count = f"{phase.done}/{phase.total}" if phase.total else ""
            bar.update(
                task, description=PHASES[phase.phase], completed=phase.done, total=phase.total or None, count=count
            )

        yield report


def show_answer(turn: Turn, wording: Wording) -> None:
    """An answer with its sources, or the refusal with what was nearest."""
    say(answer_text(turn, wording))
    if turn.refusal:
        say("")
        say(f"（{REFUSALS[turn.refusal]}）")
        if turn.refusal == "low_evidence" and turn.grade:
            say("".join(f"· {reason}\n" for reason in turn.grade.reasons).rstrip())
        for hit in turn.nearest[:3]:
            chunk = hit.chunk
            say(f"最接近但不充分：{place(chunk.book, chunk.section, pages(chunk))}")
    else:
        _show_sources(turn)
    for mark in dict.fromkeys(turn.degradations):
        say(f"注意：{mark.part} 已降级（{mark.reason}）")


def _show_sources(turn: Turn) -> None:
    cited = [source for source in turn.sources if source.cited]
    others = [source for source in turn.sources if not source.cited]
    if cited:
        say("\n来源")
    for source in cited:
        say(f"[{source.n}] {place(source.book, source.section, pages(source))}")
    if others and not cited:
        say("\n参考资料（回答未标注）")
        for source in others:
            say(f"[{source.n}] {place(source.book, source.section, pages(source))}")
    wrong = [verdict for verdict in turn.verdicts if verdict.verdict in {"contradicted", "unsupported"}]
    for verdict in wrong:
        say(f"注意：这句话没有得到资料支持：{verdict.sentence}")
    if turn.grade and turn.grade.level == "AMBIGUOUS":
        say("\n注意：证据不够充分，请对照来源核实。")
    elif turn.confidence and turn.confidence.value < DOUBTFUL:
        say(f"\n注意：可信度较低（{turn.confidence.value:.2f}），请对照来源核实。")


def place(book: str, section: tuple[str, ...], where: str) -> str:
    """Book, section and pages as a person would cite them."""
    return " ".join(part for part in (f"《{book}》", " › ".join(section[-2:]), where) if part)


def pages(one: Source | object) -> str:
    """第 12 页, with the printed number where there is one; a locator where there are no pages."""
    start, end = getattr(one, "page_start", None), getattr(one, "page_end", None)
    if start is None:
        return str(getattr(one, "locator", ""))
    first, last = getattr(one, "label_start", "") or str(start), getattr(one, "label_end", "") or str(end or start)
    shown = f"第 {first} 页" if first == last else f"第 {first}–{last} 页"
    physical = f"（文件第 {start} 页）" if getattr(one, "label_start", "") and first != str(start) else ""
    return shown + physical
