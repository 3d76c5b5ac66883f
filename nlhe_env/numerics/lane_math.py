"""Arithmetic in kernels for both single float32 numbers and lanes of them.

Lanes are ``FloatLanes`` of any number; besides ``+ - * /`` they support negation, and ``< >``,
which give a mask for ``choose``. So the same source works for a number, for a vectorized loop over
an array, and for values in vector registers.
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
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from nlhe_env.jit.array_types import F32, Float, LaneValues, Truth
from nlhe_env.jit.intrinsics import Builder, Intrinsic, NumbaType, Values, intrinsic
from nlhe_env.numerics.float_lanes import LANES

_BIAS = 127  # bias of the exponent of a float32
_MANTISSA_BITS = 23

if numba.config.DISABLE_JIT:

    def choose(
        mask: Truth | LaneValues, chosen: Float | LaneValues, other: Float | LaneValues
    ) -> Any:
        """``chosen`` if or where the mask is set, else ``other``: both are computed."""
        return np.where(mask, chosen, other).astype(np.float32)[()]

    def all_outside(lanes: LaneValues, low: Float, high: Float) -> bool:
        """Whether every lane is below ``low`` or above ``high``."""
        return bool(np.all((lanes < low) | (lanes > high)))

    def all_outside_alike(
        lanes: LaneValues, other_lanes: LaneValues, low: Float, high: Float
    ) -> bool:
        """Whether in every lane both are below ``low`` or both above ``high``."""
        below, above = (lanes < low) & (other_lanes < low), (lanes > high) & (other_lanes > high)
        return bool(np.all(below | above))

    def floor(x: Float | LaneValues) -> Any:
        """The largest whole number that is not above ``x``, as a float32."""
        return np.floor(x)

    def two_to_the(n: Float | LaneValues) -> Any:
        """2 to the power of a whole number from -126 to 127."""
        exponent = np.asarray(n, np.int32) + np.int32(_BIAS)
        return (exponent << np.int32(_MANTISSA_BITS)).view(np.float32)[()]

    def load_lanes(array: F32) -> LaneValues:
        """The ``LANES`` numbers at the beginning of an array of float32."""
        return array[:LANES].copy()

    def store_lanes(array: F32, lanes: LaneValues) -> None:
        """Put all lanes into the beginning of an array."""
        array[: len(lanes)] = lanes

else:
    from nlhe_env.numerics.float_lanes import FloatLanes, splat

    class _Mask(types.Type):
        def __init__(self, lanes: NumbaType) -> None:
            super().__init__(f"mask({lanes})")
            self.lanes = lanes
            self.constructor_arguments = (lanes,)

    @register_model(_Mask)
    class _MaskModel(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: NumbaType) -> None:
            super().__init__(manager, kind, ir.VectorType(ir.IntType(1), kind.lanes.count))

    @infer_global(operator.neg)
    class _Negative(AbstractTemplate):
        def generic(self, args: tuple[NumbaType, ...], kws: dict[str, types.Type]) -> Any:
            return signature(*args, *args) if isinstance(args[0], FloatLanes) else None

    def _negate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
        return builder.fneg(args[0])

    lower_builtin(operator.neg, FloatLanes)(_negate)

    def _declare(symbol: Callable[..., Any], name: str) -> None:
        """Define the comparison of lanes with a number."""

        @infer_global(symbol)
        class _Typing(AbstractTemplate):
            def generic(self, args: tuple[NumbaType, ...], kws: dict[str, types.Type]) -> Any:
                if isinstance(args[0], FloatLanes) and isinstance(args[1], types.Number):
                    return signature(_Mask(args[0]), *args)
                return None

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            bound = splat(context, builder, args[1], sig.args[1], sig.args[0])
            return builder.fcmp_ordered(name, args[0], bound)

        lower_builtin(symbol, FloatLanes, types.Number)(generate)

    _declare(operator.lt, "<")
    _declare(operator.gt, ">")

    @intrinsic()
    def choose(typingctx: Any, mask: NumbaType, chosen: NumbaType, other: NumbaType) -> Intrinsic:
        """``chosen`` if or where the mask is set, else ``other``: both are computed."""
        result = mask.lanes if isinstance(mask, _Mask) else types.float32

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            both = args[1:]
            if isinstance(mask, _Mask):
                given = zip(both, sig.args[1:], strict=True)
                both = [splat(context, builder, *one, result) for one in given]
            return builder.select(args[0], *both)

        return result(mask, chosen, other), generate

    @intrinsic()
    def all_outside(typingctx: Any, lanes: NumbaType, low: NumbaType, high: NumbaType) -> Intrinsic:
        """Whether every lane is below ``low`` or above ``high``."""

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            given = zip(args[1:], sig.args[1:], strict=True)
            bounds = [splat(context, builder, *bound, lanes) for bound in given]
            below = builder.fcmp_ordered("<", args[0], bounds[0])
            above = builder.fcmp_ordered(">", args[0], bounds[1])
            bits = ir.IntType(lanes.count)
            mask = builder.bitcast(builder.or_(below, above), bits)
            return builder.icmp_unsigned("==", mask, ir.Constant(bits, -1))

        return types.boolean(lanes, low, high), generate

    @intrinsic()
    def all_outside_alike(
        typingctx: Any,
        lanes: NumbaType,
        other_lanes: NumbaType,
        low: NumbaType,
        high: NumbaType,
    ) -> Intrinsic:
        """Whether in every lane both are below ``low`` or both above ``high``."""

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            given = zip(args[2:], sig.args[2:], strict=True)
            bounds = [splat(context, builder, *bound, lanes) for bound in given]
            beyond = []
            for name, bound in zip("<>", bounds, strict=True):
                both = [builder.fcmp_ordered(name, each, bound) for each in args[:2]]
                beyond.append(builder.and_(*both))
            bits = ir.IntType(lanes.count)
            mask = builder.bitcast(builder.or_(*beyond), bits)
            return builder.icmp_unsigned("==", mask, ir.Constant(bits, -1))

        return types.boolean(lanes, other_lanes, low, high), generate

    @intrinsic()
    def floor(typingctx: Any, x: NumbaType) -> Intrinsic:
        """The largest whole number that is not above ``x``, as a float32."""

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            kind = args[0].type
            form = ir.FunctionType(kind, [kind])
            lanes = f"v{x.count}" if isinstance(x, FloatLanes) else ""
            name = f"llvm.floor.{lanes}f32"
            return builder.call(get_or_insert_function(builder.module, form, name), args)

        return x(x), generate

    @intrinsic()
    def two_to_the(typingctx: Any, n: NumbaType) -> Intrinsic:
        """2 to the power of a whole number from -126 to 127."""

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            kind: ir.Type = ir.IntType(32)
            bias: int | list[int] = _BIAS
            places: int | list[int] = _MANTISSA_BITS
            if isinstance(n, FloatLanes):
                kind = ir.VectorType(kind, n.count)
                bias, places = [_BIAS] * n.count, [_MANTISSA_BITS] * n.count
            exponent = builder.add(builder.fptosi(args[0], kind), ir.Constant(kind, bias))
            bits = builder.shl(exponent, ir.Constant(kind, places))
            return builder.bitcast(bits, args[0].type)

        return n(n), generate

    @intrinsic()
    def load_lanes(typingctx: Any, array: NumbaType) -> Intrinsic:
        """The ``LANES`` numbers at the beginning of an array of float32."""
        if array.dtype != types.float32 or array.layout != "C":
            return None
        result = FloatLanes(types.float32)

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            start = context.make_array(sig.args[0])(context, builder, args[0]).data
            vector = context.get_value_type(result)
            return builder.load(builder.bitcast(start, vector.as_pointer()), align=4)

        return result(array), generate

    @intrinsic()
    def store_lanes(typingctx: Any, array: NumbaType, lanes: NumbaType) -> Intrinsic:
        """Put all lanes into the beginning of an array."""

        def generate(context: Any, builder: Builder, sig: Any, args: Values) -> Any:
            start = context.make_array(sig.args[0])(context, builder, args[0]).data
            builder.store(args[1], builder.bitcast(start, args[1].type.as_pointer()), align=4)
            return context.get_dummy_value()

        return types.void(array, lanes), generate
