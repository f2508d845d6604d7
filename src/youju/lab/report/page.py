"""The report as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from markdown_it import MarkdownIt

STYLE = """
body { font-family: system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; line-height: 1.6;
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #111827; background: #fff }
table { border-collapse: collapse; font-size: .85rem; display: block; overflow-x: auto; margin: 1rem 0 }
th, td { border: 1px solid #d1d5db; padding: .25rem .5rem; text-align: left; vertical-align: top }
th { background: #f3f4f6; position: sticky; top: 0 }
code { background: #f3f4f6; padding: 0 .2rem; overflow-wrap: anywhere }
s, del { color: #9ca3af }
svg { max-width: 100%; height: auto }
@media (prefers-color-scheme: dark) { svg { background: #fff } }
"""


def page(title: str, markdown: str, plots: Mapping[str, str]) -> str:
    """The Markdown with its plots inside; nothing of it can bring markup of its own."""
    body = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).render(markdown)
    for name, drawn in plots.items():
        body = body.replace(f'<img src="{name}.svg" alt="{name}" />', drawn)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return f'<!doctype html>\n<html lang="zh"><head>{head}<style>{STYLE}</style></head><body>\n{body}</body></html>\n'
