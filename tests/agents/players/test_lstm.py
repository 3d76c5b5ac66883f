"""Recurrent networks: blocks by plain arithmetic, sizes, and what is reset when."""

import numpy as np
import pytest
from helpers import CALL
from lstm_formulas import PlainNetwork, plain_block, sigmoid

import agents
import nlhe_env
from agents.players.networks import RecurrentPlayer
from agents.players.networks.lstm import ASHE_1_0, Shape, count_weights
from agents.players.networks.lstm_blocks import (
    count_block_weights,
    count_module_scratch,
    step_module,
)
from agents.policy.kinds import make_sizes
from nlhe_env.equity import hand_equity

SMALL = Shape(2, 3, 2, 4, 5)


def player(shape=SMALL, seed=0):
    rng = np.random.default_rng(seed)
    return RecurrentPlayer(rng.normal(0, 0.7, count_weights(make_sizes(*shape))), shape=shape)


def test_a_module_matches_plain_arithmetic():
    rng = np.random.default_rng(1)
    sizes = (1, 1), (3, 3), (10, 10), (1, 50), (2, 7), (20, 5), (6, 15), (3, 16), (2, 20)
    for blocks, c in sizes:
        length = count_block_weights(8, c)
        weights = rng.normal(0, 0.6, blocks * length).astype(np.float32)
        state = np.zeros(2 * blocks * c, np.float32)
        scratch = np.zeros(count_module_scratch(blocks, c), np.float32)
        plain = [(np.zeros(c), np.zeros(c))] * blocks
        for _ in range(6):
            inputs = rng.random(8).astype(np.float32)
            step_module(weights, blocks, c, inputs, state, scratch)
            plain = [
                plain_block(own, inputs, *before)
                for own, before in zip(weights.reshape(blocks, length), plain, strict=True)
            ]
            np.testing.assert_allclose(state, np.transpose(plain, (1, 0, 2)).ravel(), atol=1e-5)


def test_network_sizes_are_the_published_ones():
    modules = 10 * count_block_weights(8, 10) + count_block_weights(8, 50)
    assert modules == 7_900 + 11_950
    decision = 150 * 75 + 75 + 75 * 5 + 5  # five outputs in the place of one
    published = ASHE_1_0._replace(sees_cards=1)
    assert count_weights(make_sizes(*published)) == modules + decision + 150
    assert count_weights(make_sizes(*ASHE_1_0)) == modules + decision + 75 + 150


def plain_policy(weights, shape, inputs, strength):
    """Chances after these inputs of a session of one hand, all actions legal."""
    cells = [shape.game_cell] * shape.game_blocks + [shape.opponent_cell] * shape.opponent_blocks
    network = PlainNetwork(weights, 8, cells, shape.hidden, 5, n_beside=1)
    for x in inputs:
        network.see(x)
    wishes = sigmoid(network.answers(network.state, strength))
    return wishes / wishes.sum()


def test_the_whole_network_matches_plain_arithmetic():
    env = nlhe_env.raw_env(2, actions="chips", blinds=(50, 100), starting_stack=20_000, mode="cash")
    one = player()
    seats = agents.Lineup(env, {"player_0": one})
    cards = {"player_0": "AsJd", "player_1": "7c7d"}
    env.reset(seed=1, options={"button": 0, "hole_cards": cards, "board": "QsJsTs2h3d"})
    for action in (300, CALL, 400):
        env.step(action)
    inputs = [
        # Street, strength (not seen), the opponent's and the own chips by the stack, pot odds.
        [1, 0, 0, 0, 0, 100 / 20_000, 50 / 20_000, 50 / 200],
        [1, 0, 0, 0, 0, 100 / 20_000, 300 / 20_000, 0],
        [0, 1, 0, 0, 0, 300 / 20_000, 300 / 20_000, 0],
        [0, 1, 0, 0, 0, 700 / 20_000, 300 / 20_000, 400 / 1_400],
    ]
    expected = plain_policy(one.weights, SMALL, inputs, hand_equity("AsJd", "QsJsTs"))
    np.testing.assert_allclose(seats.policy(), expected, atol=1e-5)


def test_hands_reset_the_game_module_and_sessions_reset_both_modules():
    env = nlhe_env.raw_env(2, actions="chips", mode="cash", num_hands=3)
    seats = agents.Lineup(env, {agent: player() for agent in env.possible_agents})
    n_game, n_opponent = 2 * 6, 2 * 8
    env.reset(seed=1)
    first = seats.work.memory[0].copy()
    env.step(0)
    second = seats.work.memory[0].copy()
    assert first.shape == (n_game + n_opponent,)
    cells = player().weights[-14:]
    env.step(0)
    # The same seat sees the third hand as the first; what it has seen of the opponent differs.
    third = seats.work.memory[0]
    np.testing.assert_array_equal(third[:n_game], first[:n_game])
    assert (third[n_game:] != first[n_game:]).any()
    assert (second != first).any()
    env.reset(seed=1)
    np.testing.assert_array_equal(seats.work.memory[0], first)
    assert (cells[:6] != first[:6]).all()


def test_options_change_the_value_they_name():
    assert agents.options("lstm") == {**ASHE_1_0._asdict(), "seed": 0, "spread": 0.5}
    usual = agents.make("lstm")
    for key, value in ASHE_1_0._asdict().items():
        np.testing.assert_array_equal(agents.make(f"lstm:{key}={value}").weights, usual.weights)
        other = agents.make(f"lstm:{key}={value + 1}")
        assert other.shape == ASHE_1_0._replace(**{key: value + 1})
        assert len(other.weights) == count_weights(make_sizes(*other.shape)) != len(usual.weights)
    assert (agents.make("lstm:seed=1").weights != usual.weights).all()
    np.testing.assert_allclose(agents.make("lstm:spread=1.0").weights, 2 * usual.weights)


@pytest.mark.parametrize("option", ["seed=-1", "spread=-1.0"])
def test_options_out_of_range_are_named(option):
    key, value = option.split("=")
    with pytest.raises(ValueError, match=f"'lstm:{option}': {key} must be .*; got {value}"):
        agents.make(f"lstm:{option}")


def test_weights_that_fit_no_shape_are_refused():
    with pytest.raises(ValueError, match="for the kind 'lstm'; got shape"):
        RecurrentPlayer(np.zeros(5), shape=SMALL)
    with pytest.raises(ValueError, match="sizes must be from 1 to 4096"):
        RecurrentPlayer(np.zeros(5), shape=Shape(game_blocks=0))
    with pytest.raises(ValueError, match="finite"):
        RecurrentPlayer(np.full(5, np.nan), shape=SMALL)
    with pytest.raises(ValueError, match="hidden must be a whole number"):
        agents.make("lstm:hidden=2.5")
