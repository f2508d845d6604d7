"""Vectors as they are stored: half floats, two bytes a number."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from youju.errors import ProviderError
from youju.ports import Vectors

HALF = 2
"""Bytes of a half float."""


def check_sizes(found: AbstractSet[int], wanted: int) -> None:
    """Vectors of different sizes have no angle between them; sizes in bytes.

    Raises:
        ProviderError: the model behind the fingerprint is no longer the one that made the stored vectors.
    """
    if found - {wanted} or wanted % HALF:
        sizes = "、".join(str(size // HALF) for size in sorted({*found, wanted}))
        raise ProviderError(
            f"同一嵌入模型的向量长短不一：{sizes} 维",
            part="vector",
            remedy="请检查嵌入接口是否换了模型，再运行 youju docs reembed --all",
            code="vector_bad_dim",
        )


def floats(data: Sequence[bytes]) -> Vectors:
    return np.frombuffer(b"".join(data), np.float16).reshape(len(data), -1).astype(np.float32)


def unit(rows: Vectors) -> Vectors:
    """The rows with length 1; half floats have lost a little of it. A row of zeros stays."""
    lengths = np.sqrt(np.vecdot(rows, rows))[..., None]
    unit: Vectors = rows / np.maximum(lengths, np.finfo(np.float32).tiny)
    return unit
