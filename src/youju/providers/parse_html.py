"""HTML → blocks: the text of a page without its furniture, structure from the tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import ClassVar

from selectolax.lexbor import LexborHTMLParser

from youju.errors import DocumentError
from youju.providers.markup.charset import decoded
from youju.providers.markup.content import content
from youju.providers.markup.frames import Piece
from youju.providers.markup.furniture import is_chrome
from youju.providers.markup.inline import paragraph
from youju.providers.markup.outline import block, headed
from youju.providers.markup.reader import Reader
from youju.providers.markup.tree import tree, walk
from youju.providers.parsing.decoding import garbage_ratio, refuse_garbage
from youju.types import ParsedDocument

_ARCHIVE = re.compile(
    rb"\A(?:[\w\-]+:[^\n]*\n(?:[ \t][^\n]*\n)*){0,30}?content-type:\s*multipart/related", re.IGNORECASE
)
_SITE = re.compile(r"\s*[_|｜]\s*|\s+[-–—]\s+|——")
_META_TITLES = 'meta[name="ArticleTitle"], meta[property="og:title"]'


@dataclass(frozen=True)
class HtmlParser:
    """A `Parser` for pages of the web, saved alone or in a .mhtml archive.

    Args:
        max_garbage_ratio: share of garbage above which the file is refused.
    """

    max_garbage_ratio: float = 0.05
    suffixes: ClassVar[frozenset[str]] = frozenset({".html", ".htm", ".xhtml", ".mhtml", ".mht"})

    def parse(self, path: Path) -> ParsedDocument:
        data = path.read_bytes()
        if not data.strip():
            raise DocumentError("文件是空的，没有可读的内容", remedy="请检查文件是否保存完整后重新上传", code="empty")
        source = _archived(data) if _ARCHIVE.match(data[:8192]) else decoded(data)
        page = tree(source, xml=source.lstrip("\ufeff \r\n\t").startswith("<?xml"))
        title = _title(page)
        blocks = tuple(block(piece) for piece in _pieces(page, title))
        text = "\n\n".join(one.text for one in blocks)
        if not any(one.kind != "heading" for one in blocks):
            raise DocumentError(
                "网页里没有可读的正文，可能要靠脚本才能显示",
                remedy="请在浏览器中打开网页，等正文出现后另存为“网页，全部”或打印为 PDF，再上传",
                code="no_text",
            )
        ratio = garbage_ratio(text)
        refuse_garbage(ratio, self.max_garbage_ratio)
        return ParsedDocument(
            blocks=blocks, title=title, text=text, quality={"characters": float(len(text)), "garbage_ratio": ratio}
        )


def _archived(data: bytes) -> str:
    """The page in a web archive (MHTML); its pictures are not looked at."""
    message = message_from_bytes(data, policy=policy.default)
    for part in message.walk():
        if part.get_content_type() in {"text/html", "application/xhtml+xml"} and isinstance(part, EmailMessage):
            inside = part.get_payload(decode=True)
            return decoded(inside if isinstance(inside, bytes) else b"", part.get_content_charset() or "")
    raise DocumentError("网页存档里没有网页", remedy="请在浏览器中重新保存后再上传", code="broken")


def _pieces(page: LexborHTMLParser, title: str) -> Iterator[Piece]:
    found = content(page)
    reader = Reader(left_out=found.left_out)
    for root in found.roots:
        walk(root, reader)
    pieces = [piece for piece in reader.finished() if piece.kind != "text" or not is_chrome(piece.text)]
    if title and not any(piece.level == 1 for piece in pieces) and _is_heading_elsewhere(page, title):
        pieces = [Piece("heading", title, 1), *(piece for piece in pieces if piece.text != title)]
    return headed(pieces, page_title=title)


def _is_heading_elsewhere(page: LexborHTMLParser, title: str) -> bool:
    """Whether an h1 outside the text, in a header, names the page."""
    return any(paragraph(one.text()) == title for one in page.css("h1")[:20])


def _title(page: LexborHTMLParser) -> str:
    """What the page is called: the h1 that its title repeats, else what its head says, without the site's name."""
    node = page.css_first("title")
    whole = paragraph(node.text()) if node is not None else ""
    heads = [text for one in page.css("h1")[:20] if (text := " ".join(paragraph(one.text()).split()))]
    repeated = [text for text in heads if text in whole]
    if repeated:  # a site's name comes after the page's
        return min(repeated, key=whole.find)
    for one in page.css(_META_TITLES):
        if told := paragraph(one.attrs.sget("content") or ""):
            return told
    return next(filter(None, _SITE.split(whole)), "") or (heads[0] if len(heads) == 1 else "")
