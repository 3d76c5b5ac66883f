"""AIVAT where nothing is sampled: the ladder of Leduc, and means that never move."""

from __future__ import annotations

import numpy as np
import pytest

from agents.solvers import Subgame, kuhn, leduc, small_game_aivat, solve, state_values


@pytest.fixture(scope="module")
def solved():
    game = leduc()
    return game, solve(game, method="cfr+", iterations=300).strategy


STEPS = [
    ({"cards": False, "known": ()}, 3.4986),
    ({"known": ()}, 1.4853),
    ({"known": (0,)}, 1.0672),
    ({}, 0.0),
]
"""What is taken out, and the deviation that another program finds for its own equilibrium."""


@pytest.mark.parametrize(("taken_out", "deviation"), STEPS)
def test_deviations_in_leduc_fall_with_every_aivat_variant(solved, taken_out, deviation):
    result = small_game_aivat(*solved, **taken_out)
    assert result.deviation == pytest.approx(deviation, abs=5e-4)
    assert result.mean == pytest.approx(solved[0].value(solved[1]), abs=1e-12)


@pytest.mark.parametrize("player", [0, 1])
def test_with_imagined_hands_one_known_side_nearly_suffices(solved, player):
    # Against an equilibrium all actions of the other player have the same value for a whole range.
    one_sided = small_game_aivat(*solved, known=(player,)).deviation
    assert small_game_aivat(*solved, known=(player,), imagined=player).deviation < 0.05 < one_sided


def test_imagined_hands_alone_reduce_little_variance():
    game = leduc()
    strategy = game.uniform()
    held = small_game_aivat(game, strategy, cards=False, known=(0,), values=_nothing(game))
    imagined = small_game_aivat(
        game, strategy, cards=False, known=(0,), values=_nothing(game), imagined=0
    )
    assert held.mean == pytest.approx(imagined.mean, abs=1e-12)
    assert 0.6 * held.deviation < imagined.deviation < held.deviation


def _nothing(game):
    return np.zeros_like(state_values(game, game.uniform()))


@pytest.mark.parametrize("make", [kuhn, leduc])
@pytest.mark.parametrize("options", [{}, {"imagined": 1}, {"known": (0,), "imagined": 0}])
def test_no_value_function_changes_the_mean(make, options):
    game = make()
    random = np.random.default_rng(1)
    strategy = game.normalised(random.random((game.tree.rows, int(game.cards.n_hands[0]))))
    values = random.normal(size=state_values(game, strategy).shape)
    found = small_game_aivat(game, strategy, values=values, **options)
    assert found.mean == pytest.approx(game.value(strategy), abs=1e-12)
    assert found.deviation > small_game_aivat(game, strategy, **options).deviation


def test_unsupported_games_and_arguments_are_refused():
    with pytest.raises(ValueError, match="known players"):
        small_game_aivat(kuhn(), kuhn().uniform(), known=(0,), imagined=1)
    game = Subgame("Ks7d2c9h4s", ("AA, KK", "QQ, 77"), 100, 100).game()
    with pytest.raises(ValueError, match="small games"):
        state_values(game, game.uniform())


def test_arrays_of_another_game_are_refused():
    game, other = leduc(), kuhn()
    with pytest.raises(ValueError, match="strategy must be numbers of shape"):
        state_values(game, other.uniform())
    with pytest.raises(ValueError, match="values must be numbers of shape"):
        small_game_aivat(game, game.uniform(), values=state_values(other, other.uniform()))
