"""The winnings of a player with a given memory, against ordinary sessions."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from agents.policy.session import Session
from evolve.theses.li.measurements import measure_adaptation

GAME = nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=30)
MANIAC, CALLER = (agents.make_compiled(name) for name in ("early-hothead-maniac", "caller"))


def played(player, opponent, hands, *, memory=None, holds_memory=False, **options):
    """Chips that a player won in each hand of a session, and its memory in the end."""
    session = Session([player, opponent], GAME, **options)
    if memory is not None:
        session.memory[0] = memory
    return session.play(hands, holds_memory=holds_memory)[:, 0], session.memory[0]


def test_a_session_matches_ordinary_play():
    player = agents.make_compiled("ashe-1.0")
    sessions = [played(player, MANIAC, 30, seed=5, seat=k) for k in (0, 1)]
    tally = agents.play([player, MANIAC], agents.Blocks(1), GAME, seed=5)
    assert sum(won.sum() for won, _ in sessions) == tally.totals[0]


def test_a_session_continues_from_a_given_memory():
    player = agents.make_compiled("ashe-1.0")
    whole, memory = played(player, MANIAC, 20, seed=5)
    again, other = played(player, MANIAC, 20, seed=5)
    np.testing.assert_array_equal(whole, again)
    np.testing.assert_array_equal(memory, other)
    first, half = played(player, MANIAC, 10, seed=5)
    np.testing.assert_array_equal(first, whole[:10])
    _, held = played(player, MANIAC, 7, seed=6, memory=half, holds_memory=True)
    np.testing.assert_array_equal(held, half)
    _, changed = played(player, MANIAC, 7, seed=6, memory=half)
    assert (changed != half).any()


def test_copies_of_the_memory_are_measured_independently():
    found = measure_adaptation(
        "ashe-1.0", [MANIAC, MANIAC], [MANIAC, CALLER], GAME, every=20, hands=40, seed=2
    )
    assert found.after.tolist() == [0, 20, 40]
    assert found.scores.shape == found.errors.shape == (3, 2)
    assert found.session.shape == (2,)
    # The first copy knows nothing: as a stranger it plays as in its first hand, again and again.
    player = agents.make_compiled("ashe-1.0")
    blank = played(player, CALLER, 0, seed=2)[1]
    pair = [
        played(player, CALLER, 40, seed=2, seat=k, memory=blank, holds_memory=True)[0]
        for k in (0, 1)
    ]
    assert found.scores[0, 1] == pytest.approx(np.mean(pair) / 100)


def test_players_without_memory_are_refused():
    with pytest.raises(ValueError, match="must have a memory; 'caller' has none"):
        measure_adaptation(CALLER, [MANIAC], [MANIAC], GAME)
