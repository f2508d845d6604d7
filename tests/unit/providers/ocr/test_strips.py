"""A long picture in strips: every line once, where it stands."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rapidocr")

from youju.providers.ocr.engine import LONGEST, Reading
from youju.providers.ocr.strips import Strips


class Rows:
    """Takes every stretch of dark rows for a line, in each half of the picture; its text is how dark it is."""

    def __init__(self) -> None:
        self.heights: list[int] = []

    def lines(self, image):
        self.heights.append(image.shape[0])
        return [line for left in (0, 50) for line in self.column(image[:, left : left + 50], left)]

    def column(self, image, left):
        dark = np.flatnonzero(image[:, 0] < 255)
        for stretch in np.split(dark, np.flatnonzero(np.diff(dark) > 1) + 1):
            if len(stretch):
                yield Reading(str(image[stretch[0], 0]), 1.0, left, float(stretch[0]), left + 50, stretch[-1] + 1.0)


def picture(height: int, *lines: tuple[int, int], left: int = 0):
    """A picture 100 pixels wide with lines of 40 pixels height; each is its top and how dark it is."""
    image = np.full((height, 100), 255, np.uint8)
    for top, grey in lines:
        image[top : top + 40, left : left + 50] = grey
    return image


def read(image) -> list[tuple[str, float, float]]:
    return sorted((line.text, line.y0, line.y1) for line in Strips(Rows()).lines(image))


def test_no_strip_is_higher_than_the_engine_takes():
    engine = Rows()
    Strips(engine).lines(picture(5000))
    assert engine.heights == [2000, 2000, 1400]  # from 0, 1800 and 3600
    assert max(engine.heights) == LONGEST


def test_a_picture_of_one_strip_is_read_once():
    engine = Rows()
    Strips(engine).lines(picture(2000))
    assert engine.heights == [2000]


@pytest.mark.parametrize("top", [1000, 1770, 1790, 1850, 1900, 1970, 1990, 3580])
def test_a_line_is_read_whole_and_once_wherever_the_cuts_are(top):
    assert read(picture(5000, (top, 7))) == [("7", top, top + 40)]


def test_lines_beside_each_other_stay_two():
    image = np.minimum(picture(5000, (1850, 7)), picture(5000, (1855, 9), left=50))
    assert read(image) == [("7", 1850, 1890), ("9", 1855, 1895)]


def test_what_else_the_engine_can_it_still_can():
    assert Strips(Rows()).heights == []
