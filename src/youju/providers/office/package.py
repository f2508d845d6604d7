"""An OOXML package: its parts by name, read with a bound; nothing of it ever touches the disk."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import IO, Literal
from urllib.parse import unquote

from youju.errors import DocumentError
from youju.providers.office.xml import Element, broken, parsed

Kind = Literal["docx", "pptx", "xlsx"]

_HEAD_BYTES = 64
_OLE = b"\xd0\xcf\x11\xe0"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OTHERS = ((b"%pdf-", " PDF"), (b"{\\rtf", " RTF"), (b"<html", "网页"), (b"<!doc", "网页"), (b"<?xml", " XML"))
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_OLE_KINDS = (("WordDocument", ".docx"), ("PowerPoint Document", ".pptx"), ("Workbook", ".xlsx"), ("Book", ".xlsx"))
_OLE_PROBE = 8 << 20
_MAX_ENTRIES = 50_000
_MAX_PART = 512 << 20
_MAX_DOM_PART = 96 << 20  # a tree takes about ten times its text
_MAX_RATIO = 400  # XML of equal rows shrinks to a hundredth at most; what repeats one byte, to a thousandth
_RATIO_FROM = 4 << 20
_STEP = 1 << 16
_DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
_SHOWN = 5
_NAMES: Mapping[Kind, tuple[str, str]] = MappingProxyType({
    "docx": ("Word 文档", ".docx"), "pptx": ("PowerPoint 演示文稿", ".pptx"), "xlsx": ("Excel 工作簿", ".xlsx"),
})  # fmt: skip
_ROOTS: Mapping[str, Kind] = MappingProxyType({"{w}document": "docx", "{p}presentation": "pptx", "{s}workbook": "xlsx"})


@dataclass(frozen=True)
class Relation:
    """`target` is the name of a part; links to the outside are none."""

    kind: str
    target: str


@dataclass(frozen=True)
class Package:
    """An open package. `main` is the name of its main part and `root` that part parsed.

    Where `lenient`, parts other than these two that are damaged are passed over; their names are then in `lost`.
    """

    archive: zipfile.ZipFile
    main: str
    root: Element
    lenient: bool = False
    lost: dict[str, None] = field(default_factory=dict)

    def part(self, name: str) -> Element | None:
        """The root element of a part, None where the package has no such part or has lost it.

        Raises:
            DocumentError: broken, too_large.
        """
        try:
            return _part(self.archive, name)
        except (*_DAMAGES, DocumentError) as error:
            self._lose(name, error)
            return None

    def relations(self, name: str) -> Mapping[str, Relation]:
        """Id → relation of a part; external ones are left out.

        Raises:
            DocumentError: broken, too_large.
        """
        try:
            return _relations(self.archive, name)
        except (*_DAMAGES, DocumentError) as error:
            if name in {"", self.main}:
                raise
            self._lose(_relations_name(name), error)
            return {}

    def related(self, name: str, kind: str) -> Element | None:
        """The root of the first part that `name` relates to as `kind` ("styles", "numbering", "notesSlide")."""
        found = next((one for one in self.relations(name).values() if one.kind == kind), None)
        return self.part(found.target) if found else None

    def _lose(self, name: str, error: Exception) -> None:
        if not self.lenient or (isinstance(error, DocumentError) and error.code != "broken"):
            raise error
        self.lost[name] = None

    @contextmanager
    def stream(self, name: str) -> Iterator[IO[bytes]]:
        """A part to be read piece by piece, never past the bound.

        Raises:
            DocumentError: broken, too_large; also while it is read.
        """
        with _opened(self.archive, name, _MAX_PART) as file:
            yield file

    @property
    def names(self) -> list[str]:
        return self.archive.namelist()

    @property
    def losses(self) -> list[str]:
        """What a reader is told of the parts that were lost: at most one warning."""
        more = "等" if len(self.lost) > _SHOWN else ""
        names = "、".join(list(self.lost)[:_SHOWN])
        return [f"文件里有 {len(self.lost)} 个部分已损坏，已跳过：{names}{more}"] if self.lost else []

    @property
    def title(self) -> str:
        """The title in the core properties, "" without one."""
        core = self.related("", "core-properties")
        found = core.find("{dc}title") if core is not None else None
        return " ".join((found.text or "").split()) if found is not None else ""


@contextmanager
def opened(path: Path, kind: Kind) -> Iterator[Package]:
    """The package in a file.

    Raises:
        DocumentError: empty, encrypted, old_format, wrong_format (another kind of file), broken, too_large.
    """
    _check_head(path, kind)
    try:
        with zipfile.ZipFile(path) as archive:
            yield _package(archive, kind)
    except (*_DAMAGES, OSError, RecursionError) as error:
        raise broken(f"这个 {_NAMES[kind][1]} 文件已损坏，无法打开") from error


def _package(archive: zipfile.ZipFile, kind: Kind) -> Package:
    if len(archive.infolist()) > _MAX_ENTRIES:
        raise _too_large(f"压缩包里有 {len(archive.infolist())} 个部分")
    main = next((one.target for one in _relations(archive, "").values() if one.kind == "officeDocument"), "")
    root = _part(archive, main) if main else None
    if root is None:
        raise _wrong(kind, "这是压缩包，不是")
    found = _ROOTS.get(root.tag)
    if found is None:
        raise _wrong(kind, "这不是")
    if found != kind:
        name, suffix = _NAMES[found]
        raise DocumentError(
            f"后缀是 {_NAMES[kind][1]}，内容却是 {name}",
            remedy=f"请把后缀改成 {suffix} 后重新上传",
            code="wrong_format",
        )
    return Package(archive, main, root, lenient=kind != "xlsx")  # dates without their formats would be wrong numbers


def _check_head(path: Path, kind: Kind) -> None:
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        if not head:
            raise DocumentError("文件是空的，没有可读的内容", remedy="请检查文件是否保存完整后重新上传", code="empty")
        if head.startswith(_OLE):
            raise _ole(head + file.read(_OLE_PROBE), kind)
    if not head.startswith(_ZIP):
        raise _named(head, kind)


def _ole(data: bytes, kind: Kind) -> DocumentError:
    """Why a compound file, the container of the formats before 2007, is not read."""
    if _ENCRYPTED in data:
        return encrypted()
    suffix = next((suffix for name, suffix in _OLE_KINDS if name.encode("utf-16-le") in data), _NAMES[kind][1])
    return old_format(suffix)


def encrypted() -> DocumentError:
    return DocumentError("文件加了密码，无法打开", remedy="请用密码打开后另存为不加密的文件再上传", code="encrypted")


def old_format(suffix: str) -> DocumentError:
    """The refusal of a file of the formats before 2007; `suffix` is what it should be saved as."""
    return DocumentError(
        "这是旧的二进制格式（.doc、.xls、.ppt），不能直接读取",
        remedy=f"请用 Word、Excel、PowerPoint 或 WPS 打开，另存为 {suffix} 后再上传",
        code="old_format",
    )


def _wrong(kind: Kind, begin: str) -> DocumentError:
    name, suffix = _NAMES[kind]
    return DocumentError(
        f"{begin} {name}（{suffix}）", remedy="请检查文件的后缀是否被改过，或重新导出后再上传", code="wrong_format"
    )


def _named(head: bytes, kind: Kind) -> DocumentError:
    """The refusal of what is no package: by its name, where its first bytes tell it."""
    begin = head.lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    other = next((name for mark, name in _OTHERS if begin.startswith(mark)), "")
    if not other:
        return _wrong(kind, "这不是")
    name, suffix = _NAMES[kind]
    return DocumentError(
        f"这不是 {name}，内容是{other}",
        remedy=f"请改回原来的后缀，或用 Word、Excel、PowerPoint、WPS 打开后另存为 {suffix} 再上传",
        code="wrong_format",
    )


def _too_large(what: str) -> DocumentError:
    return DocumentError(f"{what}，超过了能处理的上限", remedy="请拆成几个较小的文件后再上传", code="too_large")


def _part(archive: zipfile.ZipFile, name: str) -> Element | None:
    if name not in archive.NameToInfo:
        return None
    with _opened(archive, name, _MAX_DOM_PART) as file:
        return parsed(file)


def _relations(archive: zipfile.ZipFile, name: str) -> Mapping[str, Relation]:
    folder = name.rpartition("/")[0]
    root = _part(archive, _relations_name(name))
    rows = root.iter("{r}Relationship") if root is not None else iter(())
    return {
        row.get("Id", ""): Relation(row.get("Type", "").rpartition("/")[2], _target(folder, row.get("Target", "")))
        for row in rows
        if row.get("TargetMode") != "External"
    }


def _relations_name(name: str) -> str:
    folder, _, last = name.rpartition("/")
    return posixpath.join(folder, "_rels", f"{last}.rels")


def _target(folder: str, target: str) -> str:
    """The name of a part, relative to the folder of the part that names it."""
    return posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")


@contextmanager
def _opened(archive: zipfile.ZipFile, name: str, limit: int) -> Iterator[IO[bytes]]:
    try:
        info = archive.getinfo(name)
    except KeyError as error:
        raise broken("文件里缺少一个部分") from error
    if info.flag_bits & 0x1:
        raise encrypted()
    if info.file_size > limit:
        raise _too_large(f"解压后有一部分达 {info.file_size >> 20} MiB")
    with archive.open(info) as file:
        yield io.BufferedReader(_Bounded(file, limit, max(_RATIO_FROM, _MAX_RATIO * info.compress_size)), _STEP)


class _Bounded(io.RawIOBase):
    """What a part unpacks to, and a refusal where that is more than it may be, whatever the directory said."""

    def __init__(self, file: IO[bytes], limit: int, plausible: int) -> None:
        super().__init__()
        self._file = file
        self._left = min(limit, plausible)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed: WriteableBuffer
        data = self._file.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise _too_large("解压后的内容大得不合常理")
        buffer[: len(data)] = data
        return len(data)
