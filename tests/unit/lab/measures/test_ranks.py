"""The formulas of ranked retrieval, against worked figures, known expectations and another implementation."""

from __future__ import annotations

import random
from itertools import permutations
from math import comb, log2
from statistics import fmean

import ir_measures as ir
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import chunk
from judgements import case
from seens import retrieved, value
from youju.lab.measures.ranks import average_precision, found, ndcg, reciprocal_rank

FIRSTS = st.lists(st.none() | st.integers(1, 30), min_size=1, max_size=8)
CUT = st.integers(1, 12)


def test_figures_worked_by_hand():
    firsts = [1, 3, None]
    assert found(firsts, 2) == 1
    assert reciprocal_rank([False, False, True, True]) == 1 / 3
    assert reciprocal_rank([False]) == 0
    # 1 + 1/log2(4) = 1.5 over 1 + 1/log2(3) + 1/2
    assert ndcg(firsts, 10) == pytest.approx(1.5 / (1.5 + 1 / log2(3)))
    assert average_precision(firsts, 5) == pytest.approx((1 / 1 + 2 / 3) / 3)
    # Only two of three can be among the first two.
    assert average_precision([1, 2, None], 2) == 1


def test_one_chunk_that_holds_all_the_evidence_at_the_top_is_a_perfect_ranking():
    assert ndcg([1, 1, 1], 10) == average_precision([1, 1, 1], 5) == 1


def test_evidence_that_one_chunk_holds_further_down_counts_where_it_is():
    assert ndcg([2, 2], 10) == pytest.approx(2 / log2(3) / (1 + 1 / log2(3)))
    assert average_precision([2, 2], 5) == pytest.approx((1 / 2 + 2 / 2) / 2)


@given(FIRSTS, CUT)
def test_no_figure_leaves_the_unit_interval(firsts, k):
    assert 0 <= ndcg(firsts, k) <= 1 + 1e-12
    assert 0 <= average_precision(firsts, k) <= 1 + 1e-12
    assert 0 <= found(firsts, k) <= len(firsts)


@given(FIRSTS, CUT, st.randoms(use_true_random=False))
def test_the_order_in_which_evidence_is_labelled_is_irrelevant(firsts, k, rng):
    shuffled = list(firsts)
    rng.shuffle(shuffled)
    assert ndcg(shuffled, k) == ndcg(firsts, k)
    assert average_precision(shuffled, k) == average_precision(firsts, k)


@given(FIRSTS, CUT, st.integers(0, 7))
def test_evidence_that_moves_up_never_costs(firsts, k, at):
    at %= len(firsts)
    rank = firsts[at] or 31
    better = [*firsts[:at], max(1, rank - 1), *firsts[at + 1 :]]
    assert ndcg(better, k) >= ndcg(firsts, k) - 1e-12
    assert average_precision(better, k) >= average_precision(firsts, k) - 1e-12


def test_the_formulas_agree_with_ir_measures_on_random_rankings():
    rng = random.Random(7)  # noqa: S311 - seeded, not secret
    qrels, run, ours = [], [], {}
    for number in range(300):
        query = str(number)
        known = [f"d{n}" for n in range(40)]
        wanted = rng.sample(known, rng.randint(1, 12))
        listed = rng.sample(known, rng.randint(1, 30))
        qrels += [ir.Qrel(query, one, 1) for one in wanted]
        run += [ir.ScoredDoc(query, one, float(len(listed) - at)) for at, one in enumerate(listed)]
        firsts = [listed.index(one) + 1 if one in listed else None for one in wanted]
        relevant = [one in wanted for one in listed]
        ours[query] = {
            "nDCG@10": ndcg(firsts, 10),
            "R@5": found(firsts, 5) / len(firsts),
            "R@10": found(firsts, 10) / len(firsts),
            "P@5": sum(relevant[:5]) / 5,
            "RR": reciprocal_rank(relevant),
            "Success@5": float(any(relevant[:5])),
            # Theirs divides by all that is relevant, ours by what can be among the first five.
            "AP@5": average_precision(firsts, 5) * min(5, len(firsts)) / len(firsts),
        }
    asked = [ir.parse_measure(name) for name in ours["0"]]
    theirs = list(ir.iter_calc(asked, qrels, run))
    assert len(theirs) == 300 * len(asked)
    for one in theirs:
        assert ours[one.query_id][str(one.measure)] == pytest.approx(one.value, abs=1e-9)


# --- the measures on rankings whose figures are known ----------------------------------------------------------------

N, RIGHT = 6, 2
NAMES = ("recall@5", "recall@10", "evidence_mrr", "ndcg@10", "context_precision@5", "hit@1", "hit@5", "mrr")


def labelled(*texts):
    return case(evidence=[{"doc": "函数入门", "text": text} for text in texts], expected_docs=["函数入门"])


def piece(at):
    """A chunk that holds evidence, of the expected document, if it is one of the first two; else one of another."""
    right = at < RIGHT
    return chunk(
        str(at),
        f"第{'甲乙'[at]}条规定" if right else f"无关{at}",
        ordinal=at * 10,
        book="函数入门" if right else "别的书",
    )


CASE = labelled("第甲条规定", "第乙条规定")


def test_an_oracle_scores_one_and_gold_of_other_questions_nothing():
    oracle = retrieved(CASE, *[piece(at) for at in range(N)])
    other = retrieved(
        labelled("别处的出处").model_copy(update={"expected_docs": (("另一本",),)}), *oracle.ranking("final")
    )
    for name in NAMES:
        assert value(name, oracle) == 1, name
        assert value(name, other) == 0, name


def test_the_mean_over_all_rankings_is_the_known_expectation():
    seens = [retrieved(CASE, *[piece(at) for at in order]) for order in permutations(range(N))]
    mean = {name: fmean(value(name, one) for one in seens) for name in (*NAMES, "precision@5")}
    for k in (1, 5):
        assert mean[f"hit@{k}"] == pytest.approx(1 - comb(N - RIGHT, k) / comb(N, k))
    assert mean["recall@5"] == pytest.approx(5 / N)
    assert mean["precision@5"] == pytest.approx(RIGHT / N)
    first_at = {rank: comb(N - rank, RIGHT - 1) / comb(N, RIGHT) for rank in range(1, N)}
    expected = sum(chance / rank for rank, chance in first_at.items())
    assert mean["mrr"] == mean["evidence_mrr"] == pytest.approx(expected)
    gain = sum(1 / log2(rank + 1) for rank in range(1, N + 1)) * RIGHT / N
    assert mean["ndcg@10"] == pytest.approx(gain / (1 + 1 / log2(3)))


def test_the_order_of_irrelevant_chunks_is_irrelevant():
    one = retrieved(CASE, *[piece(at) for at in (4, 0, 2, 1, 3, 5)])
    other = retrieved(CASE, *[piece(at) for at in (5, 0, 3, 1, 4, 2)])
    for name in NAMES:
        assert value(name, one) == value(name, other)
