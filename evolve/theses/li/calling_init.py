"""Initial network of ASHE 1.0 that checks and calls in any state of its memory.

ASHE 1.0 calls if its aggression, times the stack, is at least the amount to call and less than
twice that: before the flop, against a raise to three big blinds, between 0.01 and 0.02. Hardly any
random network does so, nor do networks of zeros. They fold or go all-in, and small steps from there
never lead to calling. Here the search starts in this band: one cell holds the amount to call, and
two hidden units compute the aggression from it. (If little would be left after a call, the network
goes all-in.) All other units are random as in a first generation, but have zero weight at the
output, and before the flop their output gates are closed, so that learning on later streets does
not disturb the narrow band.

Even so, the few genes of the band tolerate only small steps, with which the many others learn
little. So numeric optimizers scale each group of genes separately.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.players.networks.lstm_blocks import GATES, count_block_weights
from agents.players.networks.lstm_modules import N_INPUTS, OPPONENTS_CHIPS, OWN_CHIPS
from agents.theses.li.ashe1 import AsheShape, count_genes
from nlhe_env.game.table import PREFLOP
from nlhe_env.jit.array_types import F32, F64

_ENTER, _KEEP, _LEAVE = 1, 2, 3
"""Gates; 0 is the block input."""
_OPEN = 8.0
"""Input of an open gate; the negative for a closed gate."""
_SHUT_PREFLOP = (-15.0, -9.0)
"""Weights that close the output gates of random cells before the flop, in the game module and in
the opponent module, whose memory may become useful there."""
_RATIO = 1.55
"""Aggression in units of the amount to call: between 1 and 2."""
_STEEP_FROM, _STEEP_TO = 0.55, 0.65
"""Shares of the stack at which a second unit raises the aggression, because tanh saturates."""
_HIDDEN_DEVIATION = 0.3
"""Standard deviation of the weights to all other hidden units."""

_BAND_UNIT = 0.01
"""Scale of the genes of the band."""
_OUTPUT_UNIT = 0.1
"""Scale of the weights from all other hidden units to the output; other genes have 1."""


class _Module(NamedTuple):
    """Views of the weights of a module, by blocks."""

    links: F64
    """``(blocks, inputs and own outputs, gates, cell)``"""
    biases: F64
    """``(blocks, gates, cell)``"""
    peepholes: F64
    """``(blocks, 3, cell)``"""


class _Parts(NamedTuple):
    """Views of all parts of a genome, in order."""

    game: _Module
    opponent: _Module
    links: F64
    """``(cells, hidden units)``"""
    biases: F64
    """``(hidden units,)``"""
    outputs: F64
    """``(hidden units,)`` weights to the output"""
    output_bias: F64
    """``(1,)``"""
    first_cells: F64
    """``(cells,)``"""


def calling_genes(shape: AsheShape, deviation: float, rng: np.random.Generator) -> F32:
    """``(n_genes,)`` genome of a network that checks and calls.

    Args:
        shape: Shape of the network.
        deviation: Standard deviation of the random weights of the modules.
        rng: Random generator.

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
    # The first unit is for small amounts relative to the stack, the second for most of it.
    low, high = (np.tanh(np.tanh(x)) for x in (_STEEP_FROM, _STEEP_TO))
    steepness = 1.5 / (high - low)
    parts.links[0, :2] = 1.0, steepness
    parts.biases[1] = -steepness * low
    parts.outputs[:2] = _RATIO, 1.0
    parts.output_bias[:] = -np.tanh(parts.biases[1])  # nothing to call: no aggression
    parts.first_cells[0] = 0.0
    return genes.astype(np.float32)


def calling_scale(shape: AsheShape) -> F32:
    """``(n_genes,)`` scales of the genes for numeric optimizers.

    A step of 0.03 changes the genes of the band by 0.0003, the weights from other hidden units to
    the output by 0.003, and all other genes by 0.03.
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
    """The module at the start of the genes, and the remaining genes."""
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
    """Makes the first cell hold exactly the difference of both players' chips in the pot."""
    links, biases, peepholes = game.links[0, :, :, 0], game.biases[0, :, 0], game.peepholes[0, :, 0]
    links[:] = peepholes[:] = 0.0
    links[OPPONENTS_CHIPS, 0], links[OWN_CHIPS, 0] = 1.0, -1.0
    biases[0], biases[[_ENTER, _KEEP, _LEAVE]] = 0.0, (_OPEN, -_OPEN, _OPEN)
