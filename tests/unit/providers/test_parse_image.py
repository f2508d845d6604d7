"""Pictures of text: what is read, where it stands, what is refused. Pages come from a sample book, drawn by pdfium."""

# ruff: noqa: E402 (the modules need packages of the extra)

from __future__ import annotations

import socket
import struct
import zlib

import pytest

Image = pytest.importorskip("PIL.Image")
pytest.importorskip("rapidocr")

from pictures import saved, strip
from youju.errors import DocumentError
from youju.providers import parse_image
from youju.providers.parse_image import ImageParser


@pytest.fixture
def parse(tmp_path):
    def parsed(data: bytes, **options):
        path = tmp_path / "blob"
        path.write_bytes(data)
        return ImageParser(**options).parse(path)

    return parsed


def refused(parse, data: bytes) -> str:
    with pytest.raises(DocumentError) as caught:
        parse(data)
    assert caught.value.remedy
    return caught.value.code


@pytest.mark.slow
def test_a_tiff_has_a_page_a_picture_read_without_any_network(parse, monkeypatch):
    def unreachable(*_args):
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    told = []
    first, second = strip(9, 0.06, 0.28), strip(9, 0.27, 0.36).rotate(180)
    data = saved(first, "TIFF", save_all=True, append_images=[second], dpi=(150, 150))
    document = parse(data, on_page=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]
    assert [one.n for one in document.pages] == [1, 2]
    assert document.pages[0].width == pytest.approx(first.width * 72 / 150, abs=0.1)
    assert "哪一个与" in document.pages[0].text
    assert "内层函数的值域与外层函数的定义域有公共部分" in "".join(document.pages[1].text.split())
    assert document.quality["ocr_pages"] == 2
    assert document.quality["ocr_confidence"] > 0.9
    assert document.warnings == ("有 2 页由文字识别（OCR）读出，可能有错字：第 1、2 页",)


@pytest.mark.slow
def test_headings_of_a_picture_are_told_by_their_weight(parse):
    document = parse(saved(strip(9, 0.22, 0.48), "JPEG", quality=90))
    assert ("heading", "1.4.2复合函数") in [(block.kind, block.text.replace(" ", "")) for block in document.blocks]


def test_a_picture_without_text_is_refused(parse):
    assert refused(parse, saved(Image.new("RGB", (300, 200), "white"))) == "no_text_layer"


@pytest.mark.parametrize("data", [b"%PDF-1.4 no picture", b"\x89PNG\r\n\x1a\n broken", b"II*\x00\x08\x00\x00\x00"])
def test_what_is_no_picture_is_refused(parse, data):
    assert refused(parse, data) == "broken"


def test_a_picture_cut_short_is_refused(parse):
    whole = saved(strip(9, 0.06, 0.34))
    assert refused(parse, whole[: len(whole) // 2]) == "broken"


@pytest.mark.parametrize(
    "width, height, code",
    [
        (100_000, 100_000, "too_many_pixels"),  # more than Pillow opens
        (14_000, 14_500, "too_many_pixels"),
        (60_000, 1, "too_long"),
        (10, 301, "too_long"),
        (1_010, 10, "too_long"),
        (8_100, 2_000, "too_long"),
    ],
)
def test_a_picture_of_a_size_that_cannot_be_read_says_so(parse, width, height, code):
    assert refused(parse, png(width, height)) == code


@pytest.mark.parametrize("data", [b"no picture", b"line", b"giant"])
def test_what_can_be_refused_without_an_engine_is_refused_before_one_is_made(parse, monkeypatch, data):
    monkeypatch.setattr(parse_image, "engine", lambda: pytest.fail("an engine was made"))
    made = {b"line": png(60_000, 1), b"giant": png(14_000, 14_500)}
    assert refused(parse, made.get(data, data)) in {"broken", "too_long", "too_many_pixels"}


@pytest.mark.parametrize("size", [(1_500, 40), (4_000, 600), (1_080, 30_000), (1, 1)])
def test_a_line_of_text_a_banner_and_a_long_screenshot_may_be_read(size):
    parse_image._refuse_slender(size)


def png(width: int, height: int) -> bytes:
    """Black, in as few bytes as can be; of a giant only the beginning."""
    packing = zlib.compressobj(9)
    rows = (
        b"".join(packing.compress(b"\0" * (1 + (width + 7) // 8)) for _ in range(min(height, 20_000))) + packing.flush()
    )
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    )


@pytest.mark.parametrize("size, long", [((1080, 20_000), True), ((1080, 2_400), False), ((2_480, 3_508), False)])
def test_a_screenshot_of_many_screens_is_long_and_a_page_or_a_screen_is_not(size, long):
    assert parse_image._is_long(size) is long


def test_a_long_picture_is_as_wide_as_a_page():
    assert parse_image._points(Image.new("L", (100, 2000))) == pytest.approx(595 * 20)


@pytest.mark.slow
def test_small_letters_of_a_long_picture_are_read_to_its_end(parse):
    pages = [strip(index, 0.05, 0.93, dpi=96) for index in (9, 10, 11)]
    long = Image.new("RGB", (pages[0].width, sum(page.height for page in pages)), "white")
    for at, page in enumerate(pages):
        long.paste(page, (0, at * page.height))
    text = parse(saved(long)).pages[0].text.replace(" ", "")
    assert [text.count(said) for said in ("数列是一种特殊的函数", "疑问一", "疑问四")] == [1, 1, 1]


def test_without_the_package_a_picture_says_what_to_install(parse, monkeypatch):
    monkeypatch.setattr(parse_image, "engine", lambda: None)
    assert refused(parse, saved(Image.new("L", (30, 30), 255))) == "needs_ocr"


@pytest.mark.parametrize(
    "dpi, points",
    [((200, 200), 360.0), ((72, 72), 842.0), (None, 842.0)],  # 1000 pixels at 200 a inch are 5 inches
)
def test_the_size_of_a_page_is_what_a_scanner_says_else_that_of_a4(dpi, points):
    picture = Image.new("L", (500, 1000))
    if dpi:
        picture.info["dpi"] = dpi
    assert parse_image._points(picture) == pytest.approx(points)


def test_what_is_transparent_is_paper():
    clear = Image.new("RGBA", (4, 4), (0, 0, 0, 0))
    assert parse_image._on_white(clear).getpixel((1, 1)) == (255, 255, 255)
