"""Streets that end after two checks or calls in a row."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
import nlhe_env
from agents.acpc.games import check_carried
from nlhe_env import Game
from nlhe_env.game.betting import amount_to_call

FOLD, CALL, RAISE = range(3)


def limit(**changes):
    usual = {"starting_stack": 1000, "blinds": (5, 10), "betting": "fixed-limit"}
    return Game.cash(**usual | {"two_calls": True} | changes)


def begun(game, seed=1):
    env = nlhe_env.raw_env(2, game=game, actions="sized")
    env.reset(seed=seed)
    return env


def where(env):
    """Street, and whether the button is to act."""
    return int(env.table["street"]), env.table["actor"] == env.table["button"]


def test_a_called_player_owes_nothing_and_may_raise_again():
    env = begun(limit())
    env.step(RAISE)
    env.step(CALL)
    assert where(env) == (0, True)
    assert amount_to_call(env.table) == 0
    env.step(RAISE)
    env.step(CALL)
    assert env.table["pot"] == 60
    assert where(env) == (0, True)
    env.step(CALL)
    assert where(env) == (1, False)


def test_by_default_a_call_of_a_raise_ends_the_street():
    env = begun(limit(two_calls=False))
    env.step(RAISE)
    env.step(CALL)
    assert where(env) == (1, False)


def test_one_player_may_make_all_the_bets_of_a_street():
    env = begun(limit())
    for bet in range(2, 5):
        env.step(RAISE)
        assert env.table["bets"] == bet
        env.step(CALL)
    assert env.table["hand_bet"][:2].tolist() == [40, 40]
    assert not env.observe(env.agent_selection)["action_mask"][RAISE]
    env.step(CALL)
    assert where(env) == (1, False)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([CALL, RAISE]), min_size=4, max_size=40), st.integers(0, 100))
def test_two_calls_in_a_row_end_a_street(wishes, seed):
    """Against a plain model that only counts calls and bets."""
    env = begun(limit(max_bets=4, num_hands=1), seed)
    street, calls, bets, button_acts, put_in = 0, 0, 1, True, {True: 5, False: 10}
    for wish in wishes:
        assert where(env) == (street, button_acts)
        assert amount_to_call(env.table) == put_in[not button_acts] - put_in[button_acts]
        assert bool(env.observe(env.agent_selection)["action_mask"][RAISE]) == (bets < 4)
        action = wish if bets < 4 else CALL
        env.step(action)
        put_in[button_acts] = put_in[not button_acts]
        calls += 1
        if action == RAISE:
            put_in[button_acts] += 10 if street < 2 else 20
            calls, bets = 0, bets + 1
        button_acts = not button_acts
        if calls == 2:
            street, calls, bets, button_acts = street + 1, 0, 0, False
        if street == 4:
            break
    else:
        return
    assert env.table["hand_bet"][:2].tolist() == [put_in[True]] * 2
    assert all(env.terminations.values()) or all(env.truncations.values())


def test_after_an_all_in_no_player_may_raise_again():
    env = begun(limit(starting_stack=15, num_hands=1))
    env.step(RAISE)
    env.step(CALL)
    assert env.table["pot"] == 0  # paid
    assert sorted(env.table["won"][:2].tolist()) in ([0, 30], [15, 15])


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda: Game.cash(two_calls=True), 'two_calls needs betting="fixed-limit"'),
        (lambda: limit().arrays(3), "num_players must be 2 with two_calls; got 3"),
        (lambda: nlhe_env.raw_env(2, game=limit(), record=[]), "cannot be recorded"),
        (lambda: nlhe_env.BatchEnv(1, 2, game=limit(), record=[]), "cannot be recorded"),
        (lambda: check_carried(limit()), "streets that end by two_calls"),
        (lambda: played("equilibrium-limit"), "rely on a called raise ending"),
        (lambda: played("caller", variance_reduction="divat"), "rake or two_calls"),
        (lambda: played("caller", variance_reduction="aivat"), "a game without two_calls"),
    ],
)
def test_players_without_the_two_calls_rule_refuse_it(what, message):
    with pytest.raises(ValueError, match=message):
        what()


def played(name, **options):
    players = agents.pack_players([agents.make(name), agents.make("caller")])
    return agents.play(players, agents.Blocks(1), limit(), seed=1, **options)


def test_tables_of_other_rules_are_not_restored():
    env, other = begun(limit()), begun(limit(two_calls=False))
    assert env.table["two_calls"] == 1
    with pytest.raises(ValueError, match="it must be of the same game"):
        other.set_table(env.table.copy())
    broken = env.table.copy()
    broken["two_calls"] = 2
    with pytest.raises(ValueError, match=r"same game|options"):
        env.set_table(broken)
