"""Transitions of the betting state in the look-ahead search of ASHE 2.2 and 2.3.

Heads-up; chips are counted over the whole hand. Source: Li (PhD thesis, University of Texas at
Austin, 2018), section 7.1; a raise of the opponent has the midpoint size of its bucket, and in the
last bucket is all-in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.theses.li.tree import ALL_IN_LABEL, BUCKETS, CALL_LABEL, FIRST_BUCKET, N_NEXT
from nlhe_env.game.table import RIVER
from nlhe_env.jit.array_types import Float, Int, Truth
from nlhe_env.jit.compilation import kernel

OWN, OPPONENTS, BOARD_COMES, SHOWN_DOWN, WON, LOST, IMPOSSIBLE = range(7)
"""Values of ``turn``: the side to act, or how the hand ends."""
N_MOVES = 9
"""Moves of either side: fold, check or call; then own raises or the opponent's buckets."""
_LAST_BUCKET = N_NEXT - 1
_MIDDLES = (0.0625, 0.25, 0.5625, 1.0, 1.625, 3.0)


class BettingState(NamedTuple):
    """State of the betting."""

    turn: Int
    street: Int
    acted: Int
    """Actions on this street."""
    own: Float
    """Chips put in by the player in the hand."""
    opponent: Float


@kernel
def label_of_move(turn: Int, move: Int) -> Int:
    """Tree label of a move."""
    if turn == OWN or move == CALL_LABEL:
        return move
    return FIRST_BUCKET + move - 2


@kernel
def after_move(spot: BettingState, move: Int, stack: Float, blind: Int) -> BettingState:
    """State after a move; its ``turn`` is ``IMPOSSIBLE`` for an impossible move.

    Args:
        spot: State in which a player is to act.
        move: 0 to 8.
        stack: Effective stack in chips.
        blind: The big blind, which is the minimum raise.
    """
    is_own = spot.turn == OWN
    mine, theirs = (spot.own, spot.opponent) if is_own else (spot.opponent, spot.own)
    total: Float
    turn, total = np.int64(OPPONENTS if is_own else OWN), theirs
    if move == 0:
        turn, total = np.int64(LOST if is_own else WON), mine
        if mine >= theirs:
            turn = np.int64(IMPOSSIBLE)
    elif move == CALL_LABEL:
        if theirs >= stack or (spot.acted > 0 and spot.street == RIVER):
            turn = np.int64(SHOWN_DOWN)
        elif spot.acted > 0:
            turn = np.int64(BOARD_COMES)
    else:
        total = _own_total(theirs, move, stack, blind)
        if not is_own:
            total = _opponent_total(theirs, move, stack, blind)
        if total <= theirs:
            turn = np.int64(IMPOSSIBLE)
    if is_own:
        return BettingState(turn, spot.street, spot.acted + 1, total, spot.opponent)
    return BettingState(turn, spot.street, spot.acted + 1, spot.own, total)


@kernel
def after_board(spot: BettingState, on_button: Truth) -> BettingState:
    """State at the start of the next street, where the big blind acts first."""
    turn = np.int64(OPPONENTS if on_button else OWN)
    return BettingState(turn, spot.street + 1, np.int64(0), spot.own, spot.opponent)


@kernel
def _own_total(theirs: Float, move: Int, stack: Float, blind: Int) -> Float:
    """Total chips after the player's raise with a label, 0 if impossible."""
    if move > ALL_IN_LABEL or theirs >= stack:
        return 0.0
    if move == ALL_IN_LABEL:
        return stack
    total = theirs + np.floor((move - 1) * theirs + 0.5)  # half pots of 2 * theirs
    return total if theirs + blind <= total < stack else 0.0


@kernel
def _opponent_total(theirs: Float, move: Int, stack: Float, blind: Int) -> Float:
    """Total chips after the opponent's raise in a bucket, 0 if impossible."""
    bucket, pot = move - 2, 2.0 * theirs
    if theirs >= stack or (move < _LAST_BUCKET and BUCKETS[bucket] * pot < blind):
        return 0.0
    if bucket > 0 and BUCKETS[bucket - 1] * pot >= stack - theirs:
        return 0.0
    if move == _LAST_BUCKET:
        return stack
    return min(max(theirs + _MIDDLES[bucket] * pot, theirs + blind), stack)


@kernel
def possible_moves(spot: BettingState, stack: Float, blind: Int) -> Int:
    """Bit mask of the possible moves."""
    possible = 0
    for move in range(N_MOVES):
        if after_move(spot, move, stack, blind).turn != IMPOSSIBLE:
            possible |= 1 << move
    return possible
