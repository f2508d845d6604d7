"""Names as the catalogue keeps them: whoever looks one up folds it the same way."""

from __future__ import annotations

import unicodedata

from youju.text.normal import clean

NAME_MAX = 255
"""Characters; what file systems allow, so that cutting never makes two file names one."""


def printable(name: str) -> str:
    """A name that every table, terminal and file system takes: NFC, no controls, single spaces, at most 255 long."""
    return unicodedata.normalize("NFC", " ".join(clean(name).split()))[:NAME_MAX]
