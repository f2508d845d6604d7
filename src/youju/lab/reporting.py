"""The report of a run beside it, unless a document went while it was written."""

from __future__ import annotations

from youju.lab import report
from youju.lab.assembling import results
from youju.lab.runs import Folder, reports


def reported(folder: Folder, *, newest: bool = True) -> str:
    """The verdict of a run, whose report is written; `newest` as of `written`."""
    out, before = folder.path.parent, folder.blanked
    found = report.written(results(folder), out, folder.name, newest=newest)
    if folder.blanked != before:
        # It quotes what has left the run meanwhile; who asks for it gets another.
        for one in reports(out, folder.name):
            one.unlink(missing_ok=True)
    return found.verdict
