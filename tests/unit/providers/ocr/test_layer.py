"""Which text layers can be believed."""

from __future__ import annotations

import pytest

from youju.providers.ocr.layer import covered, layer
from youju.providers.pdf.chars import Run, Sheet

PROSE = "春天的风从山谷里吹过来，带着青草和泥土的气味，我们在河边走了很久。"


def sheet(*texts: str, scan: bool = False) -> Sheet:
    runs = [run(text, 20 + 20 * at) for at, text in enumerate(texts)]
    return Sheet(1, 400, 600, "\n".join(texts), "", runs=runs, scan=scan)


def run(text: str, y: float, x0: float = 20, x1: float = 220) -> Run:
    return Run(text, x0, y, x1, y + 12, y + 10, 10)


@pytest.mark.parametrize(
    "texts",
    [
        (PROSE,),
        ("Plain words stand here, and more of them follow on this line.",),
        ("第一章 函数 ................ 1", "第二章 数列 ................ 15", "附录 ........................ 90"),
        ("f(x) = √(x² − 1) ≥ 0，α∈[0, π]，∑aᵢ → ∞",),
        ("张巍 李晟 王玥 赵琪 钱昱 孙旻 周煜 吴昊",),
        ("ༀ་མ་ཎི་པ་དྨེ་ཧཱུྃ་བཀྲ་ཤིས་བདེ་ལེགས་ཕུན་སུམ་ཚོགས",),  # Tibetan is rare, but one script throughout
    ],
)
def test_what_people_write_is_good(texts):
    assert layer(sheet(*texts)) == "good"


@pytest.mark.parametrize(
    "text",
    [
        "春天的风\ufffd\ufffd山谷里吹过来",
        "\x0f\x14\x1d\x0c\x18\x1b\x04\x1a\x10\x1e",  # glyph numbers for characters
        "ሀሁሂ㐀㐁ᚠᚡ春天꒰ᎣᎤ㒵ሪ",
        "! $ # ! % & ( $ ' ! # $ % & ! $ # ! % & ( $ ' ! # $ % & ! $ # ! % & ( $ ' ! # $ % &",
        "".join(chr(0x4E00 + 37 * at) for at in range(400)),  # as many characters as there are, none twice
        "ÄÚÈÝÌáÒªºÍÄ¿Â¼",
    ],
)
def test_what_nobody_wrote_is_useless(text):
    assert layer(sheet(text)) == "useless"


def test_a_page_without_text_has_none():
    assert layer(sheet()) == "none"


def test_text_over_a_picture_of_the_page_is_doubtful():
    assert layer(sheet(PROSE, scan=True)) == "doubtful"


def test_covered_is_the_area_of_the_seen_over_which_the_layer_lies():
    # One line of 200 × 12 covered, one of which the layer has the left half: 1.5 of 2.
    seen = [(20, 20, 220, 32), (20, 60, 220, 72)]
    assert covered(seen, [run("甲", 20), run("乙", 60, 20, 120)]) == pytest.approx(0.75)


def test_runs_over_one_another_count_once():
    assert covered([(0, 20, 100, 32)], [run("甲", 20, 0, 50), run("乙", 20, 25, 50)]) == pytest.approx(0.5)


def test_nothing_seen_is_covered():
    assert covered([], []) == 1.0
