"""The player that counts its opponents."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from agents.players.rules.opponent_frequency import frequencies


def heads_up(opponent, hands):
    """An environment after some hands against an opponent, and the seats."""
    env = nlhe_env.raw_env(2, actions="sized", mode="cash", num_hands=hands)
    players = (agents.make("opponent-frequency"), agents.make(opponent))
    seats = agents.Lineup(env, dict(zip(env.possible_agents, players, strict=True)))
    env.reset(seed=1)
    while not all(env.terminations.values()):
        env.step(seats.action())
    return seats.work.memory[0]


@pytest.mark.parametrize(
    ("opponent", "folds", "bets"),
    [
        ("folder", (0.8, 1), (0, 0.3)),
        ("caller", (0, 0.05), (0, 0.05)),
        ("raiser", (0, 0.05), (0.9, 1)),
    ],
)
def test_opponents_fold_and_bet_frequencies_are_learned(opponent, folds, bets):
    found = frequencies(heads_up(opponent, 80), 0)
    assert folds[0] <= found[0] <= folds[1]
    assert bets[0] <= found[1] <= bets[1]
    middling = frequencies(np.zeros(20, np.float32), 0)
    assert middling == (pytest.approx(0.4), pytest.approx(1.5 / 4.0))


@pytest.mark.parametrize("opponent", ["folder", "tight-passive", "candid-statistician"])
def test_learning_opponents_frequencies_pays(opponent):
    game = nlhe_env.Game.cash(num_hands=300)

    def won(trust):
        players = [agents.make(f"opponent-frequency:trust={trust}"), agents.make(opponent)]
        tally = agents.play(agents.pack_players(players), agents.Blocks(10), game, seed=5)
        return tally.totals[0] / tally.hands

    assert won(1) > won(0) + 20  # chips a hand: a fifth of a big blind
