"""The benchmark of many streams, made short: all come whole, in order, and their tokens are the answer.

How long anything takes is not looked at here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "bench" / "open_streams.py"


@pytest.mark.slow
def test_ten_answers_streamed_at_a_time_all_come_whole_and_in_order(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    short = ("--rate", "4", "--seconds", "2.5", "--answer-s", "3", "--embedding", "fake", "--json", str(figures))
    ran = subprocess.run(  # noqa: S603 - this very program
        [sys.executable, str(SCRIPT), *short], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert found["questions"] == 10
    assert found["errors"] == 0
    assert found["degraded"] == {}
