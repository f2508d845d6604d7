"""What is done about a page, by what it looks like."""

from __future__ import annotations

import numpy as np
import pytest

from youju.providers.ocr.decision import decision
from youju.providers.pdf.chars import Run

LINE = Run("一行字", 40, 50, 160, 62, 60, 10)


def page(*lines: tuple[int, int], paper: int = 240) -> np.ndarray:
    """A grey page of 200 × 300 with bars of ink from 40 to 160, between these heights."""
    grey = np.full((300, 200), paper, np.uint8)
    for top, bottom in lines:
        grey[top:bottom, 40:160] = 20
    return grey


@pytest.mark.parametrize(
    "layer, grey, expected",
    [
        ("good", page(), "keep"),
        ("none", page(), "blank"),
        ("none", page(paper=60), "blank"),
        ("none", page((50, 62)), "read"),
        ("useless", page((50, 62)), "read"),
        ("useless", page(), "keep"),  # nothing to be read instead
        ("doubtful", page((50, 62)), "keep"),
        ("doubtful", page((50, 62), (100, 112)), "compare"),
    ],
)
def test_a_page_is_read_for_what_it_lacks(layer, grey, expected):
    assert decision(layer, grey, [LINE], 1.0) == expected


def test_the_dark_border_of_a_scan_is_not_on_the_page():
    grey = page()
    grey[:5], grey[:, -4:] = 0, 0
    assert decision("none", grey, [], 1.0) == "blank"


def test_noise_of_paper_is_not_on_the_page():
    grey = np.clip(np.random.default_rng(1).normal(230, 8, (300, 200)), 0, 255).astype(np.uint8)
    assert decision("none", grey, [], 1.0) == "blank"


def test_places_of_the_layer_are_in_points_and_those_of_the_page_in_pixels():
    assert decision("doubtful", np.kron(page((50, 62)), np.ones((2, 2), np.uint8)), [LINE], 2.0) == "keep"
