"""Sessions with a memory: hand by hand the games of blocks."""

from __future__ import annotations

import numpy as np

import agents
import nlhe_env
from agents.policy.session import Session

GAME = nlhe_env.Game.cash(starting_stack=2000, num_hands=8)
PLAYERS = [agents.make_compiled(name) for name in ("ashe-1.0", "random")]


def test_sessions_are_the_games_of_blocks():
    blocks = agents.Blocks(3, seating_order="fixed")
    tally = agents.play(PLAYERS, blocks, GAME, seed=5, rows=True)
    for number, points in enumerate(tally.rows.points):
        won = [Session(PLAYERS, GAME, seed=5, number=number, seat=seat).play(8) for seat in (0, 1)]
        assert sum(chips[:, 0].sum() for chips in won) == points[0]
        assert all((chips.sum(axis=1) == 0).all() for chips in won)


def test_a_held_memory_is_that_of_the_beginning_in_every_hand():
    before = Session(PLAYERS, GAME, seed=5)
    before.play(8)
    learned = before.memory[0].copy()

    def later():
        session = Session(PLAYERS, GAME, seed=6)
        session.memory[0] = learned
        return session

    held, free = later(), later()
    won = held.play(8, holds_memory=True)
    np.testing.assert_array_equal(held.memory[0], learned)
    assert won[0].tolist() == free.play(1)[0].tolist()
    assert (free.memory[0] != learned).any()
