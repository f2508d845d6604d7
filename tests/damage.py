"""Archives of which one member came to harm."""

from __future__ import annotations

import io
import struct
import zipfile


def damaged(data: bytes, name: str) -> bytes:
    """The archive with a checksum of the member `name` that does not fit."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        right = archive.getinfo(name).CRC
    return data.replace(struct.pack("<I", right), struct.pack("<I", right ^ 1))
