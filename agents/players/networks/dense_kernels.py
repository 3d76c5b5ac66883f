"""Weighted sums for layers of any shape, in vector registers.

The compiler vectorises plain loops too, but keeps the sums in memory, checks for overlapping arrays
in each loop, and handles the remainder of a row element by element. Here a tile of sums stays in
registers while all inputs are added. Every sum takes its inputs in the same order, so results equal
those of plain loops bit for bit. ``agents.players.networks.layer`` is for shapes known at compile
time.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from nlhe_env.jit.array_types import F32, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.float_lanes import LANES

_WIDEST = 5
"""Vectors in the largest tile, enough to hide the latency of additions."""

if numba.config.DISABLE_JIT:

    def _write_tile(
        links: F32,
        inputs: F32,
        more: F32,
        before: F32,
        sums: F32,
        first: Int,
        last: Int,
        vectors: int,
        lanes: int,
    ) -> None:
        """Write ``vectors`` vectors of sums, the first at ``first`` and the last at ``last``."""
        end = last + lanes
        total = before[first:end].copy()
        for i, x in enumerate(np.concatenate((inputs, more))):
            total += x * links[i * len(sums) :][first:end]
        sums[first:end] = total

else:
    from nlhe_env.numerics.float_lanes import FloatLanes, splat

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def _write_tile(
        typingctx: Any,
        links: Any,
        inputs: Any,
        more: Any,
        before: Any,
        sums: Any,
        first: Any,
        last: Any,
        vectors: Any,
        lanes: Any,
    ) -> Any:
        """Write ``vectors`` vectors of sums, the first at ``first`` and the last at ``last``."""
        arrays, literals = (links, inputs, more, before, sums), (vectors, lanes)
        if any(not isinstance(number, types.IntegerLiteral) for number in literals):
            return None
        if any(array.layout != "C" for array in arrays):
            return None
        n, width = (number.literal_value for number in literals)
        kind, vector = FloatLanes(types.float32, width), ir.VectorType(ir.FloatType(), width)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            made = [context.make_array(sig.args[k])(context, builder, args[k]) for k in range(5)]
            own, *sources, before, sums = (array.data for array in made)
            counts = [cgutils.unpack_tuple(builder, array.shape)[0] for array in made[1:]]
            first, last = args[5:7]
            places = [builder.add(first, first.type(k * width)) for k in range(n - 1)] + [last]
            held = [cgutils.alloca_once(builder, vector) for _ in places]

            def at(start: Any, place: Any) -> Any:
                return builder.bitcast(builder.gep(start, [place]), vector.as_pointer())

            for place, total in zip(places, held, strict=True):
                builder.store(builder.load(at(before, place), align=4), total)
            for source, count in zip(sources, counts[:2], strict=True):
                with cgutils.for_range(builder, count) as loop:
                    row = builder.gep(own, [builder.mul(loop.index, counts[-1])])
                    x = builder.load(builder.gep(source, [loop.index]))
                    x = splat(context, builder, x, types.float32, kind)
                    for place, total in zip(places, held, strict=True):
                        weighted = builder.fmul(x, builder.load(at(row, place), align=4))
                        builder.store(builder.fadd(builder.load(total), weighted), total)
                own = builder.gep(own, [builder.mul(count, counts[-1])])
            for place, total in zip(places, held, strict=True):
                builder.store(builder.load(total), at(sums, place), align=4)
            return context.get_dummy_value()

        return types.void(*arrays, types.int64, types.int64, *literals), generate


@kernel
def write_sums(links: F32, inputs: F32, more: F32, before: F32, sums: F32) -> None:
    """Write weighted sums over the inputs of one array, then of a second.

    Args:
        links: ``(n_inputs * n_sums,)`` float32, grouped by input; trailing numbers are ignored.
        inputs: ``(n,)`` float32.
        more: Further float32 inputs, possibly none.
        before: ``(n_sums,)`` float32 initial values, such as biases; may be ``sums`` itself.
        sums: ``(n_sums,)`` float32, written.
    """
    n = len(sums)
    if n < LANES:
        _write_few_sums(links, inputs, more, before, sums)
        return
    # The last vector of a row may overlap its predecessor in the tile: both hold the same sums.
    first, last = np.int64(0), np.int64(n - LANES)
    while n - first > _WIDEST * LANES:
        _write_tile(links, inputs, more, before, sums, first, first + 3 * LANES, 4, LANES)
        first += 4 * LANES
    vectors = (n - first + LANES - 1) // LANES
    if vectors == 5:
        _write_tile(links, inputs, more, before, sums, first, last, 5, LANES)
    elif vectors == 4:
        _write_tile(links, inputs, more, before, sums, first, last, 4, LANES)
    elif vectors == 3:
        _write_tile(links, inputs, more, before, sums, first, last, 3, LANES)
    elif vectors == 2:
        _write_tile(links, inputs, more, before, sums, first, last, 2, LANES)
    else:
        _write_tile(links, inputs, more, before, sums, first, last, 1, LANES)


@kernel
def _write_few_sums(links: F32, inputs: F32, more: F32, before: F32, sums: F32) -> None:
    """``write_sums`` for less than one vector, in narrower vectors and then one by one."""
    n = len(sums)
    if n > 8:
        _write_tile(links, inputs, more, before, sums, 0, n - 8, 2, 8)
    elif n == 8:
        _write_tile(links, inputs, more, before, sums, 0, 0, 1, 8)
    elif n > 4:
        _write_tile(links, inputs, more, before, sums, 0, n - 4, 2, 4)
    elif n == 4:
        _write_tile(links, inputs, more, before, sums, 0, 0, 1, 4)
    else:
        for j in range(n):
            total = before[j]
            for i in range(len(inputs)):
                total += inputs[i] * links[i * n + j]
            remaining = links[len(inputs) * n :]
            for i in range(len(more)):
                total += more[i] * remaining[i * n + j]
            sums[j] = total
