"""Blocks of LSTM cells with peepholes, and the two modules of them that a player at a table has.

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

import numpy as np

from nlhe_env.machine.compilation import kernel
from nlhe_env.machine.portable_math import sigmoid32, tanh32

N_INPUTS = 8
"""Street (four), strength of the hand, chips that the opponent and the player have put in by the
stack at the start of the hand, pot odds."""
_STRENGTH, _OPPONENT, _OWN, _ODDS = 4, 5, 6, 7
GATES = 4
"""Block input, input gate, forget gate and output gate, in this order."""


def count_block_weights(n_inputs: int, cell: int) -> int:
    """Weights of a block.

    >>> 10 * count_block_weights(8, 10), count_block_weights(8, 50)
    (7900, 11950)
    """
    return GATES * cell * (n_inputs + cell + 1) + 3 * cell


def count_module_scratch(blocks: int, cell: int) -> int:
    """Numbers that ``step_module`` works in."""
    return GATES * cell * (blocks + 1)


@kernel
def add_links(links, inputs, sums):
    """Add weighted inputs to sums, input after input.

    Args:
        links: ``(n_inputs * n_sums,)`` float32, those of the first input first; maybe more.
        inputs: ``(n_inputs,)`` float32.
        sums: ``(n_sums,)`` float32, changed.
    """
    n = len(sums)
    fours = len(inputs) & ~3
    # Four inputs at a time: every sum is read and written once for them.
    for i in range(0, fours, 4):
        a, b, c, d = inputs[i], inputs[i + 1], inputs[i + 2], inputs[i + 3]
        of_a, of_b = links[i * n : (i + 1) * n], links[(i + 1) * n : (i + 2) * n]
        of_c, of_d = links[(i + 2) * n : (i + 3) * n], links[(i + 3) * n : (i + 4) * n]
        for j in range(n):
            sums[j] = (((sums[j] + a * of_a[j]) + b * of_b[j]) + c * of_c[j]) + d * of_d[j]
    for i in range(fours, len(inputs)):
        x, of_x = inputs[i], links[i * n : (i + 1) * n]
        for j in range(n):
            sums[j] += x * of_x[j]


@kernel
def step_module(weights, blocks, cell, inputs, state, scratch):
    """One time step of a module.

    Args:
        weights: Float32 weights of the blocks, one after the other; maybe more.
        blocks: How many.
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
    leave = gates[3 * n : 4 * n]
    biases = (len(inputs) + cell) * n_units
    length = biases + n_units + 3 * cell
    for b in range(blocks):
        own = weights[b * length : (b + 1) * length]
        bias = own[biases : biases + n_units]
        for j in range(n_units):
            sums[j] = bias[j]
        add_links(own, inputs, sums)
        add_links(own[len(inputs) * n_units :], outputs[b * cell : (b + 1) * cell], sums)
        peepholes, first = own[biases + n_units :], b * cell
        for j in range(cell):
            before = cells[first + j]
            entering[first + j] = sums[j]
            enter[first + j] = sums[cell + j] + peepholes[j] * before
            keep[first + j] = sums[2 * cell + j] + peepholes[cell + j] * before
            leave[first + j] = sums[3 * cell + j]
    for j in range(n):
        cells[j] = sigmoid32(enter[j]) * tanh32(entering[j]) + sigmoid32(keep[j]) * cells[j]
    for b in range(blocks):
        peepholes = weights[b * length + biases + n_units + 2 * cell :]
        for j in range(cell):
            leave[b * cell + j] += peepholes[j] * cells[b * cell + j]
    for j in range(n):
        outputs[j] = sigmoid32(leave[j]) * tanh32(cells[j])


@kernel
def reset_module(first_cells, state):
    """Put a module back to its first cell states, ``(n,)`` float32; its outputs become 0."""
    n = len(state) // 2
    for j in range(n):
        state[j] = first_cells[j]
        state[n + j] = np.float32(0.0)


@kernel
def write_inputs(table, seat, strength, inputs):
    """Write the eight inputs of a seat at a table; the opponent is who has put in the most."""
    for street in range(4):
        inputs[street] = np.float32(table.street == street)
    stack = np.float64(table.starting_stack[seat])
    opponent = np.int64(0)
    for other in range(table.seats):
        if other != seat and table.player[other] >= 0:
            opponent = max(opponent, table.hand_bet[other])
    to_call = min(table.current_bet - table.street_bet[seat], table.stack[seat])
    to_call = max(to_call, np.int64(0))
    inputs[_STRENGTH] = np.float32(strength)
    inputs[_OPPONENT] = np.float32(opponent / stack)
    inputs[_OWN] = np.float32(table.hand_bet[seat] / stack)
    inputs[_ODDS] = np.float32(to_call / (to_call + table.pot)) if to_call > 0 else np.float32(0.0)
