"""In-place sorting in kernels."""

from __future__ import annotations

from nlhe_env.jit.array_types import I64, Int
from nlhe_env.jit.compilation import kernel


@kernel
def sort_keys(keys: I64, n: Int) -> None:
    """Sort the first ``n`` keys in place, by Shellsort with Ciura's gaps.

    Suitable for a few thousand keys.

    Args:
        keys: 1-D int64 array.
        n: Number of keys.
    """
    for gap in (701, 301, 132, 57, 23, 10, 4, 1):
        for i in range(gap, n):
            key = keys[i]
            k = i
            while k >= gap and keys[k - gap] > key:
                keys[k] = keys[k - gap]
                k -= gap
            keys[k] = key
