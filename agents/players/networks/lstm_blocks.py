"""Modules of LSTM blocks with peepholes.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), section 3.3.1. A module is a layer of blocks with
the same inputs. Blocks are recurrent only within themselves; the genome holds initial cell states,
and initial outputs are 0. The source prints W_i for the forget gate, which must be W_f.

The weights of a block are, for each input, its links to the c units of the block input, the input
gate, the forget gate and the output gate; the same for each output of the block; the biases; the
peepholes of the input, forget and output gates. Inputs are added in a fixed order, so that results
are the same on every machine, bit for bit.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from agents.players.networks.dense_kernels import write_sums
from nlhe_env.jit.array_types import F32, Float, Int, LaneValues, Truth
from nlhe_env.jit.compilation import kernel, plain_or_compiled
from nlhe_env.numerics.float_lanes import LANES
from nlhe_env.numerics.lane_math import load_lanes, store_lanes
from nlhe_env.numerics.portable_math import sigmoid32, tanh32

GATES = 4
"""Block input, input gate, forget gate and output gate, in this order."""


_Count = TypeVar("_Count", int, Int)


@plain_or_compiled
def count_block_weights(n_inputs: _Count, cell: _Count) -> _Count:
    """Number of weights of a block.

    >>> 10 * count_block_weights(8, 10), count_block_weights(8, 50)
    (7900, 11950)
    """
    return GATES * cell * (n_inputs + cell + 1) + 3 * cell


def count_module_scratch(blocks: int, cell: int) -> int:
    """Length of the scratch of ``step_module``."""
    return GATES * cell * (blocks + 1)


@kernel
def _next_cell(
    entering: LaneValues | Float,
    enter: LaneValues | Float,
    keep: LaneValues | Float,
    before: LaneValues | Float,
) -> LaneValues | Float:
    """Cell state after a step, for one cell or lanes of cells."""
    return sigmoid32(enter) * tanh32(entering) + sigmoid32(keep) * before


@kernel
def _output(leave: LaneValues | Float, cell: LaneValues | Float) -> LaneValues | Float:
    """Output of one cell or lanes of cells."""
    return sigmoid32(leave) * tanh32(cell)


@kernel
def _step_cells(entering: F32, enter: F32, keep: F32, cells: F32) -> None:
    """Update the cells of all blocks, given the sums of their gates."""
    n = len(cells)
    if n < LANES:
        for j in range(n):
            cells[j] = _next_cell(entering[j], enter[j], keep[j], cells[j])
        return
    # The last lanes may overlap the previous ones, so they are computed first and stored last.
    at = n - LANES
    last = _next_cell(*_lanes_at(entering, enter, keep, cells, at))
    for j in range(0, at, LANES):
        store_lanes(cells[j:], _next_cell(*_lanes_at(entering, enter, keep, cells, j)))
    store_lanes(cells[at:], last)


@kernel
def _lanes_at(
    entering: F32, enter: F32, keep: F32, cells: F32, j: Int
) -> tuple[LaneValues, LaneValues, LaneValues, LaneValues]:
    """Load lanes from four arrays."""
    return (
        load_lanes(entering[j:]),
        load_lanes(enter[j:]),
        load_lanes(keep[j:]),
        load_lanes(cells[j:]),
    )


@kernel
def _write_outputs(leave: F32, cells: F32, outputs: F32) -> None:
    """Write the outputs of all blocks."""
    n = len(cells)
    if n < LANES:
        for j in range(n):
            outputs[j] = _output(leave[j], cells[j])
        return
    for j in range(0, n - LANES, LANES):
        store_lanes(outputs[j:], _output(load_lanes(leave[j:]), load_lanes(cells[j:])))
    at = n - LANES
    store_lanes(outputs[at:], _output(load_lanes(leave[at:]), load_lanes(cells[at:])))


@kernel
def tanh_all(units: F32) -> None:
    """Replace every unit of a layer by its hyperbolic tangent."""
    n = len(units)
    if n < LANES:
        for j in range(n):
            units[j] = tanh32(units[j])
        return
    at = n - LANES
    last = tanh32(load_lanes(units[at:]))
    for j in range(0, at, LANES):
        store_lanes(units[j:], tanh32(load_lanes(units[j:])))
    store_lanes(units[at:], last)


@kernel
def step_module(
    weights: F32, blocks: Int, cell: Int, inputs: F32, state: F32, scratch: F32
) -> None:
    """One time step of a module.

    Args:
        weights: Float32 weights of the blocks, one after another; trailing numbers are ignored.
        blocks: Number of blocks.
        cell: Length of the cell state and the output of a block.
        inputs: ``(n,)`` float32.
        state: ``(2 * blocks * cell,)`` float32 cells of all blocks, then their outputs; updated.
        scratch: ``(count_module_scratch(blocks, cell),)`` float32.
    """
    n, n_units = blocks * cell, GATES * cell
    cells, outputs = state[:n], state[n : 2 * n]
    sums, gates = scratch[:n_units], scratch[n_units:]
    # Units are stored by gate across all blocks, for long vectorised loops.
    entering, enter, keep = gates[:n], gates[n : 2 * n], gates[2 * n : 3 * n]
    leave, ready = gates[3 * n : 4 * n], entering
    biases = (len(inputs) + cell) * n_units
    length = count_block_weights(len(inputs), cell)
    for b in range(blocks):
        own, first = weights[b * length :], b * cell
        before, peepholes = own[biases : biases + n_units], own[biases + n_units :]
        write_sums(own, inputs, outputs[first : first + cell], before, sums)
        if _fits(first, cell, n):
            last = load_lanes(cells[first:])
            enters = load_lanes(scratch[cell:]) + load_lanes(peepholes) * last
            keeps = load_lanes(scratch[2 * cell :]) + load_lanes(peepholes[cell:]) * last
            store_lanes(entering[first:], load_lanes(scratch))
            store_lanes(enter[first:], enters)
            store_lanes(keep[first:], keeps)
            store_lanes(leave[first:], load_lanes(scratch[3 * cell :]))
            continue
        for j in range(cell):
            last = cells[first + j]
            entering[first + j] = sums[j]
            enter[first + j] = sums[cell + j] + peepholes[j] * last
            keep[first + j] = sums[2 * cell + j] + peepholes[cell + j] * last
            leave[first + j] = sums[3 * cell + j]
    _step_cells(entering, enter, keep, cells)
    for b in range(blocks):
        first, peepholes = b * cell, weights[b * length + biases + n_units + 2 * cell :]
        if _fits(first, cell, n):
            seen = load_lanes(peepholes) * load_lanes(cells[first:])
            store_lanes(ready[first:], load_lanes(leave[first:]) + seen)
            continue
        for j in range(cell):
            ready[first + j] = leave[first + j] + peepholes[j] * cells[first + j]
    _write_outputs(ready, cells, outputs)


@kernel
def _fits(first: Int, cell: Int, n: Int) -> Truth:
    """Whether lanes wider than a block may be used for it.

    The excess falls into later blocks, which are then overwritten.
    """
    return cell < LANES and first + LANES <= n


@kernel
def reset_module(first_cells: F32, state: F32) -> None:
    """Reset a module to its initial cell states, ``(n,)`` float32, and outputs of 0."""
    n = len(state) // 2
    for j in range(n):
        state[j] = first_cells[j]
        state[n + j] = np.float32(0.0)
