"""Memory prefetching for kernels that read large amounts of memory."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import types

from nlhe_env.jit.array_types import AnyArray, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.intrinsics import Builder, Intrinsic, NumbaType, Values, intrinsic

_LINE = 64  # bytes of a cache line

if numba.config.DISABLE_JIT:

    def _fetch(address: Int) -> None:
        """Ask for one cache line."""

else:

    @intrinsic()
    def _fetch(typingctx: Any, address: NumbaType) -> Intrinsic:
        """Ask for one cache line."""
        if not isinstance(address, types.Integer):
            return None

        def generate(context: Any, builder: Builder, signature: Any, arguments: Values) -> Any:
            byte_pointer = ir.IntType(8).as_pointer()
            number = ir.IntType(32)
            form = ir.FunctionType(ir.VoidType(), [byte_pointer, number, number, number])
            instruction = builder.module.declare_intrinsic("llvm.prefetch", (byte_pointer,), form)
            pointer = builder.inttoptr(arguments[0], byte_pointer)
            # 0: for reading; 3: keep in all caches; 1: data.
            builder.call(instruction, [pointer, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(address), generate


@kernel
def prefetch(array: AnyArray) -> None:
    """Prefetch a contiguous array without waiting."""
    prefetch_start(array, array.size * array.itemsize)


@kernel
def prefetch_start(array: AnyArray, size: Int) -> None:
    """Prefetch the first ``size`` bytes of a contiguous array without waiting."""
    start = array.ctypes.data
    for line in range(0, size, _LINE):
        _fetch(start + line)
