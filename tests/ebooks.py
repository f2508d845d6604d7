"""Electronic books made by code, whole and damaged."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def page(body: str, kind: str = "") -> str:
    mark = f' epub:type="{kind}"' if kind else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body{mark}>{body}</body></html>'
    )


def nav(entries: Sequence[tuple[str, str]]) -> str:
    lines = "".join(f'<li><a href="{where}">{title}</a></li>' for title, where in entries)
    return page(f'<nav epub:type="toc"><h1>目录</h1><ol>{lines}</ol></nav>')


def opf(files: Sequence[str], title: str = "山谷的风", apart: Sequence[str] = ()) -> str:
    items = "".join(
        f'<item id="i{at}" href="{name}" media-type="application/xhtml+xml"/>' for at, name in enumerate(files)
    )
    refs = "".join(
        f'<itemref idref="i{at}"{" linear=" + chr(34) + "no" + chr(34) if name in apart else ""}/>'
        for at, name in enumerate(files)
    )
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></metadata><manifest>'
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        f'{items}</manifest><spine><itemref idref="nav"/>{refs}</spine></package>'
    )


def book(
    chapters: Mapping[str, str],
    contents: Sequence[tuple[str, str]] = (),
    *,
    extra: Mapping[str, str | bytes] | None = None,
    apart: Sequence[str] = (),
) -> bytes:
    """A book of the files in `chapters`, in their order; `extra` replaces or adds files by their full names."""
    files: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": opf(list(chapters), apart=apart),
        "OEBPS/nav.xhtml": nav(contents),
        **{f"OEBPS/{name}": text for name, text in chapters.items()},
        **(extra or {}),
    }
    return zipped({name: text for name, text in files.items() if text})


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()
