"""Local best responses in small games: no better than the best response, whose value is exact."""

from __future__ import annotations

import numpy as np
import pytest

from agents.bounds import local_best_response
from agents.solvers import Subgame, equilibrium, kuhn, leduc, no_limit_leduc

GAMES = {
    "kuhn": kuhn(),
    "leduc": leduc(),
    "no-limit leduc": no_limit_leduc(stack=300, ante=100),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("player", [0, 1])
def test_never_above_the_best_response(name, player):
    game = GAMES[name]
    rng = np.random.default_rng(1)
    shape = game.tree.rows, int(game.cards.n_hands.max())
    for weights in (np.zeros(shape), *(rng.random((5, *shape)) ** 4)):
        strategy = game.normalised(weights)
        local = local_best_response(game, strategy, player)
        assert local <= game.best_response(strategy, player) + 1e-12
        assert local >= (1 - 2 * player) * game.value(strategy) - 1.0


def test_it_wins_the_value_of_the_game_of_an_equilibrium():
    solved = equilibrium(leduc())
    assert local_best_response(leduc(), solved.strategy, 0) == pytest.approx(-0.085606424078)


def test_it_is_the_best_response_where_there_is_one_decision():
    """On the river, when the only raise is all-in, nothing comes after the action looked at."""
    spot = Subgame(
        board="KsTh7s4d2s",
        ranges=("TT+, AQs+, QJs", "99-22, ATs+, KQ"),
        pot=100,
        stack=100,
        bets="all-in",
    )
    game = spot.game()
    strategy = game.uniform()
    assert local_best_response(game, strategy, 1) == pytest.approx(
        game.best_response(strategy, 1), abs=1e-4
    )
