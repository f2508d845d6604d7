"""What a run is, said before it begins: enough to take it up again, and to refuse what is another one."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from youju import __version__
from youju.lab import corpus
from youju.lab.arms import Arm
from youju.lab.plan import Plan
from youju.lab.seen import Material
from youju.settings import Knobs
from youju.stages.recipes import Parts

SAME: Mapping[str, str] = {
    "set": "题目集",
    "arms": "方案",
    "corpus": "资料",
    "index": "嵌入模型的索引",
    "models": "模型",
    "plan": "运行选项",
}
"""What must be the same for a run to be taken up again, and how people call it."""


def of(
    plan: Plan, arms: Sequence[Arm], documents: Mapping[str, Material], about: Mapping[str, object]
) -> dict[str, object]:
    """What is asked, in which arms, of which material."""
    asked = {name: value for name, value in asdict(plan).items() if name not in {"own", "concurrency", "fresh"}}
    return {
        "youju": __version__,
        "git": _git(),
        "begun_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "set": dict(about),
        "corpus": {"hash": corpus.digest(documents), "documents": [asdict(one) for one in documents.values()]},
        "plan": asked | {"categories": list(plan.categories), "arms": list(plan.arms)},
        "arms": [asdict(arm.info) for arm in arms],
    }


def chain(parts: Parts, knobs: Knobs, judge: object) -> dict[str, object]:
    """What answers, with which figures; `judge` is the model that judges, None where nothing is judged."""
    models = {"embedder": parts.embedder, "reranker": parts.reranker, "llm": parts.llm, "judge": judge}
    return {
        "index": parts.embedder.profile.fingerprint,
        "models": {name: None if one is None else repr(one) for name, one in models.items()},
        "settings": knobs.model_dump(),
        "refusal": parts.refusal,
        # The embedded default says the same of the same; a model's service may not, at any temperature.
        "deterministic": parts.llm is None and parts.reranker is None,
    }


def differences(before: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """What of two runs is not the same, as people call it; the bound of the cost may be another."""
    return [told for name, told in SAME.items() if _fixed(before[name]) != _fixed(now[name])]


def _fixed(value: object) -> object:
    plain = _plain(value)
    return {name: one for name, one in plain.items() if name != "max_cost"} if isinstance(plain, dict) else plain


def _plain(value: object) -> object:
    """As JSON gives it back."""
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _git() -> str:
    """The commit of the folder in which the run was started; "" where that is none."""
    try:
        done = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, timeout=5, check=False)  # noqa: S607 - the user's own git
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
