"""Playing on from a copied state, and what-if analysis on a table record."""

import numpy as np
import pytest
from helpers import CALL, FOLD, deal, play

import nlhe_env
from nlhe_env.game import what_if
from nlhe_env.game.table import NO_PLAYER

BOARD = "2c7d9hJsKd"


def three_players(**arguments) -> nlhe_env.raw_env:
    return deal(
        [300, 1000, 1000],
        hole_cards={0: "AsAd", 1: "KcKh", 2: "3c4c"},
        board=BOARD,
        num_hands=2,
        **arguments,
    )


def test_the_amount_to_call_matches_the_info_up_to_the_stack():
    env = deal([100, 200, 1000])
    assert what_if.amount_to_call(env.table) == env.infos[env.agent_selection]["to_call"] == 20
    play(env, CALL, CALL)
    assert what_if.amount_to_call(env.table) == 0
    env = deal([15, 200, 1000])
    assert what_if.amount_to_call(env.table) == 15


def test_raise_range_matches_the_info():
    env = three_players()
    info = env.infos[env.agent_selection]
    assert what_if.raise_range(env.table) == (info["min_raise_to"], info["max_raise_to"])


def test_showdown_pays_the_pots_as_the_game_does():
    env = three_players()
    play(env, 300, 600)  # the button all-in with aces, the small blind with kings raises
    expected = what_if.showdown(env.table)
    # The big blind has 20 in the pot: it never had to call.
    assert sum(expected.values()) == 2300
    play(env, 0)
    net = env.full_info()["last_hand"]["net"]
    # Kings make a set on the board. The fold pays as the showdown, for 3c4c wins nothing.
    assert net == {"player_0": -300, "player_1": 320, "player_2": -20}
    assert expected == {0: 0, 1: 1320, 2: 980}


def test_showdown_and_run_out_leave_the_record_alone():
    env = three_players()
    record = env.table.copy()
    what_if.showdown(env.table)
    what_if.run_out(env.table)
    what_if.redeal(env.table, seed=3)
    assert env.table.tobytes() == record.tobytes()


def test_run_out_takes_given_cards():
    env = three_players()
    play(env, 1, 1, 1)  # the flop
    record = what_if.run_out(env.table, "Ac")
    cards = record["cards"][6:11].tolist()
    assert nlhe_env.format_cards(cards)[:8] == "2c7d9hAc"
    assert sorted(record["cards"].tolist()) == list(range(52))
    assert record["board_cards"] == 5


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("As", "card As is already in a player's hand or on the board"),
        ("2c", "card 2c is already in a player's hand or on the board"),
        ("5c6c8c", "2 cards are still to come"),
    ],
)
def test_invalid_run_outs_are_refused(board, message):
    env = three_players()
    play(env, 1, 1, 1)
    with pytest.raises(ValueError, match=message):
        what_if.run_out(env.table, board)


def test_redeal_keeps_what_the_observer_sees_and_changes_the_rest():
    env = three_players()
    play(env, 1, 1, 1)
    seat = int(env.table["actor"])
    seen = set()
    for seed in range(20):
        record = what_if.redeal(env.table, seed)
        assert sorted(record["cards"].tolist()) == list(range(52))
        known = [2 * seat, 2 * seat + 1, 6, 7, 8]
        assert (record["cards"][known] == env.table["cards"][known]).all()
        seen.add(record["cards"].tobytes())
        before = env.observe(env.agent_selection)["observation"]
        env.set_table(record)
        assert (env.observe(env.agent_selection)["observation"] == before).all()
    assert len(seen) == 20


def test_redeals_of_one_seed_are_equal():
    env = three_players()
    first, second = (what_if.redeal(env.table, 7) for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_side_pots_need_neither_cards_nor_an_actor():
    env = deal([100, 200, 1000, 1000])
    play(env, 300, CALL, CALL, CALL)  # two are all-in, the others play on
    record = env.table.copy()
    assert what_if.side_pots(record) == [(400, (0, 1, 2, 3)), (300, (1, 2, 3)), (200, (2, 3))]
    record["cards"] = -1  # as in a hand read from a file
    record["actor"] = NO_PLAYER
    assert what_if.side_pots(record)[1:] == [(300, (1, 2, 3)), (200, (2, 3))]


def test_chips_that_are_no_bets_lie_in_the_main_pot():
    env = deal([1000, 1000, 1000])
    play(env, CALL, CALL, CALL)
    record = env.table.copy()
    record["stack"][0] -= 10  # a missed small blind, as in a hand read from a file
    record["pot"] += 10
    assert what_if.side_pots(record) == [(3 * 20 + 10, (0, 1, 2))]


def test_the_ante_of_a_big_blind_that_has_folded_lies_in_the_main_pot():
    blinds = nlhe_env.BlindSchedule(((10, 20, 30),), ante_by="big blind")
    env = deal([1000, 1000, 1000], blinds=blinds)
    play(env, CALL, CALL, CALL)
    play(env, 50, FOLD)  # a bet of the small blind, and the big blind folds
    assert what_if.side_pots(env.table) == [(3 * 20 + 30, (0, 1))]


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("pot", 10**6, "pot must be"),
        ("hand_bet", -1, "chips must be"),
        ("stack", -1, "chips must be"),
        ("starting_stack", 2**60, "chips must be"),
        ("pots", 1, "won before"),
    ],
)
def test_side_pots_of_a_damaged_record_are_refused(field, value, problem):
    record = deal([100, 200, 1000]).table.copy()
    record[field] = value
    with pytest.raises(ValueError, match=problem):
        what_if.side_pots(record)


@pytest.mark.parametrize("players", [2, 3, 12])
def test_a_restored_game_plays_on_as_before(players):
    env = nlhe_env.env(players, reward="big_blinds")
    env.reset(seed=8)
    generator = np.random.default_rng(2)
    steps = 0
    while env.agents and steps < 150:
        saved = env.save()
        before = (env.last()[1:], dict(env._cumulative_rewards), env.agent_selection)
        for _ in range(int(generator.integers(12))):  # try some actions
            if env.agents:
                _random_step(env, generator)
        env.restore(saved)
        assert (env.last()[1:], dict(env._cumulative_rewards), env.agent_selection) == before
        state = generator.bit_generator.state
        _random_step(env, generator)
        after = env.tables.tobytes(), env.players.tobytes(), env.agents[:]
        env.restore(saved)
        generator.bit_generator.state = state
        _random_step(env, generator)
        assert (env.tables.tobytes(), env.players.tobytes(), env.agents[:]) == after
        steps += 1


def test_a_saved_game_belongs_to_its_environment():
    with pytest.raises(ValueError, match="of the same environment"):
        three_players().restore(three_players().save())


def _random_step(env, generator) -> None:
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        env.step(None)
    else:
        legal = np.flatnonzero(env.observe(agent)["action_mask"])
        env.step(int(generator.choice(legal)))
