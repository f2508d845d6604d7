"""Name → provider, as "module:Class". Importing this file imports no provider; only `compose` calls `load`."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal

from youju.errors import ConfigError

Role = Literal["embedder", "vectors", "words", "reranker", "llm", "parser", "renderer"]

PROVIDERS: dict[Role, dict[str, str]] = {
    "embedder": {
        "e5": "youju.providers.embed_e5:E5Embedder",
        "openai": "youju.providers.embed_openai:OpenAIEmbedder",
        "fake": "youju.providers.fakes:FakeEmbedder",
    },
    "vectors": {"sqlite": "youju.providers.index_sqlite_vectors:SqliteVectors"},
    "words": {"sqlite": "youju.providers.index_sqlite_words:SqliteWords"},
    "reranker": {
        "dashscope": "youju.providers.rerank_http:DashScopeReranker",
        "jina": "youju.providers.rerank_http:JinaReranker",
        "tei": "youju.providers.rerank_http:TeiReranker",
        "fake": "youju.providers.fakes:FakeReranker",
    },
    "llm": {
        "openai": "youju.providers.llm_openai:OpenAILLM",
        "fake": "youju.providers.fakes:FakeLLM",
    },
    "parser": {
        ".md": "youju.providers.parse_markdown:MarkdownParser",
        ".markdown": "youju.providers.parse_markdown:MarkdownParser",
        ".txt": "youju.providers.parse_text:TextParser",
        ".text": "youju.providers.parse_text:TextParser",
        ".pdf": "youju.providers.parse_pdf:PdfParser",
        ".html": "youju.providers.parse_html:HtmlParser",
        ".htm": "youju.providers.parse_html:HtmlParser",
        ".xhtml": "youju.providers.parse_html:HtmlParser",
        ".mhtml": "youju.providers.parse_html:HtmlParser",
        ".mht": "youju.providers.parse_html:HtmlParser",
        ".epub": "youju.providers.parse_epub:EpubParser",
        ".png": "youju.providers.parse_image:ImageParser",
        ".jpg": "youju.providers.parse_image:ImageParser",
        ".jpeg": "youju.providers.parse_image:ImageParser",
        ".tif": "youju.providers.parse_image:ImageParser",
        ".tiff": "youju.providers.parse_image:ImageParser",
        ".bmp": "youju.providers.parse_image:ImageParser",
        ".webp": "youju.providers.parse_image:ImageParser",
        ".docx": "youju.providers.parse_docx:DocxParser",
        ".docm": "youju.providers.parse_docx:DocxParser",
        ".doc": "youju.providers.parse_docx:DocxParser",
        ".pptx": "youju.providers.parse_pptx:PptxParser",
        ".pptm": "youju.providers.parse_pptx:PptxParser",
        ".ppsx": "youju.providers.parse_pptx:PptxParser",
        ".ppt": "youju.providers.parse_pptx:PptxParser",
        ".xlsx": "youju.providers.parse_xlsx:XlsxParser",
        ".xlsm": "youju.providers.parse_xlsx:XlsxParser",
        ".xls": "youju.providers.parse_xlsx:XlsxParser",
        ".csv": "youju.providers.parse_csv:CsvParser",
        ".tsv": "youju.providers.parse_csv:CsvParser",
    },
    "renderer": {
        ".pdf": "youju.providers.render_pdf:PdfRenderer",
        ".png": "youju.providers.render_image:ImageRenderer",
        ".jpg": "youju.providers.render_image:ImageRenderer",
        ".jpeg": "youju.providers.render_image:ImageRenderer",
        ".webp": "youju.providers.render_image:ImageRenderer",
        ".bmp": "youju.providers.render_image:ImageRenderer",
        ".tif": "youju.providers.render_image:ImageRenderer",
        ".tiff": "youju.providers.render_image:ImageRenderer",
    },
}


def load(role: Role, name: str) -> Any:  # noqa: ANN401 - a class that fits the role's port; tests/typing checks each
    """The class registered under `name`; its module is imported now.

    Raises:
        ConfigError: no such name, or a package it needs is not installed.
    """
    spec = PROVIDERS[role].get(name)
    if spec is None:
        known = "、".join(sorted(PROVIDERS[role]))
        raise ConfigError(f"没有名为 {name!r} 的 {role}", remedy=f"可用的：{known}", code="unknown_provider")
    module, _, attribute = spec.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"{role} {name!r} 需要的 {error.name} 没有安装",
            remedy="请重新安装 youju，或改用其他提供者",
            code="missing_package",
        ) from error
