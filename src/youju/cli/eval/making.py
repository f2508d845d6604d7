"""youju eval draft · import · split: where question sets come from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import Group, PathArgument, Whole, as_json, command, data_dir, run, settings
from youju.errors import ConfigError, InputError, NotFoundError

if TYPE_CHECKING:
    from youju.compose import App
    from youju.lab.audit.corpus import Corpus
    from youju.lab.dataset import Case
    from youju.lab.dataset.drafting import Drafted, Sheet
    from youju.lab.dataset.importing import Imported
    from youju.lab.seen import Material
    from youju.settings import Settings

PAGES_MAX = 100_000
_RANGE = re.compile(r"(\d{1,6})(?:\s*[-–~]\s*(\d{1,6}))?")
new_set = click.option(
    "--out", metavar="文件.jsonl", type=PathArgument(), required=True, help="写到这个新的题目集；已有的文件不会被改动。"
)
documents_dir = click.option(
    "--documents", metavar="文件夹", type=PathArgument(), default=None, help="把所问的段落写成文档，一段一个 .md。"
)
layout_file = click.argument("file", metavar="文件", type=PathArgument())


@command(
    help="让语言模型就一份文档出题。引文不在原文里的题会丢掉；留下的题要由人复核后填写 reviewed_by。",
    short_help="从文档起草题目",
)
@click.option("--doc", metavar="文档", required=True, help="文档的名字，或其中的一部分。")
@click.option("--pages", metavar="3-9,12", default="", help="只用这些页（物理页码）；默认整份文档。")
@click.option("-n", "count", metavar="整数", type=Whole(1, 1000), default=10, show_default=True, help="出多少题。")
@click.option("--allow-cost", is_flag=True, help="允许调用语言模型，可能收费。")
@new_set
@as_json
@data_dir
def draft(*, doc: str, pages: str, count: int, allow_cost: bool, out: Path, json_: bool, data: Path | None) -> int:
    chosen = settings(data).settings
    wanted = _numbers(pages)
    _new(out)

    async def work(app: App) -> Drafted:
        from youju.lab.audit.corpus import loaded  # noqa: PLC0415 - see `frame`

        sheets = _sheets(await app.lab.store.read(loaded), doc, wanted)
        return await _drafted(app, chosen, sheets, count, allowed=allow_cost or chosen.eval.enabled)

    found = run(data, work)
    for one in found.failed:
        output.note(f"有一页没有出成题：{one}")
    if not found.cases:
        raise InputError(
            f"一道题也没有留下{_counted(found.dropped)}", remedy="请换一些页，或换用更强的模型", code="no_cases"
        )
    _write(found.cases, out)
    _say(found.cases, out, "丢掉", found.dropped, json_=json_)
    return 0


import_ = Group("import", help="把别的格式的题目集，或有评价的问答记录，变成题目集。", short_help="导入题目集")


@import_.command(help="SQuAD 格式的 JSON（SQuAD 1.1 与 2.0、CMRC 2018、DRCD 等）。", short_help="SQuAD 格式")
@layout_file
@new_set
@documents_dir
@as_json
def squad(file: Path, *, out: Path, documents: Path | None, json_: bool) -> int:
    from youju.lab.dataset import importing  # noqa: PLC0415 - see `frame`

    return _kept(importing.squad(file), out, documents, json_=json_)


@import_.command(help="RAGAS 格式的行（JSONL、JSON 或 CSV）。", short_help="RAGAS 格式")
@layout_file
@new_set
@documents_dir
@as_json
def ragas(file: Path, *, out: Path, documents: Path | None, json_: bool) -> int:
    from youju.lab.dataset import importing  # noqa: PLC0415 - see `frame`

    return _kept(importing.ragas(file), out, documents, json_=json_)


@import_.command(help="问答记录中有人评价过的问题：好评带出所引的原文，差评只带备注。", short_help="问答记录")
@new_set
@as_json
@data_dir
def log(*, out: Path, json_: bool, data: Path | None) -> int:
    from youju.lab.dataset import importing  # noqa: PLC0415 - see `frame`

    async def work(app: App) -> Imported:
        return importing.feedback(await importing.rated(app.log))

    return _kept(run(data, work), out, None, json_=json_)


@command(
    help="把题目集按文档分成 dev 与 test 两半：同一份文档的题在同一边，已有的划分不变。改动写进旁边的 CHANGELOG。",
    short_help="划分题目集",
)
@click.argument("set_", metavar="题目集", type=PathArgument())
@click.option("--seed", metavar="整数", type=int, default=7, show_default=True, help="划分的随机种子。")
@click.option("--dev", metavar="小数", type=float, default=0.5, show_default=True, help="dev 占多少。")
@as_json
def split(set_: Path, *, seed: int, dev: float, json_: bool) -> int:
    from youju.lab.dataset import load  # noqa: PLC0415 - see `frame`
    from youju.lab.dataset.changelog import update  # noqa: PLC0415
    from youju.lab.dataset.splitting import split as divided  # noqa: PLC0415

    whole, warnings = load(set_)
    for one in warnings:
        # What nothing reads is not written back.
        output.note(one)
    cases = divided(whole, seed, dev)
    changed = update(cases, set_, datetime.now(UTC).date(), f"youju eval split --seed {seed} --dev {dev:g}")
    sides = {side: sum(case.split == side for case in cases) for side in ("dev", "test")}
    if json_:
        output.as_json({"changed": len(changed.changed), "hash": changed.hashes[1]} | sides)
    else:
        output.say(f"dev {sides['dev']} 题，test {sides['test']} 题，改动 {len(changed.changed)} 题：{set_}")
    return 0


def _numbers(written: str) -> frozenset[int]:
    """3-9,12 → the numbers; none for "".

    Raises:
        InputError: not written so.
    """
    found: set[int] = set()
    for part in filter(None, (one.strip() for one in re.split("[,，、]", written))):
        match = _RANGE.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= PAGES_MAX:
            raise InputError(f"看不懂页码 {part!r}", remedy="例如 --pages 3-9,12", code="usage")
        found.update(range(first, last + 1))
    return frozenset(found)


def _sheets(corpus: Corpus, doc: str, wanted: frozenset[int]) -> list[Sheet]:
    """What a model may draw on.

    Raises:
        NotFoundError, InputError: no such document or page, several documents, or nothing to read on the pages.
    """
    from youju.lab.dataset.drafting import sheets  # noqa: PLC0415 - see `frame`

    document = _document(corpus, doc)
    pages = [(page.n, page.text) for page in corpus.pages(document.id)] or [(0, corpus.text(document.id))]
    known = {n for n, _ in pages}
    if wanted and known == {0}:
        raise InputError(f"《{document.title}》没有页码", remedy="请去掉 --pages", code="usage")
    if lost := sorted(wanted - known):
        numbers = "、".join(map(str, lost[:5]))
        raise InputError(
            f"《{document.title}》没有第 {numbers} 页", remedy=f"它有第 {min(known)}–{max(known)} 页", code="bad_page"
        )
    found = sheets(document.title, [page for page in pages if not wanted or page[0] in wanted])
    if not found:
        raise InputError(f"《{document.title}》的这些页上没有足够的文字", remedy="请换一些页", code="no_text")
    return found


def _document(corpus: Corpus, name: str) -> Material:
    named = corpus.named(name)
    exact = [one for one in named if name in {one.title, one.file_name}]
    found = exact or named
    if not found:
        raise NotFoundError(f"没有名字里有 {name!r} 的文档", remedy="用 youju list 查看有哪些文档")
    if len(found) > 1:
        titles = "、".join(one.file_name for one in found[:5])
        raise InputError(f"{name!r} 对得上 {len(found)} 份文档：{titles}", remedy="请写得更完整", code="usage")
    return found[0]


async def _drafted(app: App, chosen: Settings, among: Sequence[Sheet], count: int, *, allowed: bool) -> Drafted:
    from youju.lab.dataset.drafting import draft as drafted  # noqa: PLC0415 - see `frame`
    from youju.lab.dataset.drafting import shares  # noqa: PLC0415
    from youju.stages.judge import Judge  # noqa: PLC0415
    from youju.stages.pace import Pace  # noqa: PLC0415

    judging = app.lab.judge
    llm = app.lab.parts.llm or (judging.llm if judging else None)
    if llm is None:
        raise ConfigError("没有设置语言模型，不能起草", remedy="请设置 llm.base_url 与 llm.model", code="no_llm")
    asked = shares(among, count)
    if not allowed:
        size = sum(len(sheet.text) for sheet, _ in asked)
        raise InputError(
            f"起草要调用语言模型 {len(asked)} 次（原文共 {size} 字），可能收费，须明确允许",
            remedy="请加上 --allow-cost，或设置 YOUJU_EVAL_ENABLED=true",
            code="cost_not_allowed",
        )
    judge = Judge(llm, chosen.judge.max_tokens, pace=Pace(chosen.eval.concurrency))
    return await drafted(judge, among, count)


def _kept(found: Imported, out: Path, documents: Path | None, *, json_: bool) -> int:
    """Writes what an import brought, the documents first."""
    from youju.lab.dataset.writing import put  # noqa: PLC0415 - see `frame`

    _new(out)
    if documents is not None:
        if documents.exists() and (not documents.is_dir() or any(documents.iterdir())):
            raise InputError(f"{documents} 不是空的文件夹", remedy="请换一个文件夹", code="exists")
        try:
            documents.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"建不了 {documents}：{error.strerror}", remedy="请检查权限", code="unwritable") from error
        for name, text in found.documents.items():
            put(documents / name, text)
    _write(found.cases, out)
    _say(found.cases, out, "没有导入", found.left_out, json_=json_)
    if documents is not None and not json_:
        output.say(f"已写出 {len(found.documents)} 份文档：{documents}；用 youju add {documents} 加入资料库")
    return 0


def _new(out: Path) -> None:
    """Raises InputError where the file is there already: reviewed questions are not written over."""
    if out.exists():
        raise InputError(f"{out} 已经存在", remedy="请换一个文件名", code="exists")


def _write(cases: Sequence[Case], out: Path) -> None:
    from youju.lab.dataset.writing import write  # noqa: PLC0415 - see `frame`

    write(cases, out)


def _say(cases: Sequence[Case], out: Path, word: str, without: Mapping[str, int], *, json_: bool) -> None:
    if json_:
        output.as_json({"file": str(out), "cases": len(cases), "without": dict(without)})
        return
    output.say(f"已写出 {len(cases)} 题：{out}（都还没有人复核）")
    if without:
        output.say(f"{word} {sum(without.values())} 题{_counted(without)}")


def _counted(why: Mapping[str, int]) -> str:
    return f"（{'；'.join(f'{reason} {n}' for reason, n in why.items())}）" if why else ""
