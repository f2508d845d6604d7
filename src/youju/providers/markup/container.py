"""An EPUB as a container: its files by name, read with a bound; nothing of it ever touches the disk."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from youju.errors import DocumentError
from youju.providers.markup.charset import decoded
from youju.providers.markup.tree import tree, walk

_MAX_ENTRIES = 50_000
_MAX_FILE = 64 << 20
_MAX_TOTAL = 512 << 20
_MAX_RATIO = 400
_RATIO_FROM = 4 << 20
_CIPHERED = 1
# These only disturb fonts; anything else locks the text.
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#rc")
_TEXTS = (".xhtml", ".html", ".htm", ".xml", ".opf", ".ncx")
_DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)


@dataclass
class Container:
    """`lost` are the names of the files that were asked for and are damaged, as the archive has them."""

    archive: zipfile.ZipFile
    read_bytes: int = 0
    lost: dict[str, None] = field(default_factory=dict)

    @cached_property
    def names(self) -> Mapping[str, zipfile.ZipInfo]:
        """Normal name in lower case → entry; the first of several with one name."""
        found: dict[str, zipfile.ZipInfo] = {}
        for info in self.archive.infolist():
            found.setdefault(_normal(info.filename).lower(), info)
        return found

    def has(self, name: str) -> bool:
        return name.lower() in self.names

    def page(self, name: str) -> LexborHTMLParser | None:
        """The tree of an XML or XHTML file, None where there is no such file or it is damaged (then it is in `lost`).

        Raises:
            DocumentError: encrypted, too_large.
        """
        info = self.names.get(name.lower())
        if info is None:
            return None
        try:
            return self.sound(info)
        except _DAMAGES:
            self.lost[info.filename] = None
            self.read_bytes += info.file_size  # a crowd of damaged files costs as much as one of sound ones
            return None

    def sound(self, info: zipfile.ZipInfo) -> LexborHTMLParser:
        """The tree of a file that must be whole, or the error of `zipfile`.

        Raises:
            DocumentError: encrypted, too_large.
        """
        return tree(decoded(self._read(info)), xml=True)

    def _read(self, info: zipfile.ZipInfo) -> bytes:
        if info.flag_bits & _CIPHERED:
            raise locked()
        # The directory may lie: what comes out is counted as well.
        room = min(_MAX_FILE, _MAX_TOTAL - self.read_bytes)
        inflated = info.file_size > _RATIO_FROM and info.file_size > _MAX_RATIO * max(info.compress_size, 1)
        if info.file_size > room or inflated:
            raise too_large()
        with self.archive.open(info) as file:
            data = file.read(room + 1)
        if len(data) > room:
            raise too_large()
        self.read_bytes += len(data)
        return data


@contextmanager
def opened(path: Path) -> Iterator[Container]:
    """The container in a file.

    Raises:
        DocumentError: empty, wrong_format (no zip, or one without a book), encrypted, broken, too_large.
    """
    if not path.stat().st_size:
        raise DocumentError("文件是空的，没有可读的内容", remedy="请检查文件是否保存完整后重新上传", code="empty")
    if not zipfile.is_zipfile(path):
        with path.open("rb") as file:
            raise broken() if file.read(4).startswith(b"PK") else _wrong()
    try:
        with zipfile.ZipFile(path) as archive:
            if len(archive.infolist()) > _MAX_ENTRIES:
                raise too_large()
            container = Container(archive)
            _check_locks(container)
            yield container
    except (*_DAMAGES, RuntimeError, OSError) as error:
        raise broken() from error


def packages(container: Container) -> str:
    """The name of the package file, "" without one.

    Raises:
        DocumentError: wrong_format: nothing in there is a book.
    """
    page = container.page("META-INF/container.xml")
    named = [node.attrs.sget("full-path") or "" for node in elements(page, "rootfile")] if page else []
    others = [info.filename for name, info in container.names.items() if name.endswith(".opf")]
    found = next((name for name in map(_normal, [*named, *others]) if name and container.has(name)), "")
    if not found and not any(name.endswith((".xhtml", ".html", ".htm")) for name in container.names):
        raise _wrong()
    return found


def target(base: str, href: str) -> tuple[str, str]:
    """The file and fragment that a reference in the file `base` leads to; never above the root."""
    name, _, fragment = href.partition("#")
    return _normal(posixpath.join(posixpath.dirname(base), unquote(name)) if name else base), unquote(fragment)


def elements(page: LexborHTMLParser | LexborNode, name: str) -> list[LexborNode]:
    """All elements called so, whatever their prefix, in order."""
    seek = _Seek(name)
    root = page.root if isinstance(page, LexborHTMLParser) else page
    if root is not None:
        walk(root, seek)
    return seek.found


class _Seek:
    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[LexborNode] = []

    def enter(self, node: LexborNode) -> bool:
        if node.is_element_node and (node.tag or "").rpartition(":")[2].lower() == self.name:
            self.found.append(node)
        return not node.is_text_node

    def leave(self, node: LexborNode) -> None:
        """Nothing to do."""


def _normal(name: str) -> str:
    parts = [part for part in posixpath.normpath("/" + name.replace("\\", "/")).split("/") if part not in {"", ".."}]
    return "/".join(parts)


def _check_locks(container: Container) -> None:
    """Raises:
    DocumentError: encrypted: texts are locked, not only fonts disturbed.
    """
    if container.has("META-INF/rights.xml") or container.has("META-INF/sinf.xml"):
        raise locked()
    info = container.names.get("meta-inf/encryption.xml")
    for one in elements(container.sound(info), "encrypteddata") if info else []:
        methods = [(node.attrs.sget("algorithm") or "").lower() for node in elements(one, "encryptionmethod")]
        files = [(node.attrs.sget("uri") or "").lower() for node in elements(one, "cipherreference")]
        if not all(method in _FONTS for method in methods) and any(name.endswith(_TEXTS) for name in files):
            raise locked()


def locked() -> DocumentError:
    return DocumentError(
        "电子书有版权保护（DRM）或加了密码，文字读不出来",
        remedy="请上传没有加密的版本，例如向出版方购买无 DRM 的 EPUB 或 PDF",
        code="encrypted",
    )


def broken() -> DocumentError:
    return DocumentError("电子书（EPUB）已损坏，无法打开", remedy="请重新下载后再上传", code="broken")


def too_large() -> DocumentError:
    return DocumentError("电子书解压后超过了能处理的上限", remedy="请拆成几个较小的文件后再上传", code="too_large")


def _wrong() -> DocumentError:
    return DocumentError(
        "这不是电子书（.epub）", remedy="请检查文件的后缀是否被改过，或重新导出后再上传", code="wrong_format"
    )
