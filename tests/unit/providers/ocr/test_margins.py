"""What is cut off a page before its lines are found."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("cv2")

from youju.providers.ocr.margins import written

WHITE = np.full((1000, 800, 3), 255, np.uint8)


def inked(left: int, top: int, right: int, bottom: int, grey: int = 0) -> np.ndarray:
    page = WHITE.copy()
    page[top:bottom, left:right] = grey
    return page


def test_margins_are_cut_a_fiftieth_of_the_longer_side_from_the_ink():
    left, top, part = written(inked(200, 300, 600, 500))
    # 20 pixels, and what a cell of 4 may add.
    assert 172 <= left <= 180
    assert 272 <= top <= 280
    assert 620 <= left + part.shape[1] <= 628
    assert 520 <= top + part.shape[0] <= 528
    assert (part == inked(200, 300, 600, 500)[top : top + part.shape[0], left : left + part.shape[1]]).all()


def test_faint_letters_are_kept():
    assert written(inked(200, 300, 600, 500, grey=225))[2].shape != WHITE.shape
    left, top, part = written(np.minimum(inked(200, 300, 600, 500), inked(20, 950, 30, 960, grey=225)))
    assert left == 0
    assert top + part.shape[0] >= 960


@pytest.mark.parametrize("page", [WHITE, inked(0, 0, 800, 1000), inked(10, 10, 790, 990)])
def test_a_page_that_is_empty_or_full_stays_whole(page):
    left, top, part = written(page)
    assert (left, top) == (0, 0)
    assert part is page


def test_a_noisy_page_keeps_its_ink():
    noise = np.random.default_rng(1).normal(0, 18, WHITE.shape)
    page = np.clip(inked(100, 100, 700, 900) * 0.8 + 25 + noise, 0, 255).astype(np.uint8)
    left, top, part = written(page)
    assert left <= 100
    assert top <= 100
    assert left + part.shape[1] >= 700
    assert top + part.shape[0] >= 900
