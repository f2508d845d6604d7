"""The smallest TrueType font with ink: a box a letter wide, one half as wide. pdfium leaves out text without any."""

from __future__ import annotations

import struct

UNITS, ASCENT, DESCENT = 1000, 880, -120
FULL, HALF = 1, 2


def typeface() -> bytes:
    """A font of three glyphs: none, a full box, half a box."""
    glyphs = [b"", _box(1000), _box(500)]
    offsets = [0]
    for glyph in glyphs:
        offsets.append(offsets[-1] + len(glyph))
    tables = {
        b"glyf": b"".join(glyphs),
        b"head": struct.pack(
            ">IIIIHHQQhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0, UNITS, 0, 0, 0, 0, 1000, 800, 0, 8, 2, 1, 0
        ),
        b"hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 0x10000, ASCENT, DESCENT, 0, 1000, 0, 0, 1000, 1, *[0] * 7, 3),
        b"hmtx": struct.pack(">HhHhHh", 0, 0, 1000, 50, 500, 50),
        b"loca": struct.pack(">4I", *offsets),
        b"maxp": struct.pack(">IHHH11H", 0x10000, 3, 4, 1, *[0] * 11),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    return _assembled(tables)


def _box(wide: int) -> bytes:
    left, right, high = 50, wide - 50, 800
    head = struct.pack(">hhhhh", 1, left, 0, right, high)
    ends = struct.pack(">HH", 3, 0)
    flags = bytes([1, 1, 1, 1])
    across = struct.pack(">hhhh", left, 0, right - left, 0)
    up = struct.pack(">hhhh", 0, high, 0, -high)
    made = head + ends + flags + across + up
    return made + b"\0" * (-len(made) % 4)


def _assembled(tables: dict[bytes, bytes]) -> bytes:
    at = 12 + 16 * len(tables)
    directory, body = b"", b""
    for tag, data in sorted(tables.items()):
        padded = data + b"\0" * (-len(data) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        directory += struct.pack(">4sIII", tag, total, at + len(body), len(data))
        body += padded
    return struct.pack(">IHHHH", 0x10000, len(tables), 64, 2, len(tables) * 16 - 64) + directory + body
