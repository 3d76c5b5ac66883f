"""Vectors of sixteen floating-point numbers in kernels, for the processor's vector units.

A value of ``LANES`` numbers supports ``+ - * /`` with another value or with a number, lane by lane.
LLVM splits the lanes over registers of the processor's width. Loops that LLVM vectorizes itself are
left to it; here it would have to check that arrays do not overlap before each loop of sixteen
steps.

Arrays are two-dimensional and contiguous, of float32 or float64; the lanes have the same type.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from nlhe_env.jit.array_types import AnyArray, Float, Int, LaneValues
from nlhe_env.jit.intrinsics import Builder, Intrinsic, NumbaType, Values, intrinsic

LANES = 16
"""Numbers in a value: one 512-bit register of float32."""


def in_whole_lanes(count: int) -> int:
    """A count, rounded up to a multiple of ``LANES``.

    >>> in_whole_lanes(1081)
    1088
    """
    return -(-count // LANES) * LANES


if numba.config.DISABLE_JIT:

    def load(rows: AnyArray, row: Int, first: Int) -> LaneValues:
        """``LANES`` numbers of a row, from column ``first`` on."""
        return rows[row, first : first + LANES].copy()

    def store(rows: AnyArray, row: Int, first: Int, numbers: LaneValues) -> None:
        """Put numbers into a row, from column ``first`` on."""
        rows[row, first : first + LANES] = numbers

    def everywhere(rows: AnyArray, number: Float) -> LaneValues:
        """A number in every lane, of the type of an array."""
        return np.full(LANES, number, rows.dtype)

    def at_least(numbers: LaneValues, least: Float) -> LaneValues:
        """The larger of each number and ``least``."""
        return np.maximum(numbers, numbers.dtype.type(least))

    def where_above(
        numbers: LaneValues, bound: Float, chosen: LaneValues, other: LaneValues
    ) -> LaneValues:
        """``chosen`` where a number is above the bound, else ``other``: both are computed."""
        found: LaneValues = np.where(numbers > bound, chosen, other)
        return found.astype(chosen.dtype)

    def transpose(
        source: AnyArray,
        row: Int,
        column: Int,
        target: AnyArray,
        target_row: Int,
        target_column: Int,
    ) -> None:
        """Copy a square of ``LANES`` rows and columns so that rows become columns."""
        square = source[row : row + LANES, column : column + LANES].T
        target[target_row : target_row + LANES, target_column : target_column + LANES] = square

else:
    _ELEMENTS = {types.float32: ir.FloatType(), types.float64: ir.DoubleType()}

    class FloatLanes(types.Type):
        """Vector type of ``LANES`` numbers."""

        def __init__(self, element: NumbaType, count: int = LANES) -> None:
            super().__init__(f"lanes({count} x {element})")
            self.element = element
            self.count = count
            self.constructor_arguments = (element, count)

    @register_model(FloatLanes)
    class _LanesModel(models.PrimitiveModel):
        def __init__(self, manager: Any, numba_type: NumbaType) -> None:
            vector = ir.VectorType(_ELEMENTS[numba_type.element], numba_type.count)
            super().__init__(manager, numba_type, vector)

    def splat(
        context: Any, builder: Builder, number: ir.Value, given: NumbaType, lanes: NumbaType
    ) -> ir.Value:
        """A number in every lane; lanes as they are."""
        if isinstance(given, FloatLanes):
            return number
        number = context.cast(builder, number, given, lanes.element)
        vector = context.get_value_type(lanes)
        undefined = ir.Constant(vector, ir.Undefined)
        first = builder.insert_element(undefined, number, ir.IntType(32)(0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), lanes.count), [0] * lanes.count)
        return builder.shuffle_vector(first, undefined, mask)

    def _declare(symbol: Callable[..., Any], emit: Callable[..., Any]) -> None:
        """Define an operator of two values, or of a value and a number."""

        @infer_global(symbol)
        class _Typing(AbstractTemplate):
            def generic(self, args: tuple[NumbaType, ...], kws: dict[str, types.Type]) -> Any:
                lanes = {arg for arg in args if isinstance(arg, FloatLanes)}
                unsupported = [
                    arg for arg in args if not isinstance(arg, (FloatLanes, types.Number))
                ]
                if len(args) == 2 and len(lanes) == 1 and not unsupported:
                    return signature(lanes.pop(), *args)
                return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            both = zip(args, sig.args, strict=True)
            return emit(builder, *[splat(context, builder, *one, sig.return_type) for one in both])

        for kinds in (
            (FloatLanes, FloatLanes),
            (FloatLanes, types.Number),
            (types.Number, FloatLanes),
        ):
            lower_builtin(symbol, *kinds)(generate)

    for _symbol, _emit in (
        (operator.add, ir.IRBuilder.fadd),
        (operator.sub, ir.IRBuilder.fsub),
        (operator.mul, ir.IRBuilder.fmul),
        (operator.truediv, ir.IRBuilder.fdiv),
    ):
        _declare(_symbol, _emit)

    def _is_table(array: NumbaType) -> bool:
        """Whether a type is that of contiguous two-dimensional arrays of numbers."""
        return (
            isinstance(array, types.Array)
            and array.ndim == 2
            and array.layout == "C"
            and array.dtype in _ELEMENTS
        )

    def _pointer(
        context: Any,
        builder: Builder,
        array_type: NumbaType,
        array: ir.Value,
        row: ir.Value,
        column: ir.Value,
    ) -> tuple[ir.Value, int]:
        """Address of a number in an array, as a vector pointer."""
        table = context.make_array(array_type)(context, builder, array)
        _, width = cgutils.unpack_tuple(builder, table.shape)
        place = builder.gep(table.data, [builder.add(builder.mul(row, width), column)])
        vector = ir.VectorType(_ELEMENTS[array_type.dtype], LANES)
        return builder.bitcast(place, vector.as_pointer()), array_type.dtype.bitwidth // 8

    def _load(
        context: Any,
        builder: Builder,
        array_type: NumbaType,
        array: ir.Value,
        row: ir.Value,
        column: ir.Value,
    ) -> ir.Value:
        pointer, align = _pointer(context, builder, array_type, array, row, column)
        return builder.load(pointer, align=align)

    def _store(
        context: Any,
        builder: Builder,
        array_type: NumbaType,
        array: ir.Value,
        row: ir.Value,
        column: ir.Value,
        vector: ir.Value,
    ) -> None:
        pointer, align = _pointer(context, builder, array_type, array, row, column)
        builder.store(vector, pointer, align=align)

    @intrinsic()
    def load(typingctx: Any, rows: NumbaType, row: NumbaType, first: NumbaType) -> Intrinsic:
        """``LANES`` numbers of a row, from column ``first`` on."""
        if not _is_table(rows):
            return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            return _load(context, builder, sig.args[0], *args)

        return FloatLanes(rows.dtype)(rows, types.int64, types.int64), generate

    @intrinsic()
    def store(
        typingctx: Any, rows: NumbaType, row: NumbaType, first: NumbaType, numbers: NumbaType
    ) -> Intrinsic:
        """Put numbers into a row, from column ``first`` on."""
        if not _is_table(rows) or numbers != FloatLanes(rows.dtype):
            return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            _store(context, builder, sig.args[0], *args)
            return context.get_dummy_value()

        return types.void(rows, types.int64, types.int64, numbers), generate

    @intrinsic()
    def everywhere(typingctx: Any, rows: NumbaType, number: NumbaType) -> Intrinsic:
        """A number in every lane, of the type of an array."""
        if not _is_table(rows) or not isinstance(number, types.Number):
            return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            return splat(context, builder, args[1], sig.args[1], sig.return_type)

        return FloatLanes(rows.dtype)(rows, number), generate

    @intrinsic()
    def at_least(typingctx: Any, numbers: NumbaType, least: NumbaType) -> Intrinsic:
        """The larger of each number and ``least``."""
        if not isinstance(numbers, FloatLanes) or not isinstance(least, types.Number):
            return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            bound = splat(context, builder, args[1], sig.args[1], sig.return_type)
            return builder.select(builder.fcmp_ordered(">", args[0], bound), args[0], bound)

        return numbers(numbers, least), generate

    @intrinsic()
    def where_above(
        typingctx: Any,
        numbers: NumbaType,
        bound: NumbaType,
        chosen: NumbaType,
        other: NumbaType,
    ) -> Intrinsic:
        """``chosen`` where a number is above the bound, else ``other``: both are computed."""
        if not isinstance(numbers, FloatLanes) or {numbers, chosen, other} != {numbers}:
            return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            bound = splat(context, builder, args[1], sig.args[1], sig.return_type)
            return builder.select(builder.fcmp_ordered(">", args[0], bound), args[2], args[3])

        return numbers(numbers, bound, chosen, other), generate

    @intrinsic()
    def transpose(
        typingctx: Any,
        source: NumbaType,
        row: NumbaType,
        column: NumbaType,
        target: NumbaType,
        target_row: NumbaType,
        target_column: NumbaType,
    ) -> Intrinsic:
        """Copy a square of ``LANES`` rows and columns so that rows become columns."""
        if not _is_table(source) or not _is_table(target) or source.dtype != target.dtype:
            return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            source, row, column, target, target_row, target_column = args
            rows = [
                _load(context, builder, sig.args[0], source, builder.add(row, row.type(i)), column)
                for i in range(LANES)
            ]
            for i, vector in enumerate(_transposed(builder, rows)):
                below = builder.add(target_row, target_row.type(i))
                _store(context, builder, sig.args[3], target, below, target_column, vector)
            return context.get_dummy_value()

        number = types.int64
        return types.void(source, number, number, target, number, number), generate

    def _transposed(builder: Builder, rows: list[ir.Value]) -> list[ir.Value]:
        """Transposition by exchanging blocks of 1, 2, 4 and 8 lanes with those of another row."""
        index = ir.VectorType(ir.IntType(32), LANES)
        step = 1
        while step < LANES:
            low = [lane if not lane & step else LANES + lane - step for lane in range(LANES)]
            high = [lane + step if not lane & step else LANES + lane for lane in range(LANES)]
            for i in range(LANES):
                if not i & step:
                    pair = rows[i], rows[i + step]
                    rows[i] = builder.shuffle_vector(*pair, ir.Constant(index, low))
                    rows[i + step] = builder.shuffle_vector(*pair, ir.Constant(index, high))
            step *= 2
        return rows
