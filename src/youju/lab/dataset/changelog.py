"""What changed between two states of a set, and the page beside it that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from youju.errors import InputError
from youju.lab.dataset.hashes import set_hash
from youju.lab.dataset.reading import load
from youju.lab.dataset.schema import Case
from youju.lab.dataset.writing import put, write

TITLE = "# 题目集的改动"


@dataclass(frozen=True, slots=True)
class Changed:
    """`fields` in the order of `Case`."""

    id: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """Ids in the order of the set they stand in; where a case stands in its set is no change.

    `hashes` and `counts` are of the old set and of the new one.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[Changed, ...]
    hashes: tuple[str, str]
    counts: tuple[int, int]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def changes(old: Sequence[Case], new: Sequence[Case]) -> Changes:
    """What `new` has that `old` has not, and the other way round, by id."""
    before, after = {case.id: case for case in old}, {case.id: case for case in new}
    both = [(before[id_], case) for id_, case in after.items() if id_ in before]
    return Changes(
        added=tuple(id_ for id_ in after if id_ not in before),
        removed=tuple(id_ for id_ in before if id_ not in after),
        changed=tuple(Changed(case.id, fields) for was, case in both if (fields := _differing(was, case))),
        hashes=(set_hash(old), set_hash(new)),
        counts=(len(old), len(new)),
    )


def entry(found: Changes, when: date, note: str = "") -> str:
    """The changes as a section of Markdown; a set whose hash stays says so: its figures are still comparable."""
    old, new = found.hashes
    moved = f"{old} → {new}" if old != new else f"{new}（不变，分数仍可比较）"
    said = [f"## {when.isoformat()}", "", f"{found.counts[0]} → {found.counts[1]} 题，哈希 {moved}"]
    said += ["", *(f"> {one}" for one in note.splitlines())] if note else []
    told = (("新增", found.added), ("删除", found.removed))
    lines = [f"- {word} {len(ids)} 题：{'、'.join(ids)}" for word, ids in told if ids]
    alike: dict[tuple[str, ...], list[str]] = {}
    for one in found.changed:
        alike.setdefault(one.fields, []).append(one.id)
    lines += [f"- 修改 {len(ids)} 题的 {'、'.join(fields)}：{'、'.join(ids)}" for fields, ids in alike.items()]
    return "\n".join([*said, "", *lines]) + "\n"


def changelog(path: Path) -> Path:
    """Where the changes of a set are told: `people.jsonl` → `people.CHANGELOG.md`."""
    return path.with_name(f"{path.stem}.CHANGELOG.md")


def update(cases: Sequence[Case], path: Path, when: date, note: str = "") -> Changes:
    """Write the set, and on top of its changelog what changed; nothing is written where nothing did.

    Args:
        cases: the whole set as it shall be.
        path: of the set; where there is none yet, every case is new.
        when: the day to write down.
        note: why, in words.

    Raises:
        InputError: what is there is no set, or a file cannot be written.
    """
    found = changes(load(path).cases if path.exists() else [], cases)
    if not found:
        return found
    page = changelog(path)
    try:
        told = page.read_text(encoding="utf-8").removeprefix(TITLE).strip() if page.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"读不了 {page}", remedy="应为 UTF-8 的 Markdown 文件", code="unreadable") from error
    write(cases, path)
    put(page, "\n".join([TITLE, "", entry(found, when, note), *([f"{told}\n"] if told else [])]))
    return found


def _differing(old: Case, new: Case) -> tuple[str, ...]:
    return tuple(name for name in Case.model_fields if getattr(old, name) != getattr(new, name))
