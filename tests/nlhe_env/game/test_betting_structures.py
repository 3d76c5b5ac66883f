"""Pot-limit and fixed-limit: the same rules, other sizes of bets."""

import numpy as np
import pytest
from helpers import raises

import agents
import nlhe_env


def game(betting: str, players: int = 2, **arguments) -> nlhe_env.raw_env:
    settings = {"mode": "cash", "actions": "chips", "starting_stack": 1000, "blinds": (5, 10)}
    return nlhe_env.raw_env(players, betting=betting, infos="full", **{**settings, **arguments})


def test_pot_raises_follow_a_recorded_hand():
    # Antonius against Blom, pot-limit, blinds 500/1000: 3,000, 9,000, 27,000, 81,000, call; on the
    # flop 91,000, 435,000, 779,000 were within the pot.
    env = game("pot-limit", blinds=(500, 1000), starting_stack=2_000_000)
    env.reset(seed=1)
    for amount in (3_000, 9_000, 27_000, 81_000):
        assert raises(env)[1] == amount
        env.step(amount)
    env.step(1)
    assert env.infos[env.agent_selection]["pot"] == 162_000
    assert raises(env) == (1_000, 162_000)
    env.step(91_000)
    assert raises(env) == (182_000, 91_000 + 162_000 + 2 * 91_000)
    env.step(435_000)
    assert raises(env)[0] == 435_000 + 344_000


def test_pot_limit_masks_raises_above_the_pot():
    env = game("pot-limit", actions=(0.5, 1.0, 2.0))
    env.reset(seed=1)
    env.step(1)
    env.step(1)
    # The last id is the largest raise, here the pot; the fraction 1.0 would be the same.
    assert env.observe(env.agent_selection)["action_mask"].tolist() == [0, 1, 1, 0, 0, 1]
    env.step(5)
    assert env.infos[env.agent_selection]["to_call"] == 20


def test_fixed_limit_bets_double_on_the_turn():
    env = game("fixed-limit")
    env.reset(seed=1)
    seen = []
    for _ in range(4):
        seen.append(raises(env))
        env.step(1)
        env.step(1)
    assert seen == [(20, 20), (10, 10), (20, 20), (20, 20)]


def test_a_bet_and_three_raises_are_the_cap():
    env = game("fixed-limit")
    env.reset(seed=1)
    for amount in (20, 30, 40):
        assert raises(env) == (amount, amount)
        env.step(amount)
    assert raises(env) == (0, 0)
    env.step(1)
    for amount in (10, 20, 30, 40):
        env.step(amount)
    assert raises(env) == (0, 0)


def test_a_heads_up_hand_costs_at_most_24_small_bets():
    # 4 x 10 + 4 x 10 + 4 x 20 + 4 x 20 = 240 (the range of scores of SBB, Bonson).
    env = game("fixed-limit", num_hands=2)
    env.reset(seed=1)
    while env.infos[env.agent_selection]["hand_number"] == 0:
        least, _ = raises(env)
        env.step(least or 1)
    net = env.full_info()["last_hand"]["net"]
    assert set(map(abs, net.values())) in ({240}, {0})


def test_the_heads_up_cap_can_be_switched_off():
    env = game("fixed-limit", max_bets=None)
    env.reset(seed=1)
    for amount in range(20, 200, 10):
        env.step(amount)
    assert raises(env) == (200, 200)


def test_without_a_cap_more_than_two_players_still_have_four_bets():
    env = game("fixed-limit", players=3, max_bets=None)
    env.reset(seed=1)
    for amount in (20, 30, 40):
        env.step(amount)
    assert raises(env) == (0, 0)


def test_seven_preflop_sequences_continue_to_the_flop():
    # Billings (PhD thesis, 2006), section 3.4.3: with blinds and four bets the
    # pre-flop round has exactly seven continuing sequences.
    env = game("fixed-limit", num_hands=3)
    env.reset(seed=1)

    def continuing(record: np.void) -> int:
        count = 0
        for action in (1, raises(env)[0]):
            env.set_table(record)
            if not action or (action > 1 and not raises(env)[0]):
                continue
            env.step(action)
            if env.full_info()["street"] == "flop":
                count += 1
            else:
                count += continuing(env.table.copy())
        return count

    assert continuing(env.table.copy()) == 7


@pytest.mark.parametrize(("max_bets", "folding", "going_on"), [(4, 8, 9), (3, 6, 7)])
def test_a_street_has_the_published_sequences(max_bets, folding, going_on):
    # The same, section 3.4.1: kK kBf kBc kBrF ... of 17 with four bets, and of 13 with three.
    env = game("fixed-limit", max_bets=max_bets)
    env.reset(seed=1)
    env.step(1)
    env.step(1)
    assert sequences(env) == (max_bets * 2 + 2, folding, going_on)


def sequences(env: nlhe_env.raw_env) -> tuple[int, int, int]:
    """Decisions from here to the end of a street, and sequences that end in a fold or go on."""
    record, street = env.table.copy(), env.full_info()["street"]
    decisions, folding, going_on = 1, int(env.full_info()["to_call"] > 0), 0
    for action in (1, raises(env)[0]):
        if not action:
            continue
        env.set_table(record)
        env.step(action)
        if env.full_info()["street"] != street:
            going_on += 1
        else:
            found = sequences(env)
            decisions, folding = decisions + found[0], folding + found[1]
            going_on += found[2]
    env.set_table(record)
    return decisions, folding, going_on


def test_the_tree_of_limit_holdem_has_the_published_size():
    """Every street counted alike, and folding where nothing is to be called as well."""
    env = game("fixed-limit", max_bets=4)
    env.reset(seed=1)
    env.step(1)
    env.step(1)
    decisions, folding, going_on = sequences(env)
    of_street = decisions + folding + 2 + going_on
    assert of_street == 29
    size = of_street
    for next_cards in (44, 45, 17_296):
        size = of_street + going_on * next_cards * size
    assert 1 + 1326 * 1225 * size == 1_179_000_604_565_715_751


@pytest.mark.parametrize(("all_in", "reopens"), [(14, False), (15, True)])
def test_half_a_raise_reopens_the_betting_in_fixed_limit(all_in, reopens):
    # TDA "Re-Opening the Bet": in limit at least half of a full bet or raise is required.
    env = game("fixed-limit", players=3, num_hands=2)
    env.reset(seed=1, options={"button": 0, "stacks": [1000, 10 + all_in, 1000]})
    for _ in range(3):
        env.step(1)
    env.step(1)  # flop: small blind checks
    env.step(10)  # big blind bets
    env.step(1)  # button calls
    # The small blind has 4 or 5 beyond the bet.
    assert raises(env) == (all_in, all_in)
    env.step(all_in)
    assert raises(env) == ((all_in + 10, all_in + 10) if reopens else (0, 0))


def test_only_one_size_is_legal_in_fixed_limit():
    for actions, mask in (("sized", [1, 1, 1, 0, 0]), ((0.5, 1.0), [1, 1, 0, 0, 1])):
        env = game("fixed-limit", actions=actions)
        env.reset(seed=1)
        assert env.observe(env.agent_selection)["action_mask"].tolist() == mask


@pytest.mark.parametrize("betting", ["pot-limit", "fixed-limit"])
def test_whole_tournaments_end(betting):
    game = nlhe_env.Game.tournament(betting=betting)
    players = [agents.make(name) for name in agents.names(compiled=True)[:5]] * 5
    tally = agents.play(players, agents.Tournaments(20), game, seed=1, rows=True)
    assert (tally.row_scores.sum(axis=1) == 25 * 26 / 2).all()
