"""Records handed to kernels by their address.

Finding the type of a large record costs Numba more than a small kernel takes. Where the type is
known beforehand, an int64 address does, valid for as long as the record is kept.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic


def record_pointer(dtype: np.dtype[np.void]) -> Callable[..., Any]:
    """Function for kernels, where it must be a global: the record of a type at an address.

    >>> from nlhe_env.jit.compilation import kernel
    >>> pairs = np.array([(1, 2.5)], [("count", np.int64), ("weight", np.float64)])
    >>> pair_at = record_pointer(pairs.dtype)
    >>> @kernel
    ... def weight_at(address):
    ...     return pair_at(address).weight
    >>> weight_at(pairs.ctypes.data)
    2.5
    """
    if numba.config.DISABLE_JIT:

        def read(address: int) -> Any:
            memory: Any = (ctypes.c_char * dtype.itemsize).from_address(int(address))
            return np.frombuffer(memory, dtype)[0]

        return read

    record = numba.from_dtype(dtype)

    @intrinsic  # type: ignore[untyped-decorator]
    def record_at(_typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(record))

        return record(address), generate

    found: Callable[..., Any] = record_at
    return found
