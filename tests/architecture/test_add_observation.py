"""A new observation is one file like this one: environments, batches and networks can use it."""

import copy
import pickle

import gymnasium
import numpy as np

import agents
import nlhe_env
from nlhe_env.kernels import amount_to_call, kernel


@kernel
def write_prices(table, players, seat, strength_tables, out):
    call = amount_to_call(table) if table.actor == seat else 0
    out[0] = call / (table.pot + call)
    for street in range(4):
        out[1 + street] = table.street == street


PRICES = nlhe_env.register_observation(
    "prices",
    write_prices,
    [("pot_odds", 1, 0.5, "share of the pot that a call pays"), ("street", 4, 1, "one-hot")],
)
GAME = {"mode": "cash", "blinds": (10, 20), "observation": "prices"}


def test_environments_use_a_new_observation():
    env = nlhe_env.env(2, **GAME)
    env.reset(seed=1)
    seen = env.last()[0]["observation"]
    np.testing.assert_allclose(seen, [10 / 40, 1, 0, 0, 0], rtol=1e-6)
    assert [(part.name, part.start) for part in env.parts] == [("pot_odds", 0), ("street", 1)]
    for played_on in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        np.testing.assert_array_equal(played_on.last()[0]["observation"], seen)


def test_batches_and_gymnasium_give_the_same_new_observation():
    turns = nlhe_env.BatchEnv(3, 2, **GAME).reset(seed=1)
    np.testing.assert_allclose(turns.observation, [[10 / 40, 1, 0, 0, 0]] * 3, rtol=1e-6)
    single = gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller"], **GAME)
    observation, info = single.reset(seed=1)
    assert single.observation_space.contains(observation)
    assert observation[0] == np.float32(info["to_call"] / (info["pot"] + info["to_call"]))


def test_networks_play_with_a_new_observation():
    """With one hidden unit that the pot odds switch on: it folds to any bet, and calls nothing."""
    to_hidden, to_actions = [90, 0, 0, 0, 0, -9], [180, -180, 0, 0, 0, -90, 90, -90, -90, -90]
    weights = np.array([*to_hidden, *to_actions], np.float32)
    folder = agents.NetworkPlayer(weights, inputs="prices", hidden=(1,))
    batch = agents.pack_players([folder, agents.make("raiser")])
    tally = agents.play(batch, agents.Blocks(3), nlhe_env.Game.cash(), seed=1)
    assert tally.totals.tolist() == [-9000, 9000]  # half of the blinds of 120 hands
