"""The environment: PettingZoo's contract, and what players are told and not told."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pettingzoo
import pytest
from helpers import CALL, FOLD, actor, deal, drive, last_hand, play, play_as, snapshot, stacks

import nlhe_env
from nlhe_env.cards import CARD_NAMES
from nlhe_env.observation import cards_fields
from nlhe_env.table import ALL_IN, EMPTY, FOLDED, NOBODY

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
        generator = np.random.default_rng(0)
        seen = []
        for agent in env.agent_iter():
            observed, reward, terminated, truncated, info = env.last()
            seen.append((agent, reward, repr(info), observed["observation"].tobytes()))
            legal = np.flatnonzero(observed["action_mask"])
            env.step(None if terminated or truncated else int(generator.choice(legal)))
        return seen

    first = run(5)
    assert first == run(5)
    assert first != run(6)


# --- the observation -----------------------------------------------------------------------------


def told_by_the_record(table, seat):
    """The "cards" observation of a seat, field by field from the table record."""
    seats = int(table["seats"])
    unit = float(table["big_blind"])
    order = [(seat + i) % seats for i in range(seats)]
    dealt = [int(table["status"][s]) != EMPTY for s in order]
    cards = table["cards"].tolist()
    to_act = table["actor"] == seat
    stacks_ = [int(table["stack"][s]) if table["player"][s] >= 0 else 0 for s in order]

    def one_hot(size, ones):
        return [float(i in ones) for i in range(size)]

    def amounts(row):
        return [int(row[s]) / unit if d else 0 for s, d in zip(order, dealt, strict=True)]

    def by_street(rows, scale):
        return [
            int(rows[street][s]) / scale if d else 0
            for street in range(4)
            for s, d in zip(order, dealt, strict=True)
        ]

    call = min(
        int(table["current_bet"]) - int(table["street_bet"][seat]), int(table["stack"][seat])
    )
    return {
        "hole_cards": one_hot(52, cards[2 * seat : 2 * seat + 2] if dealt[0] else []),
        "board": one_hot(52, cards[2 * seats : 2 * seats + int(table["board_cards"])]),
        "street": one_hot(4, [int(table["street"])]),
        "button": [float(s == table["button"]) for s in order],
        "seated": [float(table["player"][s] >= 0) for s in order],
        "in_hand": [float(table["status"][s] not in (EMPTY, FOLDED)) for s in order],
        "all_in": [float(table["status"][s] == ALL_IN) for s in order],
        "stacks": [chips / unit for chips in stacks_],
        "street_bets": amounts(table["street_bet"]),
        "hand_bets": amounts(table["hand_bet"]),
        "pot": [int(table["pot"]) / unit],
        "to_call": [call / unit if to_act else 0],
        "small_blind": [int(table["small_blind"]) / unit],
        "ante": [int(table["ante"]) / unit],
        "average_stack": [
            (sum(stacks_) + int(table["pot"])) / unit / max(1, int(table["players"]))
        ],
        "bets_by_street": by_street(table["street_chips"], unit),
        "raises_by_street": by_street(table["raises"], 1),
        "calls_by_street": by_street(table["calls"], 1),
    }


@pytest.mark.parametrize("n", [2, 5, 10, 13])
def test_cards_observation_is_what_its_fields_say(n):
    env = nlhe_env.raw_env(n, actions="chips", starting_stack=[700 + 100 * i for i in range(n)])
    fields = cards_fields(env.config.seats)
    generator = np.random.default_rng(n)
    env.reset(seed=n)
    steps = 0
    while env.agents and steps < 400:
        agent = env.agent_selection
        if env.terminations[agent]:
            env.step(None)
            continue
        info = env.infos[agent]
        for other in env.agents:
            number = int(other[7:])
            record = env.tables[int(env.players["table"][number])]
            seat = int(env.players["seat"][number])
            vector = env.observe(other)["observation"]
            assert vector.shape == (fields[-1].stop,)
            expected = told_by_the_record(record, seat)
            acts = other == agent
            expected["min_raise_to"] = [acts * info["min_raise_to"] / int(record["big_blind"])]
            expected["max_raise_to"] = [acts * info["max_raise_to"] / int(record["big_blind"])]
            assert expected.keys() == {field.name for field in fields}
            for field in fields:
                np.testing.assert_allclose(
                    vector[field.start : field.stop],
                    expected[field.name],
                    rtol=1e-6,
                    err_msg=field.name,
                )
        legal = np.flatnonzero(env.observe(agent)["action_mask"])
        env.step(int(generator.choice(legal[:3] if generator.random() < 0.8 else legal)))
        steps += 1
    assert steps > 10


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_observations_lie_in_their_space(observation):
    for n, blinds in ((2, (1, 3)), (4, (3, 7, 2)), (12, (10, 20, 5))):
        env = nlhe_env.raw_env(n, blinds=blinds, starting_stack=97, observation=observation)
        env.reset(seed=3)
        generator = np.random.default_rng(3)
        space = env.observation_space("player_0")
        while env.agents:
            agent = env.agent_selection
            for other in env.agents:
                assert space.contains(env.observe(other)), other
            if env.terminations[agent]:
                env.step(None)
                continue
            legal = np.flatnonzero(env.observe(agent)["action_mask"])
            env.step(int(generator.choice(legal)))


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_players_at_tables_that_have_not_dealt_yet_see_numbers(observation):
    env = nlhe_env.raw_env(12, observation=observation)
    env.reset(seed=3)
    for agent in env.agents:
        assert np.isfinite(env.observe(agent)["observation"]).all(), agent


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_observations_after_reset_do_not_depend_on_the_episode_before(observation):
    env = nlhe_env.raw_env(12, observation=observation)
    fresh = nlhe_env.raw_env(12, observation=observation)
    env.reset(seed=1)
    drive(env)
    for one in (env, fresh):
        one.reset(seed=3)
    for agent in env.agents:
        first, second = (one.observe(agent)["observation"] for one in (env, fresh))
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(("total", "big_blind"), [(5, 3), (9, 5), (9, 10), (100, 7), (6000, 14)])
def test_all_chips_in_one_stack_lie_in_the_space_however_they_round(total, big_blind):
    # A stack in big blinds must not round above the bound, all chips in big blinds.
    small = total // 2
    for chips in ([small, total - small], [1, total - 1]):
        env = nlhe_env.raw_env(
            2, starting_stack=chips, blinds=(1, big_blind), mode="cash", num_hands=30
        )
        space = env.observation_space("player_0")
        env.reset(seed=1)
        generator = np.random.default_rng(1)
        while env.agents:
            for agent in env.agents:
                assert space.contains(env.observe(agent)), (chips, big_blind)
            agent = env.agent_selection
            if env.terminations[agent]:
                env.step(None)
                continue
            legal = np.flatnonzero(env.observe(agent)["action_mask"])
            env.step(int(generator.choice(legal)))


def test_mask_is_empty_for_those_who_are_not_to_act():
    env = deal([1000] * 3)
    assert env.observe("player_0")["action_mask"].sum() > 0
    assert env.observe("player_1")["action_mask"].sum() == 0
    assert env.observe("player_0")["action_mask"].dtype == np.int8


# --- infos ---------------------------------------------------------------------------------------


def plain(value):
    if type(value) is dict:
        return all(type(key) is str and plain(item) for key, item in value.items())
    if type(value) is list:
        return all(plain(item) for item in value)
    return type(value) in (str, int, float, bool)


def test_infos_are_plain_python_values():
    env = nlhe_env.raw_env(12, starting_stack=200)
    env.reset(seed=2)
    generator = np.random.default_rng(0)
    while env.agents:
        assert all(plain(info) for info in env.infos.values())
        agent = env.agent_selection
        legal = np.flatnonzero(env.observe(agent)["action_mask"])
        env.step(None if env.terminations[agent] else int(generator.choice(legal)))


def test_info_of_the_player_to_act_says_what_the_design_says():
    env = deal([1000] * 3, blinds=(10, 20, 1), button=1, hole_cards={2: "AsKd"}, board="QsJsTs2h3d")
    play_as(env, (1, 60))
    info = env.infos["player_2"]
    assert info == {
        "street": "preflop",
        "pot": 93,
        "to_call": 50,
        "min_raise_to": 100,
        "max_raise_to": 999,
        "hand_number": 0,
        "decision": 0,
        "table": 0,
        "button": 1,
        "big_blind": 20,
        "board": "",
        "hole_cards": "AsKd",
    }
    assert env.infos["player_0"] == env.infos["player_1"] == {}
    play_as(env, (2, CALL), (0, FOLD), (2, CALL))
    assert env.infos["player_1"]["board"] == "QsJsTs"
    play_as(env, (1, CALL), (2, CALL))
    assert env.infos["player_1"]["board"] == "QsJsTs2h"
    assert env.infos["player_1"]["street"] == "turn"


def test_last_hand_tells_what_was_shown_the_pots_and_who_won():
    env = deal(
        [100, 300, 300, 300],
        button=3,
        num_hands=2,
        hole_cards={0: "AsAh", 1: "KsKh", 2: "QsQh", 3: "2c2d"},
        board="7c8d9hJs3c",
    )
    play_as(env, (2, 100), (3, FOLD), (0, CALL), (1, CALL))
    play_as(env, (1, 50), (2, CALL), (1, CALL), (2, CALL), (1, CALL), (2, CALL))
    expected = {
        "hand_number": 0,
        "table": 0,
        "board": "7c8d9hJs3c",
        "shown": {"player_0": "AsAh", "player_1": "KsKh", "player_2": "QsQh"},
        "pots": [
            {
                "size": 300,
                "eligible": ["player_0", "player_1", "player_2"],
                "winners": ["player_0"],
            },
            {"size": 100, "eligible": ["player_1", "player_2"], "winners": ["player_1"]},
        ],
        "net": {"player_0": 200, "player_1": -50, "player_2": -150, "player_3": 0},
    }
    for agent in env.agents:
        assert env.infos[agent]["last_hand"] == expected
    assert env.infos[env.agent_selection]["hand_number"] == 1


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_nobody_can_see_hidden_cards_before_showdown(observation):
    generator = np.random.default_rng(7)
    env = nlhe_env.raw_env(4, mode="cash", num_hands=12, actions="sized", observation=observation)
    env.reset(seed=7)
    looks = 0
    while not any(env.terminations.values()):
        record = env.table.copy()
        rewards = dict(env.rewards)
        # What everybody is told as it is; the agent to act is told anew by set_table.
        env.set_table(record)
        for watcher in env.agents:
            seat = int(watcher[7:])
            told = (env.infos[watcher], env.observe(watcher)["observation"].tobytes())
            other = record.copy()
            visible = {2 * seat, 2 * seat + 1, *range(8, 8 + int(record["board_cards"]))}
            hidden = [position for position in range(52) if position not in visible]
            other["cards"][hidden] = record["cards"][generator.permutation(hidden)]
            other["strength_key"] = 0
            env.set_table(other)
            assert env.observe(watcher)["observation"].tobytes() == told[1]
            assert env.infos[watcher] == told[0]
            env.set_table(record)
            looks += 1
        assert env.rewards == rewards
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(generator.choice(legal)))
    assert looks > 60


def test_folded_cards_are_never_told():
    env = nlhe_env.raw_env(5, mode="cash", num_hands=60, actions="sized")
    env.reset(seed=1)
    generator = np.random.default_rng(1)
    folded = set()
    hand = 0
    seen = 0
    while not any(env.terminations.values()):
        info = env.infos[env.agent_selection]
        if info["hand_number"] != hand:
            assert folded.isdisjoint(last_hand(env)["shown"])
            shown = last_hand(env)["shown"]
            assert len(shown) != 1
            seen += len(shown) > 0
            folded, hand = set(), info["hand_number"]
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        action = int(generator.choice(legal))
        if action == FOLD:
            folded.add(env.agent_selection)
        env.step(action)
    assert seen > 10


# --- rewards and ends ----------------------------------------------------------------------------


def totals(env, seed):
    env.reset(seed=seed)
    generator = np.random.default_rng(seed)
    collected = dict.fromkeys(env.possible_agents, 0.0)
    steps = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        collected[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(generator.choice(legal)))
        steps.append(dict(env.rewards))
    return collected, steps


@pytest.mark.parametrize(("mode", "hands"), [("cash", 20), ("tournament", None), ("tournament", 9)])
@pytest.mark.parametrize("n", [2, 6, 12])
@pytest.mark.parametrize("reward", ["chips", "big_blinds"])
def test_rewards_in_chips_sum_to_zero_in_every_step(mode, hands, n, reward):
    env = nlhe_env.env(num_players=n, mode=mode, num_hands=hands, reward=reward)
    collected, steps = totals(env, 3)
    assert all(abs(sum(rewards.values())) < 1e-9 for rewards in steps)
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


def test_cash_game_puts_stacks_back_and_lasts_the_hands_asked_for():
    env = nlhe_env.raw_env(3, starting_stack=[500, 600, 700], mode="cash", num_hands=7)
    env.reset(seed=1)
    generator = np.random.default_rng(0)
    hands = set()
    while not any(env.terminations.values()):
        table = env.table
        hands.add(int(table["hand"]))
        assert (table["stack"] + table["hand_bet"])[:3].tolist() == [500, 600, 700]
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(generator.choice(legal)))
    assert hands <= set(range(7))
    assert last_hand(env)["hand_number"] == 6
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


def test_agents_that_are_out_leave_with_their_place():
    env = nlhe_env.env(num_players=6, actions="sized")
    env.reset(seed=9)
    generator = np.random.default_rng(9)
    places = {}
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            places[agent] = info["place"]
            assert "last_hand" in info
            assert observation["action_mask"].tolist() == [0, 1, 0, 0, 0]
            env.step(None)
            assert agent not in env.agents
            continue
        env.step(int(generator.choice(np.flatnonzero(observation["action_mask"]))))
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


def test_the_rest_of_the_deck_is_drawn_by_the_seed():
    decks = []
    for seed in (1, 1, 2):
        env = deal([1000] * 3, seed=seed, hole_cards={1: "AsKd"}, board="QsJs")
        cards = env.table["cards"].tolist()
        assert [CARD_NAMES[card] for card in cards[2:4] + cards[6:8]] == ["As", "Kd", "Qs", "Js"]
        assert sorted(cards) == list(range(52))
        decks.append(cards)
    assert decks[0] == decks[1] != decks[2]


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
        ({"stacks": [1, 2]}, "one for each of the 3 players"),
        ({"stacks": [0, 1, 2]}, "at least 1; got 0"),
        ({"stacks": [2000, 2000, 2000]}, "must not bring more chips"),
        ({"hole_cards": "AsKd"}, "hole_cards must look like"),
        ({"hole_cards": {"player_3": "AsKd"}}, "player_3"),
        ({"hole_cards": {"player_0": "As"}}, "must be two cards; got 'As'"),
        ({"hole_cards": {"player_0": "AsXx"}}, "'Xx'.*is not a card"),
        ({"hole_cards": {"player_0": "AsKd", "player_1": "KdQd"}}, "Kd is given twice"),
        ({"hole_cards": {"player_0": "AsKd"}, "board": "QsAs"}, "As is given twice.*the board"),
        ({"board": "2c3c4c5c6c7c"}, "at most five cards"),
    ],
)
def test_impossible_reset_options_are_refused(options, message):
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
        ({"starting_stack": 2**50}, "all chips together must be at most"),
        ({"blinds": (10,)}, r"blinds must be .*got \(10,\)"),
        ({"blinds": (20, 10)}, r"got \(20, 10\)"),
        ({"mode": "tournaments"}, "mode must be one of.*got 'tournaments'.*did you mean"),
        ({"num_hands": 0}, "num_hands must be at least 1; got 0"),
        ({"num_hands": True}, "num_hands must be a whole number.*got True"),
        ({"actions": "chip"}, "actions must be .*got 'chip'"),
        ({"actions": (1.0, 0.5)}, r"actions must be .*got \(1.0, 0.5\)"),
        ({"actions": (0.0,)}, "actions must be"),
        ({"actions": 5}, "actions must be .*got 5"),
        ({"observation": "card"}, "observation must be one of.*got 'card'"),
        ({"reward": "chip"}, "reward must be one of.*got 'chip'"),
        ({"reward": "place", "mode": "cash"}, "reward=.place. needs mode=.tournament"),
        ({"betting": "limit"}, "betting must be one of.*got 'limit'"),
        ({"render_mode": "text"}, "render_mode must be one of.*got 'text'"),
    ],
)
def test_impossible_arguments_are_named_with_their_value(arguments, message):
    with pytest.raises(ValueError, match=message):
        nlhe_env.env(**arguments)


# --- actions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8])
def test_actions_of_any_integer_type_are_taken(kind):
    env = deal([1000] * 2)
    env.step(kind(60))
    assert env.table["street_bet"][0] == 60


@pytest.mark.parametrize("action", [1.5, "1", None, [1], float("nan"), 2**70, -(2**70), -1, 10**6])
def test_what_is_no_action_is_refused_with_the_legal_range(action):
    env = deal([1000] * 2)
    before = snapshot(env)
    with pytest.raises(nlhe_env.IllegalActionError, match=r"40\.\.1000.*The state is unchanged"):
        env.step(action)
    assert snapshot(env) == before


def test_default_actions_are_those_of_the_classic_environment():
    env = nlhe_env.raw_env(2, mode="cash", blinds=(10, 20))
    assert env.action_space("player_0").n == 5
    for action, bet in ((1, 20), (2, 40), (3, 60), (4, 1000)):
        env.reset(seed=1, options={"button": 0})
        env.step(action)
        assert env.table["street_bet"][0] == bet


def test_illegal_action_ends_the_episode_of_the_guarded_environment_with_a_penalty():
    env = nlhe_env.env(num_players=3, mode="cash", starting_stack=500, actions="chips")
    env.reset(seed=1, options={"button": 0})
    env.step(CALL)
    with pytest.warns(UserWarning, match="illegal action, the episode ends"):
        env.step(3)
    assert all(env.terminations.values())
    assert env.rewards == {"player_0": 0, "player_1": -500, "player_2": 0}
    collected = {}
    for agent in env.agent_iter():
        _, collected[agent], terminated, _, _ = env.last()
        assert terminated
        env.step(None)
    assert collected == {"player_0": 0, "player_1": -500, "player_2": 0}


def test_guarded_environment_enforces_the_order_of_calls():
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


def test_set_table_puts_a_decision_back():
    env = deal([1000] * 3, board="QsJsTs2h3d")
    play_as(env, (0, 60), (1, CALL))
    record = env.table.copy()
    info = dict(env.infos["player_2"])
    vector = env.observe("player_2")["observation"].tobytes()
    play_as(env, (2, CALL), (1, 100), (2, FOLD), (0, CALL))
    env.set_table(record)
    assert env.agent_selection == "player_2"
    assert env.infos["player_2"] == info
    assert env.observe("player_2")["observation"].tobytes() == vector
    assert env.table == record
    play_as(env, (2, CALL), (1, CALL))
    assert actor(env) == 2


def test_set_table_puts_a_hand_back_after_it_has_ended():
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


def test_set_table_refuses_what_it_cannot_play_on_from():
    env = deal([1000] * 3)
    record = env.table.copy()
    for wrong in (None, env.tables, "table"):
        with pytest.raises(ValueError, match="record must be a copy"):
            env.set_table(wrong)
    ended = record.copy()
    ended["actor"] = NOBODY
    with pytest.raises(ValueError, match="somebody is to act"):
        env.set_table(ended)
    others = record.copy()
    others["player"][0] = 7
    with pytest.raises(ValueError, match="same players"):
        env.set_table(others)


def test_table_can_be_looked_at_and_rendered_after_the_episode():
    env = nlhe_env.raw_env(2, mode="cash", actions="chips", render_mode="ansi")
    env.reset(seed=1, options={"button": 0})
    env.step(FOLD)
    assert all(env.terminations.values())
    assert env.table["hand"] == 0
    assert "player_0" in env.render()


def test_set_table_after_the_episode_plays_on_or_is_refused():
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
    assert copy.config == env.config
    assert copy.observation_space("player_0") == env.observation_space("player_0")
    env.reset(seed=3)
    copy.reset(seed=3)
    assert drive(env, 1) == drive(copy, 1)
    assert env.tables.tobytes() == copy.tables.tobytes()
