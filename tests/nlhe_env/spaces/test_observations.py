"""Observations, masks and infos of agents, and the hidden information that they must not hold."""

from itertools import islice

import numpy as np
import pytest
from helpers import CALL, FOLD, deal, decisions, drive, last_hand, legal_ids, play_as, steps

import nlhe_env
from nlhe_env.game.table import ALL_IN, EMPTY, FOLDED
from nlhe_env.spaces.observations import find_observation, observation_names

OBSERVATIONS = ("cards", "features", "features_scaled")
# Without those that other tests register.
ALL_OBSERVATIONS = [
    name
    for name in observation_names()
    if find_observation(name).write.__module__.startswith("nlhe_env.")
]


def observation_from_record(table, seat):
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
def test_cards_observation_matches_its_documented_fields(n):
    env = nlhe_env.raw_env(n, actions="chips", starting_stack=[700 + 100 * i for i in range(n)])
    fields = env.parts
    env.reset(seed=n)
    steps = 0
    for agent in islice(decisions(env, n), min(400, 2000 // n)):  # each compares all players
        info = env.infos[agent]
        for other in env.agents:
            number = int(other[7:])
            record = env.tables[int(env.players["table"][number])]
            seat = int(env.players["seat"][number])
            vector = env.observe(other)["observation"]
            assert vector.shape == (fields[-1].stop,)
            expected = observation_from_record(record, seat)
            acts = other == agent
            expected["min_raise_to"] = [acts * info["min_raise_to"] / int(record["big_blind"])]
            expected["max_raise_to"] = [acts * info["max_raise_to"] / int(record["big_blind"])]
            assert expected.keys() == {field.name for field in fields}
            np.testing.assert_allclose(
                vector, np.concatenate([expected[field.name] for field in fields]), rtol=1e-6
            )
        steps += 1
    assert steps > 10


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_observations_lie_in_their_space(observation):
    for n, blinds in ((2, (1, 3)), (4, (3, 7, 2)), (12, (10, 20, 5))):
        env = nlhe_env.raw_env(n, blinds=blinds, starting_stack=97, observation=observation)
        env.reset(seed=3)
        space = env.observation_space("player_0")
        for _ in steps(env, 3):
            for other in env.agents:
                assert space.contains(env.observe(other)), other


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
        assert np.isfinite(first).all(), agent  # also at tables that have not dealt yet


@pytest.mark.parametrize(("total", "big_blind"), [(5, 3), (9, 5), (9, 10), (100, 7), (6000, 14)])
def test_one_stack_with_all_chips_lies_in_the_space(total, big_blind):
    # A stack in big blinds must not round above the bound, all chips in big blinds.
    small = total // 2
    for chips in ([small, total - small], [1, total - 1]):
        env = nlhe_env.raw_env(
            2, starting_stack=chips, blinds=(1, big_blind), mode="cash", num_hands=30
        )
        space = env.observation_space("player_0")
        env.reset(seed=1)
        for _ in steps(env, 1):
            for agent in env.agents:
                assert space.contains(env.observe(agent)), (chips, big_blind)


def test_mask_is_empty_for_agents_not_to_act():
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
    for _ in steps(env):
        assert all(plain(info) for info in env.infos.values())


def test_info_of_the_player_to_act_has_the_documented_values():
    env = deal([1000] * 3, blinds=(10, 20, 1), button=1, hole_cards={2: "AsKd"}, board="QsJsTs2h3d")
    play_as(env, (1, 60))
    info = env.infos["player_2"]
    assert info == {
        "street": "preflop",
        "pot": 93,
        "to_call": 50,
        "min_raise_to": 100,
        "max_raise_to": 999,
        "effective_stack": 989,
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
    assert env.full_info("player_1")["board"] == "QsJsTs"
    play_as(env, (1, CALL), (2, CALL))
    assert env.full_info("player_1")["board"] == "QsJsTs2h"
    assert env.full_info("player_1")["street"] == "turn"


def test_last_hand_has_shown_cards_pots_and_winners():
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
def test_no_agent_sees_hidden_cards_before_showdown(observation):
    generator = np.random.default_rng(7)
    env = nlhe_env.raw_env(4, mode="cash", num_hands=12, actions="sized", observation=observation)
    env.reset(seed=7)
    looks = 0
    while not any(env.terminations.values()):
        record = env.table.copy()
        rewards = dict(env.rewards)
        # Observations as they are; set_table computes those of the agent to act again.
        env.set_table(record)
        for watcher in env.agents:
            seat = int(watcher[7:])
            seen_before = (env.infos[watcher], env.observe(watcher)["observation"].tobytes())
            other = record.copy()
            visible = {2 * seat, 2 * seat + 1, *range(8, 8 + int(record["board_cards"]))}
            hidden = [position for position in range(52) if position not in visible]
            other["cards"][hidden] = record["cards"][generator.permutation(hidden)]
            other["strength_key"] = 0
            env.set_table(other)
            assert env.observe(watcher)["observation"].tobytes() == seen_before[1]
            assert env.infos[watcher] == seen_before[0]
            env.set_table(record)
            looks += 1
        assert env.rewards == rewards
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(generator.choice(legal)))
    assert looks > 60


def test_folded_cards_are_never_revealed():
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


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("observation", ALL_OBSERVATIONS)
def test_observations_are_finite_when_a_rake_has_taken_all_chips(observation, players):
    env = nlhe_env.raw_env(
        players,
        mode="cash",
        num_hands=2,
        rake=nlhe_env.Rake(share=1.0),
        observation=observation,
        actions=(0.5, 1.0),
    )
    env.reset(seed=1)
    last = 4
    while not any(env.terminations.values()):
        legal = env.observe(env.agent_selection)["action_mask"]
        env.step(last if legal[last] else 1)
    assert env.table["stack"].sum() + env.table["pot"] == 0
    for agent in env.agents:
        seen = env.observe(agent)["observation"]
        assert np.isfinite(seen).all()
        assert env.observation_space(agent)["observation"].contains(seen)


@pytest.mark.parametrize("observation", ALL_OBSERVATIONS)
@pytest.mark.parametrize("blinds", [(3, 7), (1, 3, 3), (1, 2), (7, 49)])
def test_bounds_are_exact_even_with_all_chips_in_one_stack(observation, blinds):
    env = nlhe_env.raw_env(
        2, blinds=blinds, starting_stack=497, observation=observation, actions="chips"
    )
    space = env.observation_space("player_0")["observation"]
    assert not np.any((space.high > 1) & (space.high < 1.001))
    if observation == "cards":
        assert (space.high[:52] == 1).all()
    for seed in range(20):
        env.reset(seed=seed)
        while env.agents:
            assert space.contains(env.observe(env.agent_selection)["observation"])
            done = env.terminations[env.agent_selection]
            env.step(None if done else int(legal_ids(env)[-1]))
