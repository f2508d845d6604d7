"""Files that somebody could send to do harm, or that came to harm on their way; all made by code."""

from __future__ import annotations

from collections.abc import Iterator

from hostile.archives import archives
from hostile.dangerous_names import named
from hostile.documents import documents
from hostile.file import File
from hostile.pictures import pictures
from hostile.plain import plain
from hostile.strangers import strangers

__all__ = ["File", "files"]


def files(suffixes: frozenset[str]) -> list[File]:
    """All of them, each name once and each content once a suffix, for a service that takes these suffixes."""
    return list(_unlike(_all(suffixes)))


def _all(suffixes: frozenset[str]) -> Iterator[File]:
    yield from documents()
    yield from archives()
    yield from pictures()
    yield from plain()
    yield from strangers(suffixes)
    yield from named()


def _unlike(made: Iterator[File]) -> Iterator[File]:
    seen: set[tuple[str, bytes]] = set()
    names: set[str] = set()
    for one in made:
        assert one.name not in names, one.name
        names.add(one.name)
        if (one.suffix, one.data) not in seen:
            seen.add((one.suffix, one.data))
            yield one
