"""What is said about pages that were read, and where their boxes are."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("cv2")

from youju.providers.ocr.page import Seen
from youju.providers.ocr.posture import Posture
from youju.providers.ocr.reader import Readings, engine, needs_ocr, noted, unreadable
from youju.providers.pdf.chars import Sheet
from youju.types import Block, Box, Page, ParsedDocument


def seen(n: int, confidence: float, posture: Posture = Posture(), chars: int = 100) -> Seen:  # noqa: B008 (frozen)
    return Seen(Sheet(n, posture.width, posture.height, "字" * chars, ""), posture, confidence, chars)


def readings(*pages: Seen) -> Readings:
    made = Readings()
    for page in pages:
        made.add(page)
    return made


def document(n: int = 1) -> ParsedDocument:
    return ParsedDocument((Block("text", "甲", n, n, boxes=(Box(n, 10, 20, 30, 40),)),), (Page(n, "甲", "", 100, 200),))


def test_confidence_is_the_mean_over_characters():
    # (0.9 × 300 + 0.7 × 100) / 400
    assert readings(seen(1, 0.9, chars=300), seen(2, 0.7)).confidence == pytest.approx(0.85)


def test_pages_are_named_by_how_well_they_were_read():
    made = noted(document(), readings(seen(3, 0.97), seen(1, 0.8), seen(7, 0.4)))
    assert made.warnings == (
        "有 2 页由文字识别（OCR）读出，可能有错字：第 1、3 页",
        "有 1 页识别把握不大，引用前请核对原页：第 1 页",
        "有 1 页看不清，未收录：第 7 页",
    )
    assert made.quality == {"ocr_pages": 2, "ocr_confidence": 0.885}


def test_a_few_doubtful_characters_are_a_drawing():
    made = readings(seen(1, 0.7, chars=5), seen(2, 0.9, chars=5), seen(3, 0.3, chars=5))
    assert list(made.pages) == [2]
    assert made.below == []


def test_a_page_on_which_nothing_was_found_is_not_said_to_be_unreadable():
    made = noted(document(), readings(seen(1, 0.0, chars=0)))
    assert made.warnings == ()
    assert made.quality == {"ocr_pages": 0}


def test_a_page_that_lay_on_its_side_keeps_its_place_for_boxes():
    # The page as it is: 200 wide, 100 high; turned once counter-clockwise it is 100 × 200.
    made = noted(document(), readings(seen(1, 0.9, Posture(1, 0.0, 100, 200))))
    assert (made.pages[0].width, made.pages[0].height) == (200, 100)
    # What is left and up there, at (10, 20), was up and right: x = 200 − 20, y = 10.
    assert made.blocks[0].boxes == (Box(1, 160, 10, 180, 30),)


def test_a_page_upside_down_keeps_its_place_for_boxes():
    made = noted(document(), readings(seen(1, 0.9, Posture(2, 0.0, 100, 200))))
    assert made.blocks[0].boxes == (Box(1, 70, 160, 90, 180),)


def test_boxes_of_an_askew_page_go_around_what_they_mark():
    # Turned by 90 degrees about the middle (50, 100), for easy figures: (10, 20) is 40 left and 80 up of it.
    made = noted(document(), readings(seen(1, 0.9, Posture(0, 90.0, 100, 200))))
    assert made.blocks[0].boxes == (Box(1, 110, 60, 130, 80),)


def test_there_is_no_engine_where_the_package_is_missing(monkeypatch):
    monkeypatch.delitem(sys.modules, "youju.providers.ocr.engine", raising=False)
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    assert engine() is None


def test_every_refusal_says_what_to_do():
    assert 'pip install "youju[ocr]"' in needs_ocr([1, 2]).remedy
    assert "第 1、2 页" in needs_ocr([1, 2]).message
    assert "dpi" in unreadable(0.4).remedy
