"""Networks that raise by the pot: what their outputs stand for at a table."""

import numpy as np
import pytest
from helpers import assert_equal, deal, play_as

import agents
import nlhe_env
from agents.match.environment import play_in_environment
from agents.players.networks import (
    ArgmaxNetworkPlayer,
    MixedPotSizedNetworkPlayer,
    PotSizedNetworkPlayer,
)
from agents.players.networks.network import count_weights
from agents.policy.action_probabilities import policy_of_inputs
from agents.policy.env_opponents import EnvOpponents
from nlhe_env import Game

N_INPUTS = 14
FOLD, CALL, HALF, POT, ALL_IN = range(5)


def always(output, impossible="call"):
    """A network whose largest output is always the same, the next one the call."""
    weights = np.zeros(count_weights(N_INPUTS, (1,)), np.float32)
    weights[-5:] = -1.0
    weights[-5 + CALL] = 0.0
    weights[-5 + output] = 1.0
    interpretation = agents.ActionInterpretation(illegal_action=impossible)
    return PotSizedNetworkPlayer(
        weights, inputs="features_cash", hidden=(1,), interpretation=interpretation
    )


def chosen(player, env):
    """The id in chips of what a player does at its turn."""
    names = env.possible_agents
    return EnvOpponents(env, {env.agent_selection: player, names[1]: player}).action(env)


def certain(output):
    """A mixing network with one sigmoid close to 1 and the others close to 0, next the call's."""
    weights = np.zeros(count_weights(N_INPUTS, (1,)), np.float32)
    weights[-5:] = -40.0
    weights[-5 + CALL] = -20.0
    weights[-5 + output] = 20.0
    return MixedPotSizedNetworkPlayer(weights, inputs="features_cash", hidden=(1,))


@pytest.mark.parametrize("player", [always, certain])
@pytest.mark.parametrize(
    ("output", "facing_a_raise", "on_the_flop"),
    [(FOLD, 0, 1), (CALL, 1, 1), (HALF, 360, 20), (POT, 540, 40), (ALL_IN, 1000, 980)],
)
def test_outputs_are_pot_sized_bets(player, output, facing_a_raise, on_the_flop):
    env = deal([1000, 1000], blinds=(10, 20))
    play_as(env, (0, 60), (1, 180))  # 120 to call, the pot is 360 then
    assert chosen(player(output), env) == facing_a_raise
    env = deal([1000, 1000], blinds=(10, 20))
    play_as(env, (0, 1), (1, 1))  # the pot is 40, and half of it is the least bet
    assert chosen(player(output), env) == on_the_flop


def test_illegal_actions_become_calls_or_are_masked():
    env = deal([1000, 100], blinds=(10, 20))
    play_as(env, (0, 200))  # all that the big blind has
    for output in (HALF, POT, ALL_IN):
        assert chosen(always(output, "call"), env) == 1
        assert chosen(always(output, "masked"), env) == 1
    env = deal([1000, 1000], blinds=(10, 20))
    play_as(env, (0, 1))
    weights = always(FOLD, "masked").weights.copy()
    weights[-5 + POT] = 0.5  # next to folding, which is not legal
    player = always(FOLD, "masked")
    player.weights = weights
    assert chosen(player, env) == 60
    player.interpretation = agents.ActionInterpretation(illegal_action="call")
    assert chosen(player, env) == 1


def random_players(n):
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(n, count_weights(N_INPUTS, (4,)))).astype(np.float32)
    return [PotSizedNetworkPlayer(row, inputs="features_cash") for row in rows]


def test_the_environment_plays_them_as_the_kernels_do():
    players, schedule, game = random_players(3), agents.Blocks(4), Game.cash(num_hands=10)
    mixed = MixedPotSizedNetworkPlayer
    players[2] = mixed(players[2].weights, inputs="features_cash", hidden=(4,))
    compiled = agents.play(players, schedule, game, seed=5, rows=True)
    outside = play_in_environment(players, schedule, game, seed=5, rows=True)
    assert_equal(compiled, outside)


def test_with_inputs_alone_it_decides_like_the_argmax_network():
    players = random_players(4)
    firm = [ArgmaxNetworkPlayer(one.weights, inputs=one.inputs) for one in players]
    seen = np.random.default_rng(8).normal(size=(100, N_INPUTS)).astype(np.float32)
    masks = np.ones((100, 5), np.int8)
    np.testing.assert_array_equal(
        policy_of_inputs(agents.pack_players(players), seen, masks),
        policy_of_inputs(agents.pack_players(firm), seen, masks),
    )


def test_acting_without_the_game_state_is_refused():
    env = nlhe_env.raw_env(2, mode="cash", observation="features_cash", actions="sized")
    env.reset(seed=1)
    observation, *_, info = env.last()
    with pytest.raises(ValueError, match="has to see the game"):
        random_players(1)[0].act(observation, info)
