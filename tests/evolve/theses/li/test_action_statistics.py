"""Action statistics of players on every street, against the recorded hands."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from evolve.theses.li.measurements import measure_actions

GAME = nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=60)
STREETS = {0: 0, 3: 1, 4: 2, 5: 3}


def test_a_maniac_raises_wherever_it_can():
    found = measure_actions(agents.make("early-hothead-maniac"), agents.make("caller"), GAME)
    assert found.raise_frequency.tolist() == [1.0] * 4
    # A bet of the pot before the flop: to 300 in the small blind, or in the big blind, over 100.
    assert found.mean_raise[0] == pytest.approx(2.0)
    assert found.mean_raise[1:].tolist() == pytest.approx([6.0, 18.0, 54.0], rel=0.15)
    assert (found.hands, found.faced, found.opponent_raises) == (60, 0, 0)
    assert np.isnan(found.fold_frequency)


def test_counts_match_the_hands():
    player, opponent = agents.make("half-a-pro"), agents.make("ashe-loose-aggressive")
    hands = []
    env = nlhe_env.raw_env(game=GAME, num_players=2, actions="chips", record=hands)
    agents.play_episode(
        env, dict(zip(env.possible_agents, (player, opponent), strict=True)), seed=4
    )
    found = measure_actions(player, opponent, GAME, seed=4)
    raises, folds, others = np.zeros(4, int), 0, 0
    for hand in hands:
        me = hand.players.index("player_0")
        for action in hand.actions:
            if action.position == me:
                raises[STREETS[action.board_cards]] += action.kind == "cbr"
                folds += action.kind == "f"
            else:
                others += action.kind == "cbr"
    assert found.raises.tolist() == raises.tolist()
    assert found.opponent_raises == others
    assert 0 < found.folds <= folds  # some before the flop, to the blind alone
    assert found.folds <= found.faced
    assert (found.raises <= found.could_raise).all()


def test_tournaments_are_refused():
    with pytest.raises(ValueError, match="cash games"):
        measure_actions(agents.make("caller"), agents.make("folder"), nlhe_env.Game.tournament())
