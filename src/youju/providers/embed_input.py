"""What every embedder does with texts on the way in and with rows on the way out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from youju.errors import ProviderError
from youju.ports import Vectors


def clean(text: str) -> str:
    """The text without what engines choke on: NUL becomes a space, a lone surrogate becomes U+FFFD.

    C engines end a text at NUL, silently; a lone surrogate cannot be written as UTF-8.
    """
    return text.replace("\0", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def distinct(texts: Sequence[str]) -> tuple[list[str], npt.NDArray[np.intp]]:
    """The different texts in the order of their first occurrence, and for each of `texts` its place among them."""
    places: dict[str, int] = {}
    where = [places.setdefault(text, len(places)) for text in texts]
    return list(places), np.asarray(where, dtype=np.intp)


def unit(rows: npt.NDArray[np.floating]) -> Vectors:
    """The rows with L2 norm 1, float32.

    Raises:
        ProviderError: part "embedder"; a row has no direction (zero) or is not finite.
    """
    wide = rows.astype(np.float64)
    # Finite numbers may be so large that their norm is not.
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.linalg.norm(wide, axis=1, keepdims=True)
    if not np.isfinite(norms).all():
        raise ProviderError(
            "嵌入模型返回了非有限数值（NaN 或无穷）",
            part="embedder",
            remedy="请检查嵌入模型或服务是否正常",
            code="embedder_not_finite",
        )
    if not norms.all():
        raise ProviderError(
            "嵌入模型返回了零向量", part="embedder", remedy="请检查模型名是否为嵌入模型", code="embedder_zero_vector"
        )
    return np.asarray(wide / norms, dtype=np.float32)
