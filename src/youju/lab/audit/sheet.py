"""The sheet on which people look at a sample: written as CSV for a spreadsheet, and read back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from youju.errors import InputError
from youju.lab.audit.corpus import Corpus
from youju.lab.audit.named import places
from youju.lab.audit.sampling import Acceptance, accepted
from youju.lab.dataset import Case
from youju.lab.dataset.hashes import case_hash
from youju.text.align import best_span

FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
AROUND, SHOWN = 120, 1200  # characters of a page beside the evidence; of all pages together
GOOD, BAD = frozenset({"对", "正确", "√", "✓"}), frozenset({"错", "有错", "错误", "×", "✗"})
HEAD = ("编号", "校验", "类别", "题目", "可答", "期望文档", "关键词", "要点", "参考答案", "证据", "原文摘录",
        "结论（对/错）", "错在哪里", "复核人")  # fmt: skip
ID, HASH, VERDICT = HEAD[0], HEAD[1], HEAD[11]


def written(cases: Sequence[Case], corpus: Corpus) -> bytes:
    """The sheet of these cases: UTF-8 with BOM, one row a case; no cell can be taken for a formula."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(HEAD)
    for case in cases:
        rows.writerow([_safe(cell) for cell in _cells(case, corpus)])
    return out.getvalue().encode("utf-8-sig")


def read_back(data: bytes, cases: Sequence[Case]) -> Acceptance:
    """What the filled sheet proves of the set `cases`. Rows without a verdict are not seen.

    Raises:
        InputError: no such sheet, an unknown verdict or id, an id twice, or a case that has changed since.
    """
    known = {case.id: case for case in cases}
    seen: dict[str, bool] = {}
    for number, row in enumerate(_rows(data), start=2):
        id_, verdict = _bare(row.get(ID) or ""), (row.get(VERDICT) or "").strip()
        if not verdict:
            continue
        if verdict not in GOOD | BAD:
            raise _wrong(f"第 {number} 行的结论 {verdict!r} 看不懂", "请填“对”或“错”，没看的留空")
        if id_ not in known or id_ in seen:
            raise _wrong(f"第 {number} 行的编号 {id_!r} 不在题目集里或出现两次", "请用这份题目集导出的抽样表")
        if _bare(row.get(HASH) or "") != case_hash(known[id_]):
            raise _wrong(f"第 {number} 行的题目 {id_} 在导出之后改过", "请重新导出抽样表，复核改过的题")
        seen[id_] = verdict in GOOD
    return accepted(sum(not good for good in seen.values()), len(seen), len(cases))


def _rows(data: bytes) -> Iterator[dict[str, str]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("gb18030", "replace")  # how a Chinese spreadsheet saves CSV
    rows = csv.DictReader(io.StringIO(text, newline=""))
    if not {ID, HASH, VERDICT} <= set(rows.fieldnames or ()):
        raise _wrong(f"抽样表缺少列 {ID}、{HASH} 或 {VERDICT}", "请不要改动表头，并存成 CSV")
    return iter(rows)


def _wrong(message: str, remedy: str) -> InputError:
    return InputError(message, remedy=remedy, code="bad_sheet")


def _cells(case: Case, corpus: Corpus) -> tuple[str, ...]:
    return (
        case.id,
        case_hash(case),
        case.category,
        case.question,
        "可答" if case.answerable else "不可答",
        "；".join("或".join(group) for group in case.expected_docs),
        "；".join("或".join(group) for group in case.expected_keywords),
        "\n".join(fact.text for fact in case.key_facts),
        case.reference_answer,
        "\n".join(f"《{one.doc}》{'、'.join(map(str, one.pages))}：{one.text}" for one in case.evidence),
        _excerpt(case, corpus),
        "",
        "",
        "",
    )


def _excerpt(case: Case, corpus: Corpus) -> str:
    """The named pages around the evidence."""
    found: list[str] = []
    for page in places(case, corpus):
        spans = [span for one in case.evidence if (span := best_span(one.text, page.text)[0]).end]
        if spans:
            start, end = min(span.start for span in spans), max(span.end for span in spans)
            found.append(page.text[max(0, start - AROUND) : end + AROUND])
    return "\n…\n".join(dict.fromkeys(found))[:SHOWN]


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.lstrip(" \n").startswith(FORMULA) else cell


def _bare(cell: str) -> str:
    return cell.strip().removeprefix("'")
