"""Ten thousand answers with hostile markers, over material that holds brackets of its own."""

import random

import pytest

from marked import BAD, GOOD, KNOWN, MATERIAL, OWN, SAYS, TEXT, answer, pieces
from youju.text.marker_stream import Cleaner
from youju.text.markers import clean, find


def streamed(text, dice):
    cleaner = Cleaner(KNOWN, MATERIAL)
    out = [cleaner.feed(piece) for piece in pieces(text, dice)] + [cleaner.end()]
    return "".join(out), cleaner.removed


@pytest.mark.slow
def test_in_ten_thousand_answers_what_resolves_to_nothing_goes_and_all_else_stays():
    dice = random.Random(20210305)  # noqa: S311 - the same answers each time
    for _ in range(10_000):
        written, expected = answer(dice)
        whole = clean(written, KNOWN, MATERIAL)
        assert whole.text == expected, written
        assert streamed(written, dice) == (whole.text, whole.removed)
        assert all(one.numbers and set(one.numbers) <= set(KNOWN) for one in find(whole.text, material=MATERIAL))


@pytest.mark.slow
def test_in_ten_thousand_heaps_of_brackets_nothing_unresolved_is_left_and_the_stream_is_the_whole():
    dice = random.Random(20210306)  # noqa: S311 - the same answers each time
    alone = (*BAD, *GOOD, *TEXT, *SAYS, "[1", "[[", "]]", "。", "，", " ", "\n", "**", "$", "`", "\\(", "（", "）")
    for _ in range(10_000):
        heap = "".join(dice.choice(alone) for _ in range(dice.randint(1, 9)))
        own = [one for one in OWN if dice.random() < 0.2]
        written = heap + "".join(f"\n\n{dice.choice(SAYS)}。{one}" for one in own)
        whole = clean(written, KNOWN, MATERIAL)
        assert streamed(written, dice) == (whole.text, whole.removed)
        assert all(one.numbers and set(one.numbers) <= set(KNOWN) for one in whole.kept)
        assert all(one in whole.text for one in own), written
        assert clean(whole.text, KNOWN, MATERIAL).removed == ()
