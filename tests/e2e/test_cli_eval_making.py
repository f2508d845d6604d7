"""Question sets from a model, from files of other tools and from the log, on the command line."""

from __future__ import annotations

import asyncio
import json
import shutil
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from apps import added, opened, written
from pdfs import lines, pdf
from youju.chat.log import Feedback
from youju.lab.dataset import load

PAGES = [
    ["仓库的盘点在每季度最后一个周五进行，由库管员负责。", "盘点时停止收发货，差异须在三天内查明并登记。"],
    ["退货须在签收后十五天内提出，逾期不再受理。", "退货的运费由买方承担，质量问题的由卖方承担。"],
]
SQUAD = {
    "data": [
        {
            "title": "报销",
            "paragraphs": [
                {
                    "context": "市内交通每天补贴四十元。超出的部分由本人承担。",
                    "qas": [
                        {
                            "id": "s1",
                            "question": "市内交通补贴多少？",
                            "answers": [{"text": "四十元", "answer_start": 8}],
                        },
                        {"id": "s2", "question": "飞机呢？", "is_impossible": True, "answers": []},
                        {"id": "s3", "question": "几点？", "answers": [{"text": "九点", "answer_start": 0}]},
                    ],
                }
            ],
        }
    ]
}


@pytest.fixture
def drafting(monkeypatch):
    """A model that proposes one good case and one with an invented quote for whatever text it is shown."""
    shown = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = json.loads(body["messages"][-1]["content"])
            shown.append(asked)
            quote = asked["text"].strip()[:12]
            good = {"id": "d1", "quote": quote, "question": f"第{len(shown)}件事是怎样规定的？", "answer": quote}
            more = {"keywords": [quote[:4]], "category": "factual"}
            items = [good | more, good | more | {"id": "d2", "quote": "材料里没有这样一句话", "question": "另一件呢？"}]
            message = {"role": "assistant", "content": json.dumps({"items": items[: asked["wanted"]]})}
            data = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_): ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    named = {"BASE_URL": f"http://127.0.0.1:{server.server_port}/v1", "MODEL": "scripted", "STREAM": "false"}
    for name, value in named.items():
        monkeypatch.setenv(f"YOUJU_LLM__{name}", value)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield shown
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def shelved(tmp_path_factory):
    """A store with a book of two pages."""
    folder = tmp_path_factory.mktemp("shelved")
    book = written(folder, "仓库手册.pdf", pdf([lines(40, 60, page) for page in PAGES]))

    async def fill():
        async with opened(folder / "store") as app:
            await added(app, book)

    asyncio.run(fill())
    return folder / "store"


@pytest.fixture
def paged(youju, shelved, tmp_path):
    shutil.copytree(shelved, tmp_path / ".youju")
    return youju


@pytest.fixture
def squad_file(tmp_path):
    return str(written(tmp_path, "报销.json", json.dumps(SQUAD, ensure_ascii=False)))


def test_cases_are_drafted_from_the_named_pages_only(paged, drafting, tmp_path):
    done = paged("eval", "draft", "--doc", "仓库", "--pages", "2", "-n", "2", "--out", "s.jsonl", "--allow-cost")
    assert done.code == 0, done.err
    assert [("退货" in one["text"], "盘点" in one["text"], one["wanted"]) for one in drafting] == [(True, False, 2)]
    (case,) = load(tmp_path / "s.jsonl").cases
    assert case.evidence[0].pages == (2,)
    assert case.reviewed_by is None
    assert '"reviewed_by": null' in (tmp_path / "s.jsonl").read_text(encoding="utf-8")
    assert "已写出 1 题" in done.out
    assert "丢掉 1 题（引文不在原文里 1）" in done.out


def test_nothing_is_asked_before_its_cost_is_allowed(paged, drafting, tmp_path):
    done = paged("eval", "draft", "--doc", "仓库", "--out", "s.jsonl")
    assert done.code == 1
    assert "起草要调用语言模型 2 次" in done.err
    assert "--allow-cost" in done.err
    assert drafting == []
    assert not (tmp_path / "s.jsonl").exists()


def test_drafting_without_a_model_says_what_to_set(full):
    done = full("eval", "draft", "--doc", "报销", "--out", "s.jsonl", "--allow-cost")
    assert done.code == 1
    assert "llm.base_url" in done.err


@pytest.mark.parametrize(
    "options, told",
    [
        (("--doc", "没有的书"), "没有名字里有"),
        (("--doc", "册"), "没有第 9 页"),
        (("--doc", "仓库", "--pages", "9-3"), "看不懂页码"),
        (("--doc", "仓库", "--pages", "二"), "看不懂页码"),
    ],
)
def test_documents_and_pages_that_are_not_there_are_told(paged, drafting, options, told):
    pages = () if "--pages" in options else ("--pages", "9")
    done = paged("eval", "draft", *options, *pages, "--out", "s.jsonl", "--allow-cost")
    assert done.code in {1, 2}
    assert told in done.err
    assert drafting == []


def test_a_document_without_pages_is_drafted_from_as_a_whole(full, drafting, tmp_path):
    asked = ("eval", "draft", "--doc", "报销规定", "--out", "s.jsonl", "--allow-cost")
    assert "没有页码" in full(*asked, "--pages", "1").err
    assert full(*asked, "-n", "1").code == 0
    (case,) = load(tmp_path / "s.jsonl").cases
    assert (case.evidence[0].doc, case.evidence[0].pages) == ("报销规定", ())


def test_a_squad_file_becomes_a_set_and_documents_that_pass_the_audit(youju, squad_file, tmp_path):
    done = youju("eval", "import", "squad", squad_file, "--out", "s.jsonl", "--documents", "books")
    assert done.code == 0, done.err
    assert "已写出 2 题" in done.out
    assert "没有导入 1 题（答案不在段落里 1）" in done.out
    assert [case.id for case in load(tmp_path / "s.jsonl").cases] == ["s1", "s2"]
    assert [one.name for one in (tmp_path / "books").iterdir()] == ["报销-000001.md"]
    assert youju("add", "books").code == 0
    found = json.loads(youju("eval", "audit", "s.jsonl", "--json").out)["findings"]
    assert [one for one in found if one["severity"] == "error"] == []


def test_nothing_is_written_over(youju, squad_file, tmp_path):
    (tmp_path / "s.jsonl").write_text("mine", encoding="utf-8")
    done = youju("eval", "import", "squad", squad_file, "--out", "s.jsonl")
    assert (done.code, "已经存在" in done.err) == (1, True)
    assert (tmp_path / "s.jsonl").read_text(encoding="utf-8") == "mine"
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "mine.md").touch()
    done = youju("eval", "import", "squad", squad_file, "--out", "t.jsonl", "--documents", "books")
    assert (done.code, "不是空的文件夹" in done.err) == (1, True)
    assert not (tmp_path / "t.jsonl").exists()


def test_ragas_rows_become_a_set(youju, tmp_path):
    row = {"user_input": "补贴多少？", "reference_contexts": ["每天四十元。"], "reference": "四十元。"}
    written(tmp_path, "r.jsonl", json.dumps(row, ensure_ascii=False))
    done = youju("eval", "import", "ragas", "r.jsonl", "--out", "s.jsonl", "--json")
    assert json.loads(done.out) == {"file": "s.jsonl", "cases": 1, "without": {}}
    assert load(tmp_path / "s.jsonl").cases[0].reference_answer == "四十元。"


def test_rated_questions_of_the_log_become_a_set(full, tmp_path):
    assert "没有可以取用的评价" in full("eval", "import", "log", "--out", "s.jsonl").err
    assert full("ask", "出差住宿费的上限是多少？").code == 0

    async def rate():
        async with opened(tmp_path / ".youju") as app:
            (one,) = await app.log.listed()
            await app.log.feedback(one.id, Feedback("up", note="正是"))

    asyncio.run(rate())
    done = full("eval", "import", "log", "--out", "s.jsonl")
    assert done.code == 0, done.err
    (case,) = load(tmp_path / "s.jsonl").cases
    assert case.notes == "正是"
    assert {one.doc for one in case.evidence} == {"报销规定"}


def test_a_set_is_split_by_document_and_the_changelog_says_so(youju, tmp_path):
    base = {"category": "factual", "answerable": True, "question": "多少？"}
    rows = [base | {"id": f"q{n}", "expected_docs": [[f"书{'甲乙丙丁'[n // 2]}"]]} for n in range(8)]
    written(tmp_path, "s.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    done = youju("eval", "split", "s.jsonl", "--seed", "3")
    assert done.code == 0, done.err
    assert "dev 4 题，test 4 题" in done.out
    sides = [case.split for case in load(tmp_path / "s.jsonl").cases]
    assert sides[::2] == sides[1::2]
    assert "--seed 3" in (tmp_path / "s.CHANGELOG.md").read_text(encoding="utf-8")
    assert json.loads(youju("eval", "split", "s.jsonl", "--seed", "9", "--json").out)["changed"] == 0
