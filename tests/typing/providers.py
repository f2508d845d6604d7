"""Checked by mypy, never run: every registered provider fits its port, and the settings fit the recipes."""

from __future__ import annotations

from youju import settings
from youju.ports import LLM, Embedder, Parser, Renderer, Reranker, StepsBack
from youju.providers.embed_e5 import E5Embedder
from youju.providers.embed_openai import OpenAIEmbedder
from youju.providers.fakes import FakeEmbedder, FakeLLM, FakeReranker
from youju.providers.llm_openai import OpenAILLM
from youju.providers.parse_csv import CsvParser
from youju.providers.parse_docx import DocxParser
from youju.providers.parse_epub import EpubParser
from youju.providers.parse_html import HtmlParser
from youju.providers.parse_image import ImageParser
from youju.providers.parse_markdown import MarkdownParser
from youju.providers.parse_pdf import PdfParser
from youju.providers.parse_pptx import PptxParser
from youju.providers.parse_text import TextParser
from youju.providers.parse_xlsx import XlsxParser
from youju.providers.render_image import ImageRenderer
from youju.providers.render_pdf import PdfRenderer
from youju.providers.rerank_http import DashScopeReranker, JinaReranker, TeiReranker
from youju.stages import recipes


def embedders() -> tuple[Embedder, ...]:
    return E5Embedder(), OpenAIEmbedder(base_url="", api_key="", model=""), FakeEmbedder()


def who_steps_back() -> StepsBack:
    return E5Embedder()


def parsers() -> tuple[Parser, ...]:
    return (
        CsvParser(),
        DocxParser(),
        EpubParser(),
        HtmlParser(),
        MarkdownParser(),
        ImageParser(),
        PdfParser(),
        PptxParser(),
        TextParser(),
        XlsxParser(),
    )


def renderers() -> tuple[Renderer, ...]:
    return PdfRenderer(), ImageRenderer()


def rerankers() -> tuple[Reranker, ...]:
    return FakeReranker(), DashScopeReranker(base_url="", model=""), JinaReranker(base_url=""), TeiReranker(base_url="")


def llms() -> tuple[LLM, ...]:
    return OpenAILLM(base_url="", model=""), FakeLLM()


def knobs(chosen: settings.Knobs) -> recipes.Knobs:
    return chosen
