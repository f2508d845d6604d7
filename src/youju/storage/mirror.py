"""A table of the active chunks in memory, as arrays, that follows the commits of every process.

A search asks for a view inside its own transaction: what it sees in memory is what it sees in the database. A view
never changes; following a commit makes a new one, which shares with the old what did not change.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy.engine import Connection

from youju.storage.changes import since
from youju.types import Scope

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

SPARE = 1.5
"""How much larger an array that is full becomes, so that adding n rows one by one copies O(n)."""
FIRST_SPARE = 1.1
"""How much larger than expected an array begins; what is never written takes no memory."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows to add: which chunk each belongs to, and arrays of the owner with one entry (or line) a row.

    `expected`: rows that this load will bring in all, 0 = not known; so that arrays need not grow step by step.
    """

    rowids: Sequence[int]
    versions: Sequence[int]
    collections: Sequence[str]
    documents: Sequence[str]
    columns: Mapping[str, Array]
    expected: int = 0


Load = Callable[[Connection, frozenset[int] | None], Iterable[Batch]]
"""The rows of the active chunks of these versions, None = of all."""


@dataclass(frozen=True)
class View:
    """The rows at one moment, in order of rowid. Rows that are not `alive` are gone and only not yet swept."""

    columns: Mapping[str, Array] = field(default_factory=dict)
    alive: Mask = field(default_factory=lambda: np.zeros(0, np.bool_))
    collections: dict[str, int] = field(default_factory=dict)
    documents: dict[str, int] = field(default_factory=dict)

    @property
    def rowids(self) -> npt.NDArray[np.int64]:
        return self.columns["rowid"]

    def inside(self, scope: Scope) -> Mask:
        """True for the living rows of the scope."""
        mask = self.alive
        if scope.collections is not None and mask.size:
            mask = mask & _chosen(self.collections, scope.collections).take(self.columns["collection"])
        if scope.document_ids is not None and mask.size:
            mask = mask & _chosen(self.documents, scope.document_ids).take(self.columns["document"])
        return mask


class Mirror:
    """Keeps a `View` up to date. Safe to use from several threads."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._seq = -1
        self._view = View()
        self._buffers: dict[str, Array] = {}

    def view(self, tx: Connection) -> View:
        """The rows as `tx` sees them. It must be the first thing that `tx` reads.

        The transaction's view of the data begins with its first read, here under the lock: so it is never older than
        what another search has already loaded.
        """
        with self._lock:
            changes = since(tx, self._seq)
            if changes.seq != self._seq:
                try:
                    self._follow(tx, changes.versions)
                except BaseException:
                    self._forget()
                    raise
                self._seq = changes.seq
            return self._view

    def forget(self) -> None:
        """Load everything again at the next look."""
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        self._seq = -1
        self._view = View()
        self._buffers = {}

    def _follow(self, tx: Connection, versions: frozenset[int] | None) -> None:
        if versions is None:
            self._forget()
        elif self._view.alive.size:
            gone = np.isin(self._view.columns["version"], list(versions))
            if gone.any():
                self._set(self._view.columns, self._view.alive & ~gone)
        for batch in self._load(tx, versions):
            if batch.rowids:
                self._append(self._coded(batch), batch.expected)
        if np.count_nonzero(self._view.alive) * 2 < self._view.alive.size:
            self._sweep({})

    def _coded(self, batch: Batch) -> dict[str, Array]:
        return {
            "rowid": np.asarray(batch.rowids, np.int64),
            "version": np.asarray(batch.versions, np.int64),
            "collection": _codes(self._view.collections, batch.collections),
            "document": _codes(self._view.documents, batch.documents),
            **batch.columns,
        }

    def _append(self, new: dict[str, Array], expected: int) -> None:
        size, more = self._view.alive.size, len(new["rowid"])
        if size and not self._follows(int(new["rowid"].min())):
            self._sweep(new)
            return
        for name, values in new.items():
            buffer = self._buffers.get(name)
            if buffer is None or len(buffer) < size + more:
                self._buffers[name] = buffer = _grown(buffer, size, values, expected)
            # Older views end before `size`, so they do not see this.
            buffer[size : size + more] = values
        columns = {name: self._buffers[name][: size + more] for name in new}
        self._set(columns, np.concatenate([self._view.alive, np.ones(more, np.bool_)]))

    def _follows(self, rowid: int) -> bool:
        """Whether rows from `rowid` on can stand behind the others; a chunk may have several, of which none is dead."""
        last = int(self._view.rowids[-1])
        return rowid > last or (rowid == last and bool(self._view.alive[-1]))

    def _sweep(self, new: dict[str, Array]) -> None:
        """Rows without the dead ones and with the new ones, in order of rowid, in arrays of their own."""
        alive = self._view.alive
        columns = {name: _like(values, values[alive]) for name, values in self._view.columns.items()}
        if new:
            order = np.argsort(np.concatenate([columns["rowid"], new["rowid"]]), kind="stable")
            columns = {name: _like(new[name], np.concatenate([columns[name], new[name]])[order]) for name in columns}
        self._buffers = columns
        self._set(columns, np.ones(len(columns["rowid"]), np.bool_))

    def _set(self, columns: Mapping[str, Array], alive: Mask) -> None:
        self._view = View(columns, alive, self._view.collections, self._view.documents)


def _grown(buffer: Array | None, size: int, values: Array, expected: int) -> Array:
    needed = size + len(values)
    capacity = int(expected * FIRST_SPARE) if needed <= expected else int(needed * SPARE)
    grown = np.empty((capacity, *values.shape[1:]), values.dtype, order=_order(values))
    if buffer is not None:
        grown[:size] = buffer[:size]
    return grown


def _order(values: Array) -> Any:  # noqa: ANN401 - numpy's own literal
    return "F" if values.ndim > 1 and values.flags.f_contiguous and not values.flags.c_contiguous else "C"


def _like(model: Array, values: Array) -> Array:
    return np.asarray(values, order=_order(model))


def _codes(known: dict[str, int], names: Sequence[str]) -> npt.NDArray[np.int32]:
    return np.fromiter((known.setdefault(name, len(known)) for name in names), np.int32, len(names))


def _chosen(codes: Mapping[str, int], names: Iterable[str]) -> Mask:
    wanted = [codes[name] for name in names if name in codes]
    # Another thread may be adding codes: the size is taken after the codes, so that each has its place.
    chosen = np.zeros(len(codes), np.bool_)
    chosen[wanted] = True
    return chosen
