"""Bit counts as single machine instructions, for kernels.

Numba has no population count; both functions use LLVM's instruction directly.
"""

from __future__ import annotations

from typing import Any

import numba
from numba.core import types

from nlhe_env.jit.array_types import Int
from nlhe_env.jit.intrinsics import Builder, Intrinsic, NumbaType, Values, intrinsic

if numba.config.DISABLE_JIT:

    def popcount(bits: Int) -> int:
        """The number of one bits of a non-negative integer."""
        return int(bits).bit_count()

    def top_bit(bits: Int) -> int:
        """The highest one bit of a non-negative integer, alone; 0 for 0."""
        return (1 << int(bits).bit_length()) >> 1

else:

    @intrinsic()
    def popcount(typingctx: Any, bits: NumbaType) -> Intrinsic:
        """The number of one bits of a non-negative integer."""
        if not isinstance(bits, types.Integer):
            return None

        def generate(context: Any, builder: Builder, signature: Any, arguments: Values) -> Any:
            return builder.ctpop(arguments[0])

        return bits(bits), generate

    @intrinsic()
    def top_bit(typingctx: Any, bits: NumbaType) -> Intrinsic:
        """The highest one bit of a non-negative integer, alone; 0 for 0."""
        if not isinstance(bits, types.Integer):
            return None

        def generate(context: Any, builder: Builder, signature: Any, arguments: Values) -> Any:
            (value,) = arguments
            word = value.type
            # Half of 2**bit_length. The sign bit is clear, so there is at least one leading zero
            # and the shift stays within the word.
            leading = builder.ctlz(value, context.get_constant(types.boolean, False))
            length = builder.sub(word(word.width), leading)
            return builder.lshr(builder.shl(word(1), length), word(1))

        return bits(bits), generate
