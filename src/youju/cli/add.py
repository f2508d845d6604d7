"""youju add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from youju.cli import output
from youju.cli.frame import PathArgument, as_json, command, data_dir, run
from youju.cli.wording import PHASES, WAYS
from youju.documents.lifecycle import UNFINISHED
from youju.errors import ConflictError, InputError, YoujuError

if TYPE_CHECKING:
    from youju.compose import App
    from youju.documents.catalog import Accepted
    from youju.types import Document, Version

SKIPPED: Mapping[str, str] = MappingProxyType(
    {"unsupported_format": "不支持的文件", "outside_link": "指向文件夹之外的链接"}
)
SHOWN = 5
"""Skipped files that are named; the others are only counted."""


@dataclass(frozen=True)
class Found:
    """A file to add, under the name that tells it from others; or why there is none."""

    path: Path
    name: str
    error: YoujuError | None = None
    skipped: bool = False
    """It lay in a folder that was given, and is not for us: no failure."""


def expanded(paths: Sequence[Path], suffixes: frozenset[str]) -> list[Found]:
    """Files as they are, folders as the readable files in them (recursively, hidden ones left out).

    A file of a folder keeps its way below the folder as its name: two chapters may both have an `index.md`. What would
    replace another file of the same call carries an error; what is left out of a folder is there as skipped.
    """
    found: list[Found] = []
    names: dict[str, Path] = {}
    for one in (one for path in dict.fromkeys(paths) for one in _inside(path, suffixes)):
        other = names.setdefault(one.name, one.path)
        if other == one.path or one.error:
            found.append(one)
            continue
        clash = ConflictError(
            f"与本次导入的 {other} 同名：{one.path}",
            remedy="请改名，或用 --collection 放入不同的资料集",
            code="same_name",
        )
        found.append(replace(one, error=clash))
    return list(dict.fromkeys(found))


def _inside(path: Path, suffixes: frozenset[str]) -> Iterator[Found]:
    try:
        folder = path.is_dir()
    except OSError:
        # A name no file system takes; accepting it says what is wrong.
        folder = False
    if not folder:
        yield Found(path, path.name)
        return
    below = ((file, file.relative_to(path)) for file in sorted(path.rglob("*")))
    files = [
        Found(file, name.as_posix(), *_left_out(file, path, suffixes))
        for file, name in below
        if file.is_file() and not any(part.startswith(".") for part in name.parts)
    ]
    yield from files
    if all(one.skipped for one in files):
        known = " ".join(sorted(suffixes))
        error = InputError(f"文件夹里没有可导入的文件：{path}", remedy=f"目前支持 {known}", code="empty_folder")
        yield Found(path, "", error)


def _left_out(file: Path, folder: Path, suffixes: frozenset[str]) -> tuple[YoujuError | None, bool]:
    if file.suffix.lower() not in suffixes:
        known = " ".join(sorted(suffixes))
        return InputError(f"不支持的文件：{file}", remedy=f"目前支持 {known}", code="unsupported_format"), True
    if not file.resolve().is_relative_to(folder.resolve()):
        # A link in a folder from elsewhere must not bring in what its sender cannot read and we can.
        where = InputError(f"指向文件夹之外的链接：{file}", remedy="要导入它，请直接给出文件", code="outside_link")
        return where, True
    return None, False


@command(
    help="导入文件或文件夹，等到就绪或失败为止。有文件失败时退出码为 1。"
    "文件夹里不支持的文件和指向文件夹之外的链接被跳过（JSON 中状态为 SKIPPED），不算失败。",
    short_help="导入文件",
)
@click.argument("paths", nargs=-1, required=True, metavar="文件…", type=PathArgument())
@click.option("--collection", metavar="名称", default=None, help="放入哪个资料集（没有就新建）。")
@click.option("--title", metavar="标题", default=None, help="文档的标题（默认用文件名；只能用于单个文件）。")
@click.option("--strategy", metavar="方式", default=None, help=WAYS)
@click.option("--no-wait", is_flag=True, help="只收下文件，不等处理；由运行中的服务，或再次 add、docs retry 处理。")
@as_json
@data_dir
def add(
    paths: tuple[Path, ...],
    *,
    collection: str | None,
    title: str | None,
    strategy: str | None,
    no_wait: bool,
    json_: bool,
    data: Path | None,
) -> int:
    async def work(app: App) -> int:
        files = expanded(paths, app.documents.suffixes)
        if title is not None and len(files) != 1:
            raise InputError("--title 只能用于单个文件", remedy="请逐个导入，或省略 --title", code="usage")
        call = Call(app, collection, title, strategy, shown=not json_, waits=not no_wait)
        results = [await _added(call, one) for one in files]
        if json_:
            output.as_json(results)
        else:
            _say_skipped(files)
        wanted = {"READY", "SKIPPED"} if call.waits else {"READY", "SKIPPED", *UNFINISHED}
        return 1 if any(result["status"] not in wanted for result in results) else 0

    return run(data, work, creates=True)


@dataclass
class Call:
    """What the files of one call share; `kept` are the documents they stand for so far."""

    app: App
    collection: str | None
    title: str | None
    strategy: str | None
    shown: bool
    waits: bool = True
    kept: set[str] = field(default_factory=set)

    async def accept(self, one: Found) -> Accepted:
        accepted = await self.app.documents.accept(
            one.path,
            collection=self.collection,
            title=self.title,
            name=one.name,
            kept=frozenset(self.kept),
            strategy=self.strategy,
        )
        self.kept.add(accepted.document_id)
        return accepted


def _say_skipped(files: Sequence[Found]) -> None:
    for code, what in SKIPPED.items():
        names = [one.name for one in files if one.skipped and one.error and one.error.code == code]
        if names:
            more = " …" if len(names) > SHOWN else ""
            output.say(f"跳过 {len(names)} 个{what}：{'、'.join(names[:SHOWN])}{more}")


async def _added(call: Call, one: Found) -> dict[str, object]:
    """One file, whatever becomes of it: one bad file does not stop the others."""
    app, shown = call.app, call.shown
    if one.skipped and one.error:
        return {"path": str(one.path), "status": "SKIPPED", "failure": output.error_json(one.error)}
    try:
        if one.error:
            raise one.error
        with output.progress(one.path.name, shown=shown) as report:
            accepted = await call.accept(one)
            done = not call.waits and accepted.status != "READY"
            status = accepted.status if done else await app.documents.process(accepted, report)
        if status == "DELETING":
            raise ConflictError("文档在导入时被删除或替换", code="deleted")
        document = await app.documents.find(accepted.document_id)
    except YoujuError as error:
        if shown:
            output.say(f"✗ {one.path}")
            output.complain(error)
        return {"path": str(one.path), "status": "FAILED", "failure": output.error_json(error)}
    gone = accepted.retired if status == "READY" else None
    if shown:
        say_added(document, status, duplicate=accepted.duplicate and accepted.status == "READY", file=one.path)
        if gone:
            output.say(f"  注意：与“{document.title}”内容相同，旧的“{gone.title}”已移除")
    version = _version(document, status)
    return {
        "path": str(one.path),
        "document_id": accepted.document_id,
        "version": accepted.version,
        "status": status,
        "duplicate": accepted.duplicate,
        "retired": gone.document_id if gone else None,
        "failure": asdict(version.failure) if version and version.failure else None,
    }


def _version(document: Document, status: str) -> Version | None:
    return document.active if status == "READY" else document.pending


def say_added(document: Document, status: str, *, duplicate: bool, file: Path | None = None) -> None:
    """One line for a document that is ready; what went wrong for one that is not."""
    version = _version(document, status)
    if status == "READY" and version:
        pages = f"{version.pages} 页，" if version.pages else ""
        number = f"第 {version.number} 版，" if version.number > 1 else ""
        again = "（内容未变，无需重复导入）" if duplicate else ""
        output.say(f"✓ {document.title}：{number}{pages}{version.chunks} 个片段 {again}".rstrip())
        for warning in version.warnings:
            output.say(f"  注意：{warning}")
        if not document.enabled:
            output.say(f"  注意：这份文档已停用，不参与回答；启用：youju docs enable {document.id}")
        return
    if status in UNFINISHED:
        output.say(f"… {document.title}：{PHASES[status]}")
        output.note(
            f"尚未处理完：运行中的服务会继续；没有服务时请运行 youju docs retry {document.id}，或再次 add 这个文件"
        )
        return
    output.say(f"✗ {file or document.title}：{PHASES[status]}")
    if version and version.failure:
        output.note(f"错误：{version.failure.message}")
        if version.failure.remedy:
            output.note(f"建议：{version.failure.remedy}")
    if document.active:
        output.note(f"第 {document.active.number} 版仍在使用。")
