"""Question sets: what a case is, and reading, writing, comparing, splitting, importing and drafting sets of them."""

from youju.lab.dataset.reading import Reading, load, read
from youju.lab.dataset.schema import Alternatives, Attack, Case, Category, Evidence, Fact, Near

__all__ = ["Alternatives", "Attack", "Case", "Category", "Evidence", "Fact", "Near", "Reading", "load", "read"]
