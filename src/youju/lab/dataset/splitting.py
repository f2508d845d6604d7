"""The two halves of a set: one to choose settings on, one to tell how good the choice is."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

from youju.errors import InputError
from youju.lab.dataset.schema import Case
from youju.text.normal import fold

Side = Literal["dev", "test"]
SIDES: tuple[Side, ...] = get_args(Side)


def split(cases: Sequence[Case], seed: int, dev: float = 0.5) -> list[Case]:
    """The same cases, in their order, each with its split; all cases of a document are on one side.

    Two names are the same document if one is part of the other, and a case of several documents ties them together.
    Cases without a document go where they balance the categories. A case that has a split keeps it, and takes the
    others of its documents with it, so that a set that grows does not move what settings were chosen on. The order of
    `cases` does not matter.

    Args:
        cases: of the whole set.
        seed: another gives another assignment, as far as the documents allow.
        dev: the share to aim at for "dev", between 0 and 1.

    Raises:
        InputError: the documents hang together so that one side stays empty, or cases that hang together have different
            splits.
    """
    if not 0 < dev < 1:
        raise InputError(f"dev 的比例应在 0 与 1 之间：{dev}", remedy="例如 0.5", code="bad_split")
    groups = sorted(_together(cases), key=lambda group: (len(group) == 1, _draw(seed, group)))
    wanted = Counter[str](case.category for case in cases)
    counts: Mapping[Side, Counter[str]] = {side: Counter() for side in SIDES}
    shares: Mapping[Side, float] = {"dev": dev, "test": 1 - dev}
    sides: dict[str, Side] = {}
    for pinned in (True, False):
        for group in groups:
            fixed = _fixed(group)
            if bool(fixed) is not pinned:
                continue
            new = Counter[str](case.category for case in group)
            costs = {one: _excess(counts[one], new, wanted, shares[one]) for one in SIDES}
            side: Side = fixed or ("dev" if costs["dev"] <= costs["test"] else "test")
            counts[side].update(new)
            sides |= {case.id: side for case in group}
    if len(cases) > 1 and len(set(sides.values())) < len(SIDES):
        raise InputError(
            "题目所属的文档都连在一起，无法按文档分成两半",
            remedy="请加入其他文档的题目，或手工填写 split",
            code="bad_split",
        )
    return [case.model_copy(update={"split": sides[case.id]}) for case in cases]


def documents(case: Case) -> frozenset[str]:
    """The names of documents that a case speaks of, folded."""
    named = {one.doc for one in case.evidence} | {one for group in case.expected_docs for one in group}
    near = {case.near.doc} if case.near else set()
    return frozenset(fold(one) for one in named | near | set(case.document_ids)) - {""}


def _together(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """The cases in groups that share no document."""
    named = {case.id: sorted(documents(case)) for case in cases}
    root = _tied([*named.values(), *_alike({name for names in named.values() for name in names})])
    groups: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in cases:
        names = named[case.id]
        groups[("document", root[names[0]]) if names else ("case", case.id)].append(case)
    yield from groups.values()


def _alike(names: set[str]) -> Iterator[list[str]]:
    """Each name with those that are part of it."""
    sizes = {len(one) for one in names}
    for name in names:
        # By size and place: comparing every two names takes a minute where there are twenty thousand.
        parts = {name[at : at + size] for size in sizes if size < len(name) for at in range(len(name) - size + 1)}
        yield [name, *sorted(parts & names)]


def _tied(sets: Sequence[Sequence[str]]) -> dict[str, str]:
    """For each name one that stands for all it hangs together with."""
    root = {name: name for names in sets for name in names}

    def top(name: str) -> str:
        while root[name] != name:
            root[name] = name = root[root[name]]
        return name

    for first, *others in filter(None, sets):
        for other in others:
            low, high = sorted((top(first), top(other)))
            root[high] = low
    return {name: top(name) for name in root}


def _fixed(group: Sequence[Case]) -> Side | None:
    said = {case.split: case.id for case in group if case.split}
    if len(said) > 1:
        raise InputError(
            f"{'、'.join(said.values())} 用到同一份文档，却在不同的划分里",
            remedy="请改成同一个 split，或都清空",
            code="bad_split",
        )
    return next((one for one in SIDES if one in said), None)


def _excess(have: Counter[str], new: Counter[str], wanted: Counter[str], share: float) -> float:
    """How far a side would be above what it should have; less is better."""
    return sum((have[name] + n / 2 - share * wanted[name]) * n / (share * wanted[name]) for name, n in new.items())


def _draw(seed: int, group: Sequence[Case]) -> str:
    return hashlib.sha256(f"{seed} {min(case.id for case in group)}".encode()).hexdigest()
