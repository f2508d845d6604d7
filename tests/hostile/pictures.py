"""Pictures that say they are larger than the world."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator

from PIL import Image

from hostile.file import FAILED, File


def pictures() -> Iterator[File]:
    yield File("vast.png", png(60_000, 60_000), FAILED)
    yield File("line.png", png(60_000, 1), FAILED)
    yield File("dot.png", saved("PNG", (1, 1)), FAILED)
    yield File("white.png", saved("PNG", (400, 300)), FAILED)
    yield File("noise.png", noise(), FAILED)
    for kind, suffix in (("JPEG", ".jpg"), ("PNG", ".png"), ("TIFF", ".tif"), ("WEBP", ".webp"), ("BMP", ".bmp")):
        good = saved(kind, (400, 300))
        yield File(f"half{suffix}", good[: len(good) // 2], FAILED)
    yield File("ring.tif", b"II*\0\x08\0\0\0\0\0\x08\0\0\0", FAILED)
    yield File("drawing.png", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", FAILED)


def saved(kind: str, size: tuple[int, int]) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", size, (255, 255, 255)).save(data, kind)
    return data.getvalue()


def noise() -> bytes:
    data = io.BytesIO()
    Image.effect_noise((300, 200), 90).save(data, "PNG")
    return data.getvalue()


def png(width: int, height: int) -> bytes:
    """Black, in as few bytes as can be."""
    packing = zlib.compressobj(9)
    row = b"\0" * (1 + (width + 7) // 8)
    packed = b"".join(packing.compress(row) for _ in range(height)) + packing.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(part(*one) for one in ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b"")))


def part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
