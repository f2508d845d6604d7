"""Turns as JSON lines and back, so that a run can be scored again without being run again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import TypeAdapter

from youju.types import Turn

_TURN: TypeAdapter[Turn] = TypeAdapter(Turn)
Json = dict[str, Any]


@dataclass
class Chunks:
    """The chunks of a run, each kept once: a turn names those that its stages saw by their id."""

    known: dict[str, Json] = field(default_factory=dict)

    def packed(self, turn: Turn) -> tuple[Json, dict[str, Json]]:
        """The turn without the texts of its chunks, and the chunks that were not known before."""
        new: dict[str, Json] = {}
        packed = cast("Json", self._packed(_TURN.dump_python(turn, mode="json"), new))
        return packed, new

    def turn(self, packed: Mapping[str, Any]) -> Turn:
        """The turn as it was.

        Raises:
            KeyError: a chunk is not known.
        """
        return _TURN.validate_python(self._unpacked(packed))

    def _packed(self, value: object, new: dict[str, Json]) -> object:
        if isinstance(value, dict):
            chunk = value.get("chunk")
            if isinstance(chunk, dict):
                id_ = str(chunk["id"])
                if id_ not in self.known:
                    # Where a chunk stands on a page is for pictures; no figure is made of it.
                    self.known[id_] = new[id_] = chunk | {"boxes": []}
                value = value | {"chunk": id_}
            return {name: self._packed(one, new) for name, one in value.items()}
        if isinstance(value, list):
            return [self._packed(one, new) for one in value]
        return value

    def _unpacked(self, value: object) -> object:
        if isinstance(value, dict):
            opened = {name: self._unpacked(one) for name, one in value.items() if name != "chunk"}
            return opened | ({"chunk": self.known[value["chunk"]]} if "chunk" in value else {})
        if isinstance(value, list):
            return [self._unpacked(one) for one in value]
        return value
