"""Logged hands evaluated by AIVAT: the same numbers as during play."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import agents
import nlhe_env
from agents.variance_reduction.aivat_logs import AivatEvaluator
from nlhe_env.hand_history import HandError

NO_LIMIT = nlhe_env.Game.cash(num_hands=1)
NAMES = ("random", "tight-aggressive", "push-or-fold")


def played(names, hands, variance_reduction):
    found: list = []
    players = [agents.make(name) for name in names]
    schedule = agents.Tournaments(hands)
    tally = agents.play(
        players,
        schedule,
        NO_LIMIT,
        seed=2,
        rows=True,
        variance_reduction=variance_reduction,
        record=found,
    )
    return found, tally, {f"player_{i}": player for i, player in enumerate(players)}


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("known", [None, (), (0,)])
def test_logged_hands_get_the_same_estimates_as_played_hands(n, known):
    hands, tally, players = played(NAMES[:n], 40, agents.Aivat(known=known))
    asked = players if known is None else {f"player_{i}": players[f"player_{i}"] for i in known}
    found = AivatEvaluator(players=asked).evaluate(hands)
    for hand, row, expected in zip(hands, found, tally.row_scores, strict=True):
        numbers = [int(name[-1]) for name in hand.players]
        np.testing.assert_allclose(row[:n], expected[numbers], atol=1e-3)


def test_unsupported_input_is_refused_with_a_reason():
    hands, *_ = played(NAMES[:2], 12, "none")
    hidden = [*hands[:3], replace(hands[3], hole_cards=("", hands[3].hole_cards[1]))]
    with pytest.raises(HandError, match=r"unknown are those of player_\d") as error:
        AivatEvaluator().evaluate(hidden)
    assert error.value.hand == 3
    with pytest.raises(HandError, match="player given for player_0 never takes this action"):
        AivatEvaluator(players={"player_0": agents.make("caller")}).evaluate(hands)
    with pytest.raises(ValueError, match="depends on earlier hands"):
        AivatEvaluator(players={"player_0": agents.make("lstm")})
