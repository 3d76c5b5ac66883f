"""Sixteen ends of the betting at once, against every pair of hands compared one by one."""

import numpy as np
import pytest

from agents.solvers import Subgame
from agents.solvers.walk import fold_values_in_lanes, showdown_values_in_lanes
from nlhe_env import evaluator, parse_cards
from nlhe_env.numerics.float_lanes import LANES

BOARD = "KsTh7s4d2s"


@pytest.fixture(
    scope="module", params=[("*", "*"), ("88+, A2s+, KQ", "33-22, QJs")], ids=["all", "some"]
)
def spot(request):
    return Subgame(BOARD, request.param, 100, 250)


def meetings(spot, player):
    """``(own, other)`` whether two hands share no card, and which of them wins."""
    board = parse_cards(BOARD)
    own, other = spot.hands(player), spot.hands(1 - player)
    apart = ~(own[:, None, :, None] == other[None, :, None, :]).any(axis=(2, 3))
    strengths = [
        evaluator.evaluate(np.column_stack([hands, np.tile(board, (len(hands), 1))]))
        for hands in (own, other)
    ]
    return apart, np.sign(strengths[0][:, None].astype(int) - strengths[1][None])


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("kind", ["met", "showdown"])
def test_batched_terminal_values_match_pairs_of_hands(spot, player, kind):
    game = spot.game()
    space = game.space()
    ends = np.zeros((2 * LANES, space.own.shape[1]), np.float32)
    n_own, n_other = len(spot.hands(player)), len(spot.hands(1 - player))
    reach = np.random.default_rng(7).random((LANES, n_other))
    ends[LANES:, :n_other] = reach
    if kind == "met":
        fold_values_in_lanes(game.cards, player, ends, LANES, space.lanes)
    else:
        showdown_values_in_lanes(game.cards, player, 0, ends, LANES, space.lanes)
    apart, wins = meetings(spot, player)
    expected = reach @ (apart * (wins if kind == "showdown" else 1)).T
    np.testing.assert_allclose(ends[LANES:, :n_own], expected, atol=2e-3)
    assert not ends[:LANES].any()
