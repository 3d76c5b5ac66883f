"""A network of ASHE 1.0 to start from that checks and calls, whatever it remembers.

ASHE 1.0 calls where its aggression, times the stack, is at least what there is to call and less
than twice that: before the flop, against a raise to three big blinds, between 0.01 and 0.02. Of
random networks, and of networks of zeros, hardly any does. They fold or go all-in, and small steps
from there never lead to calling. Here the band is where the search starts: one cell carries what
there is to call, and two hidden units make the aggression of it. (Where little is left after a
call, this puts it in too.) All the other units are as random as in a first generation, but the
output does not listen to them yet, and before the flop their output gates are closed: what is
learnt of the later streets leaves the narrow band alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.compiled.ashe.first import AsheShape, count_genes
from agents.compiled.lstm_blocks import (
    GATES,
    N_INPUTS,
    OPPONENTS_CHIPS,
    OWN_CHIPS,
    count_block_weights,
)
from nlhe_env.game.table import PREFLOP
from nlhe_env.machine.array_types import F32, F64

_ENTER, _KEEP, _LEAVE = 1, 2, 3
"""Gates; 0 is the block input."""
_OPEN = 8.0
"""What goes into a gate that is open; into one that is shut the negative."""
_SHUT_PREFLOP = -15.0
"""Link that shuts the output gate of a random cell before the flop."""
_RATIO = 1.55
"""Aggression for what there is to call: in the middle of 1 to 2."""
_STEEP_FROM, _STEEP_TO = 0.55, 0.65
"""Shares of the stack where a second unit lifts the aggression: hyperbolic tangents flatten."""
_HIDDEN_DEVIATION = 0.3
"""Standard deviation of the links to all other hidden units."""


class _Module(NamedTuple):
    """Views of the weights of a module, by blocks."""

    links: F64
    """``(blocks, inputs and own outputs, gates, cell)``"""
    biases: F64
    """``(blocks, gates, cell)``"""
    peepholes: F64
    """``(blocks, 3, cell)``"""


def calling_genes(shape: AsheShape, deviation: float, rng: np.random.Generator) -> F32:
    """``(n_genes,)`` the genome of such a network.

    Args:
        shape: Its shape.
        deviation: Standard deviation of the random weights of the modules.
        rng: Draws them.

    Raises:
        ValueError: There are fewer than two hidden units.
    """
    if shape.hidden < 2:
        raise ValueError('start "calls" needs at least 2 decision_units')
    genes = rng.normal(0.0, deviation, count_genes(shape))
    game, after = _module(genes, shape.game_blocks, shape.game_cell)
    opponent, after = _module(after, shape.opponent_blocks, shape.opponent_cell)
    for module in (game, opponent):
        module.links[:, PREFLOP, _LEAVE] = _SHUT_PREFLOP
        module.biases[:, _LEAVE] = 1.0
    _carry_what_there_is_to_call(game)
    links = after[: shape.cells * shape.hidden].reshape(shape.cells, shape.hidden)
    after = after[links.size :]
    biases, outputs = after[: shape.hidden], after[shape.hidden : 2 * shape.hidden]
    after = after[2 * shape.hidden :]
    links[:] = rng.normal(0.0, _HIDDEN_DEVIATION, links.shape)
    links[:, :2] = biases[:] = outputs[:] = 0.0
    # The first unit for what is small beside the stack, the second for what is nearly all of it.
    low, high = (np.tanh(np.tanh(x)) for x in (_STEEP_FROM, _STEEP_TO))
    steepness = 1.5 / (high - low)
    links[0, :2] = 1.0, steepness
    biases[1] = -steepness * low
    outputs[:2] = _RATIO, 1.0
    after[0] = -np.tanh(biases[1])  # nothing to call: no aggression
    after[1] = 0.0  # the first state of the cell
    return genes.astype(np.float32)


def _module(genes: F64, blocks: int, cell: int) -> tuple[_Module, F64]:
    """The module that genes begin with, and those after it."""
    length, units = count_block_weights(N_INPUTS, cell), GATES * cell
    own = genes[: blocks * length].reshape(blocks, length)
    biases = (N_INPUTS + cell) * units
    module = _Module(
        own[:, :biases].reshape(blocks, -1, GATES, cell),
        own[:, biases : biases + units].reshape(blocks, GATES, cell),
        own[:, biases + units :].reshape(blocks, 3, cell),
    )
    assert all(np.shares_memory(part, genes) for part in module)
    return module, genes[blocks * length :]


def _carry_what_there_is_to_call(game: _Module) -> None:
    """Let the first cell be the difference of the chips that both have put in, and nothing else."""
    links, biases, peepholes = game.links[0, :, :, 0], game.biases[0, :, 0], game.peepholes[0, :, 0]
    links[:] = peepholes[:] = 0.0
    links[OPPONENTS_CHIPS, 0], links[OWN_CHIPS, 0] = 1.0, -1.0
    biases[0], biases[[_ENTER, _KEEP, _LEAVE]] = 0.0, (_OPEN, -_OPEN, _OPEN)
