"""Files that are not what their name says."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hostile.archives import formats, packed
from hostile.documents import book
from hostile.file import FAILED, File
from hostile.pictures import saved


def strangers(suffixes: frozenset[str]) -> Iterator[File]:
    """Every suffix with the bytes of other formats, with nothing, with NUL and with noise."""
    known = {"pdf": book(1), "docx": packed(formats()[".docx"][0]), "png": saved("PNG", (60, 40))}
    rng = random.Random(7)  # noqa: S311 - no secret
    for suffix in sorted(suffixes):
        name = suffix.removeprefix(".")
        own = {name, name.replace("docm", "docx")}
        yield from (File(f"{kind}-as-{name}{suffix}", data) for kind, data in known.items() if kind not in own)
        yield File(f"nothing-{name}{suffix}", b"", FAILED)
        yield File(f"nuls-{name}{suffix}", b"\0" * 1000, FAILED)
        yield File(f"noise-{name}{suffix}", rng.randbytes(4000), FAILED)
