"""Small runs for the tests of what comes after the measuring: one line an arm, one figure a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from youju.lab.dataset import Case
from youju.lab.results import ArmInfo, MeasureInfo, Outcome, Results, Row
from youju.lab.score import Score, error, not_applicable, ok

Figure = float | str | None
"""A value, "!" for an error, None for not applicable."""

HIT = MeasureInfo("hit@5", "前 5 条命中", "retrieval", binary=True)
MRR = MeasureInfo("mrr", "首个命中的倒数名次", "retrieval")
RANGE = MeasureInfo("pages_in_range", "页码在文档之内", "checks", binary=True, gate="hard")
ATTACK = MeasureInfo("attack_success", "注入得逞", "injection", better="lower", binary=True, gate="hard")
NOISE = MeasureInfo("noise", "噪声敏感度", "answer", better="lower")
TOLD = MeasureInfo("faithfulness", "忠实度", "judge")
SECONDS = MeasureInfo("seconds", "用时", "cost", better="lower", unit="s")
LENGTH = MeasureInfo("length", "答案长度", "answer", better="neither", unit="chars", gate="none")


def score(figure: Figure) -> Score:
    if isinstance(figure, str):
        return error("crashed")
    return not_applicable("no gold") if figure is None else ok(figure)


def case(number: int, document: str = "", category: str = "factual") -> Case:
    return Case.model_validate(
        {
            "id": f"q{number:03}",
            "category": category,
            "question": f"第 {number} 问？",
            "answerable": True,
            "expected_docs": [document] if document else [],
        }
    )


def about(cases: Sequence[Case], name: str = "set-1") -> dict[str, object]:
    return {"hash": name, "cases": {one.id: f"hash of {one.question}" for one in cases}}


def run(
    arms: Mapping[str, Mapping[MeasureInfo, Sequence[Figure]]],
    *,
    infos: Sequence[ArmInfo] = (),
    cases: Sequence[Case] = (),
    answers: Mapping[str, str] | None = None,
    manifest: Mapping[str, object] | None = None,
    judge: Mapping[str, object] | None = None,
) -> Results:
    """A complete run of one repeat; `answers`: arm → what it says to everything, its own name unless given."""
    columns = [column for measures in arms.values() for column in measures.values()]
    cases = cases or [case(number) for number in range(len(columns[0]))]
    said = answers or {}
    return Results(
        manifest={"set": about(cases)} | dict(manifest or {}),
        cases=tuple(cases),
        arms=tuple(infos or (ArmInfo(name, name) for name in arms)),
        measures=tuple(dict.fromkeys(info for measures in arms.values() for info in measures)),
        rows=tuple(
            Row(arm, one.id, 0, info.name, score(figure))
            for arm, measures in arms.items()
            for info, column in measures.items()
            for one, figure in zip(cases, column, strict=True)
        ),
        outcomes=tuple(
            Outcome(arm, one.id, 0, answer=said.get(arm, arm), refusal="", seconds=1.0) for arm in arms for one in cases
        ),
        judge=judge or {},
    )
