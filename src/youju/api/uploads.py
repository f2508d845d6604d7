"""Multipart uploads, read as they come: the file goes to the disk, small fields stay, nothing else is kept."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect

from youju.api.bodies import check_length
from youju.api.presence import patient
from youju.api.problems import InvalidError
from youju.documents.names import NAME_MAX, printable
from youju.errors import InputError, MediaTypeError, TooLargeError
from youju.ingest.intake import Spool, spooled
from youju.storage.blobs import Blobs, check_size
from youju.text.normal import clean

FIELD_MAX = 4 << 10
"""Bytes of a field that is no file."""
AROUND_MAX = 64 << 10
"""Bytes of a form beside its file."""
EXTENDED = re.compile(r"""filename\*\s*=\s*"?(?P<charset>[\w-]+)'[^']*'(?P<name>[^;"]*)""", re.IGNORECASE)


@dataclass(frozen=True)
class Upload:
    """A file on the disk for as long as the request lasts, its name, and the other fields of the form."""

    path: Path
    name: str
    fields: dict[str, str]


@dataclass
class _Form:
    """What the parser has told so far. `check` is asked about the file's name before any of the file comes."""

    spool: Spool
    known: frozenset[str]
    check: Callable[[str], object]
    fields: dict[str, bytearray] = field(default_factory=dict)
    file_name: str | None = None
    header: bytearray = field(default_factory=bytearray)
    value: bytearray = field(default_factory=bytearray)
    disposition: bytes = b""
    open: bytearray | Spool | None = None
    ended: bool = False

    def part_begin(self) -> None:
        self.disposition, self.open = b"", None

    def header_begin(self) -> None:
        self.header, self.value = bytearray(), bytearray()

    def header_field(self, data: bytes, start: int, end: int) -> None:
        self.header += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self.value += data[start:end]

    def header_end(self) -> None:
        if bytes(self.header).lower() == b"content-disposition":
            self.disposition = bytes(self.value)

    def headers_finished(self) -> None:
        name, file_name = disposition(self.disposition)
        if name == "file":
            self._begin_file(file_name)
            return
        if name not in self.known:
            raise InvalidError(
                f"表单没有字段 {name!r}", remedy="可用的字段：" + "、".join(sorted({"file", *self.known}))
            )
        if name in self.fields:
            raise InvalidError(f"字段 {name} 出现了两次", remedy="每个字段只写一次")
        self.open = self.fields[name] = bytearray()

    def _begin_file(self, file_name: str | None) -> None:
        if self.file_name is not None:
            raise InvalidError("表单里有两个文件", remedy="请逐个上传")
        if not file_name:
            raise InputError("上传的文件没有名字", remedy="请在表单的 file 字段里给出 filename", code="no_file_name")
        self.check(file_name)
        self.file_name, self.open = file_name, self.spool

    def part_data(self, data: bytes, start: int, end: int) -> None:
        if isinstance(self.open, Spool):
            self.open.add(data[start:end])
        elif self.open is not None:
            self.open += data[start:end]
            if len(self.open) > FIELD_MAX:
                raise TooLargeError(f"表单的字段超过上限 {FIELD_MAX >> 10} KiB", remedy="请缩短内容")

    def end(self) -> None:
        self.ended = True

    def parser(self, boundary: bytes) -> MultipartParser:
        names = ("part_begin", "header_begin", "header_field", "header_value", "header_end", "headers_finished")
        told = {f"on_{name}": getattr(self, name) for name in (*names, "part_data", "end")}
        return MultipartParser(boundary, told)  # type: ignore[arg-type]  # the names are those of its callbacks


@asynccontextmanager
async def received(
    request: Request, blobs: Blobs, check: Callable[[str], object], known: frozenset[str] = frozenset()
) -> AsyncIterator[Upload]:
    """The file of a form; it is gone at the end of the block, and when its sender leaves half-way.

    Args:
        request: its body is the form, with a part `file`.
        blobs: where it is kept meanwhile, and how large it may be.
        check: raises for the name of a file that is not wanted.
        known: the other fields there may be.

    Raises:
        MediaTypeError, InputError: it is no such form.
        TooLargeError: over the limit; said as soon as it is known.
        SlowError: nothing came for a minute.
        StoreError: it cannot be written.
    """
    limit = None if blobs.limit is None else blobs.limit + AROUND_MAX
    kind, options = parse_options_header(request.headers.get("content-type"))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise MediaTypeError("这里只接受表单（multipart/form-data）", remedy="例如 curl -F file=@手册.pdf")
    if limit is not None:
        _check_announced(request, limit, blobs.limit)
    async with spooled(blobs) as spool:
        form = _Form(spool, known, check)
        await _read(request, form, options[b"boundary"], limit)
        if form.file_name is None:
            raise InvalidError("表单里没有文件", remedy="请在 file 字段里给出文件")
        await spool.flush()
        yield Upload(spool.path, form.file_name, {name: _text(name, value) for name, value in form.fields.items()})


def _check_announced(request: Request, limit: int, shown: int | None) -> None:
    try:
        check_length(request, limit)
    except TooLargeError:
        check_size(limit + 1, shown)
        raise


async def _read(request: Request, form: _Form, boundary: bytes, limit: int | None) -> None:
    receive, size = patient(request.receive), 0
    try:
        parser = form.parser(boundary)
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            piece = message.get("body", b"")
            size += len(piece)
            if limit is not None and size > limit:
                raise TooLargeError("表单超过上限", remedy="请拆分文件，或调高 ingest.max_file_mib")
            parser.write(piece)
            if form.spool.full:
                await form.spool.flush()
            if not message.get("more_body"):
                break
    except FormParserError as error:
        raise InputError("表单的格式不对", remedy="请用现成的 HTTP 库发送", code="bad_form") from error
    if not form.ended:
        raise InputError("表单没有写完", remedy="请用现成的 HTTP 库发送", code="bad_form")


def _text(name: str, value: bytearray) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"字段 {name} 不是 UTF-8 文字", remedy="请用 UTF-8 编码", code="bad_form") from error


def disposition(value: bytes) -> tuple[str, str | None]:
    """The name of a part and of its file, from the header; None where it is no file."""
    _, options = parse_options_header(value)
    name = options.get(b"name", b"").decode("utf-8", "replace")
    extended = EXTENDED.search(value.decode("latin-1"))
    if extended is not None and (file_name := _extended(extended)) is not None:
        return name, bare(file_name)
    raw = options.get(b"filename")
    return name, None if raw is None else bare(_decoded(raw))


def _extended(match: re.Match[str]) -> str | None:
    """The value of `filename*` (RFC 5987): percent-encoded, with its charset."""
    try:
        return unquote(match["name"], encoding=match["charset"], errors="strict")
    except (LookupError, UnicodeDecodeError):
        return None


def _decoded(raw: bytes) -> str:
    """UTF-8, as browsers and curl send it; on a Chinese Windows programs may send what its terminal speaks."""
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "replace")


def bare(name: str) -> str:
    """The last part of a path of any system, no longer than names may be; its suffix stays."""
    last = PurePosixPath(_whole(name.replace("\\", "/"))).name
    suffix = PurePosixPath(last).suffix
    if len(last) > NAME_MAX and len(suffix) < NAME_MAX:
        last = printable(last[: NAME_MAX - len(suffix)] + suffix)
    return printable(last)


def _whole(name: str) -> str:
    """As `printable`, without its cut: it would take the suffix."""
    return " ".join(clean(name).split())
