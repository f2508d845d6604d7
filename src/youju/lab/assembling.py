"""What is on the disk of a run → its figures. Nothing is asked: a run can be measured again at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from youju.lab.causes import cause
from youju.lab.dataset import Case
from youju.lab.freezing import thawed
from youju.lab.measures.registry import MEASURES, measured
from youju.lab.plan import Measuring
from youju.lab.results import ArmInfo, Family, Outcome, Results, Row
from youju.lab.runner import Record, spent
from youju.lab.runs import Answers, Folder, Key
from youju.lab.seen import Material, Seen, walked

ANSWERED: tuple[Family, ...] = (
    *("retrieval", "checks", "answer", "citation", "consistency", "refusal", "injection", "cost"),
)
FAMILIES: Mapping[Measuring, tuple[Family, ...]] = {
    "retrieval": ("retrieval",),
    "answers": ANSWERED,
    "full": (*ANSWERED, "judge"),
}
"""What is measured of a run that only searched, that answered, and that was judged."""


def results(folder: Folder) -> Results:
    """The figures of a run: every arm that worked × case × repeat × measure.

    A run that was cut off counts the cases that every arm has answered in every repeat.
    """
    manifest = folder.manifest
    if "blanked" in manifest:
        return _frozen(folder, manifest)
    judgements = folder.judgements().read()
    seens = {key: replace(seen, judgement=judgements.get(key)) for key, seen in sights(folder, folder.cases()).items()}
    arms = tuple(_arm(row) for row in manifest["arms"])
    cases = [case for case in folder.cases() if any(key[1] == case.id for key in seens)]
    asked = [one for one in MEASURES if one.info.family in FAMILIES[manifest["plan"]["measuring"]]]
    rows = [Row(*key, one.info.name, score) for key, seen in seens.items() for one, score in measured(seen, asked)]
    return Results(
        manifest,
        tuple(cases),
        arms,
        tuple(one.info for one in asked),
        tuple(rows),
        tuple(_outcome(key, seen) for key, seen in seens.items()),
        folder.timing(),
        manifest.get("judge", {}),
    )


def _frozen(folder: Folder, manifest: Mapping[str, Any]) -> Results:
    """The figures as they were before texts left the run; answers that are still there are shown."""
    rows, outcomes = thawed(folder.rows())
    answers, names, asked = folder.answers(), {one.measure for one in rows}, {one.case_id for one in outcomes}
    return Results(
        manifest,
        tuple(case for case in folder.cases() if case.id in asked),
        tuple(_arm(row) for row in manifest["arms"]),
        tuple(one.info for one in MEASURES if one.info.name in names),
        rows,
        tuple(replace(one, answer=_said(answers, one)) for one in outcomes),
        folder.timing(),
        manifest.get("judge", {}),
    )


def _said(answers: Answers, one: Outcome) -> str:
    key = (one.arm, one.case_id, one.repeat)
    turn = answers.record(key).turn if key in answers.packed else None
    return turn.answer.text if turn and turn.answer and turn.refusal is None else ""


def sights(folder: Folder, cases: Sequence[Case]) -> dict[Key, Seen]:
    """What measures see of a run, by arm, case and repeat: the cases that all arms and repeats have."""
    manifest, answers = folder.manifest, folder.answers()
    documents = {row["id"]: Material(**row) for row in manifest["corpus"]["documents"]}
    able = {row["name"]: row["retrieves"] for row in manifest["arms"] if not row["missing"]}
    repeats = range(int(manifest["plan"]["repeats"]))
    keys = {case.id: [(arm, case.id, repeat) for arm in able for repeat in repeats] for case in cases}
    whole = [case for case in cases if all(key in answers.packed for key in keys[case.id])]
    return {
        key: _seen(case, answers.record(key), documents, retrieves=able[key[0]])
        for case in whole
        for key in keys[case.id]
    }


def _seen(case: Case, record: Record, documents: dict[str, Material], *, retrieves: bool) -> Seen:
    return Seen(case, record.turn, documents, retrieves=retrieves, broke=record.broke)


def _arm(row: dict[str, Any]) -> ArmInfo:
    return ArmInfo(**row | {"adds": tuple(row["adds"]), "removes": tuple(row["removes"])})


def _outcome(key: Key, seen: Seen) -> Outcome:
    turn = seen.turn
    stages = spent(turn)
    notes = [step.note for step in walked(turn.steps)]
    return Outcome(
        *key,
        answer=seen.answer,
        refusal=turn.refusal or "",
        seconds=sum(stages.values()),
        error=seen.broke,
        cause=cause(seen),
        degradations=tuple(dict.fromkeys(f"{mark.part}:{mark.reason}" for mark in turn.degradations)),
        stages=tuple(stages.items()),
        prompt_tokens=_sum(notes, "prompt_tokens"),
        completion_tokens=_sum(notes, "completion_tokens"),
        probability=turn.grade.features.get("probability") if turn.grade else None,
    )


def _sum(notes: Sequence[Mapping[str, object]], name: str) -> int:
    return sum(value for note in notes if isinstance(value := note.get(name), int))
