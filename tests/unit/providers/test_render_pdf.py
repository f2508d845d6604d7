from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from pdfs import HEIGHT, WIDTH, Bar, assembled, pdf
from youju.errors import DocumentError
from youju.providers.render_image import ImageRenderer
from youju.providers.render_pdf import PdfRenderer
from youju.types import Box

YELLOW = (255, 236, 130)
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def drawn(data: bytes) -> Image.Image:
    assert data.startswith(b"\x89PNG")
    return Image.open(io.BytesIO(data)).convert("RGB")


def at(image: Image.Image, x: float, y: float) -> object:
    """The colour at a share of the width and of the height."""
    return image.getpixel((int(x * image.width), int(y * image.height)))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Two pages: on the first a bar in the middle of its upper half."""
    path = tmp_path / "x.pdf"
    path.write_bytes(pdf([[Bar(0.4 * WIDTH, 0.2 * HEIGHT, 0.6 * WIDTH, 0.3 * HEIGHT)], []]))
    return path


def test_a_page_is_drawn_at_110_dpi(book):
    assert drawn(PdfRenderer().draw(book, 1, ())).size == (612, 917)


def test_a_marked_place_is_yellow_and_what_stands_there_stays_black(book):
    image = drawn(PdfRenderer().draw(book, 1, [Box(1, 0.3, 0.1, 0.7, 0.4)]))
    assert [at(image, x, 0.15) for x in (0.2, 0.5, 0.8)] == [WHITE, YELLOW, WHITE]
    assert at(image, 0.5, 0.25) == BLACK
    assert at(image, 0.5, 0.6) == WHITE


def test_two_marks_over_each_other_are_no_darker_than_one(book):
    image = drawn(PdfRenderer().draw(book, 2, [Box(2, 0.1, 0.1, 0.6, 0.6), Box(2, 0.4, 0.4, 0.9, 0.9)]))
    assert [at(image, one, one) for one in (0.2, 0.5, 0.8)] == [YELLOW] * 3


def test_a_mark_that_leaves_the_page_or_is_turned_over_is_drawn_as_far_as_it_goes(book):
    image = drawn(PdfRenderer().draw(book, 2, [Box(2, 3.0, 0.9, 0.8, -1.0)]))
    assert [at(image, x, 0.5) for x in (0.7, 0.9)] == [WHITE, YELLOW]


def test_a_page_of_any_size_becomes_a_picture_of_bounded_size(tmp_path):
    for n, (width, height) in enumerate([(14400, 14400), (200000, 3), (1, 1)]):
        path = tmp_path / f"{n}.pdf"
        path.write_bytes(
            assembled([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
                       b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]>>" % (width, height)])
        )  # fmt: skip
        assert max(drawn(PdfRenderer().draw(path, 1, ())).size) <= 2001


@pytest.mark.parametrize("n", [0, 3, -1])
def test_a_page_that_is_not_there_is_refused(book, n):
    with pytest.raises(DocumentError) as caught:
        PdfRenderer().draw(book, n, ())
    assert caught.value.code == "no_such_page"


def test_what_is_no_pdf_and_no_picture_is_refused(tmp_path):
    path = tmp_path / "x"
    for renderer in (PdfRenderer(), ImageRenderer()):
        for data in (b"", b"%PDF-1.7\nnothing", b"\x89PNG\r\n\x1a\n rest"):
            path.write_bytes(data)
            with pytest.raises(DocumentError) as caught:
                renderer.draw(path, 1, ())
            assert caught.value.code == "page_broken"


# --- picture files ---------------------------------------------------------------------------------------------------


def test_a_picture_file_is_its_own_page_and_no_larger_than_2000_pixels(tmp_path):
    path = tmp_path / "x.png"
    Image.new("L", (5000, 1000), 255).save(path)
    image = drawn(ImageRenderer().draw(path, 1, [Box(1, 0.5, 0.0, 1.0, 1.0)]))
    assert image.size == (2000, 400)
    assert [at(image, x, 0.5) for x in (0.2, 0.8)] == [WHITE, YELLOW]


def test_a_picture_lying_on_its_side_is_turned_as_the_camera_says_and_glass_lies_on_white(tmp_path):
    side, glass = tmp_path / "x.jpg", tmp_path / "x.png"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (40, 20)).save(side, exif=exif)
    Image.new("RGBA", (10, 10), (0, 0, 0, 0)).save(glass)
    assert drawn(ImageRenderer().draw(side, 1, ())).size == (20, 40)
    assert at(drawn(ImageRenderer().draw(glass, 1, ())), 0.5, 0.5) == WHITE


def test_each_frame_of_a_fax_is_a_page(tmp_path):
    path = tmp_path / "x.tif"
    Image.new("L", (10, 10), 255).save(path, save_all=True, append_images=[Image.new("L", (10, 10), 0)])
    assert [at(drawn(ImageRenderer().draw(path, n, ())), 0.5, 0.5) for n in (1, 2)] == [WHITE, BLACK]
    with pytest.raises(DocumentError):
        ImageRenderer().draw(path, 3, ())
