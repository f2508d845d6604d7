"""The command line as a person or a script meets it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from apps import RULES, Ran, environment, ran, started, written
from pdfs import lines, pdf
from youju.settings import REFUSAL

Command = Callable[..., Ran]
QUESTION = "出差住宿费的上限是多少？"


# --- add -------------------------------------------------------------------------------------------------------------


def test_a_file_may_be_left_for_others_to_process(youju, tmp_path):
    written(tmp_path, "规定.md", RULES)
    left = youju("add", "规定.md", "--no-wait")
    assert left.code == 0
    assert "等待" in left.out
    assert "youju docs retry" in left.err
    assert [one["status"] for one in youju("docs", "list", "--json").json] == ["UPLOADED"]
    again = youju("add", "规定.md", "--no-wait", "--json").json[0]
    assert (again["status"], again["duplicate"]) == ("UPLOADED", True)
    assert youju("add", "规定.md").code == 0
    assert youju("add", "规定.md", "--no-wait", "--json").json[0]["status"] == "READY"


def test_what_was_left_is_taken_up_by_a_retry(youju, tmp_path):
    written(tmp_path, "规定.md", RULES)
    document = youju("add", "规定.md", "--no-wait", "--json").json[0]["document_id"]
    assert youju("docs", "retry", document).code == 0
    assert "三百二十" in youju("ask", QUESTION).out


def test_add_takes_markdown_text_and_pdf(youju, tmp_path) -> None:
    written(tmp_path, "a.md", RULES)
    written(tmp_path, "b.txt", "气温的单位是摄氏度。\n" * 5)
    written(tmp_path, "c.pdf", pdf([lines(60, 80, ["抛物线的顶点在对称轴上。", "开口方向由系数决定。"])]))
    done = youju("add", "a.md", "b.txt", "c.pdf", "--json")
    assert done.code == 0
    assert [one["status"] for one in done.json] == ["READY"] * 3
    assert [one["version"] for one in done.json] == [1, 1, 1]


def test_add_takes_every_readable_file_of_a_folder_and_no_hidden_one(youju, tmp_path) -> None:
    written(tmp_path, "in/一/index.md", "# 一\n\n苹果是红的。")
    written(tmp_path, "in/二/index.md", "# 二\n\n香蕉是黄的。")
    written(tmp_path, "in/.git/x.md", "隐藏的。")
    written(tmp_path, "in/drawing.dwg", b"AC1032")
    done = youju("add", "in", "--json")
    assert [(one["path"], one["status"]) for one in done.json] == [
        ("in/drawing.dwg", "SKIPPED"),
        ("in/一/index.md", "READY"),
        ("in/二/index.md", "READY"),
    ]
    assert len(youju("docs", "list", "--json").json) == 2


def test_a_folder_added_again_brings_nothing_new(youju, tmp_path) -> None:
    written(tmp_path, "in/一/index.md", "# 一\n\n苹果是红的。")
    first, again = youju("add", "in", "--json").json, youju("add", "in", "--json").json
    assert again[0]["document_id"] == first[0]["document_id"]
    assert [one["duplicate"] for one in again] == [True]


def test_two_files_of_one_name_in_one_call_do_not_replace_each_other(youju, tmp_path) -> None:
    written(tmp_path, "一/x.md", "苹果是红的。")
    written(tmp_path, "二/x.md", "香蕉是黄的。")
    done = youju("add", "一/x.md", "二/x.md", "--json")
    assert done.code == 1
    assert [one["status"] for one in done.json] == ["READY", "FAILED"]
    assert done.json[1]["failure"]["code"] == "same_name"


def test_one_bad_file_does_not_stop_the_others(youju, tmp_path) -> None:
    written(tmp_path, "good.md", "苹果是红的。")
    written(tmp_path, "empty.md", "")
    written(tmp_path, "program.exe", b"MZ")
    written(tmp_path, "noise.txt", bytes(range(256)) * 40)
    (tmp_path / "hollow").mkdir()
    names = ["missing.md", "hollow", "program.exe", "empty.md", "noise.txt", "x" * 5000 + ".md", "bare", "good.md"]
    written(tmp_path, "bare", "没有后缀。")
    done = youju("add", *names, "--json")
    assert done.code == 1
    failures = [one["failure"] and one["failure"]["code"] for one in done.json]
    assert failures[:4] == ["no_such_file", "empty_folder", "unsupported_format", "empty"]
    assert failures[4] is not None
    assert failures[5:] == ["unreadable_file", "unsupported_format", None]
    assert all(one["failure"]["remedy"] for one in done.json if one["failure"])


def test_the_reason_of_a_failure_goes_to_a_person_with_a_remedy(youju, tmp_path) -> None:
    written(tmp_path, "empty.md", "")
    done = youju("add", "missing.md", "empty.md")
    assert done.code == 1
    assert "错误：没有这个文件：missing.md" in done.err
    assert done.err.count("建议：") == 2


def test_a_file_that_may_not_be_read_is_explained(youju, tmp_path) -> None:
    path = written(tmp_path, "a.md", "苹果")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert youju("add", "a.md", "--json").json[0]["failure"]["code"] == "unreadable_file"


def test_the_same_file_twice_is_one_document(full, tmp_path) -> None:
    written(tmp_path, "报销规定.md", RULES)
    done = full("add", "报销规定.md")
    assert done.code == 0
    assert "内容未变" in done.out
    assert len(full("docs", "list", "--json").json) == 2


def test_a_changed_file_is_version_two_and_answers(full, tmp_path) -> None:
    written(tmp_path, "报销规定.md", RULES.replace("三百二十", "三百五十"))
    done = full("add", "报销规定.md", "--json")
    assert (done.json[0]["version"], done.json[0]["duplicate"]) == (2, False)
    answer = full("ask", QUESTION).out
    assert "三百五十元" in answer
    assert "三百二十" not in answer


def test_a_title_is_for_one_file(youju, tmp_path) -> None:
    for name in ("a.md", "b.md"):
        written(tmp_path, f"in/{name}", f"内容 {name} 是这样的。")
    assert youju("add", "in", "--title", "书").code == 2
    assert youju("add", "in/a.md", "--title", "  我的\n书 ").code == 0
    assert [one["title"] for one in youju("docs", "list", "--json").json] == ["我的 书"]


def test_the_same_bytes_may_stand_in_two_collections(youju, tmp_path) -> None:
    written(tmp_path, "a.md", "苹果是红的。")
    youju("add", "a.md", "--collection", "甲")
    youju("add", "a.md", "--collection", "乙")
    rows = youju("collections", "--json").json
    assert [(row["name"], row["documents"]) for row in rows] == [("乙", 1), ("甲", 1)]


# --- docs ------------------------------------------------------------------------------------------------------------


def test_an_empty_store_says_how_to_begin(youju) -> None:
    assert "youju add" in youju("docs", "list").out
    assert "youju add" in youju("collections").out
    assert youju("docs", "list", "--json").json == []


def test_docs_show_takes_a_title_and_tells_all(full) -> None:
    shown = full("docs", "show", "报销规定", "--json").json
    assert (shown["status"], shown["version"], shown["pending"], shown["failure"]) == ("READY", 1, None, None)
    assert [lap["phase"] for lap in shown["timeline"]] == ["PARSING", "CHUNKING", "EMBEDDING", "INDEXING"]
    assert "就绪" in full("docs", "show", shown["document_id"][:6]).out


def test_docs_rm_deletes_only_when_every_name_is_known(full) -> None:
    assert full("docs", "rm", "报销规定", "没有这本").code == 1
    assert len(full("docs", "list", "--json").json) == 2
    receipt = full("docs", "rm", "报销规定", "--json").json[0]
    assert (receipt["title"], receipt["versions"], receipt["blobs"]) == ("报销规定", 1, 1)
    assert receipt["chunks"] >= receipt["vectors"] == 2
    assert [one["title"] for one in full("docs", "list", "--json").json] == ["网关手册"]
    assert full("ask", QUESTION, "--json").json["refused"]


def test_naming_one_document_twice_deletes_it_once(full) -> None:
    done = full("docs", "rm", "报销规定", "报销规定.md", "--json")
    assert done.code == 0
    assert len(done.json) == 1


def test_disabled_documents_do_not_answer_until_they_are_enabled(full) -> None:
    assert full("docs", "disable", "报销规定", "--json").json["enabled"] is False
    assert "已停用" in full("docs", "list").out
    assert full("ask", QUESTION, "--json").json["refused"]
    assert full("docs", "enable", "报销规定").out == "已启用 报销规定\n"
    assert not full("ask", QUESTION, "--json").json["refused"]


def test_retry_starts_a_failed_document_again_and_says_why_it_failed_again(youju, tmp_path) -> None:
    written(tmp_path, "empty.md", "")
    youju("add", "empty.md")
    done = youju("docs", "retry", "empty", "--json")
    assert done.code == 1
    assert done.json["failure"]["code"] == "empty"
    assert youju("docs", "retry", "empty").err.startswith("错误：")


def test_retry_of_what_is_well_is_refused(full) -> None:
    done = full("docs", "retry", "报销规定", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "nothing_to_retry")


def test_reembed_wants_documents_or_all(full) -> None:
    assert full("docs", "reembed").code == 2
    assert full("docs", "reembed", "报销规定", "--all").code == 2
    assert full("docs", "reembed", "--all", "--json").json == []
    assert [one["title"] for one in full("docs", "reembed", "报销规定", "--json").json] == ["报销规定"]


def test_preview_shows_the_strategy_and_stores_nothing(youju, tmp_path) -> None:
    rules = "\n\n".join(f"第{n}条 这是规定的内容，编号为{n}。" for n in "一二三四五六")
    written(tmp_path, "规定.md", f"# 规定\n\n{rules}")
    shown = youju("docs", "preview", "规定.md", "--json", "--first", "2").json
    assert shown["strategy"] == {"name": "law", "reasons": ["有 6 处以“第…条”开头"]}
    assert (shown["coverage"], len(shown["first"])) == (1.0, 2)
    assert "法规" in youju("docs", "preview", "规定.md").out
    assert youju("docs", "list", "--json").json == []
    assert youju("docs", "preview", "missing.md", "--json").json["error"]["code"] == "no_such_file"


# --- ask, retrieve ---------------------------------------------------------------------------------------------------


def test_ask_answers_with_a_source(full) -> None:
    said = full("ask", QUESTION)
    assert said.code == 0
    assert "三百二十元" in said.out
    assert "来源\n[1] 《报销规定》" in said.out


def test_ask_as_json_has_the_fields_of_the_contract(full) -> None:
    body = full("ask", QUESTION, "--json").json
    fields = (
        "answer sources context_used degraded degradation_reason degradations refused refusal_reason nearest grade "
        "confidence verdicts removed_markers scope trace_id conversation_id"
    )
    assert set(body) == set(fields.split())
    assert body["scope"]["documents"] == sorted(one["document_id"] for one in full("docs", "list", "--json").json)


def test_a_question_about_nothing_in_the_material_is_refused_in_the_exact_words(full) -> None:
    said = full("ask", "鲸鱼怎样睡觉？")
    assert (said.code, said.out.splitlines()[0]) == (0, REFUSAL)


def test_retrieve_shows_as_many_chunks_as_were_asked_for(full) -> None:
    everything = ("retrieve", QUESTION, "--json", "--set", "similarity_threshold=-1")
    assert len(full(*everything).json["chunks"]) == 4
    assert len(full(*everything, "--top-k", "1").json["chunks"]) == 1
    assert len(full(*everything, "--set", "context_top_k=2").json["chunks"]) == 2


def test_an_unknown_document_is_an_empty_scope_not_an_error(full) -> None:
    body = full("ask", QUESTION, "--doc", "nobody", "--json").json
    assert (body["refusal_reason"], body["answer"]) == ("scope_empty", REFUSAL)
    assert body["scope"]["excluded"] == [{"id": "nobody", "status": "UNKNOWN"}]
    assert full("retrieve", QUESTION, "--collection", "没有", "--json").json["chunks"] == []


def test_a_collection_and_a_document_together_are_their_intersection(full) -> None:
    rules = full("docs", "show", "报销规定", "--json").json["document_id"]
    inside = full("ask", QUESTION, "--doc", rules, "--collection", "默认", "--json").json
    outside = full("ask", QUESTION, "--doc", rules, "--collection", "别的", "--json").json
    assert inside["scope"]["documents"] == [rules]
    assert outside["refusal_reason"] == "scope_empty"
    assert outside["scope"]["excluded"] == [{"id": rules, "status": "OUT_OF_COLLECTION"}]


@pytest.mark.parametrize(
    "pair", ["nope=1", "rrf_k=0", "rrf_k=x", "rrf_k", "embedding.model=x", "data=x", "=1", "similarity_threshold=2"]
)
def test_a_knob_that_does_not_fit_is_refused_with_a_remedy(full, pair) -> None:
    done = full("ask", QUESTION, "--set", pair, "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "bad_setting")
    assert done.json["error"]["remedy"]


# --- wrong use -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args, said",
    [
        (["foo"], "没有命令 foo"),
        (["docs", "lst"], "是不是 list"),
        (["docs", "list", "--nope"], "没有选项 --nope"),
        (["ask"], "缺少参数 问题"),
        (["ask", "为什么", "会这样"], "多余的参数 (会这样)"),
        (["ask", "x", "--top-k", "0"], "应为 1 到 50 的整数"),
        (["ask", "x", "--top-k", "三"], "应为 1 到 50 的整数"),
        (["ask", "x", "--doc"], "选项 --doc 后面缺少值"),
        (["docs", "list", "--json=1"], "选项 --json 不接受值"),
        (["ask", "-1 的平方是多少"], "请写在 -- 之后"),
        (["docs", "list", "--data", ""], "不能为空"),
        (["--data", "x"], "没有给出命令"),
    ],
)
def test_wrong_use_is_told_in_chinese_with_a_remedy_and_exit_code_2(youju, args, said) -> None:
    done = youju(*args)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "建议：" in done.err


def test_without_a_command_the_help_is_shown(youju) -> None:
    assert "用法" in youju().err
    assert "list" in youju("docs").err


def test_help_is_chinese_throughout(youju) -> None:
    for args in ([], ["add"], ["docs"], ["docs", "rm"], ["ask"], ["doctor"], ["demo"]):
        shown = youju(*args, "--help")
        assert shown.code == 0
        assert not {"Usage", "OPTIONS", "Options", "Commands", "Show"} & set(shown.out.replace(":", " ").split())


def test_a_question_that_looks_like_an_option_may_stand_after_two_dashes(full) -> None:
    assert full("ask", "--", "--json").code == 0


def test_with_json_every_error_is_an_object_on_standard_output(full) -> None:
    for args, code in ((["docs", "show", "x"], 1), (["docs", "lst"], 2), (["ask", ""], 1), (["ask", "x" * 4001], 1)):
        done = full(*args, "--json")
        assert (done.code, done.err) == (code, "")
        assert set(done.json["error"]) == {"code", "message", "remedy"}


def test_a_fault_of_ours_is_reported_without_a_traceback(youju, monkeypatch) -> None:
    monkeypatch.delenv("YOUJU_DEBUG")
    monkeypatch.setattr("youju.cli.admin.settings", lambda data: 1 / 0)
    done = youju("settings", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "internal")


# --- the store and the settings --------------------------------------------------------------------------------------


def test_the_data_folder_may_be_named_before_or_after_the_command_or_in_the_environment(
    youju, prepared, monkeypatch
) -> None:
    for args in (["--data", str(prepared), "docs", "list"], ["docs", "list", "--data", str(prepared)]):
        assert "报销规定" in youju(*args).out
    monkeypatch.setenv("YOUJU_DATA_DIR", str(prepared))
    assert "报销规定" in youju("docs", "list").out


def test_the_command_s_own_data_folder_wins(youju, prepared, tmp_path) -> None:
    shown = youju("--data", str(prepared), "settings", "--data", "other", "--json").json
    assert {"name": "data", "value": "other", "origin": "命令行"}.items() <= shown[0].items()


@pytest.mark.parametrize(
    "text, said",
    [("retrieval = [", "不是有效的 TOML"), ("[retrieval]\nnope = 1", "没有这个设置"), ("[a]\nb = 1", "没有这个设置")],
)
def test_a_bad_settings_file_is_named(youju, tmp_path, text, said) -> None:
    written(tmp_path, "youju.toml", text)
    done = youju("docs", "list", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "config")
    assert said in done.json["error"]["message"]
    assert "youju.toml" in done.json["error"]["message"]


def test_settings_come_with_their_origin_and_without_secrets(youju, tmp_path, monkeypatch) -> None:
    file = written(tmp_path, "youju.toml", "[retrieval]\nrrf_top_k = 40\n")
    monkeypatch.setenv("YOUJU_RETRIEVAL__RRF_K", "70")
    monkeypatch.setenv("YOUJU_EMBEDDING__API_KEY", "sk-very-secret")
    both = youju("settings"), youju("settings", "--json")
    assert not any("very-secret" in done.out for done in both)
    shown = {one["name"]: one for one in both[1].json}
    assert (shown["retrieval.rrf_k"]["value"], shown["retrieval.rrf_k"]["origin"]) == (
        70,
        "环境变量 YOUJU_RETRIEVAL__RRF_K",
    )
    assert shown["retrieval.rrf_top_k"]["origin"] == str(file)
    assert shown["retrieval.context_top_k"]["origin"] == "默认"
    assert shown["embedding.api_key"]["value"] == "******"


def test_a_file_in_the_place_of_the_data_folder_is_explained(youju, tmp_path) -> None:
    written(tmp_path, ".youju", "a file")
    assert youju("docs", "list", "--json").json["error"]["code"] == "store_unwritable"


def test_a_folder_that_may_not_be_written_is_explained(youju, tmp_path) -> None:
    folder = tmp_path / ".youju"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write everywhere")
    assert youju("docs", "list", "--json").json["error"]["code"] == "store_unwritable"


def test_a_store_of_a_newer_youju_is_refused(full, tmp_path) -> None:
    with sqlite3.connect(tmp_path / ".youju" / "youju.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    assert full("docs", "list", "--json").json["error"]["code"] == "store_newer"


def test_a_damaged_store_is_explained_by_every_command(full, tmp_path) -> None:
    written(tmp_path, ".youju/youju.db", b"not a database" * 1000)
    for args in (["docs", "list"], ["ask", "x"], ["doctor"], ["doctor", "--repair"], ["add", "x.md"]):
        done = full(*args, "--json")
        assert (done.code, done.json["error"]["code"]) == (1, "store_damaged")


def test_doctor_is_content_with_a_sound_store(full) -> None:
    done = full("doctor", "--json")
    assert done.code == 0
    assert {one["level"] for one in done.json} == {"ok"}
    assert "✓" in full("doctor").out


def test_doctor_finds_residue_and_mends_it_when_asked(full, tmp_path) -> None:
    with sqlite3.connect(tmp_path / ".youju" / "youju.db") as database:
        database.execute("DELETE FROM words")
    database.close()
    found = full("doctor")
    assert found.code == 1
    assert "✗ 未入关键词索引的片段 4\n    建议：请运行 youju doctor --repair" in found.out
    assert full("doctor", "--repair").code == 0
    assert full("doctor").code == 0


# --- a real process --------------------------------------------------------------------------------------------------


def test_a_real_process_adds_answers_and_refuses(tmp_path) -> None:
    written(tmp_path, "报销规定.md", RULES)
    assert ran(started(["add", "报销规定.md"], tmp_path)).code == 0
    said = ran(started(["retrieve", QUESTION, "--json"], tmp_path))
    assert (said.code, said.err) == (0, "")
    assert "三百二十元" in said.json["chunks"][0]["text"]
    wrong = ran(started(["ask", QUESTION, "--nope"], tmp_path))
    assert (wrong.code, wrong.out) == (2, "")


def test_file_names_that_are_no_text_are_no_trouble(tmp_path) -> None:
    name = b"\xff\xfe\x1b[31m.md"
    written(tmp_path, os.fsdecode(name), "苹果是红的。")
    done = ran(started([b"add", name, b"--json"], tmp_path))
    assert done.code == 0, done.err
    assert done.json[0]["status"] == "READY"
    shown = ran(started([b"docs", b"show", name], tmp_path))
    assert shown.code == 0
    missing = ran(started([b"docs", b"show", b"\xff\x1b[7m"], tmp_path))
    assert missing.code == 1
    assert "\x1b" not in shown.out + missing.err


def test_a_reader_that_goes_away_is_no_error(prepared) -> None:
    process = started(["--data", str(prepared), "settings"], prepared.parent)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    complaint = process.stderr.read()
    process.stderr.close()
    process.wait(60)
    assert complaint == ""


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_an_interrupted_command_says_so_and_its_work_can_be_done_again(tmp_path) -> None:
    written(tmp_path, "x.md", RULES * 4000)
    # A shell that starts tests in the background lets them ignore the signal, and children inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = started(["add", "x.md"], tmp_path)
    finally:
        signal.signal(signal.SIGINT, before)
    leases = tmp_path / ".youju" / "leases"
    # Those of uploads come before a version is entered.
    while process.poll() is None and all(one.name.startswith("upload-") for one in leases.glob("*.lock")):
        time.sleep(0.005)
    assert process.poll() is None, "it ended before it could be interrupted"
    process.send_signal(signal.SIGINT)
    done = ran(process)
    assert (done.code, done.err.strip()) == (130, "已中断。")
    assert ran(started(["docs", "list", "--json"], tmp_path)).json[0]["status"] != "READY"


@pytest.mark.slow
def test_the_embedded_model_answers_through_the_command(tmp_path) -> None:
    written(tmp_path, "报销规定.md", RULES)
    e5 = {"YOUJU_EMBEDDING__PROVIDER": "e5"}
    assert ran(started(["add", "报销规定.md"], tmp_path, **e5)).code == 0
    body = ran(started(["ask", "住一晚旅馆最多能报多少钱？", "--json"], tmp_path, **e5)).json
    assert not body["degraded"]
    assert body["nearest"] or body["sources"]
    assert ran(started(["doctor"], tmp_path, **e5)).code == 0


def test_json_is_all_there_is_on_standard_output(full) -> None:
    commands = (
        ["docs", "list"], ["docs", "show", "报销规定"], ["collections"], ["settings"], ["doctor"],
        ["ask", QUESTION], ["retrieve", QUESTION], ["docs", "disable", "报销规定"], ["docs", "enable", "报销规定"],
        ["docs", "reembed", "--all"], ["docs", "rm", "报销规定"],
    )  # fmt: skip
    for args in commands:
        done = full(*args, "--json")
        assert (done.code, done.err) == (0, "")
        json.loads(done.out)


# --- what a first user and a careless script do ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [("ask", "问"), ("retrieve", "问"), ("docs", "list"), ("collections",), ("doctor",), ("doctor", "--repair")],
)
def test_looking_where_no_store_is_says_so_and_makes_none(youju, tmp_path, command) -> None:
    done = youju(*command)
    assert done.code == 0
    assert "这里还没有资料库" in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_question_without_a_store_is_a_refusal_of_the_usual_shape(youju, full) -> None:
    with_store = full("ask", "问", "--collection", "没有", "--json").json
    done = youju("ask", "问", "--data", "elsewhere", "--json")
    assert (done.code, done.json["refusal_reason"]) == (0, "scope_empty")
    assert set(done.json) == set(with_store)


def test_an_unknown_collection_is_named_with_those_there_are(full) -> None:
    done = full("ask", QUESTION, "--collection", "人事")
    assert done.code == 0
    assert "没有名为“人事”的资料集；现有：默认" in done.err


def test_a_document_is_asked_by_whatever_docs_show_takes(full) -> None:
    id_ = full("docs", "show", "报销规定", "--json").json["document_id"]
    for name in (id_, id_[:6], "报销规定", "报销规定.md"):
        assert full("ask", QUESTION, "--doc", name, "--json").json["scope"]["documents"] == [id_]
    unknown = full("retrieve", QUESTION, "--doc", "zz")
    assert unknown.code == 0
    assert "“zz”" in unknown.err


@pytest.mark.parametrize("command", [("add", ""), ("docs", "preview", ""), ("demo", "--keep", "")])
def test_an_empty_path_is_refused(youju, command) -> None:
    assert youju(*command).code == 2


def test_a_folder_says_what_it_left_out(youju, tmp_path) -> None:
    written(tmp_path, "secret.md", "外面的。")
    written(tmp_path, "in/a.md", "苹果是红的。")
    written(tmp_path, "in/图纸.dwg", b"PK")
    (tmp_path / "in/link.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "in/own.md").symlink_to(tmp_path / "in/a.md")
    told = youju("add", "in")
    assert told.code == 0
    assert "跳过 1 个不支持的文件：图纸.dwg" in told.out
    assert "跳过 1 个指向文件夹之外的链接：link.md" in told.out
    states = {Path(one["path"]).name: one["status"] for one in youju("add", "in", "--json").json}
    assert states == {"a.md": "READY", "own.md": "READY", "图纸.dwg": "SKIPPED", "link.md": "SKIPPED"}


def test_files_of_one_call_do_not_replace_what_another_stands_for(youju, tmp_path) -> None:
    written(tmp_path, "in/规定.md", "苹果是红的。")
    written(tmp_path, "in/旧/规定.md", "香蕉是黄的。")
    youju("add", "in/旧")
    done = youju("add", "in", "--json")
    assert done.code == 1
    assert [one["status"] for one in done.json] == ["READY", "FAILED"]
    assert done.json[1]["failure"]["code"] == "same_name"
    assert "香蕉是黄的" in youju("retrieve", "香蕉").out


def test_what_replaced_another_is_told(youju, tmp_path) -> None:
    written(tmp_path, "A.md", "苹果是红的。")
    written(tmp_path, "B.md", "香蕉是黄的。")
    youju("add", "A.md", "B.md")
    written(tmp_path, "A.md", "香蕉是黄的。")
    assert "与“B”内容相同，旧的“A”已移除" in youju("add", "A.md").out


def test_a_disabled_document_that_is_added_again_says_so(full, tmp_path) -> None:
    written(tmp_path, "报销规定.md", RULES)
    full("docs", "disable", "报销规定")
    assert "已停用" in full("add", "报销规定.md").out


def test_pages_are_told_only_where_there_are_any(full) -> None:
    assert "页" not in full("docs", "show", "报销规定").out.split("当前版本")[1].splitlines()[0]
    assert " 页" not in full("docs", "rm", "报销规定").out


def test_titles_that_repeat_are_shown_with_their_files(youju, tmp_path) -> None:
    written(tmp_path, "in/一/index.md", "# 一\n\n苹果是红的。")
    written(tmp_path, "in/二/index.md", "# 二\n\n香蕉是黄的。")
    youju("add", "in")
    assert "（一/index.md）" in youju("docs", "list").out


def test_short_help_is_help_and_numbers_are_in_chinese(youju) -> None:
    done = youju("ask", "-h")
    assert done.out == youju("ask", "--help").out
    assert "整数 1–50" in done.out
    assert "x<=" not in done.out


def test_an_unset_value_is_shown_as_such(youju) -> None:
    assert "keyword.dictionary = 空" in youju("settings").out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(
    "redirected, code, told",
    [
        (">/dev/full", 1, "无法写出结果"),
        (">&-", 1, "标准输出已关闭"),
        ("2>&-", 0, ""),
        (">/dev/full 2>/dev/full", 1, ""),
    ],
)
def test_an_output_that_cannot_be_written_ends_quietly(tmp_path, redirected, code, told) -> None:
    line = f'"{sys.executable}" -m youju docs list {redirected}'
    done = subprocess.run(  # noqa: S602 - the shell's redirections are what is tested
        line, shell=True, cwd=tmp_path, env=environment(), capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == code
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device of POSIX")
def test_a_dictionary_without_an_end_is_refused(youju, monkeypatch) -> None:
    monkeypatch.setenv("YOUJU_KEYWORD__DICTIONARY", "/dev/zero")
    done = youju("docs", "list", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "config")
