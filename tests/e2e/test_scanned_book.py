"""A scanned book answers as the book itself does."""

from __future__ import annotations

import pytest

pytest.importorskip("rapidocr")

from scanning import pages_of, scanned
from youju import samples
from youju.chat.service import Request
from youju.compose import App, open_app
from youju.ingest.job import Progress
from youju.settings import Settings

PAGES = range(9, 13)
"""Of the regulation: articles 26 to 46, in print."""
ASKED = (
    "带薪的试用期工资是转正工资的多少？",
    "试用期内离职要提前几天通知公司？",
    "忘记打卡多久之内可以补卡？",
    "员工每周最多可以远程办公几天？",
    "婴儿未满一周岁的女员工每天有多长哺乳时间？",
    "标准工时制下午休是几点到几点？",
)


async def answers(app: App, data: bytes, path, told) -> list[set[int]]:
    path.write_bytes(data)
    assert await app.documents.process(await app.documents.accept(path), report=told) == "READY"
    turns = [await app.chat.ask(Request(question)) for question in ASKED]
    return [{n for one in turn.sources if one.cited for n in (one.page_start, one.page_end)} for turn in turns]


@pytest.mark.slow
async def test_the_cited_pages_are_those_of_the_text(tmp_path):
    whole = next(one for one in samples.books() if "规定" in one.name).read_bytes()
    text, told = pages_of(whole, PAGES), []
    found = []
    for name, data in (("text", text), ("scan", scanned(text, degrees=0.5, noise=6.0))):
        async with open_app(Settings(data=tmp_path / name)) as app:
            found.append(await answers(app, data, tmp_path / f"{name}.pdf", told.append))
    same = [a == b for a, b in zip(*found, strict=True)]
    assert sum(same) >= len(ASKED) - 1, found
    assert all(found[0]), "every question is answered from the text"
    assert Progress("PARSING", 4, 4) in told
