"""Fit the graders on the dev split of the sample questions and write them into the package.

    python bench/fit_grader.py [--store DIR]

A logistic model (ridge) over the evidence features of the served search. Weights and bounds come from the dev split
alone, the test split is only reported.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from measures import shown
from samples import cases, opened

from youju import samples
from youju.compose import App
from youju.lab.dataset import Case
from youju.settings import Knobs
from youju.stages import recipes
from youju.stages.base import Pipeline, advance
from youju.stages.evidence import Question, features
from youju.text.tokens import query_terms
from youju.types import Scope, Turn

Floats = npt.NDArray[np.float64]
FEATURES = {
    "e5": ("cosine", "cover", "unseen", "strong_missing", "numbers_missing", "agreement", "kind"),
    "words": ("cover", "unseen", "strong_missing", "numbers_missing", "kind"),
}
BOOKS = {
    "es": "慢行集",
    "fn": "函数入门",
    "gw": "青梧网关技术手册",
    "rg": "云麓仪器员工管理规定",
    "sp": "小满门锁客服问答",
}
RIDGE = 5.0
MOST_OVER_REFUSED = 0.15
SURE = 0.8
GRADERS = Path(samples.__file__).parents[1] / "stages" / "graders"


def fitted(x: Floats, y: Floats) -> Floats:
    """Weights, bias first, by Newton's method; the bias is not shrunk."""
    x1 = np.column_stack([np.ones(len(x)), x])
    weights = np.zeros(x1.shape[1])
    shrink = np.diag(np.r_[0.0, np.full(x.shape[1], RIDGE)])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x1 @ weights))
        gradient = x1.T @ (p - y) + shrink @ weights
        weights -= np.linalg.solve((x1 * (p * (1 - p))[:, None]).T @ x1 + shrink, gradient)
    return weights


def area(scores: Floats, y: Floats) -> float:
    """Area under the ROC curve, by ranks."""
    better = scores[y == 1][:, None] > scores[y == 0][None, :]
    equal = scores[y == 1][:, None] == scores[y == 0][None, :]
    return float((better + equal / 2).mean())


def bounds(p: Floats, y: Floats) -> tuple[float, float]:
    """(low, high): refuse as much as costs at most MOST_OVER_REFUSED of the answerable; sure where SURE are answerable.

    The bound with the best F1 of refusal (.70 on these figures) would refuse half of the answerable questions.
    """
    grid = np.round(np.arange(0.05, 0.96, 0.01), 2)
    low = float(max(bound for bound in grid if (p[y == 1] < bound).mean() <= MOST_OVER_REFUSED))
    sure = [bound for bound in grid if bound > low and (p >= bound).any() and y[p >= bound].mean() >= SURE]
    return low, float(sure[0]) if sure else 0.95


def write(name: str, table: Sequence[tuple[Case, Mapping[str, float]]]) -> None:
    columns = FEATURES[name]
    x = np.array([[figures[column] for column in columns] for _, figures in table])
    y = np.array([float(case.answerable) for case, _ in table])
    dev = np.array([case.split == "dev" for case, _ in table])
    mean, scale = x[dev].mean(axis=0), x[dev].std(axis=0) + 1e-9
    weights = fitted((x[dev] - mean) / scale, y[dev])
    p = 1 / (1 + np.exp(-(weights[0] + (x - mean) / scale @ weights[1:])))
    low, high = bounds(p[dev], y[dev])
    digest = hashlib.sha256("\n".join(sorted({case.question for case, _ in table})).encode()).hexdigest()[:12]
    model = {
        "name": name,
        "fitted_on": f"sample questions, dev split, {int(dev.sum())} turns, set {digest}",
        "bias": round(float(weights[0]), 4),
        "low": low,
        "high": high,
        "weights": {
            column: [round(float(value), 4) for value in triple]
            for column, *triple in zip(columns, mean, scale, weights[1:], strict=True)
        },
    }
    (GRADERS / f"{name}.json").write_text(json.dumps(model, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    print(name, model["weights"], f"low {low} high {high}")
    for split, rows in (("dev", dev), ("test", ~dev)):
        refused, bad = p[rows] < low, y[rows] == 0
        right = int((refused & bad).sum())
        print(f"  {split:4s} AUC {area(p[rows], y[rows]):.3f}  HIGH {np.mean(p[rows] >= high):.2f} of all")
        print(f"       refusal precision {shown(right, int(refused.sum()))}  recall {shown(right, int(bad.sum()))}")


async def figures(app: App, knobs: Knobs) -> list[tuple[Case, Mapping[str, float]]]:
    """Each case with the evidence features of the served search."""
    parts = app.chat.parts
    search = Pipeline("search", recipes.search(parts, knobs))
    books = {one.title: one.id for one in await app.documents.listed()}
    table = []
    for case in cases():
        # Once in the whole store, once in the book it is about: a grade must hold in small scopes too.
        for scope in (Scope(), Scope(document_ids=(books[BOOKS[case.id.split("-")[0]]],))):
            turn = await advance(search, Turn(asked=case.question, scope=scope))
            df = await parts.words.df([term.text for term in query_terms(turn.question)], scope)
            question = Question(turn.question, df, await parts.words.size(scope))
            table.append((case, features(question, turn.hits)))
    return table


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "youju-bench-samples")
    async with opened(parser.parse_args().store) as app:
        write("e5", await figures(app, Knobs()))
        write("words", await figures(app, Knobs(vector_top_k=0)))


if __name__ == "__main__":
    asyncio.run(main())
