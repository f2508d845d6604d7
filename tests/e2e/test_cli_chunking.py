"""How material is divided, from the command line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps import RULES, Ran, written
from youju.cli import frame
from youju.cli.main import group
from youju.providers.registry import PROVIDERS

Command = Callable[..., Ran]


@pytest.fixture
def youju(tmp_path, monkeypatch, capsys) -> Command:
    """The command in this process, run in a folder with one file."""
    monkeypatch.setenv("YOUJU_EMBEDDING__PROVIDER", "fake")
    monkeypatch.setitem(PROVIDERS["embedder"], "fake", "apps:SqueezedEmbedder")
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "规定.md", RULES)

    def run(*args: str) -> Ran:
        capsys.readouterr()
        code = frame.main(group, args)
        return Ran(code, *capsys.readouterr())

    return run


def test_a_collection_is_told_how_to_divide_and_a_document_is_divided_anew(youju) -> None:
    assert youju("add", "规定.md", "--collection", "规章").code == 0
    assert youju("collections", "set", "规章", "--strategy", "law").out == "规章  1 份文档  切分方式 法规制度\n"
    assert youju("docs", "rechunk", "规定").out == "✓ 规定：第 2 版，3 个片段\n"
    shown = youju("docs", "show", "规定").out
    assert "切分方式 法规制度：按指定的方式切分" in shown
    assert "要求重新切分" in shown
    assert youju("collections", "--json").json[0]["strategy"] == "law"


def test_a_document_that_waits_can_be_cancelled_and_begun_again(youju) -> None:
    assert youju("add", "规定.md", "--strategy", "law", "--no-wait").code == 0
    assert youju("docs", "cancel", "规定").out.startswith("已取消 规定 的处理")
    assert youju("docs", "cancel", "规定").code == 1
    assert youju("docs", "retry", "规定").code == 0
    assert youju("docs", "show", "规定", "--json").json["strategy"]["name"] == "law"


def test_nothing_to_set_and_an_unknown_collection_are_told(youju) -> None:
    assert youju("collections", "set", "规章").code == 2
    assert "没有资料集" in youju("collections", "set", "规章", "--strategy", "law").err
