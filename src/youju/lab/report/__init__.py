"""Reports: the four blocks first, then how fast, how much, who judged, and what the run was made of."""

from youju.lab.report.writing import Report, written

__all__ = ["Report", "written"]
