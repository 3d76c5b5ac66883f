"""A network of ASHE 1.0 to start from that checks and calls, whatever it remembers.

ASHE 1.0 calls where its aggression, times the stack, is at least what there is to call and less
than twice that: before the flop, against a raise to three big blinds, between 0.01 and 0.02. Of
random networks, and of networks of zeros, hardly any does. They fold or go all-in, and small steps
from there never lead to calling. Here the band is where the search starts: one cell carries what
there is to call, and two hidden units make the aggression of it. (Where little is left after a
call, this puts it in too.) All the other units are as random as in a first generation, but the
output does not listen to them yet, and before the flop their output gates are closed: what is
learnt of the later streets leaves the narrow band alone.

Even so the few genes that make the band bear small steps only, and the many others learn little
from them. So optimizers of numbers count each group of genes in a unit of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.players.ashe.ashe1 import AsheShape, count_genes
from agents.players.networks.lstm_blocks import GATES, count_block_weights
from agents.players.networks.lstm_modules import N_INPUTS, OPPONENTS_CHIPS, OWN_CHIPS
from nlhe_env.game.table import PREFLOP
from nlhe_env.jit.array_types import F32, F64

_ENTER, _KEEP, _LEAVE = 1, 2, 3
"""Gates; 0 is the block input."""
_OPEN = 8.0
"""Input of a gate that is open; of one that is shut the negative."""
_SHUT_PREFLOP = (-15.0, -9.0)
"""Links that shut the output gates of random cells before the flop, in the game module and in the
opponent module: what is remembered of the opponent may matter there later."""
_RATIO = 1.55
"""Aggression for what there is to call: in the middle of 1 to 2."""
_STEEP_FROM, _STEEP_TO = 0.55, 0.65
"""Shares of the stack where a second unit lifts the aggression: hyperbolic tangents flatten."""
_HIDDEN_DEVIATION = 0.3
"""Standard deviation of the links to all other hidden units."""

_BAND_UNIT = 0.01
"""Unit of the genes that make the band."""
_OUTPUT_UNIT = 0.1
"""Unit of the links from all other hidden units to the output; 1 is that of the other genes."""


class _Module(NamedTuple):
    """Views of the weights of a module, by blocks."""

    links: F64
    """``(blocks, inputs and own outputs, gates, cell)``"""
    biases: F64
    """``(blocks, gates, cell)``"""
    peepholes: F64
    """``(blocks, 3, cell)``"""


class _Parts(NamedTuple):
    """Views of all the parts of a genome, in its order."""

    game: _Module
    opponent: _Module
    links: F64
    """``(cells, hidden units)``"""
    biases: F64
    """``(hidden units,)``"""
    outputs: F64
    """``(hidden units,)`` links to the output."""
    output_bias: F64
    """``(1,)``"""
    first_cells: F64
    """``(cells,)``"""


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
        raise ValueError('init "calls" needs at least 2 decision_units')
    genes = rng.normal(0.0, deviation, count_genes(shape))
    parts = _split(genes, shape)
    for module, shut in zip((parts.game, parts.opponent), _SHUT_PREFLOP, strict=True):
        module.links[:, PREFLOP, _LEAVE] = shut
        module.biases[:, _LEAVE] = 1.0
    _carry_what_there_is_to_call(parts.game)
    parts.links[:] = rng.normal(0.0, _HIDDEN_DEVIATION, parts.links.shape)
    parts.links[:, :2] = parts.biases[:] = parts.outputs[:] = 0.0
    # The first unit for what is small beside the stack, the second for what is nearly all of it.
    low, high = (np.tanh(np.tanh(x)) for x in (_STEEP_FROM, _STEEP_TO))
    steepness = 1.5 / (high - low)
    parts.links[0, :2] = 1.0, steepness
    parts.biases[1] = -steepness * low
    parts.outputs[:2] = _RATIO, 1.0
    parts.output_bias[:] = -np.tanh(parts.biases[1])  # nothing to call: no aggression
    parts.first_cells[0] = 0.0
    return genes.astype(np.float32)


def calling_scale(shape: AsheShape) -> F32:
    """``(n_genes,)`` the units in which optimizers of numbers count the genes of such a network.

    A step of 0.03 changes by 0.0003 what makes the band, by 0.003 the links from other hidden units
    to the output, and by 0.03 all the rest.
    """
    units = np.ones(count_genes(shape))
    parts = _split(units, shape)
    for weights in parts.game:
        weights[0, ..., 0] = _BAND_UNIT
    parts.links[0] = parts.links[:, :2] = _BAND_UNIT
    parts.biases[:] = parts.output_bias[:] = parts.first_cells[0] = _BAND_UNIT
    parts.outputs[:] = _OUTPUT_UNIT
    parts.outputs[:2] = _BAND_UNIT
    return units.astype(np.float32)


def _split(genes: F64, shape: AsheShape) -> _Parts:
    """The parts of a genome."""
    game, after = _module(genes, shape.game_blocks, shape.game_cell)
    opponent, after = _module(after, shape.opponent_blocks, shape.opponent_cell)
    lengths = (shape.cells * shape.hidden, shape.hidden, shape.hidden, 1)
    links, biases, outputs, output_bias, first_cells = np.split(after, np.cumsum(lengths))
    return _Parts(
        game,
        opponent,
        links.reshape(shape.cells, shape.hidden),
        biases,
        outputs,
        output_bias,
        first_cells,
    )


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
