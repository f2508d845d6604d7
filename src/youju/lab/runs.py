"""Runs on the disk: a folder each, of files that only grow, and the reports beside them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from youju.errors import InputError, NotFoundError, StoreError
from youju.lab.dataset import Case
from youju.lab.judgement import Judgement
from youju.lab.lines import Lines
from youju.lab.runner import Record
from youju.lab.turns import Chunks

Key = tuple[str, str, int]
PREFIX = "run-"
CALLS = "calls.jsonl"
"""The answers of paid models, beside the runs; in the folder of a run that shares none."""
_JUDGEMENT: TypeAdapter[Judgement] = TypeAdapter(Judgement)


@dataclass(frozen=True)
class Folder:
    """One run: `manifest.json`, `set.jsonl`, `answers.jsonl`, `judgements.jsonl`, `timing.json`."""

    path: Path

    @property
    def name(self) -> str:
        """The moment it began, as in the names of its reports."""
        return self.path.name.removeprefix(PREFIX)

    @property
    def manifest(self) -> dict[str, Any]:
        """What the run is.

        Raises:
            StoreError: it is damaged.
        """
        return _read(self.path / "manifest.json")

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do; a run that its bound of cost stopped may go on under a higher one."""
        manifest = self.manifest
        return bool(manifest.get("finished_at")) and not manifest.get("stopped")

    @property
    def blanked(self) -> tuple[str, ...]:
        """The ids of documents whose texts left the run; its figures are then those of `rows`."""
        return tuple(self.manifest.get("blanked", ()))

    def describe(self, manifest: Mapping[str, object]) -> None:
        """Put the manifest in the place of the one before, at once."""
        _write(self.path / "manifest.json", json.dumps(manifest, ensure_ascii=False, indent=1))

    def cases(self) -> list[Case]:
        return [Case.model_validate(row) for row in Lines(self.path / "set.jsonl").read()]

    def answers(self) -> Answers:
        return Answers.opened(Lines(self.path / "answers.jsonl"))

    def judgements(self) -> Judgements:
        return Judgements(Lines(self.path / "judgements.jsonl"))

    @property
    def frozen(self) -> bool:
        """Whether texts leave it, or have left it; cheaper than `blanked`, and true a moment before."""
        return (self.path / "rows.json").exists()

    def rows(self) -> dict[str, Any]:
        """As `freezing.frozen` gave it."""
        return _read(self.path / "rows.json")

    def keep_rows(self, rows: Mapping[str, object]) -> None:
        _write(self.path / "rows.json", json.dumps(rows, ensure_ascii=False))

    def timing(self) -> dict[str, dict[str, tuple[float, ...]]]:
        """As `runner.timed` gave it; empty where no such pass was made."""
        file = self.path / "timing.json"
        found = _read(file) if file.exists() else {}
        return {arm: {stage: tuple(each) for stage, each in stages.items()} for arm, stages in found.items()}

    def keep_timing(self, timing: Mapping[str, Mapping[str, Sequence[float]]]) -> None:
        _write(self.path / "timing.json", json.dumps(timing, ensure_ascii=False))


@dataclass
class Answers:
    """The records of a run by arm, case and repeat; a later one of the same key counts."""

    lines: Lines
    chunks: Chunks
    packed: dict[Key, dict[str, Any]]

    @classmethod
    def opened(cls, lines: Lines) -> Answers:
        found = cls(lines, Chunks(), {})
        for row in lines.read():
            if "chunks" in row:
                found.chunks.known |= row["chunks"]
            else:
                found.packed[row["arm"], row["case"], row["repeat"]] = row
        return found

    @property
    def done(self) -> frozenset[Key]:
        """What need not be asked again: everything that did not end with an error."""
        return frozenset(key for key, row in self.packed.items() if not row["broke"])

    def keep(self, records: Sequence[Record]) -> None:
        """On the disk when this returns."""
        with self.lines.alone:
            # A chunk stands in the file before the first turn that names it.
            self.lines.append(*(row for one in records for row in self._rows(one)))

    def _rows(self, one: Record) -> list[dict[str, Any]]:
        turn, new = self.chunks.packed(one.turn)
        row = {"arm": one.arm, "case": one.case_id, "repeat": one.repeat, "broke": one.broke, "turn": turn}
        self.packed[one.arm, one.case_id, one.repeat] = row
        return [{"chunks": new}, row] if new else [row]

    def record(self, key: Key) -> Record:
        """The record of an arm, case and repeat.

        Raises:
            KeyError: there is none.
        """
        row = self.packed[key]
        return Record(*key, self.chunks.turn(row["turn"]), row["broke"])


@dataclass(frozen=True)
class Judgements:
    lines: Lines

    def read(self) -> dict[Key, Judgement]:
        rows = self.lines.read()
        return {(r["arm"], r["case"], r["repeat"]): _JUDGEMENT.validate_python(r["judgement"]) for r in rows}

    def keep(self, key: Key, judgement: Judgement) -> None:
        arm, case, repeat = key
        self.lines.append({"arm": arm, "case": case, "repeat": repeat, "judgement": asdict(judgement)})


def begun(out: Path, manifest: Mapping[str, object], cases: Sequence[Case]) -> Folder:
    """A new run in `out`, which is made where it is not.

    Raises:
        InputError: the folder cannot be written.
    """
    # Beyond a second, so that names stay in the order of time.
    folder = Folder(out / f"{PREFIX}{datetime.now(UTC).strftime('%Y%m%d-%H%M%S-%f')}")
    try:
        folder.path.mkdir(parents=True)
        Lines(folder.path / "set.jsonl").append(*(case.model_dump(mode="json") for case in cases))
        folder.describe(manifest)
    except OSError as error:
        raise InputError(
            f"无法写入评测文件夹 {out}：{error.strerror}", remedy="请检查 --out 的位置与权限", code="unwritable"
        ) from error
    return folder


def runs(out: Path) -> list[Folder]:
    """The runs of a folder, oldest first."""
    found = sorted(out.glob(f"{PREFIX}*/manifest.json"), key=lambda file: (file.stat().st_mtime_ns, file.parent.name))
    return [Folder(file.parent) for file in found]


def reports(out: Path, name: str) -> list[Path]:
    """The files of a run's report, and links that would lead nowhere without them; copies may be of any run."""
    beside, mine = out.glob("report.*"), f"report-{name}."
    links = [one for one in beside if not one.is_symlink() or one.readlink().name.startswith(mine)]
    return [*out.glob(f"report-{name}.*"), *links]


def found(reference: Path) -> Folder:
    """The run that a path names: its own folder, its report (.json or .md), or the newest in a folder of runs.

    Raises:
        NotFoundError: there is none.
    """
    if (reference / "manifest.json").is_file():
        return Folder(reference)
    if reference.is_dir() and (there := runs(reference)):
        return there[-1]
    real = reference.resolve()
    if real.name.startswith("report-"):
        beside = real.parent / f"{PREFIX}{real.name.removeprefix('report-').split('.')[0]}"
        if (beside / "manifest.json").is_file():
            return Folder(beside)
    raise NotFoundError(
        f"这里没有评测运行：{reference}", remedy="请给出 youju eval run 的 --out 文件夹，或其中的一次运行"
    )


def _read(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"{file} 已损坏", remedy="请删除这次运行后重跑", code="run_damaged") from error
    return found


def _write(file: Path, text: str) -> None:
    half = file.with_suffix(".half")
    half.write_text(text, encoding="utf-8")
    os.replace(half, file)  # noqa: PTH105 - the call that is atomic by its contract
