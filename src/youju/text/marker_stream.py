"""Citation markers cleaned while the text is still coming."""

from __future__ import annotations

from collections.abc import Iterable

from youju.text import markers


class Cleaner:
    """Does piece by piece what `markers.clean` does to the whole text."""

    def __init__(self, allowed: Iterable[int], material: str = "") -> None:
        self._allowed, self._material = frozenset(allowed), material
        self._held = ""
        self.text = ""
        self.removed: tuple[str, ...] = ()

    def feed(self, piece: str) -> str:
        self._held += piece
        return ""

    def end(self) -> str:
        cleaned = markers.clean(self._held, self._allowed, self._material)
        self.text, self.removed = cleaned.text, cleaned.removed
        return cleaned.text
