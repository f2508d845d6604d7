"""Good text under bad names."""

from __future__ import annotations

from collections.abc import Iterator

from hostile.file import READY, File

NAMES = (
    "长" * 300 + ".txt",
    "x" * 300 + ".md",
    "🐳📚👩‍👩‍👧‍👦.txt",
    "../../../x.txt",
    "..\\..\\x.txt",
    "/etc/passwd.txt",
    "C:\\Windows\\x.txt",
    "CON.txt",
    "a\\b.txt",
    "a:b*c?.txt",
    "-rf.txt",
    "  x  .txt",
    "..txt",
    "%2e%2e%2fx.txt",
    "\u202etxt.exe.txt",
    "a\tb.txt",
    "'; DROP TABLE document; --.txt",
    "<img src=x onerror=alert(1)>.txt",
    "$(reboot)`reboot`.txt",
    "e\u0301.txt",
    "\ufeffx.txt",
    "x.TXT",
    "x.pdf.txt",
)


def named() -> Iterator[File]:
    for n, name in enumerate(NAMES):
        yield File(
            name, f"第 {n} 条：仓库的门每天二十二点锁上，钥匙由值班的人保管，遗失时当天报告第 {n} 组。".encode(), READY
        )
