"""One layer of a network of fixed shape, in vector registers.

The compiler turns the plain loops into vector code too, but keeps the sums in memory; written as
whole vectors the layer takes half the time. The sums run in the same order, so the bits are those
of the plain loops.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def make_layer(n_inputs: int, n_units: int, first: int) -> Any:
    """An intrinsic ``layer(weights, inputs, sums)``: bias plus weighted inputs of every unit.

    All three are C-contiguous float32 arrays, ``sums`` of at least ``n_units``.

    Args:
        n_inputs: Inputs of the layer.
        n_units: Its units.
        first: Where in the genome its links begin: those of each input to all units one after
            another, last those of the bias unit.
    """
    if numba.config.DISABLE_JIT:
        return _plain_layer(n_inputs, n_units, first)

    @intrinsic  # type: ignore[untyped-decorator]
    def layer(_typing: Any, weights: Any, inputs: Any, sums: Any) -> Any:
        signature = types.void(weights, inputs, sums)

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            genome, x, out = (
                context.make_array(kind)(context, builder, array).data
                for kind, array in zip(signature.args, arguments, strict=True)
            )
            vector = ir.VectorType(ir.FloatType(), n_units)
            same_lane = ir.Constant(ir.VectorType(ir.IntType(32), n_units), [0] * n_units)

            def at(pointer: Any, index: int) -> Any:
                offset = ir.Constant(ir.IntType(64), index)
                return builder.gep(pointer, [offset])

            def links_of(number: int) -> Any:
                pointer = at(genome, first + number * n_units)
                return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=4)

            total = links_of(n_inputs)
            for i in range(n_inputs):
                value = builder.load(at(x, i))
                lane = builder.insert_element(
                    ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0)
                )
                everywhere = builder.shuffle_vector(
                    lane, ir.Constant(vector, ir.Undefined), same_lane
                )
                total = builder.fadd(total, builder.fmul(everywhere, links_of(i)))
            builder.store(total, builder.bitcast(out, vector.as_pointer()), align=4)
            return context.get_dummy_value()

        return signature, codegen

    return layer


def _plain_layer(n_inputs: int, n_units: int, first: int) -> Any:
    """The same by NumPy, for running kernels as plain Python."""

    def layer(weights: Any, inputs: Any, sums: Any) -> None:
        links = weights[first : first + (n_inputs + 1) * n_units].reshape(n_inputs + 1, n_units)
        total = links[n_inputs].copy()
        for i in range(n_inputs):
            total += inputs[i] * links[i]
        sums[:n_units] = total

    return layer
