"""What must hold of every answer, whatever it says. A single failure is a fault of the program, not of the material."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from youju.lab.measures.base import Measure
from youju.lab.results import MeasureInfo
from youju.lab.score import Score, not_applicable, ok
from youju.lab.seen import Seen, walked
from youju.text import markers
from youju.text.align import locate
from youju.types import Chunk, Hit, Source

T = TypeVar("T")
Failures = Sequence[str] | Score
_BUDGET = re.compile(r"Budget\(top_k=(\d+), max_chars=(\d+)\)")
_THRESHOLD = re.compile(r"threshold=(-?\d+(?:\.\d+)?)\)")
REFUSED, NO_SOURCES = not_applicable("拒答没有回答可查"), not_applicable("没有来源可查")


@dataclass(frozen=True)
class Check:
    """1 if it holds, 0 with the failures as the reason if not."""

    info: MeasureInfo
    compute: Callable[[Seen], Failures]

    def __call__(self, seen: Seen) -> Score:
        found = self.compute(seen)
        return found if isinstance(found, Score) else ok(not found, "；".join(found))


@dataclass(frozen=True)
class Passed:
    """1 if no deterministic check failed, else 0; the reason names each that did, with what was wrong."""

    info: MeasureInfo
    checks: tuple[Check, ...]

    def __call__(self, seen: Seen) -> Score:
        scores = [(check.info.name, check(seen)) for check in self.checks]
        failed = [f"{name}：{score.reason}" for name, score in scores if score.value == 0]
        return ok(not failed, "；".join(failed))


def answered(seen: Seen) -> Failures:
    """An answer that is no refusal says something; n/a for a refusal."""
    return REFUSED if seen.refused else ([] if seen.answer.strip() else ["回答是空的"])


def sourced(seen: Seen) -> Failures:
    """An answer from the material has sources; n/a for a refusal and for an arm that retrieves nothing."""
    if seen.refused or not seen.retrieves:
        return REFUSED if seen.refused else NO_SOURCES
    return [] if seen.turn.sources else ["没有来源"]


def refused_bare(seen: Seen) -> Failures:
    """A refusal leaves no answer, source or verdict behind; n/a for an answer."""
    if not seen.refused:
        return not_applicable("没有拒答")
    turn = seen.turn
    left = {"回答": turn.answer, "来源": turn.sources, "核对结果": turn.verdicts}
    return [f"拒答之外还留有{name}" for name, what in left.items() if what]


def source_pages(seen: Seen) -> Failures:
    """Every source's pages lie in the pages of its own chunk, and in those of its document; n/a without sources."""
    if not seen.turn.sources:
        return NO_SOURCES
    chunks = {chunk.id: chunk for chunk in _chunks(seen)}
    return [
        f"[{one.n}] {wrong}" for one in seen.turn.sources if (wrong := _off_page(seen, one, chunks.get(one.chunk_id)))
    ]


def _off_page(seen: Seen, source: Source, chunk: Chunk | None) -> str:
    if chunk is None:
        return "片段不在检索结果中"
    if source.document_id != chunk.document_id:
        return "文档不是片段所在的文档"
    if source.page_start is None or source.page_end is None or chunk.page_start is None or chunk.page_end is None:
        same = (source.page_start, source.page_end) == (chunk.page_start, chunk.page_end)
        return "" if same else "页码与片段不符"
    if not chunk.page_start <= source.page_start <= source.page_end <= chunk.page_end:
        return f"第 {source.page_start}–{source.page_end} 页不在片段的第 {chunk.page_start}–{chunk.page_end} 页内"
    material = seen.documents.get(source.document_id)
    if material and material.pages and not 1 <= source.page_start <= source.page_end <= material.pages:
        return f"文档只有 {material.pages} 页"
    return ""


def sources_distinct(seen: Seen) -> Failures:
    """No chunk and no number stands twice among the sources; n/a without sources."""
    if not seen.turn.sources:
        return NO_SOURCES
    chunks = _twice(one.chunk_id for one in seen.turn.sources)
    numbers = _twice(one.n for one in seen.turn.sources)
    return [*(f"片段 {one} 重复" for one in chunks), *(f"编号 [{one}] 重复" for one in numbers)]


def citations_resolve(seen: Seen) -> Failures:
    """Every number cited in the answer's text is a source, and its sentences cite the same; n/a where none can be."""
    if seen.refused or not seen.retrieves or seen.turn.answer is None:
        return REFUSED
    material = "\n".join(item.text for item in seen.turn.context)
    shown = {n for marker in markers.find(seen.answer, material=material) for n in marker.numbers}
    meant = {n for one in seen.turn.answer.statements for n in one.cites}
    known = {source.n for source in seen.turn.sources}
    lost = [f"[{n}] 没有对应的来源" for n in sorted((shown | meant) - known)]
    # Behind a colon a bracket may be an interval, so it is not read as a marker; its reader sees it all the same.
    ways = {n: (markers.render([n]), markers.render([n], "source_n")) for n in meant - shown}
    unseen = [n for n, written in ways.items() if not any(one in seen.answer for one in written)]
    return lost + (["正文的标注与句子的标注不一致"] if unseen or shown - meant else [])


def quotes_verbatim(seen: Seen) -> Failures:
    """Every quote stands in its chunk, white space, width and case folded; n/a without quotes."""
    quoted = [source for source in seen.turn.sources if source.quote]
    if not quoted:
        return NO_SOURCES
    texts = {chunk.id: chunk.text for chunk in _chunks(seen)}
    return [f"[{one.n}] 的引文不在片段中" for one in quoted if locate(one.quote, texts.get(one.chunk_id, "")) is None]


def budget_kept(seen: Seen) -> Failures:
    """The context has no more items and characters than its stage allows; one item alone may be longer.

    n/a where no context was made.
    """
    steps = [(step, match) for step in walked(seen.turn.steps) if (match := _BUDGET.match(step.stage))]
    if not steps:
        return not_applicable("没有建立上下文")
    step, match = steps[-1]
    most, limit = int(match[1]), int(match[2])
    items = max(len(step.hits), len(seen.turn.context))
    chars = sum(len(item.text) for item in seen.turn.context)
    over = [f"{items} 段超过 {most} 段"] if items > most else []
    return over + ([f"{chars} 字超过 {limit} 字"] if chars > limit and items > 1 else [])


def scope_kept(seen: Seen) -> Failures:
    """Nothing found lies outside of the documents that the question could see; n/a where these were not recorded."""
    report = seen.turn.scope_report
    if report is None:
        return not_applicable("没有记录检索范围")
    outside = {chunk.document_id for chunk in _chunks(seen)} - set(report.documents)
    return [f"文档 {one} 不在检索范围内" for one in sorted(outside)]


def threshold_kept(seen: Seen) -> Failures:
    """No chunk of the vector channel lies below the threshold in that stage's name; n/a where no such stage ran."""
    steps = [
        step for step in walked(seen.turn.steps) if step.stage.startswith("ByVector(") and "error" not in step.note
    ]
    if not steps:
        return not_applicable("没有向量检索")
    below = []
    for step in steps:
        named = _THRESHOLD.search(step.stage)
        # Where the stage names none, it is the embedder's own, of which the step tells.
        floor = float(named[1]) if named else step.note.get("threshold")
        below += [hit.chunk_id for hit in step.hits if isinstance(floor, float) and hit.score < floor]
    return [f"片段 {one} 低于相似度阈值" for one in below]


def documents_known(seen: Seen) -> Failures:
    """Whatever is found belongs to a document that was ready when the run began, and to one version of it.

    n/a where the material was not recorded.
    """
    if not seen.documents:
        return not_applicable("没有记录资料清单")
    versions = {(chunk.document_id, chunk.version) for chunk in _chunks(seen)}
    named = {id_ for id_, _ in versions} | {source.document_id for source in seen.turn.sources}
    gone = [f"文档 {one} 不在资料中" for one in sorted(named - set(seen.documents))]
    return gone + [f"文档 {one} 同时出现两个版本" for one in sorted(_twice(id_ for id_, _ in versions))]


def ranks_distinct(seen: Seen) -> Failures:
    """No ranking holds a chunk twice, and no two hits have the same rank in one; n/a where nothing was ranked."""
    lists = [*seen.turn.rankings.values(), seen.turn.hits, seen.turn.nearest]
    if not any(lists):
        return not_applicable("没有检索结果")
    twice = {chunk for hits in lists for chunk in _twice(hit.chunk.id for hit in hits)}
    twice |= {id_ for step in walked(seen.turn.steps) for id_ in _twice(hit.chunk_id for hit in step.hits)}
    shared = {place for hits in lists for place in _twice(place for hit in hits for place in hit.ranks.items())}
    return [
        *(f"片段 {one} 出现两次" for one in sorted(twice)),
        *(f"{name} 的第 {rank} 名出现两次" for name, rank in sorted(shared)),
    ]


def measures() -> tuple[Measure, ...]:
    checks = (
        Check(_info("answer_not_empty", "回答非空"), answered),
        Check(_info("sources_not_empty", "有来源"), sourced),
        Check(_info("refusal_bare", "拒答不带内容"), refused_bare),
        Check(_info("source_pages", "来源页码"), source_pages),
        Check(_info("sources_distinct", "来源不重复"), sources_distinct),
        Check(_info("citations_resolve", "标注有来源"), citations_resolve),
        Check(_info("quotes_verbatim", "引文是原文"), quotes_verbatim),
        Check(_info("budget_kept", "上下文预算"), budget_kept),
        Check(_info("scope_kept", "检索范围"), scope_kept),
        Check(_info("threshold_kept", "相似度阈值"), threshold_kept),
        Check(_info("documents_known", "文档在资料中"), documents_known),
        Check(_info("ranks_distinct", "名次不重复"), ranks_distinct),
    )
    return (*checks, Passed(_info("deterministic_passed", "全部硬性检查"), checks))


def _info(name: str, title: str) -> MeasureInfo:
    return MeasureInfo(name, title, "checks", binary=True, gate="hard")


def _chunks(seen: Seen) -> list[Chunk]:
    turn = seen.turn
    found: list[Hit] = [hit for hits in turn.rankings.values() for hit in hits]
    found += [*turn.hits, *turn.nearest, *(item.hit for item in turn.context)]
    return [hit.chunk for hit in found]


def _twice(of: Iterable[T]) -> list[T]:
    return [one for one, n in Counter(of).items() if n > 1]
