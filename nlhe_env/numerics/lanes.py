"""Vectors of 16-bit integers in kernels, for the processor's vector units.

A value of ``LANES`` unsigned 16-bit integers supports ``+ - & | ^ << >>`` with another value or
with an integer, lane by lane and modulo 65536. Comparisons give a mask, which supports ``& | ~``.
LLVM splits the lanes over registers of the processor's width, so the same kernel uses AVX-512, AVX2
or NEON.

Other loops over arrays are left to LLVM. Here it would widen every step to the 64 bits of Numba's
integers, at a quarter of the throughput.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.cgutils import get_or_insert_function
from numba.core.types.containers import UniTuple
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from nlhe_env.jit.array_types import I64, U8, Int, LaneValues, Truth
from nlhe_env.jit.intrinsics import Builder, Intrinsic, NumbaType, Values, intrinsic

LANES = 32
"""Integers in a value: one 512-bit register."""

if numba.config.DISABLE_JIT:

    def load_columns(cards: U8, first: Int, n_columns: int) -> tuple[LaneValues, ...]:
        """The ``n_columns`` columns of ``LANES`` rows of bytes, from row ``first`` on."""
        rows = cards.reshape(-1, n_columns)[first : first + LANES].astype(np.uint16)
        return tuple(rows.T)

    def load_quarters(words: I64, first: Int) -> tuple[LaneValues, ...]:
        """The four 16-bit quarters of ``LANES`` 64-bit words, from the lowest."""
        quarters = words[first : first + LANES, None] >> np.array([0, 16, 32, 48])
        return tuple((quarters & 0xFFFF).astype(np.uint16).T)

    def store_joined(numbers: I64, first: Int, high: LaneValues, low: LaneValues) -> None:
        """Put ``high << 16 | low`` of every lane into an array of int64, from ``first`` on."""
        numbers[first : first + LANES] = high.astype(np.int64) << 16 | low

    def count_ones(bits: Int | LaneValues) -> Any:
        """The number of one bits of a non-negative integer, or of each lane."""
        if isinstance(bits, np.ndarray):
            return sum(bits >> place & 1 for place in range(16))
        return int(bits).bit_count()

    def choose(mask: Truth | LaneValues, chosen: Int | LaneValues, other: Int | LaneValues) -> Any:
        """``chosen`` if or where the mask is set, else ``other``: both are computed."""
        if isinstance(mask, np.ndarray):
            return np.where(mask, chosen, other).astype(np.uint16)
        return chosen if mask else other

    def any_lane(mask: LaneValues) -> bool:
        """Whether the mask is set anywhere."""
        return bool(mask.any())

else:
    _WORD = ir.IntType(16)
    _VECTOR = ir.VectorType(_WORD, LANES)
    _MASK = ir.VectorType(ir.IntType(1), LANES)
    _ADDRESS = ir.IntType(64)

    class _Lanes(types.Type):
        def __init__(self) -> None:
            super().__init__(f"lanes({LANES} x uint16)")

    class _Mask(types.Type):
        def __init__(self) -> None:
            super().__init__(f"mask({LANES})")

    lanes_type = _Lanes()
    mask_type = _Mask()

    @register_model(_Lanes)
    class _LanesModel(models.PrimitiveModel):
        def __init__(self, manager: Any, numba_type: NumbaType) -> None:
            super().__init__(manager, numba_type, _VECTOR)

    @register_model(_Mask)
    class _MaskModel(models.PrimitiveModel):
        def __init__(self, manager: Any, numba_type: NumbaType) -> None:
            super().__init__(manager, numba_type, _MASK)

    def _splat(builder: Builder, number: ir.Value, vector: ir.Type) -> ir.Value:
        """One number in every lane."""
        if isinstance(number.type, ir.VectorType):
            return number
        word = vector.element
        if number.type.width > word.width:
            number = builder.trunc(number, word)
        elif number.type.width < word.width:
            number = builder.zext(number, word)
        first = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.IntType(32)(0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), everywhere)

    def _declare(
        symbol: Callable[..., Any], kind: NumbaType, result: NumbaType, emit: Callable[..., Any]
    ) -> None:
        """Define an operator of two values, or of a value and an integer."""

        def is_operand(operand: NumbaType) -> bool:
            return operand == kind or isinstance(operand, types.Integer)

        @infer_global(symbol)
        class _Typing(AbstractTemplate):
            def generic(self, args: tuple[NumbaType, ...], kws: dict[str, types.Type]) -> Any:
                if len(args) == 2 and kind in args and all(is_operand(arg) for arg in args):
                    return signature(result, *args)
                return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            vector = context.get_value_type(kind)
            return emit(builder, *[_splat(builder, arg, vector) for arg in args])

        for left, right in ((kind, kind), (kind, types.Integer), (types.Integer, kind)):
            lower_builtin(symbol, left, right)(generate)

    for _symbol, _emit in (
        (operator.add, ir.IRBuilder.add),
        (operator.sub, ir.IRBuilder.sub),
        (operator.and_, ir.IRBuilder.and_),
        (operator.or_, ir.IRBuilder.or_),
        (operator.xor, ir.IRBuilder.xor),
        (operator.lshift, ir.IRBuilder.shl),
        (operator.rshift, ir.IRBuilder.lshr),
    ):
        _declare(_symbol, lanes_type, lanes_type, _emit)
    for _symbol, _name in (
        (operator.eq, "=="),
        (operator.ne, "!="),
        (operator.gt, ">"),
        (operator.ge, ">="),
    ):
        _declare(
            _symbol,
            lanes_type,
            mask_type,
            lambda builder, a, b, name=_name: builder.icmp_unsigned(name, a, b),
        )
    _declare(operator.and_, mask_type, mask_type, ir.IRBuilder.and_)
    _declare(operator.or_, mask_type, mask_type, ir.IRBuilder.or_)

    def _is_row(array: NumbaType, dtype: NumbaType) -> bool:
        """Whether a type is that of contiguous one-dimensional arrays."""
        return (
            isinstance(array, types.Array)
            and array.ndim == 1
            and array.layout == "C"
            and array.dtype == dtype
        )

    def _pointer(
        context: Any,
        builder: Builder,
        array_type: NumbaType,
        array: ir.Value,
        item: ir.Value,
        element: ir.Type,
    ) -> ir.Value:
        """Address of an item of a one-dimensional array, as a vector pointer."""
        start = context.make_array(array_type)(context, builder, array).data
        return builder.bitcast(builder.gep(start, [item]), element.as_pointer())

    @intrinsic(prefer_literal=True)
    def load_columns(
        typingctx: Any, cards: NumbaType, first: NumbaType, n_columns: NumbaType
    ) -> Intrinsic:
        """The ``n_columns`` columns of ``LANES`` rows of bytes, from row ``first`` on."""
        if not _is_row(cards, types.uint8) or not isinstance(n_columns, types.IntegerLiteral):
            return None
        n = n_columns.literal_value
        result = UniTuple(lanes_type, n)

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            array, first, _ = args
            first = context.cast(builder, first, sig.args[1], types.int64)
            item = builder.mul(first, _ADDRESS(n))
            block = ir.VectorType(ir.IntType(8), LANES * n)
            bytes_ = builder.load(
                _pointer(context, builder, sig.args[0], array, item, block), align=1
            )
            columns = []
            for j in range(n):
                places = [n * lane + j for lane in range(LANES)]
                mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), places)
                column = builder.shuffle_vector(bytes_, ir.Constant(block, ir.Undefined), mask)
                columns.append(builder.zext(column, _VECTOR))
            return context.make_tuple(builder, result, columns)

        return result(cards, first, n_columns), generate

    @intrinsic()
    def load_quarters(typingctx: Any, words: NumbaType, first: NumbaType) -> Intrinsic:
        """The four 16-bit quarters of ``LANES`` 64-bit words, from the lowest."""
        if not _is_row(words, types.int64):
            return None
        result = UniTuple(lanes_type, 4)

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            array, first = args
            block = ir.VectorType(_WORD, 4 * LANES)
            all_ = builder.load(
                _pointer(context, builder, sig.args[0], array, first, block), align=8
            )
            quarters = []
            for j in range(4):
                places = [4 * lane + j for lane in range(LANES)]
                mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), places)
                quarters.append(
                    builder.shuffle_vector(all_, ir.Constant(block, ir.Undefined), mask)
                )
            return context.make_tuple(builder, result, quarters)

        return result(words, first), generate

    @intrinsic()
    def store_joined(
        typingctx: Any, numbers: NumbaType, first: NumbaType, high: NumbaType, low: NumbaType
    ) -> Intrinsic:
        """Put ``high << 16 | low`` of every lane into an array of int64, from ``first`` on."""
        if not _is_row(numbers, types.int64):
            return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            array, first, high, low = args
            wide = ir.VectorType(ir.IntType(64), LANES)
            half = ir.VectorType(ir.IntType(32), LANES)
            shift = ir.Constant(half, [16] * LANES)
            joined = builder.or_(
                builder.shl(builder.zext(high, half), shift), builder.zext(low, half)
            )
            pointer = _pointer(context, builder, sig.args[0], array, first, wide)
            builder.store(builder.zext(joined, wide), pointer, align=8)
            return context.get_dummy_value()

        return types.void(numbers, first, high, low), generate

    @intrinsic()
    def count_ones(typingctx: Any, bits: NumbaType) -> Intrinsic:
        """The number of one bits of a non-negative integer, or of each lane."""
        if isinstance(bits, types.Integer):
            return bits(bits), lambda context, builder, sig, args: builder.ctpop(args[0])
        if bits != lanes_type:
            return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            form = ir.FunctionType(_VECTOR, [_VECTOR])
            name = f"llvm.ctpop.v{LANES}i16"
            return builder.call(get_or_insert_function(builder.module, form, name), args)

        return lanes_type(lanes_type), generate

    @intrinsic()
    def choose(typingctx: Any, mask: NumbaType, chosen: NumbaType, other: NumbaType) -> Intrinsic:
        """``chosen`` if or where the mask is set, else ``other``: both are computed."""
        if mask == mask_type:

            def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
                chosen, other = (_splat(builder, arg, _VECTOR) for arg in args[1:])
                return builder.select(args[0], chosen, other)

            return lanes_type(mask, chosen, other), generate

        def generate_one(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            return builder.select(*args)

        return types.int64(types.boolean, types.int64, types.int64), generate_one

    @intrinsic()
    def any_lane(typingctx: Any, mask: NumbaType) -> Intrinsic:
        """Whether the mask is set anywhere."""

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            packed = builder.bitcast(args[0], ir.IntType(LANES))
            return builder.icmp_unsigned("!=", packed, packed.type(0))

        return types.boolean(mask), generate
