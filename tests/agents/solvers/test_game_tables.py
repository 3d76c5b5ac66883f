"""Tables of small games deal, act and pay as the games that solvers know."""

from __future__ import annotations

import numpy as np
import pytest

from agents.solvers import GameTables, Subgame, kuhn, leduc, no_limit_leduc, solve

GAMES = {"kuhn": kuhn, "leduc": leduc, "no-limit leduc": lambda: no_limit_leduc(9, 1)}


def draw(chances, rng):
    bounds = chances.cumsum(axis=1)
    return (bounds <= rng.random((len(bounds), 1)) * bounds[:, -1:]).sum(axis=1)


@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES)
def test_winnings_are_on_average_what_strategies_are_worth(make):
    """A fixed random policy, played and valued by the solver's walk."""
    game = make()
    tables = GameTables(game, 4000)
    mixing = np.random.default_rng(1).normal(size=(tables.observation_size, tables.n_actions))

    def policy(seen, masks):
        return np.exp(seen @ mixing) * masks

    rng = np.random.default_rng(2)
    turns = tables.reset(seed=3)
    won = []
    for _ in range(40):
        chances = policy(turns.observation, turns.action_mask)
        turns = tables.step(draw(chances, rng))
        assert np.allclose(turns.rewards.sum(axis=1), 0)
        assert not turns.rewards[~turns.terminated].any()
        won.append(turns.rewards[turns.terminated, 0])
    results = np.concatenate(won)
    expected = game.value(tables.strategy(policy))
    # Hands of the last steps that are long are missing: a bias of less than a twentieth.
    assert results.mean() == pytest.approx(
        expected, abs=4 * results.std() / len(results) ** 0.5 + 0.05
    )


def test_a_policy_read_from_a_solution_has_its_exploitability():
    game = leduc()
    tables = GameTables(game)
    solved = solve(game, iterations=200)
    rows = iter(
        solved.strategy[game.tree.row[node] : game.tree.row[node] + game.tree.branches[node], hand]
        for node in np.flatnonzero(game.tree.kind == 0)
        for hand in range(3)
    )

    def policy(seen, masks):
        chances = masks.astype(float)
        chances[masks == 1] = np.concatenate([next(rows) for _ in seen])
        return chances

    found = tables.strategy(policy)
    np.testing.assert_allclose(found, solved.strategy)
    assert game.exploitability(found) < 0.02


def test_every_information_set_has_an_observation_of_its_own():
    tables = GameTables(leduc())
    seen = []

    def policy(observations, masks):
        seen.append(observations)
        return masks

    tables.strategy(policy)
    # With each of three ranks: six decisions, then six on each of three boards after five lines.
    assert len(np.unique(seen[0], axis=0)) == len(seen[0]) == 3 * (6 + 5 * 3 * 6)


@pytest.mark.oracle
@pytest.mark.parametrize(("make", "published"), [(kuhn, 11 / 12), (leduc, 4.747222222222222)])
def test_the_uniform_policy_loses_what_open_spiel_publishes(make, published):
    """Its tests of CFR against a best response: what both responses win together."""
    tables = GameTables(make())
    uniform = tables.strategy(lambda seen, masks: masks)
    assert 2 * tables.game.exploitability(uniform) == pytest.approx(published)


def test_games_of_hold_em_and_illegal_actions_are_refused():
    with pytest.raises(ValueError, match="must be small"):
        GameTables(Subgame("AsKsQs2d7h", ("AA", "KK"), pot=10, stack=10).game())
    tables = GameTables(kuhn(), 2)
    tables.reset(seed=1)
    with pytest.raises(ValueError, match="action 0 at table 0 is not legal"):
        tables.step([0, 1])
