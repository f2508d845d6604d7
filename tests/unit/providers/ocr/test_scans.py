"""A PDF page by page: with an engine that reads what it is told, and without one."""

from __future__ import annotations

import time

import numpy as np
import pytest

pytest.importorskip("cv2")

from pdfs import Bar, Picture, Text, lines, pdf
from youju.errors import DocumentError
from youju.providers.ocr.engine import Reading
from youju.providers.ocr.scans import Scans
from youju.providers.parse_pdf import PdfParser
from youju.providers.pdf import chars

PROSE = "春天的风从山谷里吹过来，带着青草和泥土的气味。"
READ = "夏天的雨落在屋顶上，孩子们在窗前数着水滴。"
TEXT_PAGE = lines(45, 60, [PROSE] * 4)
# Ink in two corners: nothing is cut off.
SCAN = [Picture(), Bar(45, 100, 355, 112), Bar(2, 2, 8, 8), Bar(392, 592, 398, 598)]


class Reader:
    """Finds the same lines on every picture, so sure."""

    def __init__(self, score: float = 0.97, found: str = READ) -> None:
        self.score, self.found, self.read = score, found, 0

    def lines(self, image):
        self.read += 1
        height, width = image.shape[:2]
        tops = [height * at / 20 for at in range(3, 8)] if self.found else []
        return [Reading(self.found, self.score, width * 0.1, top, width * 0.9, top + height / 40) for top in tops]

    def boxes(self, image):
        return np.zeros((0, 4, 2), np.float32)

    def upside_down(self, image, boxes):
        return False


@pytest.fixture
def parse(tmp_path, monkeypatch):
    def parsed(pages, reader, **options):
        path = tmp_path / "blob"
        path.write_bytes(pdf(pages))
        monkeypatch.setattr("youju.providers.ocr.scans.engine", lambda _lock: reader)
        return PdfParser(**options).parse(path)

    return parsed


def refused(parse, pages, reader) -> str:
    with pytest.raises(DocumentError) as caught:
        parse(pages, reader)
    assert caught.value.remedy
    return caught.value.code


def test_only_the_pages_without_a_text_layer_are_read(parse):
    reader, told = Reader(), []
    document = parse([TEXT_PAGE, SCAN, TEXT_PAGE], reader, on_page=lambda done, total: told.append((done, total)))
    assert reader.read == 1
    assert told == [(3, 3)]
    assert [READ in page.text for page in document.pages] == [False, True, False]
    assert document.quality["ocr_pages"] == 1
    assert document.quality["ocr_confidence"] == pytest.approx(0.97)
    assert document.warnings == ("有 1 页由文字识别（OCR）读出，可能有错字：第 2 页",)


def test_boxes_of_what_was_read_lie_on_the_page_in_points(parse):
    # The page is 400 × 600 points, the lines stand from 10 % to 90 % of its width.
    box = next(block for block in parse([SCAN], Reader()).blocks).boxes[0]
    assert box.x0 == pytest.approx(40, abs=1)
    assert box.x1 == pytest.approx(360, abs=1)
    assert 85 < box.y0 < box.y1 < 240


def test_a_page_of_text_costs_no_engine(parse):
    assert parse([TEXT_PAGE], None).quality["ocr_pages"] == 0


def test_glyph_numbers_are_read_again(parse):
    garbled = lines(45, 60, ["\ufffd\ufffd春天" * 6] * 4)
    document = parse([garbled + SCAN, TEXT_PAGE], Reader())
    assert READ in document.pages[0].text
    assert document.quality["garbage_ratio"] == 0


def test_a_picture_without_letters_is_no_page_that_is_missing(parse):
    document = parse([TEXT_PAGE, SCAN], Reader(found=""))
    assert document.warnings == ()
    assert document.pages[1].text == ""


def test_a_page_that_cannot_be_read_is_left_out_and_named(parse):
    document = parse([TEXT_PAGE, SCAN], Reader(score=0.4))
    assert document.warnings == ("有 1 页看不清，未收录：第 2 页",)
    assert document.pages[1].text == ""


def test_a_scan_of_which_nothing_can_be_read_is_refused(parse):
    assert refused(parse, [SCAN, SCAN], Reader(score=0.4)) == "ocr_unreadable"


def test_a_scan_needs_the_package(parse):
    assert refused(parse, [SCAN, SCAN, TEXT_PAGE], None) == "needs_ocr"


def test_without_the_package_the_other_pages_of_a_book_are_read(parse):
    document = parse([TEXT_PAGE, SCAN, TEXT_PAGE], None)
    assert document.warnings == ("有 1 页没有文字层，未收录：第 2 页",)
    assert document.quality["pages_without_text"] == 1


def test_a_layer_that_has_all_that_is_seen_is_believed(parse):
    reader = Reader()
    ink = [Bar(45, line.y - 8, 45 + 10 * len(PROSE), line.y) for line in TEXT_PAGE]
    document = parse([[*TEXT_PAGE, Picture(), *ink], TEXT_PAGE], reader)
    assert PROSE in document.pages[0].text
    assert reader.read == 0


def test_a_page_of_one_stamp_over_a_scan_is_read(parse, monkeypatch):
    reader = Reader()
    corners = np.array([[[100, 300], [900, 300], [900, 340], [100, 340]]] * 9, np.float32)
    monkeypatch.setattr(reader, "boxes", lambda _image: corners, raising=False)
    document = parse([[*SCAN, Text(300, 590, "扫描")], TEXT_PAGE], reader)
    assert READ in document.pages[0].text


def test_pages_read_beside_one_another_come_in_their_order_and_alike(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr("youju.providers.ocr.scans.engine", lambda _lock: made.append(Slow()) or made[-1])
    path = tmp_path / "blob"
    path.write_bytes(pdf([SCAN, TEXT_PAGE, *[SCAN] * 5]))

    def read(at_once):
        opened, told = chars.opened(path), []
        scans = Scans(opened, lambda *done: told.append(done), at_once=at_once)
        pages = [(sheet.n, sheet.text) for sheet in scans.read(chars.sheets(opened)[0])]
        opened.close()
        assert len(made) <= at_once
        made.clear()
        return pages, told, scans.readings.confidence

    assert read(1) == read(2) == read(3)
    pages, told, _ = read(2)
    assert [n for n, _ in pages] == [1, 2, 3, 4, 5, 6, 7]
    assert told == [(2, 7), (3, 7), (4, 7), (5, 7), (6, 7), (7, 7)]


class Slow(Reader):
    """Takes longer for every other page."""

    def lines(self, image):
        if self.read % 2 == 0:
            time.sleep(0.02)
        return super().lines(image)


def test_what_goes_wrong_with_one_page_ends_the_reading(parse, monkeypatch):
    reader = Reader()

    def fail(_image):
        raise MemoryError

    monkeypatch.setattr(reader, "lines", fail)
    with pytest.raises(MemoryError):
        parse([SCAN] * 5, reader)
