"""Modules of LSTM blocks with peepholes.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), section 3.3.1. A module is a layer of blocks that
see the same inputs. A block's recurrence stays inside it; only first cell states are in the genome,
first outputs are 0. The source prints W_i for the forget gate, which must be W_f.

The weights of a block: for each input its links to the c units of the block input, the input gate,
the forget gate and the output gate; the same for each output of the block; the biases; the
peepholes of input, forget and output gate. Sums run input by input over independent units, so that
their order does not depend on the machine, and neither do their bits.
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
    """Weights of a block.

    >>> 10 * count_block_weights(8, 10), count_block_weights(8, 50)
    (7900, 11950)
    """
    return GATES * cell * (n_inputs + cell + 1) + 3 * cell


def count_module_scratch(blocks: int, cell: int) -> int:
    """Numbers that ``step_module`` works in."""
    return GATES * cell * (blocks + 1)


@kernel
def _next_cell(
    entering: LaneValues | Float,
    enter: LaneValues | Float,
    keep: LaneValues | Float,
    before: LaneValues | Float,
) -> LaneValues | Float:
    """A cell after a step, or lanes of them."""
    return sigmoid32(enter) * tanh32(entering) + sigmoid32(keep) * before


@kernel
def _output(leave: LaneValues | Float, cell: LaneValues | Float) -> LaneValues | Float:
    """The output of a cell, or of lanes of them."""
    return sigmoid32(leave) * tanh32(cell)


@kernel
def _step_cells(entering: F32, enter: F32, keep: F32, cells: F32) -> None:
    """The cells of all blocks after a step, given what goes into their gates."""
    n = len(cells)
    if n < LANES:
        for j in range(n):
            cells[j] = _next_cell(entering[j], enter[j], keep[j], cells[j])
        return
    # The last lanes may overlap those before: they are computed first and stored last.
    at = n - LANES
    last = _next_cell(*_lanes_at(entering, enter, keep, cells, at))
    for j in range(0, at, LANES):
        store_lanes(cells[j:], _next_cell(*_lanes_at(entering, enter, keep, cells, j)))
    store_lanes(cells[at:], last)


@kernel
def _lanes_at(
    entering: F32, enter: F32, keep: F32, cells: F32, j: Int
) -> tuple[LaneValues, LaneValues, LaneValues, LaneValues]:
    """LaneValues of four arrays."""
    return (
        load_lanes(entering[j:]),
        load_lanes(enter[j:]),
        load_lanes(keep[j:]),
        load_lanes(cells[j:]),
    )


@kernel
def _write_outputs(leave: F32, cells: F32, outputs: F32) -> None:
    """The outputs of all blocks."""
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
    """Put the hyperbolic tangent of every unit of a layer in its place."""
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
        weights: Float32 weights of the blocks, one after the other; maybe more.
        blocks: Number of blocks.
        cell: Numbers in the cell of a block, and in its output.
        inputs: ``(n,)`` float32.
        state: ``(2 * blocks * cell,)`` float32 cells of all blocks, then their outputs; changed.
        scratch: ``(count_module_scratch(blocks, cell),)`` float32.
    """
    n, n_units = blocks * cell, GATES * cell
    cells, outputs = state[:n], state[n : 2 * n]
    sums, gates = scratch[:n_units], scratch[n_units:]
    # The units of all blocks lie side by side, gate by gate, for long loops of vector code.
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
    """Whether lanes may be used for a block smaller than they are.

    What they write beyond it is of the blocks that follow, and is written again.
    """
    return cell < LANES and first + LANES <= n


@kernel
def reset_module(first_cells: F32, state: F32) -> None:
    """Put a module back to its first cell states, ``(n,)`` float32; its outputs become 0."""
    n = len(state) // 2
    for j in range(n):
        state[j] = first_cells[j]
        state[n + j] = np.float32(0.0)
