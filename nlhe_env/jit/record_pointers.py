"""Records and arrays passed to kernels by address.

Numba needs longer to find the type of a large record, or to unpack an array, than to run a small
kernel. If the type is known in advance, an int64 address suffices, valid as long as the memory is
kept.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.np import arrayobj

from nlhe_env.jit.compilation import with_attributes
from nlhe_env.jit.intrinsics import Intrinsic, intrinsic


def record_pointer(dtype: np.dtype[np.void]) -> Callable[..., Any]:
    """Make a kernel function that returns the record of a type at an address.

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
            return with_attributes(np.frombuffer(memory, dtype))[0]

        return read

    record = numba.from_dtype(dtype)

    @intrinsic()
    def record_at(_typing: Any, address: Any) -> Intrinsic:
        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(record))

        return record(address), generate

    found: Callable[..., Any] = record_at
    return found


def array_pointer(dtype: npt.DTypeLike) -> Callable[..., Any]:
    """Make a kernel function that returns the array of a type at an address.

    Its arguments are the address and the shape, a tuple; kernels must have it as a global variable.

    >>> from nlhe_env.jit.compilation import kernel
    >>> numbers = np.arange(6.0)
    >>> numbers_at = array_pointer(np.float64)
    >>> @kernel
    ... def corner(address):
    ...     return numbers_at(address, (2, 3))[1, 2]
    >>> corner(numbers.ctypes.data)
    5.0
    """
    wanted = np.dtype(dtype)
    if numba.config.DISABLE_JIT:

        def read(address: int, shape: tuple[int, ...]) -> Any:
            size = math.prod(shape) * wanted.itemsize
            memory: Any = (ctypes.c_char * size).from_address(int(address))
            return with_attributes(np.frombuffer(memory, wanted).reshape(shape))

        return read

    item = numba.from_dtype(wanted)

    @intrinsic()
    def array_at(_typing: Any, address: Any, shape: Any) -> Intrinsic:
        kind = types.Array(item, len(shape), "C")

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            lengths = [
                context.cast(builder, builder.extract_value(values[1], i), given, types.intp)
                for i, given in enumerate(signature.args[1])
            ]
            steps = [ir.Constant(lengths[0].type, wanted.itemsize)]
            for length in reversed(lengths[1:]):
                steps.insert(0, builder.mul(steps[0], length))
            made = arrayobj.make_array(kind)(context, builder)
            data = builder.inttoptr(values[0], context.get_data_type(item).as_pointer())
            arrayobj.populate_array(
                made,
                data=data,
                shape=lengths,
                strides=steps,
                itemsize=wanted.itemsize,
                meminfo=None,
            )
            return made._getvalue()

        return kind(address, shape), generate

    found: Callable[..., Any] = array_at
    return found
