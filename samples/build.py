"""Typeset the sample books: samples/source/*.md → src/youju/samples/books/.

A tool for whoever changes a sample; neither the product nor its tests need what it needs:

    apt-get install libpango-1.0-0 libpangoft2-1.0-0 fonts-noto-cjk
    python -m venv books && books/bin/pip install weasyprint markdown-it-py
    books/bin/python samples/build.py

Each Markdown file has a head with `title`, `running_head`, `kind` and perhaps `author`. Books become PDFs with a title
page, contents, running heads and printed page numbers that start again at 1 after the front matter; questions and
answers (`kind: qa`) stay Markdown. The PDF's metadata holds the hash of its source, so a test can tell a stale book:
keyword `source-sha256:…`. The same source gives the same bytes with the same fonts and the same weasyprint.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "samples" / "source"
BOOKS = ROOT / "src" / "youju" / "samples" / "books"
DATE = "2025-06-01"
FRONT = "lower-roman"

SIZES = {"textbook": "176mm 250mm", "manual": "176mm 250mm", "law": "210mm 297mm", "plain": "140mm 203mm"}
MARGINS = {
    "textbook": "24mm 20mm 22mm 20mm",
    "manual": "24mm 19mm 22mm 19mm",
    "law": "34mm 29mm 32mm 29mm",
    "plain": "22mm 19mm 22mm 19mm",
}
BODY = {
    "textbook": "font-size: 10.5pt; line-height: 1.75",
    "manual": "font-size: 10pt; line-height: 1.65",
    "law": "font-size: 14pt; line-height: 1.9",
    "plain": "font-size: 10.5pt; line-height: 1.9",
}
# The even page shows the book, the odd one the chapter; manuals show the same head everywhere.
CHAPTER_HEADS = {"textbook", "plain"}

CSS = """
@page { size: %(size)s; margin: %(margin)s; %(heads)s
  @footnote { border-top: .5pt solid #000; padding-top: 3pt; margin-top: 8pt } }
@page :left { %(left)s }
@page :right { %(right)s }
@page cover { @top-left { content: none } @top-right { content: none } @top-center { content: none }
  @bottom-center { content: none } }
@page front { @top-left { content: none } @top-right { content: none } @top-center { content: none }
  @bottom-center { content: counter(page, %(front)s); font: 8.5pt "Noto Serif CJK SC" } }
@page :nth(1 of front) { counter-reset: page 1 }
@page :nth(1 of body) { counter-reset: page 1 }
html { font-family: "Noto Serif CJK SC"; %(body)s; text-align: justify; hyphens: none }
body { margin: 0 }
.cover { page: cover; text-align: center; padding-top: 38%% }
.cover .title { font: bold 26pt "Noto Sans CJK SC"; margin: 0 0 12pt }
.cover .by { font-size: 11pt; margin: 0 }
.contents { page: front; break-before: page }
.contents .head { font: bold 15pt "Noto Sans CJK SC"; text-align: center; margin: 0 0 14pt }
.contents a { display: block; color: inherit; text-decoration: none; font-size: 9.5pt; line-height: 1.8;
  text-align: left }
.contents a::after { content: leader(".") target-counter(attr(href), page) }
.contents .l2 { padding-left: 2em }
main { page: body; break-before: page }
h1, h2, h3, h4 { font-family: "Noto Sans CJK SC"; font-weight: bold;
  text-align: left; break-after: avoid; line-height: 1.4 }
h1 { font-size: 1.7em; margin: 0 0 1.2em; %(h1)s }
h2 { font-size: 1.3em; margin: 1.5em 0 .7em; %(h2)s }
h3 { font-size: 1.12em; margin: 1.2em 0 .5em }
h4 { font-size: 1em; margin: 1em 0 .4em }
p { margin: 0; text-indent: 2em; orphans: 2; widows: 2 }
li p, td p, blockquote p { text-indent: 0 }
ul, ol { margin: .5em 0 .5em 0; padding-left: 2.6em }
blockquote { margin: .6em 0; padding: .4em .8em; border-left: 2.5pt solid #888; font-size: .95em }
pre { font: 8.2pt/1.5 "Noto Sans Mono CJK SC"; background: #f0f0f0; padding: .6em .8em; margin: .6em 0;
  white-space: pre-wrap; overflow-wrap: anywhere; text-align: left }
code { font-family: "Noto Sans Mono CJK SC"; font-size: .92em }
pre code { font-size: 1em }
table { border-collapse: collapse; width: 100%%; margin: .7em 0; font-size: .88em; line-height: 1.5; text-align: left }
th, td { border: .6pt solid #444; padding: 2.5pt 5pt; vertical-align: top }
th { font-family: "Noto Sans CJK SC"; background: #e8e8e8 }
tr { break-inside: avoid }
.note { float: footnote; font-size: 8pt; line-height: 1.5; text-indent: 0 }
"""


@dataclass(frozen=True)
class Book:
    name: str
    head: dict[str, str]
    text: str
    sha256: str


def read(path: Path) -> Book:
    data = path.read_bytes()
    found = re.match(r"\A---\n(.*?)\n---\n(.*)\Z", data.decode("utf-8"), re.DOTALL)
    if not found:
        raise SystemExit(f"{path.name}: no head with title, running_head and kind")
    head = dict(line.split(": ", 1) for line in found[1].splitlines())
    return Book(path.stem, head, found[2], hashlib.sha256(data).hexdigest())


def style(book: Book) -> str:
    kind, running = book.head["kind"], book.head["running_head"]
    shown = f'content: "{running}"; font: 8.5pt "Noto Sans CJK SC"'
    chapter = 'content: string(chapter); font: 8.5pt "Noto Sans CJK SC"'
    number = "font: 8.5pt 'Noto Serif CJK SC'"
    if kind in CHAPTER_HEADS:
        heads = f"@bottom-center {{ content: counter(page); {number} }}"
        left, right = f"@top-left {{ {shown} }}", f"@top-right {{ {chapter} }}"
    elif kind == "law":
        heads = f'@bottom-center {{ content: "— " counter(page) " —"; {number} }} @top-center {{ {shown} }}'
        left = right = ""
    else:
        heads = f'@bottom-center {{ content: "第 " counter(page) " 页"; {number} }} @top-right {{ {shown} }}'
        left = right = ""
    return CSS % {
        "size": SIZES[kind], "margin": MARGINS[kind], "body": BODY[kind], "heads": heads, "left": left, "right": right,
        "front": FRONT,
        "h1": "break-before: page; string-set: chapter content()" + ("; text-align: center" if kind == "law" else ""),
        "h2": "text-align: center" if kind == "law" else "break-before: page" if kind == "plain" else "",
    }  # fmt: skip


def body(book: Book) -> tuple[str, list[tuple[int, str, str]]]:
    """The book's HTML and its headings of the first two levels: (level, anchor, text)."""
    notes = dict(re.findall(r"^\[\^(\w+)\]: (.+)$", book.text, re.MULTILINE))
    text = re.sub(r"^\[\^\w+\]: .+$", "", book.text, flags=re.MULTILINE)
    if not text.lstrip().startswith("# "):
        raise SystemExit(f"{book.name}: the first line is no chapter")
    made = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    made = re.sub(r"\[\^(\w+)\]", lambda mark: f'<span class="note">{html.escape(notes[mark[1]])}</span>', made)
    headings: list[tuple[int, str, str]] = []

    def anchored(found: re.Match[str]) -> str:
        anchor = f"s{len(headings)}"
        headings.append((int(found[1]), anchor, found[2]))
        return f'<h{found[1]} id="{anchor}">{found[2]}</h{found[1]}>'

    made = re.sub(r"<h([12])>(.*?)</h\1>", anchored, made)
    return made, headings


def page_source(book: Book) -> str:
    made, headings = body(book)
    by = book.head.get("author", "")
    contents = "".join(f'<a class="l{level}" href="#{anchor}">{text}</a>' for level, anchor, text in headings)
    return (
        f'<html lang="zh-CN"><head><meta charset="utf-8"><title>{book.head["title"]}</title>'
        f'<meta name="keywords" content="source-sha256:{book.sha256}">'
        f'<meta name="dcterms.created" content="{DATE}"><meta name="dcterms.modified" content="{DATE}">'
        f"<style>{style(book)}</style></head><body>"
        f'<section class="cover"><p class="title">{book.head["title"]}</p><p class="by">{by}</p></section>'
        f'<section class="contents"><p class="head">目　录</p>{contents}</section><main>{made}</main></body></html>'
    )


def build(path: Path) -> None:
    book = read(path)
    if book.head["kind"] == "qa":
        shutil.copyfile(path, BOOKS / path.name)
        print(path.name, "copied")
        return
    from weasyprint import HTML  # noqa: PLC0415 (a Markdown book needs no typesetter)

    target = BOOKS / f"{book.name}.pdf"
    document = HTML(string=page_source(book)).render()
    document.write_pdf(target, pdf_identifier=book.sha256[:32].encode())
    print(target.name, len(document.pages), "pages", target.stat().st_size // 1024, "KiB")


def main() -> None:
    os.environ["SOURCE_DATE_EPOCH"] = "1748736000"
    BOOKS.mkdir(parents=True, exist_ok=True)
    for path in sorted(Path(one) for one in sys.argv[1:]) or sorted(SOURCE.glob("*.md")):
        build(path)


if __name__ == "__main__":
    main()
