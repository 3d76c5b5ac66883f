"""Blocks of cash games: every player gets the same cards in turn."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env

CASH = nlhe_env.Game.cash()


def play(*names: str, count: int, game: nlhe_env.Game = CASH, seed: int = 1) -> agents.Tally:
    batch = agents.pack_players([agents.make(name) for name in names])
    return agents.play(batch, agents.Blocks(count), game, seed=seed, rows=True)


@pytest.mark.parametrize("name", ["caller", "folder"])
@pytest.mark.parametrize("n_players", [2, 3, 7, 10])
def test_identical_players_win_exactly_zero(name, n_players):
    tally = play(*[name] * n_players, count=30)
    assert (tally.rows.points == 0).all()
    assert tally.hands == 30 * n_players * 20


def test_chips_of_a_block_sum_to_zero_and_are_not_all_zero():
    tally = play("random", "raiser", "old-best", "caller", "folder", count=50)
    chips = tally.rows.points
    assert (chips.sum(axis=1) == 0).all()
    assert (chips[:, 0] != 0).all()
    assert tally.decisions > tally.hands


def test_folder_pays_its_blinds_and_nothing_else():
    # Six-handed against raisers, every orbit costs the small and the big blind; a session of six
    # hands is one orbit, and a block six of them.
    game = nlhe_env.Game.cash(num_hands=6)
    tally = play("folder", *["raiser"] * 5, count=20, game=game)
    assert (tally.rows.points[:, 0] == -6 * 150).all()


def test_two_folders_exchange_the_blinds():
    game = nlhe_env.Game.cash(blinds=(50, 100, 10), num_hands=1)
    totals = play("folder", "caller", count=1000, game=game).totals
    # The folder gives up its small blind and the ante; in the big blind it checks and sometimes
    # wins what the caller limped in with.
    assert totals.sum() == 0
    assert -60 * 2 * 1000 < totals[0] < 0


def test_seeds_and_blocks_differ():
    first = play("random", "raiser", count=2).rows.points
    second = play("random", "raiser", count=2, seed=2).rows.points
    assert (first[0] != first[1]).any()
    assert (first != second).any()


def test_stacks_are_reset_before_every_hand():
    # No player can lose more than a stack in a hand, however long the session.
    game = nlhe_env.Game.cash(starting_stack=500, num_hands=50)
    chips = play("random", "raiser", count=20, game=game).rows.points
    assert np.abs(chips).max() <= 500 * 50 * 2
    assert np.abs(chips).max() > 500


def test_sessions_of_a_block_deal_the_same_cards_to_the_same_seats():
    # Callers show down every hand: in a block the chips of all sessions cancel exactly only if
    # each of them replays the same cards; without rotation a session alone does not.
    env = nlhe_env.raw_env(3, mode="cash", starting_stack=10_000, blinds=(50, 100), num_hands=20)
    totals = agents.play_episode(
        env, {agent: agents.make("caller") for agent in env.possible_agents}, seed=3
    )
    assert any(totals.values())
    assert not play("caller", "caller", "caller", count=1, seed=3).rows.points.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"starting_stack": 100},
            "starting_stack must be more than big blind and ante, 100 chips; got 100",
        ),
        ({"num_hands": 0}, "num_hands must be at least 1; got 0"),
        ({"blinds": nlhe_env.BlindSchedule.pokerstars()}, "blinds of a cash game must not change"),
        ({"betting": "spread"}, "betting must be one of"),
    ],
)
def test_invalid_games_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        nlhe_env.Game.cash(**arguments)
