from __future__ import annotations

import os

import pytest

from youju.lab.assembling import results
from youju.lab.dataset import Case
from youju.lab.forgetting import Forgetting
from youju.lab.judgement import Claim, Judgement
from youju.lab.lines import Lines
from youju.lab.runner import Record
from youju.lab.runs import CALLS, begun
from youju.types import Answer, Chunk, ContextItem, Hit, Source, Statement, Step, StepHit, Turn, Verdict

PLAN = {"measuring": "answers", "repeats": 1}
ARM = {"name": "V1", "title": "", "base": "", "adds": [], "removes": [], "recipe": "", "missing": "", "retrieves": True}


def hit(document: str) -> Hit:
    text = f"{document}的秘密"
    chunk = Chunk(f"k-{document}", document, 1, "c", f"{document}的书名", ("节",), "text", text, 0, 3, 3)
    return Hit(chunk, 0.5, ranks={"vector": 1}, scores={"vector": 0.5})


def turn(question: str, document: str) -> Turn:
    one, said = hit(document), f"{document}的秘密[1]"
    return Turn(
        asked=question,
        question=f"{question}（{document}的秘密）",
        rankings={"vector": (one,)},
        hits=(one,),
        context=(ContextItem(1, one, one.chunk.text),),
        answer=Answer(said, (Statement(said, (1,)),), "llm"),
        sources=(Source(1, one.chunk.id, document, one.chunk.book, ("节",), 3, 3, "", "", "", cited=True, quote=said),),
        verdicts=(Verdict(said, "supported", 1, said),),
        steps=(Step("ByVector(30)", 0.25, (StepHit(one.chunk.id, 0.5),), {"prompt": said, "prompt_tokens": 7}),),
    )


@pytest.fixture
def run(tmp_path):
    """Two questions, one answered from each document; a call paid by it, by another run, by one that is gone."""
    documents = [
        {"id": id_, "title": f"{id_}的书名", "file_name": f"{id_}.md", "collection": "c", "version": 1, "pages": 3}
        for id_ in ("甲", "乙")
    ]
    manifest = {"set": {"cases": {}}, "corpus": {"hash": "h", "documents": documents}, "plan": PLAN, "arms": [ARM]}
    cases = [Case(id=id_, category="factual", question="问？", answerable=True) for id_ in ("q1", "q2")]
    folder = begun(tmp_path, manifest, cases)
    folder.answers().keep(
        [Record("V1", "q1", 0, turn("问？", "甲"), ""), Record("V1", "q2", 0, turn("问？", "乙"), "")]
    )
    for case, document in (("q1", "甲"), ("q2", "乙")):
        claims = (Claim("1", f"{document}的秘密", "yes", quote=f"{document}的秘密"),)
        folder.judgements().keep(("V1", case, 0), Judgement(claims))
    other = begun(tmp_path, manifest | {"corpus": {"hash": "", "documents": []}}, [])
    for payer in (folder.name, other.name, "gone"):
        Lines(tmp_path / CALLS).append({"key": payer, "run": payer, "model": "m", "pieces": []})
    (tmp_path / f"report-{folder.name}.md").write_text("甲的秘密")
    (tmp_path / "report.md").symlink_to(f"report-{folder.name}.md")
    return folder


def text(folder) -> str:
    return "".join(one.read_text() for one in sorted(folder.path.parent.rglob("*")) if one.is_file())


def test_only_the_text_of_the_document_goes(run):
    before = results(run)
    Forgetting(run.path.parent).forget({"甲"})
    left = text(run)
    assert "甲的" not in left
    assert "甲.md" not in left
    assert left.count("乙的秘密") > 3
    after = results(run)
    assert after.rows == before.rows
    assert [one.answer for one in after.outcomes] == ["", "乙的秘密[1]"]
    blanked = run.answers().record(("V1", "q1", 0)).turn
    assert (blanked.hits[0].ranks, blanked.hits[0].score, blanked.hits[0].chunk.id) == ({"vector": 1}, 0.5, "k-甲")
    assert (blanked.steps[0].seconds, blanked.steps[0].note, blanked.question) == (0.25, {"prompt_tokens": 7}, "问？")
    assert list(run.judgements().read()) == [("V1", "q2", 0)]
    assert not list(run.path.parent.glob("report*"))


def test_calls_of_other_runs_stay(run):
    Forgetting(run.path.parent).forget({"甲"})
    left = [row["run"] for row in Lines(run.path.parent / CALLS).read()]
    assert len(left) == 1
    assert left[0] not in {run.name, "gone"}


def test_a_second_document_goes_after_the_first(run):
    before, forgetting = results(run), Forgetting(run.path.parent)
    forgetting.forget({"甲"})
    forgetting.forget({"乙"})
    assert "的秘密" not in text(run)
    assert results(run).rows == before.rows
    assert run.blanked == ("乙", "甲")
    assert forgetting.holding({"甲", "乙"}) == []


def test_what_no_run_names_changes_nothing(run):
    before = text(run)
    Forgetting(run.path.parent).forget({"丙"})
    assert text(run) == before
    Forgetting(run.path.parent / "absent").forget({"甲"})


@pytest.mark.parametrize("at", range(6))
def test_a_crash_anywhere_is_finished_by_doing_it_again(run, monkeypatch, at):
    before, forgetting, real, calls = results(run).rows, Forgetting(run.path.parent), os.replace, 0

    def failing(source, target):
        nonlocal calls
        calls += 1
        if calls == at + 1:
            raise OSError("cut off")
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing)
        with pytest.raises(OSError, match="cut off"):
            forgetting.forget({"甲"})
    assert forgetting.holding({"甲"}) == [run.name]
    forgetting.forget({"甲"})
    assert "甲的" not in text(run)
    assert results(run).rows == before
    assert forgetting.holding({"甲"}) == []


@pytest.mark.parametrize("file", ["answers.jsonl", "judgements.jsonl"])
def test_a_damaged_file_goes_whole(run, file):
    with (run.path / file).open("a") as damaged:
        damaged.write("{甲的秘密\n{}\n")
    forgetting = Forgetting(run.path.parent)
    assert forgetting.holding({"甲"}) == [run.name]
    forgetting.forget({"甲"})
    assert "甲的" not in text(run)
    assert not (run.path / file).exists()
    assert forgetting.holding({"甲"}) == []


def test_a_run_that_says_nothing_of_its_documents_cannot_be_trusted(run):
    (run.path / "manifest.json").write_text("{")
    assert Forgetting(run.path.parent).holding({"丙"}) == [run.name]
    assert Forgetting(run.path.parent).named() == set()


@pytest.mark.parametrize("file", ["answers.jsonl", "judgements.jsonl", CALLS, "report"])
def test_text_that_comes_back_is_found(run, file):
    folder = run.path.parent
    there = {
        "report": folder / f"report-{run.name}.json",
        CALLS: folder / CALLS,
    }.get(file, run.path / file)
    planted = there.read_bytes() if there.exists() else b'{"manifest": {}}'
    forgetting = Forgetting(folder)
    forgetting.forget({"甲"})
    assert forgetting.holding({"甲"}) == []
    there.write_bytes(planted)
    assert forgetting.holding({"甲"}) == [run.name]
