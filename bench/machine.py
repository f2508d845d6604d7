"""What a figure depends on beside the code: the machine, the versions, the load, the threads."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("youju", "numpy", "rjieba", "sqlalchemy", "chromadb", "rank-bm25", "jieba")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread() -> None:
    """Start again with one thread a library, unless that is so: the libraries read it when they are loaded."""
    if any(os.environ.get(name) != "1" for name in THREADS):
        os.environ.update(dict.fromkeys(THREADS, "1"))
        os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606 - this very program


def facts() -> dict[str, object]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(_memory() / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "threads": "1 a library; Chroma's own query threads cannot be bounded",
        "packages": {name: _version(name) for name in PACKAGES},
    }


def load() -> float:
    """Processes that wanted to run in the last minute, on average; above the number of cores they wait."""
    return round(os.getloadavg()[0], 1)


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
