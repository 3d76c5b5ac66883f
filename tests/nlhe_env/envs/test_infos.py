"""Infos in all three modes, and the players that get full infos in each."""

import numbers

import gymnasium
import numpy as np
import pytest
from helpers import CALL, FOLD, actor, assert_equal, deal, play, steps

import agents
import nlhe_env

FLAT = {
    *("pot", "to_call", "min_raise_to", "max_raise_to", "effective_stack", "hand_number"),
    *("decision", "table", "button", "big_blind", "place"),
}


@pytest.mark.parametrize("arguments", [{"mode": "cash", "num_hands": 8}, {}, {"table_size": 2}])
def test_flat_infos_always_have_the_same_keys_for_all_agents(arguments):
    env = nlhe_env.env(num_players=4, starting_stack=200, **arguments)
    places = {}
    env.reset(seed=3)
    for _ in steps(env, 3):
        for agent, info in env.infos.items():
            assert set(info) == FLAT
            assert all(isinstance(value, numbers.Real) for value in info.values())
            places[agent] = info["place"]
            decides = agent == env.possible_agents[env.table["player"][env.table["actor"]]]
            if not decides or env.terminations[agent]:
                assert not any(value for name, value in info.items() if name != "place")
    assert sorted(places.values()) == ([1, 2, 3, 4] if "mode" not in arguments else [0] * 4)


@pytest.mark.parametrize("kind", ["flat", "full", "none"])
def test_full_info_equals_full_infos_in_every_mode(kind):
    env = nlhe_env.env(num_players=3, starting_stack=200, infos=kind)
    full = nlhe_env.env(num_players=3, starting_stack=200, infos="full")
    hands = 0
    env.reset(seed=5)
    full.reset(seed=5)
    for _, _ in zip(steps(env, 5), steps(full, 5), strict=True):
        assert env.agent_selection == full.agent_selection
        for agent in env.agents:
            assert env.full_info(agent) == full.infos[agent]
        assert env.full_info() == full.infos[full.agent_selection]
        assert env.hands_over == full.hands_over
        hands += len(env.hands_over)
        if kind == "none":
            assert not any(env.infos.values())
    assert hands > 3


def test_saved_games_keep_full_infos():
    env = nlhe_env.env(num_players=2, mode="cash", num_hands=5)
    env.reset(seed=1)
    env.step(FOLD)
    saved, info = env.save(), env.full_info()
    assert info["last_hand"]["hand_number"] == 0
    env.step(FOLD)
    assert env.full_info()["last_hand"]["hand_number"] == 1
    env.restore(saved)
    assert env.full_info() == info


def test_single_learner_infos_may_be_flat_or_none():
    for kind, keys in (("flat", FLAT), ("none", set())):
        env = gymnasium.make(
            "nlhe/NoLimitHoldem-v0", opponents="caller", num_players=3, num_hands=9, infos=kind
        )
        _, info = env.reset(seed=1)
        over = False
        while not over:
            assert set(info) == keys | {"action_mask"}
            *_, terminated, truncated, info = env.step(CALL)
            over = terminated or truncated


class Reader:
    """Needs the words of the info."""

    def __init__(self):
        self.read = 0

    def act(self, observation, info):
        assert len(info["hole_cards"]) == 4
        assert info["street"] in ("preflop", "flop", "turn", "river")
        self.read += 1
        return CALL


@pytest.mark.parametrize("kind", ["flat", "none"])
def test_seated_players_always_get_full_infos(kind):
    reader = Reader()
    env = nlhe_env.env(num_players=2, mode="cash", num_hands=3, infos=kind)
    players = {"player_0": reader, "player_1": agents.make("nlbot-2")}
    agents.play_episode(env, players, seed=1)
    learner = nlhe_env.NoLimitHoldemEnv([reader], infos=kind)
    learner.reset(seed=1, options={"button": 1})
    assert reader.read > 6


def test_a_player_that_reads_cards_requires_full_infos():
    env = nlhe_env.env(num_players=2, mode="cash", actions="chips")
    env.reset(seed=1)
    with pytest.raises(ValueError, match='infos="full"'):
        agents.make("nlbot-1").act(env.last()[0], env.last()[4])


def test_infos_must_be_one_of_three():
    with pytest.raises(ValueError, match='did you mean "flat"'):
        nlhe_env.env(infos="flt")


def test_an_agent_that_has_left_can_be_observed():
    """As in PettingZoo's own games, where it may be asked for as long as the episode lasts."""
    env = nlhe_env.env(num_players=3, starting_stack=[500, 20, 500])
    env.reset(seed=2)
    for _ in steps(env, 2):
        left = [agent for agent in env.possible_agents if agent not in env.agents]
        for agent in left:
            seen = env.observe(agent)
            assert seen in env.observation_space(agent)
            assert np.flatnonzero(seen["action_mask"]).tolist() == [1]
    assert not env.agents


# --- the last chip --------------------------------------------------------------------------------


def with_one_chip_left(**arguments):
    """The first decision on the flop, of a player who has one chip behind."""
    env = deal([21, 500, 500], blinds=(10, 20), **arguments)
    play(env, CALL, CALL, CALL)
    play(env, CALL, CALL)
    assert actor(env) == 0
    assert env.full_info()["max_raise_to"] == env.full_info()["min_raise_to"] == 1
    return env


def test_a_one_chip_all_in_has_an_id():
    env = with_one_chip_left()
    assert np.flatnonzero(env.action_mask("player_0")).tolist() == [1, 2]
    env.step(2)
    assert env.table["street_bet"][0] == 1
    assert env.table["stack"][0] == 0
    assert env.full_info()["to_call"] == 1


def test_no_other_id_is_a_one_chip_all_in():
    env = with_one_chip_left()
    for number in (0, 3, 21, 1021, -1):
        with pytest.raises(nlhe_env.IllegalActionError, match=r"2 \(all-in with the last chip\)"):
            env.step(number)


def test_batches_bet_the_last_chip_too():
    batch = nlhe_env.BatchEnv(
        400, 2, starting_stack=21, blinds=(10, 20), mode="cash", actions="chips", chip_masks=True
    )
    turns = batch.reset(seed=1)
    rng = np.random.default_rng(1)
    bets = 0
    for _ in range(40):
        ids = batch.sample_actions(rng)
        assert (turns.action_mask[np.arange(400), ids] == 1).all()
        bets += int(((ids == 2) & (turns.max_raise_to == 1)).sum())
        turns = batch.step(ids)
    assert bets > 100


def test_compiled_players_bet_the_last_chip_in_the_environment_as_in_kernels():
    game = nlhe_env.Game.cash(starting_stack=21, blinds=(10, 20), num_hands=30)
    players = [agents.make("random"), agents.make("raiser")]

    class Hidden:
        """A compiled player that the environment must ask."""

        actions = "sized"

        def __init__(self, player):
            self.player = player
            self.observation = "cards"

        def begin(self, *seat):
            self.player.begin(*seat)

        def act(self, observation, info):
            return self.player.act(observation, info)

    compiled = agents.play(players, agents.Blocks(5), game, seed=3)
    asked = agents.play([Hidden(player) for player in players], agents.Blocks(5), game, seed=3)
    assert_equal(compiled, asked)


# --- arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (nlhe_env.env, "env"),
        (nlhe_env.raw_env, "raw_env"),
        (nlhe_env.NoLimitHoldemEnv, "NoLimitHoldemEnv"),
        (lambda **wrong: nlhe_env.BatchEnv(2, **wrong), "BatchEnv"),
    ],
)
def test_an_unknown_argument_error_names_the_called_function(make, name):
    with pytest.raises(TypeError, match=rf"^{name}\(\) has no argument 'num_hand' .*'num_hands'"):
        make(num_hand=3)
