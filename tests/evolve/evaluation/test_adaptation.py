"""What a player wins with the memory that it had: against sessions played in the usual way."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from agents.match.sessions import play_session
from evolve.evaluation.behaviour.adaptation import measure_adaptation

GAME = nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=30)
MANIAC, CALLER = (agents.make_compiled(name) for name in ("early-hothead-maniac", "caller"))


def test_a_session_is_the_usual_one():
    player = agents.make_compiled("ashe-1.0")
    sessions = [play_session(player, MANIAC, GAME, hands=30, seed=5, seat=k) for k in (0, 1)]
    tally = agents.play([player, MANIAC], agents.Blocks(1), GAME, seed=5)
    assert sum(won.sum() for won, _ in sessions) == tally.totals[0]


def test_a_memory_goes_on_where_it_was():
    player = agents.make_compiled("ashe-1.0")
    whole, memory = play_session(player, MANIAC, GAME, hands=20, seed=5)
    again, other = play_session(player, MANIAC, GAME, hands=20, seed=5)
    np.testing.assert_array_equal(whole, again)
    np.testing.assert_array_equal(memory, other)
    first, half = play_session(player, MANIAC, GAME, hands=10, seed=5)
    np.testing.assert_array_equal(first, whole[:10])
    _, held = play_session(player, MANIAC, GAME, hands=7, seed=6, memory=half, held=True)
    np.testing.assert_array_equal(held, half)
    _, changed = play_session(player, MANIAC, GAME, hands=7, seed=6, memory=half)
    assert (changed != half).any()


def test_copies_of_the_memory_are_measured_apart():
    found = measure_adaptation(
        "ashe-1.0", [MANIAC, MANIAC], [MANIAC, CALLER], GAME, every=20, hands=40, seed=2
    )
    assert found.after.tolist() == [0, 20, 40]
    assert found.scores.shape == found.errors.shape == (3, 2)
    assert found.session.shape == (2,)
    # The first copy knows nothing: as a stranger it plays as in its first hand, again and again.
    player = agents.make_compiled("ashe-1.0")
    blank = play_session(player, CALLER, GAME, hands=0, seed=2)[1]
    pair = [
        play_session(player, CALLER, GAME, hands=40, seed=2, seat=k, memory=blank, held=True)[0]
        for k in (0, 1)
    ]
    assert found.scores[0, 1] == pytest.approx(np.mean(pair) / 100)


def test_players_without_memory_are_refused():
    with pytest.raises(ValueError, match="must have a memory; 'Caller' has none"):
        measure_adaptation(CALLER, [MANIAC], [MANIAC], GAME)
