"""What ASHE 2.2 and 2.3 expect at a place ahead: what the opponent does, and who wins.

Source: Li (PhD thesis, University of Texas at Austin, 2018), sections 7.2 and 8.2. Below a board
the estimators see the means over the boards that lead there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.compiled.ashe import boards as of_boards
from agents.compiled.ashe.boards import LOOK
from agents.compiled.ashe.estimators import chance_of, make_distribution, read_estimator
from agents.compiled.ashe.features import N_LOOK, write_told
from agents.compiled.ashe.hearing import bench_of, step_opponent
from agents.compiled.ashe.moves import BOARD_COMES, OWN, possible_moves
from agents.compiled.ashe.one_step import utility_of_raise
from agents.compiled.ashe.places import AT_PATH, AT_WIN, N_FIELDS, nodes_of, spot_of
from agents.compiled.ashe.shape import (
    BLOCKS,
    CELL,
    LEVEL,
    N_ANSWERS,
    OPPONENT,
    RANGED,
    SHOWDOWN,
    TOLD,
)
from agents.compiled.view import Parameters, View
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.evaluator import rank_set
from nlhe_env.machine.array_types import F32
from nlhe_env.machine.compilation import kernel


class Ahead(NamedTuple):
    """What looking ahead works with."""

    parameters: Parameters
    memory: F32
    default: F32
    """The default trees."""
    scene: View
    boards: F32
    n_boards: int
    places: F32
    states: F32
    """Of both estimators, by depth."""
    stack: float
    """Chips that each can put in."""
    won: float
    """What the player is told of the showdown; only at that level."""


@kernel
def see(ahead, i, before, states):
    """Let the estimator of the opponent see a place, from states before it to new ones."""
    places, sizes, table = ahead.places, ahead.parameters.traits.sizes, ahead.scene.table
    spot, place = spot_of(places, i), nodes_of(places, i)
    scratch, bench = ahead.scene.scratch, bench_of(sizes)
    path = np.int64(places[i * N_FIELDS + AT_PATH])
    for j in range(len(states)):
        states[j] = before[j]
    told, other = scratch[bench.told : bench.other], scratch[bench.other : bench.wins]
    write_told(sizes, ahead.memory, ahead.default, place, spot.street, told, other)
    for k in range(N_LOOK):
        what = LOOK + N_LOOK * spot.street + k
        scratch[bench.look + k] = np.float32(
            of_boards.mean_of_boards(ahead.boards, ahead.n_boards, spot.street, path, what)
        )
    stack = np.float64(table.starting_stack[table.actor])
    own, opponent = spot.own / stack, spot.opponent / stack
    step_opponent(ahead.parameters, scratch, spot.street, own, opponent, states)


@kernel
def write_chances(ahead, states, possible):
    """Write the chances of what the opponent does on the bench."""
    scratch, bench = ahead.scene.scratch, bench_of(ahead.parameters.traits.sizes)
    answers = scratch[bench.answers : bench.answers + N_ANSWERS]
    read_estimator(ahead.parameters, OPPONENT, states, scratch[bench.hidden :], answers)
    make_distribution(answers, possible)


@kernel
def win_at(ahead, states, street, path):
    """The chance to win the showdown, at some states of the estimators."""
    sizes, scratch = ahead.parameters.traits.sizes, ahead.scene.scratch
    if sizes[LEVEL] == TOLD:
        return ahead.won
    bench = bench_of(sizes)
    answers = scratch[bench.answers : bench.answers + N_ANSWERS]
    read_estimator(ahead.parameters, SHOWDOWN, states, scratch[bench.hidden :], answers)
    if sizes[LEVEL] < RANGED:
        return chance_of(answers[0])
    make_distribution(answers, (1 << N_ANSWERS) - 1)
    return of_boards.win_against_ranges(ahead.boards, ahead.n_boards, street, path, answers)


@kernel
def worth_at_once(ahead, i, depth):
    """What a place is worth by the rule of 2.0, with the chance to win before it."""
    sizes = ahead.parameters.traits.sizes
    spot = spot_of(ahead.places, i)
    win = np.float64(ahead.places[i * N_FIELDS + AT_WIN])
    shown = (2.0 * win - 1.0) * max(spot.own, spot.opponent)
    if spot.turn == OWN:
        return max(shown, -spot.own) if spot.opponent > spot.own else shown
    if spot.turn == BOARD_COMES or spot.own <= spot.opponent:
        return shown
    n_states = 4 * sizes[BLOCKS] * sizes[CELL]
    bench = bench_of(sizes)
    states = ahead.scene.scratch[bench.states : bench.rest]
    see(ahead, i, ahead.states[(depth - 1) * n_states : depth * n_states], states)
    write_chances(ahead, states, possible_moves(spot, ahead.stack, ahead.scene.table.big_blind))
    folds = np.float64(ahead.scene.scratch[bench.answers])
    return utility_of_raise(win, folds, spot.opponent, spot.own)


@kernel
def true_result(table, seat, other):
    """Whether a seat wins the showdown on the board that will come: 0, one half or 1."""
    board = board_set(table.cards[2 * table.seats : 2 * table.seats + 5], 5)
    own = rank_set(board | card_bit(table.cards[2 * seat]) | card_bit(table.cards[2 * seat + 1]))
    theirs = card_bit(table.cards[2 * other]) | card_bit(table.cards[2 * other + 1])
    rank = rank_set(board | theirs)
    return 1.0 if own > rank else (0.5 if own == rank else 0.0)
