"""Cash games of compiled players at duplicate tables."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from nlhe_env.equity import load_tables


@pytest.fixture(scope="module")
def tables():
    return load_tables()


def field(*names: str) -> agents.Field:
    return agents.pack([agents.make(name) for name in names])


@pytest.mark.parametrize("name", ["caller", "folder"])
@pytest.mark.parametrize("n_players", [2, 3, 7, 10])
def test_players_who_decide_alike_win_exactly_nothing(tables, name, n_players):
    results = agents.play_cash(field(*[name] * n_players), seed=3, count=30, tables=tables)
    assert (results.chips == 0).all()
    assert results.hands == 30 * n_players * 20


def test_chips_of_a_block_sum_to_zero_and_are_not_all_zero(tables):
    names = ("random", "raiser", "old-best", "caller", "folder")
    results = agents.play_cash(field(*names), seed=3, count=50, tables=tables)
    assert (results.chips.sum(axis=1) == 0).all()
    assert (results.chips[:, 0] != 0).all()
    assert results.decisions > results.hands


def test_folder_pays_its_blinds_and_nothing_else(tables):
    # Six-handed against raisers, every orbit costs the small and the big blind; a session of six
    # hands is one orbit, and a block six of them.
    game = nlhe_env.Game.cash(num_hands=6)
    results = agents.play_cash(
        field("folder", *["raiser"] * 5), game=game, seed=1, count=20, tables=tables
    )
    assert (results.chips[:, 0] == -6 * 150).all()


def test_two_folders_pass_the_blinds_on(tables):
    game = nlhe_env.Game.cash(blinds=(50, 100, 10), num_hands=1)
    results = agents.play_cash(field("folder", "caller"), game=game, seed=1, count=1000)
    # The folder gives up its small blind and the ante; in the big blind it checks and sometimes
    # wins what the caller limped in with.
    assert results.chips.sum() == 0
    assert -60 * 2 * 1000 < results.chips[:, 0].sum() < 0


def test_chunks_do_not_change_the_chips(tables):
    players = field("random", "old-best", "raiser")
    whole = agents.play_cash(players, seed=9, count=12, tables=tables)
    parts = [
        agents.play_cash(players, seed=9, first=first, count=count, tables=tables)
        for first, count in ((0, 5), (5, 1), (6, 6))
    ]
    np.testing.assert_array_equal(whole.chips, np.concatenate([part.chips for part in parts]))
    assert whole.hands == sum(part.hands for part in parts)
    assert whole.decisions == sum(part.decisions for part in parts)


def test_seeds_and_blocks_differ(tables):
    players = field("random", "raiser")
    first = agents.play_cash(players, seed=1, count=2, tables=tables).chips
    second = agents.play_cash(players, seed=2, count=2, tables=tables).chips
    assert (first[0] != first[1]).any()
    assert (first != second).any()


def test_stacks_are_put_back_before_every_hand(tables):
    # Nobody can lose more than a stack in a hand, however long the session.
    game = nlhe_env.Game.cash(starting_stack=500, num_hands=50)
    results = agents.play_cash(field("random", "raiser"), game=game, seed=1, count=20)
    assert np.abs(results.chips).max() <= 500 * 50 * 2
    assert np.abs(results.chips).max() > 500


def test_the_same_cards_come_to_the_same_seats_in_all_sessions_of_a_block():
    # Callers show down every hand: in a block the chips of all sessions cancel exactly only if
    # each of them replays the same cards; without rotation a session alone does not.
    env = nlhe_env.raw_env(3, mode="cash", starting_stack=10_000, blinds=(50, 100), num_hands=20)
    totals = agents.play_episode(
        env, {agent: agents.make("caller") for agent in env.possible_agents}, seed=3
    )
    assert any(totals.values())
    results = agents.play_cash(field("caller", "caller", "caller"), seed=3, count=1)
    assert not results.chips.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"starting_stack": 100},
            "starting_stack must be more than big blind and ante, 100 chips; got 100",
        ),
        ({"num_hands": 0}, "num_hands must be at least 1; got 0"),
        ({"blinds": nlhe_env.BlindSchedule.pokerstars()}, "blinds of a cash game do not change"),
        ({"betting": "spread"}, "betting must be one of"),
    ],
)
def test_impossible_games_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        nlhe_env.Game.cash(**arguments)


def test_more_players_than_seats_are_refused():
    with pytest.raises(ValueError, match="2 to 10 players at one table; got 11"):
        agents.play_cash(field(*["caller"] * 11), seed=1, count=1)
