"""A trace, told to a person who asks why an answer came out as it did."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from youju.cli.output import pages, place
from youju.cli.wording import (
    CUTTERS,
    EXCLUDED,
    KINDS,
    LEVELS,
    NOT_RECALLED,
    RANKINGS,
    REFUSALS,
    STAGES,
    SUPPORT,
    degraded,
)

if TYPE_CHECKING:
    from youju.trace.entry import Recalled, Summary, Trace
    from youju.trace.finding import Finding
    from youju.types import Chunk, Step

SHORT_ID = 12
BEGINNING = 60
"""Characters of a chunk's text that are shown."""
NOTE = 160
MANY = 8


def line(one: Summary) -> str:
    """A line of the list."""
    marks = [KINDS[one.kind], _outcome(one), *(["有降级"] if one.degraded else [])]
    marks += [{"up": "👍", "down": "👎"}[one.rating]] if one.rating else []
    when = one.created_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return f"{one.id[:SHORT_ID]}  {when}  {' '.join(filter(None, marks))}  {one.seconds:.2f} 秒  {_brief(one.asked)}"


def tell(trace: Trace, finding: Finding | None = None) -> Iterator[str]:
    """The lines of `youju log show`."""
    if finding is not None:
        yield from _found(trace, finding)
        yield ""
    yield from _asked(trace)
    yield from _scope(trace)
    yield "\n经过"
    yield from _steps(trace.steps)
    yield from _chunks(trace, finding.chunks if finding else ())
    yield from _graded(trace)
    yield from _answered(trace)
    yield from _made_with(trace)
    for one in trace.feedback:
        about = f"来源 [{one.source}]" if one.source is not None else "回答"
        yield f"评价：{about} {'👍' if one.rating == 'up' else '👎'}{' ' + one.note if one.note else ''}"


def _outcome(one: Summary) -> str:
    if one.status == "error":
        return f"出错（{one.error_code}）"
    if one.refusal:
        return f"拒答（{REFUSALS[one.refusal]}）"
    return f"评级 {one.level}" if one.level else ""


def _asked(trace: Trace) -> Iterator[str]:
    one = trace.summary
    yield f"记录 {one.id}  {one.created_at.astimezone().strftime('%Y-%m-%d %H:%M:%S')}  {KINDS[one.kind]}"
    yield f"问题：{one.asked}"
    if trace.question and trace.question != one.asked:
        yield f"用于检索的问题：{trace.question}"
    yield f"结果：{_outcome(one) or '完成'}  共 {one.seconds:.2f} 秒"
    if trace.error_message:
        yield f"错误：{trace.error_message}"
    if trace.blanked_at:
        yield f"（召回过的文档已删除，回答与原文已于 {trace.blanked_at.astimezone():%Y-%m-%d %H:%M} 清空）"
    elif not trace.texts:
        yield "（设置 log.texts 关闭，没有保存回答与原文）"


def _scope(trace: Trace) -> Iterator[str]:
    if trace.scope is None:
        return
    wanted = [f"{name}={_compact(value)}" for name, value in trace.scope.asked.items() if value is not None]
    books = {one.document_id: one.book for one in trace.chunks if one.book}
    eligible = [f"{id_}《{books[id_]}》" if id_ in books else id_ for id_ in trace.scope.documents]
    excluded = trace.scope.excluded
    yield f"\n范围：{'、'.join(wanted) or '所有文档'}"
    yield f"  可用 {len(eligible)} 份{'：' + _some(eligible) if eligible else ''}"
    if excluded:
        told = [f"{one.id}（{EXCLUDED.get(one.status, one.status)}）" for one in excluded]
        yield f"  排除 {len(excluded)} 份：{_some(told)}"
    if trace.scope.stale:
        yield f"  没有当前模型的向量、只用关键词检索的 {len(trace.scope.stale)} 份：{_some(trace.scope.stale)}"


def _steps(steps: Sequence[Step], depth: int = 1) -> Iterator[str]:
    for step in steps:
        name = step.stage.partition("(")[0]
        note = {key: _counted(value) for key, value in step.note.items() if value not in (None, "", [], {}, False)}
        hits = f"  {len(step.hits)} 个片段" if step.hits else ""
        told = f"  {_compact(note)[:NOTE]}" if note else ""
        yield f"{'  ' * depth}{STAGES.get(name, name)}  {step.seconds:.3f} 秒{hits}{told}"
        yield from _steps(step.inner, depth + 1)


def _counted(value: object) -> object:
    """What is too much to read as how much it is; ids of chunks always are."""
    ids = isinstance(value, list | dict) and any("::" in str(one) for one in value)
    return f"{len(value)} 个" if isinstance(value, list | dict) and (ids or len(value) > MANY) else value


# --- chunks ----------------------------------------------------------------------------------------------------------


def _chunks(trace: Trace, marked: Sequence[Recalled]) -> Iterator[str]:
    recalled = [one for one in trace.chunks if one.ranks]
    if not recalled:
        yield "\n没有召回任何片段"
        return
    known = [name for name in RANKINGS if any(name in one.ranks for one in trace.chunks)]
    others = sorted({name for one in trace.chunks for name in one.ranks} - set(known))
    names = [*known, *others]
    heads = [
        *(RANKINGS.get(name, name) for name in names),
        *(["上下文", "引用"] if trace.summary.kind == "ask" else []),
    ]
    yield f"\n召回 {len(recalled)} 个片段，各通道的名次"
    yield "   " + "  ".join(heads)
    for one in recalled:
        cells = [str(one.ranks.get(name, "-")) for name in names]
        if trace.summary.kind == "ask":
            cells += [f"[{one.n}]" if one.n is not None else "-", "✓" if one.cited else "-"]
        padded = "  ".join(_right(cell, _width(head)) for cell, head in zip(cells, heads, strict=True))
        yield f"{' ★' if one in marked else '  '} {padded}  {where(one)}"
        if one.text:
            yield f"       {_brief(one.text)}"


def where(one: Recalled | Chunk) -> str:
    """Book, section and pages; the bare id of what is gone."""
    return place(one.book, one.section, pages(one)) if one.book or one.section else one.document_id


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def _right(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text


# --- the answer ------------------------------------------------------------------------------------------------------


def _graded(trace: Trace) -> Iterator[str]:
    if trace.grade is None:
        return
    figures = "  ".join(f"{name} {value:.3g}" for name, value in trace.grade.features.items())
    yield f"\n证据评级 {trace.grade.level}（{LEVELS[trace.grade.level]}）：{'；'.join(trace.grade.reasons)}"
    if figures:
        yield f"  {figures}"


def _answered(trace: Trace) -> Iterator[str]:
    if trace.answer:
        yield f"\n回答（{trace.by}）"
        yield trace.answer
    if trace.verdicts:
        yield "\n逐句核对"
    for one in trace.verdicts:
        n = f" [{one.n}]" if one.n is not None else ""
        why = f"：{'；'.join(one.reasons)}" if one.reasons else ""
        yield f"  {SUPPORT[one.verdict]}{n}  {_brief(one.sentence)}{why}"
    if trace.removed_markers:
        yield f"删去的无效标记：{'、'.join(trace.removed_markers)}"
    if trace.confidence:
        yield f"可信度 {trace.confidence.value:.2f}：{'；'.join(trace.confidence.reasons)}"
    for mark in trace.degradations:
        yield degraded(mark)


def _made_with(trace: Trace) -> Iterator[str]:
    from youju.settings import Knobs  # noqa: PLC0415 - see `frame`

    usual = Knobs().model_dump()
    changed = {name: value for name, value in trace.knobs.items() if name not in usual or usual[name] != value}
    told = ", ".join(f"{name}={_compact(value)}" for name, value in changed.items())
    yield f"\n设置：{told or '均为默认值'}"
    if trace.model:
        temperature = "" if trace.temperature is None else f"  温度 {trace.temperature:g}"
        yield f"模型：{trace.model}  角色 {trace.persona}{temperature}"
    said = trace.generation
    if said:
        tokens = [said.get("prompt_tokens"), said.get("completion_tokens")]
        counts = "、".join(str(one) if one is not None else "未知" for one in tokens)
        yield f"提示词 {said.get('prompt')}  输入、输出 token：{counts}  结束原因 {said.get('finish_reason') or '未知'}"
    yield f"嵌入：{trace.fingerprint or '未知'}"


# --- one text --------------------------------------------------------------------------------------------------------


def _found(trace: Trace, finding: Finding) -> Iterator[str]:
    yield f"查找：{_verdict(finding)}"
    if finding.ending in {"out_of_scope", "not_recalled"}:
        statuses = {one.id: one.status for one in trace.scope.excluded} if trace.scope else {}
        for one in finding.holders[:5]:
            status = statuses.get(one.document_id)
            told = f"（{EXCLUDED.get(status, status)}）" if status else ""
            yield f"  资料库中的位置：{where(one)}  {one.document_id}{told}"


def _verdict(finding: Finding) -> str:
    numbers = "".join(f"[{n}]" for n in finding.numbers)
    if finding.ending in {"nowhere", "out_of_scope", "not_recalled"}:
        return NOT_RECALLED["threshold" if finding.cutter == "threshold" else finding.ending]
    ranks = f"召回了（{_ranks(finding.chunks[0].ranks)}）" if finding.chunks else "含在扩展后的文字里"
    if finding.ending == "cut":
        return f"{ranks}，没有进入上下文：{CUTTERS[finding.cutter]}"
    if finding.ending == "ignored":
        return f"{ranks}，进入了上下文 {numbers}，回答没有引用它"
    return f"{ranks}，进入了上下文 {numbers}，回答引用了它"


def _ranks(ranks: Mapping[str, int]) -> str:
    names = [name for name in RANKINGS if name in ranks] + sorted(set(ranks) - set(RANKINGS))
    return "、".join(f"{RANKINGS.get(name, name)}第 {ranks[name]}" for name in names)


def _brief(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= BEGINNING else f"{shown[:BEGINNING]}…"


def _some(names: Sequence[str], at_most: int = 10) -> str:
    return "、".join(names[:at_most]) + (" 等" if len(names) > at_most else "")


def _compact(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
