"""Sheets and slides from the command line: where quotes stand, how slides are divided."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps import Ran
from office import cells, pptx, row, sp, xlsx
from youju.cli import frame
from youju.cli.main import group
from youju.providers.registry import PROVIDERS

Command = Callable[..., Ran]
CITIES = ["北京", "上海", "广州", "深圳", "成都", "杭州", "南京", "武汉"]


def fees() -> bytes:
    rows = [row(n, city, 200 + 10 * n, "每晚") for n, city in enumerate(CITIES, start=11)]
    return xlsx(
        {"费用": cells(row(10, "城市", "住宿费上限", "单位"), *rows, row(19, "注：超过上限须由财务总监批准。"))}
    )


def deck() -> bytes:
    said = "每一层都设有两个安全出口，出口的门必须向外开启，楼道里不得堆放任何杂物。"
    slides = [
        sp("安全出口", role="title") + sp(said) + sp("疏散集合点在北门外的停车场，按班组点名。" * 19),
        sp("灭火器", role="title") + sp("干粉灭火器每月检查一次压力。"),
        sp("报警", role="title") + sp("发现火情先拨打内线八一一九。"),
    ]
    return pptx(*slides, notes={1: "提醒大家看墙上的示意图。"})


@pytest.fixture
def youju(tmp_path, monkeypatch, capsys) -> Command:
    """The command in this process, run in a folder with a sheet and a presentation."""
    monkeypatch.setenv("YOUJU_EMBEDDING__PROVIDER", "fake")
    monkeypatch.setitem(PROVIDERS["embedder"], "fake", "apps:SqueezedEmbedder")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "差旅.xlsx").write_bytes(fees())
    (tmp_path / "消防.pptx").write_bytes(deck())

    def run(*args: str) -> Ran:
        capsys.readouterr()
        code = frame.main(group, args)
        return Ran(code, *capsys.readouterr())

    return run


def test_a_source_names_the_row_that_the_answer_rests_on(youju) -> None:
    assert youju("add", "差旅.xlsx").code == 0
    (found,) = youju("retrieve", "超过上限须由谁批准？", "--json").json["chunks"]
    assert found["locator"] == "费用!11-19"
    (source,) = youju("ask", "超过上限须由谁批准？", "--json").json["sources"]
    assert (source["locator"], source["quote"]) == ("费用!19", "注：超过上限须由财务总监批准。")


def test_a_presentation_is_previewed_by_slides_with_the_reason(youju) -> None:
    shown = youju("docs", "preview", "消防.pptx", "--first", "2").out
    assert "切分方式 幻灯片：有 3 张幻灯片" in shown
    assert "2 个片段，覆盖正文的 100.0%" in shown
    first, second = youju("docs", "preview", "消防.pptx", "--json").json["first"]
    assert (first["section"], first["locator"]) == (["安全出口"], "第 1 张")
    assert first["text"].endswith("备注：提醒大家看墙上的示意图。")
    assert (second["locator"], second["text"].split("\n")[0]) == ("第 2-3 张", "灭火器")


def test_the_language_of_a_document_and_its_pages_is_shown(youju) -> None:
    assert youju("add", "消防.pptx").code == 0
    shown = youju("docs", "show", "消防").out
    assert "语言 中文\n" in shown
    assert "各页的语言 中文 1-3\n" in shown
    quality = youju("docs", "show", "消防", "--json").json["quality"]
    assert (quality["language"], quality["language_pages"]) == ("zh", "zh 1-3")


def test_sizes_of_a_strategy_are_in_effect_wherever_documents_are_divided(youju, tmp_path) -> None:
    assert youju("add", "消防.pptx").out.endswith("2 个片段\n")
    (tmp_path / "youju.toml").write_text("[chunking.slides]\nchild_min_chars = 1\n", encoding="utf-8")
    assert "chunking.slides.child_min_chars = 1    # 幻灯片：" in youju("settings").out
    assert youju("docs", "preview", "消防.pptx", "--json").json["chunks"] == 3
    assert youju("docs", "rechunk", "消防").out == "✓ 消防：第 2 版，3 页，3 个片段\n"
    (tmp_path / "youju.toml").write_text("[chunking.slides]\nchild_max_chars = 60\n", encoding="utf-8")
    told = youju("docs", "preview", "消防.pptx")
    assert told.code == 1
    assert "[chunking.slides] 须满足 child_min_chars ≤ child_max_chars ≤ parent_max_chars" in told.err
