"""Verdicts for people to check: a sheet that tells neither arm nor verdict, and the way back."""

from __future__ import annotations

import csv
import hashlib
import io
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from youju.errors import InputError
from youju.lab.judge.tasks import shown
from youju.lab.judgement import Claim, YesNo
from youju.lab.seen import Seen

COLUMNS = ("编号", "问题", "论断", "资料", "结论", "备注")
ID, LABEL = COLUMNS[0], COLUMNS[4]
SAID: Mapping[YesNo, tuple[str, ...]] = {
    "yes": ("yes", "y", "1", "有依据", "是"),
    "no": ("no", "n", "0", "没有依据", "无依据", "否"),
    "unknown": ("unknown", "u", "?", "？", "无法判断", "不确定"),
}
CHOICES: Mapping[str, YesNo] = {word: verdict for verdict, words in SAID.items() for word in words}
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


@dataclass(frozen=True, slots=True)
class Item:
    """A judged claim. `id` says nothing of the arm; it changes with the claim's text."""

    id: str
    arm: str
    category: str
    question: str
    claim: Claim
    context: tuple[tuple[int, str], ...]


def items(arm: str, repeat: int, seen: Seen) -> tuple[Item, ...]:
    """The judged claims of one answer; none where there is no context to hold them against."""
    claims = seen.judgement.claims if seen.judgement else None
    context = tuple(shown(seen.turn.context))
    if not claims or not context:
        return ()
    case = seen.case
    # A letter first: spreadsheets take 12e45 for a number.
    named = [("k" + hashlib.sha256(_key(arm, case.id, repeat, one)).hexdigest()[:12], one) for one in claims]
    return tuple(Item(id_, arm, case.category, case.question, one, context) for id_, one in named)


def draw(known: Sequence[Item], wanted: int, seed: int) -> list[Item]:
    """A sample of `wanted`, in random order, in which each arm × verdict × category has its share.

    Shares are proportional, the rest goes to the largest remainders (ties by lot), so that the sample stands for all
    without weights. All of them where there are no more than `wanted`.
    """
    lot = random.Random(seed)  # noqa: S311 - a seeded draw, no secret
    strata: dict[tuple[str, str, str], list[Item]] = defaultdict(list)
    for item in sorted(known, key=lambda one: one.id):
        strata[item.arm, item.claim.founded, item.category].append(item)
    wanted = min(wanted, len(known))
    exact = {name: wanted * len(group) / len(known) for name, group in strata.items()}
    sizes = {name: int(share) for name, share in exact.items()}
    behind = sorted(strata, key=lambda name: (sizes[name] - exact[name], lot.random()))
    for name in behind[: wanted - sum(sizes.values())]:
        sizes[name] += 1
    drawn = [item for name, group in strata.items() for item in lot.sample(group, sizes[name])]
    lot.shuffle(drawn)
    return drawn


def sheet(drawn: Sequence[Item]) -> bytes:
    """A CSV for people to fill in: UTF-8 with BOM, as spreadsheets want it; no cell can be taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for item in drawn:
        context = "\n\n".join(f"[{n}] {text}" for n, text in item.context)
        writer.writerow([_harmless(one) for one in (item.id, item.question, item.claim.text, context, "", "")])
    return out.getvalue().encode("utf-8-sig")


def read_labels(data: bytes, known: Sequence[Item]) -> dict[str, YesNo]:
    """What people said, by id; rows without a label are left out.

    Raises:
        InputError: with the line: no such column, an unknown id, a label outside of the choices, an id twice.
    """
    labels: dict[str, YesNo] = {}
    ids = {item.id for item in known}
    for line, row in _rows(_decoded(data)):
        id_, said = (row.get(ID) or "").strip().removeprefix("'"), (row.get(LABEL) or "").strip().lower()
        if not said:
            continue
        if id_ not in ids:
            raise _wrong(line, f"编号 {id_!r} 不在这次运行里", "请用同一次运行导出的表，不要改动编号一列")
        if said not in CHOICES:
            raise _wrong(line, f"结论 {said!r} 不认识", "请填 有依据、没有依据 或 无法判断")
        if id_ in labels:
            raise _wrong(line, f"编号 {id_!r} 出现了两次", "请只留一行")
        labels[id_] = CHOICES[said]
    return labels


def _rows(text: str) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Each row with the line on which it begins."""
    reader = csv.DictReader(io.StringIO(text, newline=""))
    lacking = [name for name in (ID, LABEL) if name not in (reader.fieldnames or ())]
    if lacking:
        raise _wrong(1, f"缺少“{'、'.join(lacking)}”一列", "请用导出的表，以逗号分隔的 CSV 保存")
    begins = reader.line_num + 1
    try:
        for row in reader:
            yield begins, row
            begins = reader.line_num + 1
    except csv.Error as error:
        raise _wrong(begins, "不是有效的 CSV", "请以逗号分隔的 CSV 重新保存") from error


def _decoded(data: bytes) -> str:
    # Chinese spreadsheets save CSV in the system's own encoding.
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise InputError("标注表的编码无法识别", remedy="请以 UTF-8 编码的 CSV 重新保存", code="bad_labels")


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _key(arm: str, case_id: str, repeat: int, claim: Claim) -> bytes:
    return "\x00".join((arm, case_id, str(repeat), claim.id, claim.text)).encode("utf-8", "surrogatepass")


def _wrong(line: int, message: str, remedy: str) -> InputError:
    return InputError(f"标注表第 {line} 行：{message}", remedy=remedy, code="bad_labels")
