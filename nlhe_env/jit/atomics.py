"""Counters that threads inside kernels share."""

from __future__ import annotations

import threading
from typing import Any

import numba
from llvmlite import ir
from numba import types

from nlhe_env.jit.array_types import I64, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.intrinsics import Intrinsic, NumbaType, intrinsic

if numba.config.DISABLE_JIT:
    _lock = threading.Lock()

    def fetch_add(counter: I64, number: Int) -> Int:
        """Add a number to a counter; returns the counter's value before."""
        with _lock:
            before = int(counter[0])
            counter[0] += number
        return before

else:

    @intrinsic()
    def _fetch_add(_typing: Any, address: NumbaType, number: NumbaType) -> Intrinsic:
        """Add atomically to the int64 at an address."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pointer = builder.inttoptr(values[0], ir.IntType(64).as_pointer())
            added = context.cast(builder, values[1], signature.args[1], types.int64)
            # A thread that reads the new value also sees all earlier writes of this one.
            return builder.atomic_rmw("add", pointer, added, "seq_cst")

        return types.int64(address, number), generate

    @kernel
    def fetch_add(counter: I64, number: Int) -> Int:
        """Add a number to a counter of one element atomically; returns its value before."""
        return _fetch_add(counter.ctypes.data, number)
