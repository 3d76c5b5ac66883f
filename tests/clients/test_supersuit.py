"""SuperSuit: what wraps the environment, and what cannot."""

import pytest
from client_libraries import need

need("supersuit")

from supersuit import (
    agent_indicator_v0,
    clip_reward_v0,
    dtype_v0,
    frame_stack_v1,
    pettingzoo_env_to_vec_env_v1,
)

import nlhe_env

pytestmark = pytest.mark.filterwarnings("ignore")


def play(env):
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        assert observation in env.observation_space(agent)
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(info["action_mask"]))


@pytest.mark.parametrize(
    "wrap",
    [
        lambda env: frame_stack_v1(env, 3),
        lambda env: dtype_v0(env, "float16"),
        lambda env: clip_reward_v0(env),
    ],
    ids=["frame_stack", "dtype", "clip_reward"],
)
def test_observations_without_the_mask_can_be_wrapped(wrap):
    play(wrap(nlhe_env.MaskInInfo(nlhe_env.env(num_players=3, mode="cash", num_hands=5))))


def test_observations_with_the_mask_cannot_be_wrapped():
    """Its wrappers of observations want arrays, and ours are dictionaries with the mask."""
    with pytest.raises(AssertionError):
        frame_stack_v1(nlhe_env.env(num_players=3), 3)


def test_agent_indicator_leaves_its_own_space():
    """It declares the smallest bound of the vector for its flags, and writes the largest."""
    env = agent_indicator_v0(nlhe_env.MaskInInfo(nlhe_env.env(num_players=3)))
    env.reset(seed=1)
    agent = env.agent_selection
    flag, largest = env.last()[0][-3:].max(), env.env.observation_space(agent).high.max()
    assert flag == largest > env.observation_space(agent).high[-3]


def test_vector_environments_need_simultaneous_players():
    with pytest.raises((AssertionError, AttributeError)):
        pettingzoo_env_to_vec_env_v1(nlhe_env.env(num_players=3))
