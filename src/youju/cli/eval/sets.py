"""youju eval audit."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import PathArgument, Whole, as_json, command, data_dir, run
from youju.errors import InputError

if TYPE_CHECKING:
    from youju.compose import App
    from youju.lab.audit import Audit, Corpus
    from youju.lab.dataset import Case

SEVERITIES = {"error": "错误", "warning": "提醒", "person": "待人看"}
SHOWN = 20
"""Findings of a kind that are listed; `--json` has all of them."""


@command(help="核对题目集与现有资料：有错误的题目集不应拿来评测。没有通过时退出码为 1。", short_help="审核题目集")
@click.argument("sets", metavar="题目集…", nargs=-1, required=True, type=PathArgument())
@click.option("--sheet", metavar="文件.csv", type=PathArgument(), default=None, help="抽出供人复核的题目，写成表格。")
@click.option("--size", metavar="整数", type=Whole(1, 100_000), default=60, show_default=True, help="抽多少题。")
@click.option("--seed", metavar="整数", type=int, default=7, show_default=True, help="抽样的随机种子。")
@click.option("--filled", metavar="文件.csv", type=PathArgument(), default=None, help="读回填好的表格，说明是否合格。")
@as_json
@data_dir
def audit(
    sets: tuple[Path, ...],
    *,
    sheet: Path | None,
    size: int,
    seed: int,
    filled: Path | None,
    json_: bool,
    data: Path | None,
) -> int:
    from youju.lab.audit import audit as audited  # noqa: PLC0415 - see `frame`
    from youju.lab.audit import loaded  # noqa: PLC0415
    from youju.lab.sets import opened  # noqa: PLC0415

    cases = opened(sets, output.note)

    async def work(app: App) -> tuple[Audit, Corpus]:
        corpus = await app.lab.store.read(loaded)
        return audited(cases, corpus), corpus

    found, corpus = run(data, work)
    checked = _filled(filled, cases) if filled else None
    if sheet:
        _write_sheet(sheet, cases, corpus, size=size, seed=seed)
    if json_:
        facts = {"passed": found.passed, "digest": found.digest, "findings": [asdict(one) for one in found.findings]}
        output.as_json(facts | ({"reviewed": checked} if checked else {}))
    else:
        _say(found)
        if sheet:
            output.say(f"已写出供人复核的表格：{sheet}")
        if checked:
            output.say(str(checked["message"]))
    rejected = checked is not None and checked["verdict"] == "rejected"
    return 0 if found.passed and not rejected else 1


def _say(found: Audit) -> None:
    for severity, title in SEVERITIES.items():
        of = found.of(severity)  # type: ignore[arg-type]  # one of the three
        for one in of[:SHOWN]:
            output.say(f"{title} {one.case or '（整个题目集）'} {one.check}：{one.message}")
        if len(of) > SHOWN:
            output.say(f"{title}还有 {len(of) - SHOWN} 条，用 --json 查看全部")
    output.say(found.digest)
    output.say("通过审核" if found.passed else "没有通过审核")


def _write_sheet(file: Path, cases: list[Case], corpus: Corpus, *, size: int, seed: int) -> None:
    from youju.lab.audit.sampling import sampled  # noqa: PLC0415 - see `frame`
    from youju.lab.audit.sheet import written  # noqa: PLC0415

    save(file, written(sampled(cases, size, seed), corpus))


def _filled(file: Path, cases: list[Case]) -> dict[str, object]:
    from youju.lab.audit.sheet import read_back  # noqa: PLC0415 - see `frame`

    return asdict(read_back(opened_bytes(file), cases))


def opened_bytes(file: Path) -> bytes:
    """The bytes of a file that the user named.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"读不了 {file}：{error.strerror}", remedy="请检查文件名与权限", code="unreadable") from error


def save(file: Path, data: bytes) -> None:
    """Write a file that the user named.

    Raises:
        InputError: it cannot be written.
    """
    try:
        file.write_bytes(data)
    except OSError as error:
        raise InputError(f"写不了 {file}：{error.strerror}", remedy="请检查文件夹与权限", code="unwritable") from error
