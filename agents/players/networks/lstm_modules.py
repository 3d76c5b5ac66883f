"""The game and opponent modules of recurrent players, and their inputs.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), section 4.1. The game module is reset with every
hand, the opponent module with every session. A genome begins with the weights of the game module,
then of the opponent module; the memory holds the cells and outputs of the game module, then of the
opponent module.
"""

from __future__ import annotations

import numpy as np

from agents.players.networks.lstm_blocks import (
    count_block_weights,
    count_module_scratch,
    reset_module,
    step_module,
)
from agents.policy.events import HAND_BEGINS, SESSION_BEGINS
from nlhe_env.game.betting import amount_owed
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import F32, I64, Float, Int
from nlhe_env.jit.compilation import kernel, plain_or_compiled

_GAME_BLOCKS, _GAME_CELL, _OPPONENT_BLOCKS, _OPPONENT_CELL = range(4)
"""Indices of the first sizes of a recurrent player."""
N_INPUTS = 8
"""Inputs: street (four), strength of the hand, chips put in by the opponent and by the player as
shares of the starting stack, pot odds."""
_STRENGTH, OPPONENTS_CHIPS, OWN_CHIPS, _ODDS = 4, 5, 6, 7


@plain_or_compiled
def _count_game(sizes: I64) -> Int:
    """Total length of the cell states of the game module."""
    return sizes[_GAME_BLOCKS] * sizes[_GAME_CELL]


@plain_or_compiled
def _count_opponent(sizes: I64) -> Int:
    """Total length of the cell states of the opponent module."""
    return sizes[_OPPONENT_BLOCKS] * sizes[_OPPONENT_CELL]


@plain_or_compiled
def count_cells(sizes: I64) -> Int:
    """Total length of the cell states of both modules."""
    return _count_game(sizes) + _count_opponent(sizes)


def count_memory(sizes: I64) -> int:
    """Length of the memory: for each module the cells of all blocks, then their outputs."""
    return int(2 * count_cells(sizes))


def count_scratch(sizes: I64) -> int:
    """Length of the scratch for the inputs and for stepping either module."""
    game = count_module_scratch(int(sizes[_GAME_BLOCKS]), int(sizes[_GAME_CELL]))
    opponent = count_module_scratch(int(sizes[_OPPONENT_BLOCKS]), int(sizes[_OPPONENT_CELL]))
    return N_INPUTS + max(game, opponent)


@plain_or_compiled
def _first_of_opponent(sizes: I64) -> Int:
    """Offset of the weights of the opponent module."""
    return sizes[_GAME_BLOCKS] * count_block_weights(N_INPUTS, sizes[_GAME_CELL])


@plain_or_compiled
def after_modules(sizes: I64) -> Int:
    """Offset in a genome of the weights after both modules."""
    length = count_block_weights(N_INPUTS, sizes[_OPPONENT_CELL])
    return _first_of_opponent(sizes) + sizes[_OPPONENT_BLOCKS] * length


@kernel
def outputs_of(sizes: I64, memory: F32) -> tuple[F32, F32]:
    """Outputs of the game module and the opponent module, float32."""
    n_game, n_opponent = _count_game(sizes), _count_opponent(sizes)
    return memory[n_game : 2 * n_game], memory[2 * n_game + n_opponent :][:n_opponent]


@kernel
def forget(sizes: I64, first_cells: F32, memory: F32, what: Int) -> None:
    """Reset the game module at the start of a hand, both modules at the start of a session.

    Args:
        sizes: Sizes of the player.
        first_cells: Float32 initial cell states of both modules.
        memory: Memory of the player.
        what: Type of the event.
    """
    if what in (HAND_BEGINS, SESSION_BEGINS):
        reset_module(first_cells, memory[: 2 * _count_game(sizes)])
    if what == SESSION_BEGINS:
        forget_opponent(sizes, first_cells, memory)


@kernel
def forget_opponent(sizes: I64, first_cells: F32, memory: F32) -> None:
    """Reset the opponent module."""
    n_game, n_opponent = _count_game(sizes), _count_opponent(sizes)
    reset_module(first_cells[n_game:], memory[2 * n_game : 2 * (n_game + n_opponent)])


@kernel
def step_game(sizes: I64, weights: F32, inputs: F32, memory: F32, scratch: F32) -> None:
    """One time step of the game module."""
    game = memory[: 2 * _count_game(sizes)]
    step_module(weights, sizes[_GAME_BLOCKS], sizes[_GAME_CELL], inputs, game, scratch)


@kernel
def step_opponent(sizes: I64, weights: F32, inputs: F32, memory: F32, scratch: F32) -> None:
    """One time step of the opponent module."""
    opponent = memory[2 * _count_game(sizes) :][: 2 * _count_opponent(sizes)]
    own = weights[_first_of_opponent(sizes) :]
    step_module(own, sizes[_OPPONENT_BLOCKS], sizes[_OPPONENT_CELL], inputs, opponent, scratch)


@kernel
def write_inputs(table: TableRecord, seat: Int, strength: Float, inputs: F32) -> None:
    """Write a seat's eight inputs; the opponent is the one that has put in the most."""
    for street in range(4):
        inputs[street] = np.float32(table.street == street)
    stack = np.float64(table.starting_stack[seat])
    opponent = np.int64(0)
    for other in range(table.seats):
        if other != seat and table.player[other] >= 0:
            opponent = max(opponent, table.hand_bet[other])
    to_call = amount_owed(table, seat)
    inputs[_STRENGTH] = np.float32(strength)
    inputs[OPPONENTS_CHIPS] = np.float32(opponent / stack)
    inputs[OWN_CHIPS] = np.float32(table.hand_bet[seat] / stack)
    inputs[_ODDS] = np.float32(to_call / (to_call + table.pot)) if to_call > 0 else np.float32(0.0)
