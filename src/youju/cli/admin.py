"""youju doctor · youju settings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import as_json, command, data_dir, run, settings, there

if TYPE_CHECKING:
    from youju.compose import App
    from youju.documents.doctor import Finding

MARKS = {"ok": "✓", "warning": "！", "fault": "✗"}


@command(help="检查资料库：完整性、残留、卡住的任务。发现问题时退出码为 1。", short_help="检查资料库")
@click.option("--repair", is_flag=True, help="先清除残留，再检查。")
@as_json
@data_dir
def doctor(*, repair: bool, json_: bool, data: Path | None) -> int:
    async def work(app: App) -> list[Finding]:
        # What cannot be trusted must not be written to.
        trusted = not repair or {(await app.doctor.integrity()).level, (await app.doctor.structure()).level} == {"ok"}
        if repair and trusted:
            await app.documents.sweep()
            await app.documents.purge.residue()
        return await app.doctor.examine()

    if not there(data):
        # What is not there cannot be sound.
        if json_:
            output.as_json([])
        return 0
    findings = run(data, work)
    if json_:
        output.as_json([asdict(one) for one in findings])
    for one in findings if not json_ else []:
        count = f" {one.count}" if one.count else ""
        output.say(f"{MARKS[one.level]} {one.check}{count}{' ' + one.detail if one.detail else ''}")
        if one.level != "ok" and one.remedy:
            output.say(f"    建议：{one.remedy}")
    return 1 if any(one.level == "fault" for one in findings) else 0


@command("settings", help="列出所有设置、它们的值与来源。", short_help="查看设置")
@as_json
@data_dir
def settings_(*, json_: bool, data: Path | None) -> None:
    entries = settings(data).entries
    shown = {entry.name: ("******" if entry.secret and entry.value else entry.value) for entry in entries}
    if json_:
        output.as_json(
            [
                {"name": e.name, "value": shown[e.name], "origin": e.origin, "description": e.description}
                for e in entries
            ]
        )
        return
    for entry in entries:
        value = "空" if shown[entry.name] in {None, ""} else shown[entry.name]
        output.say(f"{entry.name} = {value}    # {entry.description}（{entry.origin}）")
