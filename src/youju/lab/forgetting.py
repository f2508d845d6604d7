"""The texts of documents that are deleted leave the runs of a store; what was measured of them stays."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from youju.errors import StoreError
from youju.lab.lines import Lines
from youju.lab.runs import CALLS, Folder, reports, runs

Json = dict[str, Any]
CHUNK: Mapping[str, object] = {
    **dict.fromkeys(("text", "book", "label_start", "label_end", "locator"), ""),
    **dict.fromkeys(("section", "places", "boxes"), ()),
}
"""The fields of a chunk whose document is gone."""
TURN: Mapping[str, object] = {
    **dict.fromkeys(("history", "queries", "sources", "verdicts", "removed_markers"), ()),
    "notes": {},
    "confidence": None,
}
"""The fields of a turn that may repeat what such a chunk said, and no figure is made of any more."""


@dataclass(frozen=True)
class Forgetting:
    """Args: the folder of runs, which need not be there."""

    folder: Path

    def named(self) -> set[str]:
        """The ids of the documents that runs answered from."""
        return {id_ for one in runs(self.folder) for id_ in _documents(one)}

    def forget(self, document_ids: Collection[str]) -> None:
        """Empty what runs hold of the text of these documents. Safe to repeat: a crash in between loses no figure.

        Ids, ranks, scores and times stay. A run whose files cannot be read loses them.
        """
        touched = [one for one in runs(self.folder) if _documents(one) & set(document_ids)]
        for one in touched:
            blank(one, document_ids)
        if touched:
            self._drop_calls({one.name for one in touched})

    def holding(self, document_ids: Collection[str]) -> list[str]:
        """The names of runs that still have text of these documents, or of which that cannot be known."""
        gone = set(document_ids)
        named = [one for one in runs(self.folder) if not _readable(one) or _documents(one) & gone]
        paid = _payers(self.folder / CALLS) if named else set()
        return [one.name for one in named if one.name in paid or _holds(one, gone)]

    def _drop_calls(self, names: set[str]) -> None:
        """Answers that these runs paid for go, and those of runs that are gone: nobody knows what they rest on."""
        kept = {one.name for one in runs(self.folder)} - names
        _rewrite(self.folder / CALLS, lambda rows: (row for row in rows if row.get("run") in kept))


def blank(folder: Folder, document_ids: Collection[str]) -> None:
    """`Forgetting.forget` for one run, without the answers of paid models that it shares with others."""
    before = folder.manifest
    gone = {*document_ids} & _documents(folder)
    if not folder.blanked:
        # First the figures: once a text is gone, they can no longer be made of it.
        folder.keep_rows(_figures(folder))
    every = sorted({*folder.blanked, *gone})
    documents = [one | ({"title": "", "file_name": ""} if one["id"] in gone else {}) for one in _listed(before)]
    corpus = before["corpus"] | {"documents": documents}
    folder.describe(before | {"corpus": corpus, "blanked": every, "blanking": True})
    chunks, apart = _parted(folder, gone)
    _rewrite(folder.path / "answers.jsonl", lambda rows: (_emptied(row, chunks) for row in rows))
    _rewrite(folder.path / "judgements.jsonl", lambda rows: (row for row in rows if _key(row) in apart))
    (folder.path / CALLS).unlink(missing_ok=True)
    for one in reports(folder.path.parent, folder.name):
        one.unlink(missing_ok=True)
    folder.describe({name: value for name, value in folder.manifest.items() if name != "blanking"})


def _figures(folder: Folder) -> Mapping[str, object]:
    from youju.lab.assembling import results  # noqa: PLC0415 - brings numbers that deleting seldom needs
    from youju.lab.freezing import frozen  # noqa: PLC0415

    try:
        return frozen(results(folder))
    except (StoreError, ValueError, LookupError, TypeError):
        return {"rows": [], "outcomes": []}


def _holds(folder: Folder, gone: set[str]) -> bool:
    if not _readable(folder):
        return True
    manifest = folder.manifest
    if "blanking" in manifest or (_documents(folder) & gone) - set(folder.blanked) or _stale(folder):
        return True
    try:
        chunks, apart = _parted(folder, gone)
        answers = list(Lines(folder.path / "answers.jsonl").read())
        judged = {_key(row) for row in Lines(folder.path / "judgements.jsonl").read()}
    except StoreError:
        return True
    return bool(judged - apart) or any(_plain(row) != _plain(_emptied(row, chunks)) for row in answers)


def _stale(folder: Folder) -> bool:
    """Whether there is a report from before the last document went."""
    file = folder.path.parent / f"report-{folder.name}.json"
    try:
        told = json.loads(file.read_text(encoding="utf-8"))["manifest"].get("blanked", [])
    except FileNotFoundError:
        return False
    except (OSError, ValueError, LookupError):
        return True
    return bool(told != list(folder.blanked))


def _parted(folder: Folder, gone: set[str]) -> tuple[set[str], set[tuple[str, str, int]]]:
    """The chunks of these documents in the run, and the turns that saw none. Nothing of a file that is damaged."""
    try:
        rows = list(Lines(folder.path / "answers.jsonl").read())
    except StoreError:
        return set(), set()
    every = {id_: chunk for row in rows for id_, chunk in row.get("chunks", {}).items()}
    chunks = {id_ for id_, chunk in every.items() if chunk["document_id"] in gone}
    turns = [row for row in rows if "turn" in row]
    # Of a turn that was asked again one line may have seen more than the other.
    return chunks, {_key(row) for row in turns} - {_key(row) for row in turns if _saw(row["turn"], chunks)}


def _emptied(row: Json, chunks: set[str]) -> Json:
    """A line of the answers without texts of these chunks, and without what was made of them."""
    if "chunks" in row:
        return {"chunks": {id_: one | (CHUNK if id_ in chunks else {}) for id_, one in row["chunks"].items()}}
    if not _saw(row["turn"], chunks):
        return row
    turn: Json = row["turn"] | TURN
    turn["question"] = turn["asked"]
    turn["context"] = [item | {"text": ""} for item in turn["context"]]
    if turn["answer"]:
        turn["answer"] = turn["answer"] | {"text": "", "statements": []}
    if turn["grade"]:
        turn["grade"] = turn["grade"] | {"reasons": []}
    turn["steps"] = [_silent(step) for step in turn["steps"]]
    return row | {"turn": turn}


def _plain(row: Json) -> str:
    return json.dumps(row, sort_keys=True)


def _silent(step: Json) -> Json:
    figures = {name: one for name, one in step["note"].items() if isinstance(one, int | float)}
    return step | {"note": figures, "inner": [_silent(one) for one in step["inner"]]}


def _saw(value: object, chunks: set[str]) -> bool:
    if isinstance(value, str):
        return value in chunks
    inner: Iterable[object] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_saw(one, chunks) for one in inner)


def _rewrite(file: Path, change: Callable[[Iterator[Json]], Iterator[Json]]) -> None:
    """Put the changed rows in the place of the file at once; one that is damaged goes."""
    if not file.exists():
        return
    half = file.with_suffix(".half")
    half.unlink(missing_ok=True)
    half.touch()
    try:
        Lines(half).append(*change(Lines(file).read()))
        os.replace(half, file)  # noqa: PTH105 - the call that is atomic by its contract
    except StoreError:
        file.unlink()
        half.unlink()


def _payers(file: Path) -> set[str]:
    try:
        return {str(row.get("run")) for row in Lines(file).read()}
    except StoreError:
        return set()


def _readable(folder: Folder) -> bool:
    try:
        return bool(folder.manifest)
    except StoreError:
        return False


def _listed(manifest: Mapping[str, Any]) -> list[Json]:
    return list(manifest.get("corpus", {}).get("documents", []))


def _documents(folder: Folder) -> set[str]:
    return {one["id"] for one in _listed(folder.manifest)} if _readable(folder) else set()


def _key(row: Mapping[str, Any]) -> tuple[str, str, int]:
    return row.get("arm", ""), row.get("case", ""), row.get("repeat", 0)
