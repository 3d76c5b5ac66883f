"""The environment: PettingZoo's contract, rewards, options, errors and the guards."""

import json
import pickle
import warnings

import numpy as np
import pettingzoo
import pytest
from helpers import CALL, FOLD, deal, drive, last_hand, play, play_as, snapshot, stacks, steps
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

import nlhe_env
from nlhe_env.cards import CARD_NAMES

with warnings.catch_warnings():
    # It imports the environment of another game in the old way.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

OBSERVATIONS = ("cards", "features", "features_scaled")

# What api_test says of every environment whose observations are dictionaries.
EXPECTED_WARNINGS = ("Observation is not a NumPy array", "Observation space for each agent")


# --- PettingZoo ----------------------------------------------------------------------------------


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize(
    ("n", "mode"),
    [
        (2, "tournament"),
        (2, "cash"),
        (3, "cash"),
        (6, "tournament"),
        (10, "cash"),
        (21, "tournament"),
    ],
)
def test_pettingzoo_api_test_passes(n, mode, observation, capsys):
    env = nlhe_env.env(num_players=n, mode=mode, num_hands=3, observation=observation)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=60)
    capsys.readouterr()
    for warning in caught:
        assert str(warning.message).startswith(EXPECTED_WARNINGS), warning.message


@pytest.mark.parametrize("n", [2, 3, 6, 10, 21])
def test_pettingzoo_seed_test_passes(n):
    for mode in ("cash", "tournament"):
        seed_test(
            lambda n=n, mode=mode: nlhe_env.env(num_players=n, mode=mode, num_hands=20),
            num_cycles=60,
        )


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo before 1.27 has no make")
def test_environment_is_registered():
    env = pettingzoo.make("aec", "nlhe/NoLimitHoldem-v0", num_players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    env.reset(seed=1)
    assert drive(env) > 3


@pytest.mark.parametrize(("n", "observation"), [(2, "cards"), (6, "features"), (12, "cards")])
def test_whole_tournaments_repeat_with_their_seed(n, observation):
    def run(seed):
        env = nlhe_env.env(num_players=n, observation=observation)
        env.reset(seed=seed)
        seen = []
        for agent in steps(env):
            observed, reward, *_, info = env.last()
            seen.append((agent, reward, repr(info), observed["observation"].tobytes()))
        return seen

    first = run(5)
    assert first == run(5)
    assert first != run(6)


# --- rewards and ends ----------------------------------------------------------------------------


def totals(env, seed):
    """What every agent collects in an episode, and the rewards of its steps but the last."""
    env.reset(seed=seed)
    collected = dict.fromkeys(env.possible_agents, 0.0)
    paid = []
    for agent in steps(env, seed):
        collected[agent] += env.last()[1]
        paid.append(dict(env.rewards))
    return collected, paid


@pytest.mark.parametrize(("mode", "hands"), [("cash", 20), ("tournament", None), ("tournament", 9)])
@pytest.mark.parametrize("n", [2, 6, 12])
@pytest.mark.parametrize("reward", ["chips", "big_blinds"])
def test_rewards_in_chips_sum_to_zero_in_every_step(mode, hands, n, reward):
    env = nlhe_env.env(num_players=n, mode=mode, num_hands=hands, reward=reward)
    collected, paid = totals(env, 3)
    assert all(abs(sum(rewards.values())) < 1e-9 for rewards in paid)
    assert sum(collected.values()) == pytest.approx(0, abs=1e-9)
    if reward == "chips" and mode == "tournament" and hands is None:
        assert sorted(collected.values()) == [*[-1000.0] * (n - 1), 1000.0 * (n - 1)]


@pytest.mark.parametrize("n", [2, 7, 12])
@pytest.mark.parametrize("hands", [None, 10])
def test_rewards_by_place_go_from_plus_to_minus_one_and_sum_to_zero(n, hands):
    env = nlhe_env.env(num_players=n, reward="place", num_hands=hands)
    collected, _ = totals(env, 4)
    assert sum(collected.values()) == pytest.approx(0)
    assert max(collected.values()) <= 1
    assert min(collected.values()) >= -1  # more than -1 where several share the last place
    if hands is None:
        assert max(collected.values()) == 1


def test_rewards_in_big_blinds_are_chips_over_the_big_blind_of_the_hand():
    env = deal([1000] * 3, reward="big_blinds")
    play_as(env, (0, 60), (1, FOLD), (2, FOLD))
    assert env.rewards == {"player_0": 1.5, "player_1": -0.5, "player_2": -1.0}


def test_cash_game_resets_stacks_and_lasts_the_requested_hands():
    env = nlhe_env.raw_env(
        3, starting_stack=[500, 600, 700], mode="cash", num_hands=7, infos="full"
    )
    env.reset(seed=1)
    hands = set()
    for _ in steps(env):
        if any(env.terminations.values()):
            break
        hands.add(int(env.table["hand"]))
        assert (env.table["stack"] + env.table["hand_bet"])[:3].tolist() == [500, 600, 700]
    assert hands <= set(range(7))
    assert last_hand(env)["hand_number"] == 6
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


def test_agents_that_are_out_leave_with_their_place():
    env = nlhe_env.env(num_players=6, actions="sized", infos="full")
    env.reset(seed=9)
    places = {}
    for agent in steps(env, 9):
        assert agent not in places
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            places[agent] = info["place"]
            assert "last_hand" in info
            assert observation["action_mask"].tolist() == [0, 1, 0, 0, 0]
    assert sum(places.values()) == 21
    assert env.agents == []


# --- options and arguments -----------------------------------------------------------------------


def test_reset_options_apply_to_the_first_hand_only():
    env = deal(
        [1000] * 3, num_hands=2, button=2, hole_cards={0: "AsKd", 1: "2c2d"}, board="QsJsTs2h3d"
    )
    assert env.infos["player_2"]["button"] == 2
    play(env, FOLD, FOLD)
    cards = env.table["cards"].tolist()
    assert sorted(cards) == list(range(52))
    assert env.table["button"] == 0
    assert [CARD_NAMES[card] for card in cards[:2]] != ["As", "Kd"]


def test_the_rest_of_the_deck_is_shuffled_by_the_seed():
    decks = []
    for seed in (1, 1, 2):
        env = deal([1000] * 3, seed=seed, hole_cards={1: "AsKd"}, board="QsJs")
        cards = env.table["cards"].tolist()
        assert [CARD_NAMES[card] for card in cards[2:4] + cards[6:8]] == ["As", "Kd", "Qs", "Js"]
        assert sorted(cards) == list(range(52))
        decks.append(cards)
    assert decks[0] == decks[1] != decks[2]


def test_options_follow_players_to_their_seats():
    env = nlhe_env.raw_env(3, mode="cash", infos="full")
    options = {"hole_cards": {"player_0": "AsAd"}, "stacks": [300, 500, 700]}
    env.begin_episode(1, 0, seating=1, options=options)
    assert env.players["seat"].tolist() == [1, 2, 0]
    assert env.table["cards"][2:4].tolist() == list(nlhe_env.parse_cards("AsAd"))
    assert (env.table["stack"] + env.table["street_bet"])[:3].tolist() == [700, 300, 500]


def test_stacks_option_keeps_the_order_of_the_players():
    env = nlhe_env.raw_env(3, actions="chips", blinds=(10, 20))
    env.reset(seed=1, options={"stacks": [300, 500, 700], "button": 0})
    assert stacks(env) == [300, 490, 680]
    env.reset(seed=1)
    assert sum(stacks(env)) == 3000 - 30


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"buttons": 1}, "buttons.*did you mean .button"),
        ({"button": 3}, r"button must be a seat in 0 \.\. 2; got 3"),
        ({"button": "0"}, "button must be a seat"),
        ({"button": True}, "button must be a seat .* got True"),
        ({"stacks": [1, 2]}, "option stacks must be one number for each of the 3 players"),
        ({"stacks": [0, 1, 2]}, "option stacks must be at least 1; got 0"),
        ({"stacks": [2000, 2000, 2000]}, "must not total more"),
        ({"hole_cards": "AsKd"}, "hole_cards must look like"),
        ({"hole_cards": {"player_3": "AsKd"}}, "player_3"),
        ({"hole_cards": {"player_0": "As"}}, "must be two cards; got 'As'"),
        ({"hole_cards": {"player_0": "AsXx"}}, "'Xx'.*is not a card"),
        ({"hole_cards": {"player_0": "AsKd", "player_1": "KdQd"}}, "Kd is given twice"),
        ({"hole_cards": {"player_0": "AsKd"}, "board": "QsAs"}, "As is given twice.*the board"),
        ({"board": "2c3c4c5c6c7c"}, "at most five cards"),
    ],
)
def test_invalid_reset_options_are_refused(options, message):
    env = nlhe_env.raw_env(3)
    with pytest.raises(ValueError, match=message):
        env.reset(seed=1, options=options)


def test_cards_and_button_cannot_be_chosen_with_several_tables():
    env = nlhe_env.raw_env(12)
    for options in ({"button": 0}, {"board": "As"}, {"hole_cards": {"player_0": "AsKd"}}):
        with pytest.raises(ValueError, match="needs a single table; this game has 2"):
            env.reset(seed=1, options=options)
    env.reset(seed=1, options={"stacks": [1000] * 12})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_players": 1}, "num_players must be at least 2; got 1"),
        ({"num_players": 2.5}, "num_players must be a whole number.*got 2.5"),
        ({"table_size": 11}, r"table_size must be in 2 \.\. 10; got 11"),
        ({"table_size": 1}, r"table_size must be in 2 \.\. 10; got 1"),
        ({"starting_stack": 0}, "starting_stack must be at least 1; got 0"),
        ({"starting_stack": 10.0}, "starting_stack must be a whole number.*got 10.0"),
        ({"starting_stack": [10, 20]}, "starting_stack must be .* 6 players; got 2"),
        ({"starting_stack": []}, r"starting_stack must name at least one player's chips; got \[\]"),
        ({"num_players": 3, "table_size": 2, "mode": "cash"}, "must be even at .*; got 3"),
        ({"starting_stack": 2**50}, "all chips together must be at most"),
        ({"blinds": (10,)}, r"blinds must be .*got \(10,\)"),
        ({"blinds": (20, 10)}, r"got \(20, 10\)"),
        ({"render_mode": "text"}, "render_mode must be one of.*got 'text'"),
    ],
)
def test_invalid_arguments_are_named_with_their_value(arguments, message):
    with pytest.raises(ValueError, match=message):
        nlhe_env.env(**arguments)


@pytest.mark.parametrize(
    "make",
    [
        lambda **given: nlhe_env.env(6, **given),
        lambda **given: nlhe_env.BatchEnv(2, 6, **given),
        lambda **given: nlhe_env.NoLimitHoldemEnv("caller", num_players=6, **given),
        lambda **given: nlhe_env.NoLimitHoldemVectorEnv(2, "caller", num_players=6, **given),
    ],
    ids=["env", "batch", "single", "vector"],
)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "tournaments"}, "mode must be one of.*got 'tournaments'.*did you mean"),
        ({"num_hands": 0}, "num_hands must be at least 1; got 0"),
        ({"num_hands": True}, "num_hands must be a whole number.*got True"),
        ({"actions": "chip"}, "actions must be .*got 'chip'"),
        ({"actions": (1.0, 0.5)}, r"actions must be .*got \(1.0, 0.5\)"),
        ({"actions": (0.0,)}, "actions must be"),
        ({"actions": 5}, "actions must be .*got 5"),
        ({"actions": np.array([1.0, 0.5])}, "actions must be .*got array"),
        ({"observation": "card"}, "observation must be one of.*got 'card'"),
        ({"reward": "chip"}, "reward must be one of.*got 'chip'"),
        ({"reward": "place", "mode": "cash"}, "reward=.place. needs mode=.tournament"),
        ({"betting": "limit"}, "betting must be one of.*got 'limit'"),
        ({"max_bets": 0}, "max_bets must be at least 1; got 0"),
    ],
)
def test_invalid_games_are_named_with_their_value(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        make(**arguments)


# --- actions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [2**70, -(2**70), -1, 10**6])
def test_an_invalid_id_is_refused_with_the_legal_range(action):
    env = deal([1000] * 2)
    before = snapshot(env)
    with pytest.raises(nlhe_env.IllegalActionError, match=r"40\.\.1000.*The state is unchanged"):
        env.step(action)
    assert snapshot(env) == before


def test_default_actions_match_the_classic_environment():
    env = nlhe_env.raw_env(2, mode="cash", blinds=(10, 20))
    assert env.action_space("player_0").n == 5
    for action, bet in ((1, 20), (2, 40), (3, 60), (4, 2000)):
        env.reset(seed=1, options={"button": 0})
        env.step(action)
        assert env.table["street_bet"][0] == bet


def test_illegal_action_in_the_wrapped_environment_ends_with_a_penalty():
    env = nlhe_env.env(num_players=3, mode="cash", starting_stack=500, actions="chips")
    env.reset(seed=1, options={"button": 0})
    env.step(CALL)
    with pytest.warns(UserWarning, match="illegal action, the episode ends") as caught:
        env.step(3)
    assert "unchanged" not in str(caught[0].message)
    assert all(env.terminations.values())
    assert env.rewards == {"player_0": 0, "player_1": -500, "player_2": 0}
    collected = {}
    for agent in env.agent_iter():
        _, collected[agent], terminated, _, _ = env.last()
        assert terminated
        env.step(None)
    assert collected == {"player_0": 0, "player_1": -500, "player_2": 0}


def test_calls_before_reset_name_it():
    env = nlhe_env.raw_env(num_players=2, mode="cash")
    for call in (lambda: env.step(1), env.last, lambda: env.rewards, lambda: env.agents):
        with pytest.raises(AttributeError, match="before reset"):
            call()
    env.reset(seed=1)
    assert env.agents == ["player_0", "player_1"]
    env.step(1)


@pytest.mark.parametrize("options", [[1, 2], "x", 5, [], 0, False])
def test_options_that_are_no_dictionary_are_named(options):
    env = nlhe_env.raw_env(num_players=2, mode="cash")
    with pytest.raises(ValueError, match="options must be a dictionary of button, "):
        env.reset(seed=1, options=options)
    env.reset(seed=1, options={})


def test_wrapped_environment_enforces_the_order_of_calls():
    env = nlhe_env.env(num_players=2, mode="cash", render_mode="ansi")
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agent_selection
    for call in (lambda: env.step(1), lambda: env.observe("player_0"), env.render, env.agent_iter):
        with pytest.raises(RuntimeError, match="reset"):
            call()
    env.reset(seed=1)
    loop = iter(env.agent_iter())
    next(loop)
    with pytest.raises(RuntimeError, match="step"):
        next(loop)
    env.reset(seed=1)
    drive(env)
    with pytest.warns(UserWarning, match="after the end of the episode"):
        env.step(None)


# --- state, pictures, copies ---------------------------------------------------------------------


def test_set_table_restores_a_hand_after_its_end():
    env = nlhe_env.raw_env(3, mode="tournament", actions="chips")
    env.reset(seed=1, options={"button": 0})
    record = env.table.copy()
    play_as(env, (0, FOLD), (1, FOLD))
    assert env.table["hand"] == 1
    env.set_table(record)
    assert env.infos[env.agent_selection]["hand_number"] == 0
    play_as(env, (0, FOLD), (1, FOLD))
    assert env.table["hand"] == 1
    assert env.table["button"] == 1


def test_table_can_be_read_and_rendered_after_the_episode():
    env = nlhe_env.raw_env(2, mode="cash", actions="chips", render_mode="ansi")
    env.reset(seed=1, options={"button": 0})
    env.step(FOLD)
    assert all(env.terminations.values())
    assert env.table["hand"] == 0
    assert "player_0" in env.render()


def test_set_table_after_the_episode_continues_or_is_refused():
    env = nlhe_env.raw_env(2, mode="cash", actions="chips")
    env.reset(seed=1, options={"button": 0})
    record = env.tables[0].copy()
    env.step(FOLD)
    try:
        env.set_table(record)
    except (RuntimeError, ValueError):
        return
    assert not any(env.terminations.values())
    env.step(CALL)
    assert env.table["street_bet"][0] == 20


def test_render_shows_the_table_as_text():
    env = deal(
        [1000] * 3,
        render_mode="ansi",
        hole_cards={0: "AsKd"},
        board="QsJsTs2h3d",
        blinds=(5, 10, 1),
    )
    text = env.render()
    assert "blinds 5/10 ante 1" in text
    assert "[As Kd]" in text
    assert [line.split()[0] for line in text.splitlines()[2:]] == [">", "player_1", "player_2"]
    play(env, CALL, CALL, CALL)
    assert "board [Qs Js Ts]" in env.render()
    assert "pot 33" in env.render()


@pytest.mark.parametrize("make", [nlhe_env.env, nlhe_env.raw_env])
def test_environments_can_be_pickled(make):
    env = make(num_players=4, starting_stack=[5, 6, 7, 8], blinds=(1, 2), actions=(0.3,))
    copy = pickle.loads(pickle.dumps(env))
    assert type(copy) is type(env)
    assert copy.game == env.game
    assert copy.observation_space("player_0") == env.observation_space("player_0")
    env.reset(seed=3)
    copy.reset(seed=3)
    assert drive(env, 1) == drive(copy, 1)
    assert env.tables.tobytes() == copy.tables.tobytes()


@pytest.mark.parametrize("make", [nlhe_env.env, nlhe_env.raw_env])
def test_a_parallel_environment_is_refused_with_the_reason(make):
    env = make(3)
    assert env.metadata["is_parallelizable"] == False  # noqa: E712
    assert not env.metadata.get("is_parallelizable", True)
    assert json.dumps(env.metadata["is_parallelizable"]) == "0"
    with pytest.raises(ValueError, match=r"poker is played in turns, .*turn_based_aec_to_parallel"):
        aec_to_parallel(env)


def test_the_conversion_named_by_the_error_works():
    env = turn_based_aec_to_parallel(nlhe_env.env(2, mode="cash"))
    env.reset(seed=1)
    while env.agents:
        env.step(dict.fromkeys(env.agents, 1))
    assert env.aec_env.terminations == {}
