"""The workflow of the page about a gate in CI does what the page says, on a push and then on a pull request."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from blocks import blocks, follow

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "ci-gate.md"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_push_leaves_the_baseline_that_a_pull_request_is_held_against(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for one in blocks(PAGE.read_text(encoding="utf-8")):
        if one.file:
            (tmp_path / one.file).write_text(one.body, encoding="utf-8")
    steps = yaml.safe_load((tmp_path / "youju-gate.yml").read_text(encoding="utf-8"))["jobs"]["gate"]["steps"]
    lines = [step["run"] for step in steps if step.get("run", "").startswith("youju ")]
    assert [line.split()[1] for line in lines] == ["add", "eval", "eval"]
    asked, decided = lines[:2], lines[2]
    assert not follow("\n".join(f"```bash\n{line}\n```" for line in asked), tmp_path)
    shutil.copytree("now", "baseline")
    assert not follow("\n".join(f"```bash\n{line}\n```" for line in [asked[1], decided]), tmp_path)
