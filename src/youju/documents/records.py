"""What other parts of the product keep of documents' texts, beside the database."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol


class Records(Protocol):
    """Files in the store's folder that quote documents. Every method blocks."""

    def named(self) -> set[str]:
        """The ids of all documents that they may quote."""
        ...

    def forget(self, document_ids: Collection[str]) -> None:
        """Empty what they hold of the text of these documents. Safe to repeat."""
        ...

    def holding(self, document_ids: Collection[str]) -> list[str]:
        """The names of records that still have text of these documents."""
        ...
