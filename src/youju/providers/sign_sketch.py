"""A sketch of a vector: one sign bit a dimension and three numbers; enough to say which vectors may be near a query.

With v = mean + c and q = mean + d, q·v is v·mean + d·c, but for what is the same for all v. The first is kept; the
second is estimated from the signs of c. Vectors of one model share a direction (the mean of e5's has length .93), so
bits taken against zero are nearly all alike, and the first summand decides as much as the second: on 23 000 real e5
vectors, of the true 15 the best 1 % hold .89 by Hamming distance alone, .93 with the summand, .99 in two stages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from youju.ports import Vectors

Array = npt.NDArray[Any]
Places = npt.NDArray[np.intp]

TINY = np.finfo(np.float32).tiny
WORD = 64
FIRST = 8
"""How many times as many as are wanted pass the first stage, at least."""
SHARE = 25
"""One in so many passes it, if that is more."""


@dataclass(frozen=True)
class Sketch:
    """Sketches against one mean: only those made with the same one can be compared."""

    mean: Vectors

    def columns(self, rows: Vectors) -> dict[str, Array]:
        """The sketches of vectors, shape (n, dim), length 1: `bits` (n, words), and `along`, `reach`, `fit` (n,)."""
        rest = rows - self.mean
        reach = np.sqrt(np.vecdot(rest, rest))
        return {
            "bits": self._bits(rest),
            "along": np.vecdot(rows, self.mean).astype(np.float32),
            "reach": reach.astype(np.float32),
            # What the inner product with the signs has to be multiplied with: exact for c itself.
            "fit": (reach**2 / np.maximum(np.abs(rest).sum(axis=1), TINY)).astype(np.float32),
        }

    def closest(self, columns: Mapping[str, Array], places: Places, query: Vectors, n: int) -> Places:
        """The n places that are likely to hold the highest cosines, in order of place."""
        if len(places) <= n:
            return places
        rest = query - self.mean
        passing = max(FIRST * n, len(places) // SHARE)
        if len(places) > passing:
            places = _highest(self._rough(columns, places, rest), places, passing)
        return np.sort(_highest(_fine(columns, places, rest), places, n))

    def _rough(self, columns: Mapping[str, Array], places: Places, rest: Vectors) -> Vectors:
        """First stage, of all: the angle by how many bits differ."""
        distances = np.zeros(len(columns["along"]), np.uint16)
        # One pass a word over memory in its order: `bits` is column by column.
        for word, bits in enumerate(self._bits(rest[None])[0]):
            distances += np.bitwise_count(columns["bits"][:, word] ^ bits)
        cosines = np.cos(np.pi * np.arange(len(rest) + 1) / len(rest)) * np.sqrt(rest @ rest)
        products = columns["reach"] * cosines.astype(np.float32)[distances]
        rough: Vectors = (columns["along"] + products)[places]
        return rough

    def _bits(self, rest: Vectors) -> npt.NDArray[np.uint64]:
        packed = np.packbits(rest > 0, axis=1)
        padding = -packed.shape[1] % (WORD // 8)
        return np.asfortranarray(np.pad(packed, ((0, 0), (0, padding))).view(np.uint64))


def _fine(columns: Mapping[str, Array], places: Places, rest: Vectors) -> Vectors:
    """Second stage, of those that passed: the query as it is against the signs, eight at a time from a table."""
    octets = np.ascontiguousarray(columns["bits"][places]).view(np.uint8)
    padded = np.zeros(octets.shape[1] * 8, np.float32)
    padded[: len(rest)] = rest
    signs = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) * 2 - 1
    table = padded.reshape(-1, 8) @ signs.T
    products = np.zeros(len(places), np.float32)
    for column, entries in enumerate(table):
        products += entries[octets[:, column]]
    fine: Vectors = columns["along"][places] + columns["fit"][places] * products
    return fine


def _highest(scores: Vectors, places: Places, n: int) -> Places:
    """The places with the n highest scores; which of those that tie at the border is not said."""
    return places[np.argpartition(-scores, n - 1)[:n]] if n < len(places) else places
