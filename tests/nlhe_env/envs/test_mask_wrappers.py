"""The mask where libraries look for it."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import nlhe_env
from nlhe_env import MaskInInfo, MaskInObservation

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test


def test_mask_in_the_info_of_every_agent(capsys):
    env = MaskInInfo(nlhe_env.env(num_players=3, mode="cash", num_hands=2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(env, num_cycles=60)
    capsys.readouterr()
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        assert observation in env.observation_space(agent)
        assert set(env.infos) == set(env.agents)
        own = env.unwrapped.observe(agent)
        np.testing.assert_array_equal(info["action_mask"], own["action_mask"])
        np.testing.assert_array_equal(env.action_masks(), own["action_mask"] == 1)
        np.testing.assert_array_equal(observation, own["observation"])
        others = [env.infos[other]["action_mask"] for other in env.agents if other != agent]
        if not any(env.terminations.values()):
            assert not np.any(others)
        over = terminated or truncated
        env.step(None if over else int(np.flatnonzero(info["action_mask"])[-1]))


def test_mask_in_the_info_follows_a_restored_game():
    env = MaskInInfo(nlhe_env.raw_env(2, mode="cash"))
    env.reset(seed=1)
    game = env.unwrapped
    saved, table, agent = game.save(), game.table.copy(), env.agent_selection
    first = env.infos[agent]
    for back in (lambda: game.restore(saved), lambda: game.set_table(table)):
        env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[-1]))  # all-in
        assert not env.infos[agent]["action_mask"].any()
        back()
        for info in (env.infos[agent], env.last(observe=False)[4]):
            assert info["to_call"] == first["to_call"] == 10
            np.testing.assert_array_equal(info["action_mask"], first["action_mask"])


def test_mask_in_the_info_works_with_other_wrappers():
    env = MaskInInfo(nlhe_env.FeaturesWrapper(nlhe_env.env(num_players=2)))
    env.reset(seed=1)
    assert env.last()[0].shape == (35,)
    other = nlhe_env.FeaturesWrapper(MaskInInfo(nlhe_env.env(num_players=2)))
    other.reset(seed=1)
    seen, _, _, _, info = other.last()
    np.testing.assert_array_equal(seen["observation"], env.last()[0])
    np.testing.assert_array_equal(seen["action_mask"], info["action_mask"])
    assert seen in other.observation_space("player_0")


@pytest.mark.filterwarnings("ignore")  # of the checker, about wrappers
def test_mask_in_the_observation():
    env = MaskInObservation(
        gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller", "random"]),
        observation_key="obs",
        mask_key="mask",
        mask_type=np.bool_,
    )
    check_env(env, skip_render_check=True)
    observation, info = env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(50):
        assert observation in env.observation_space
        np.testing.assert_array_equal(observation["mask"], info["action_mask"] == 1)
        np.testing.assert_array_equal(observation["mask"], env.action_masks())
        action = int(rng.choice(np.flatnonzero(observation["mask"])))
        observation, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            observation, info = env.reset()


def test_keys_of_an_observation_differ_and_its_type_is_text_in_files():
    env = gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller"])
    assert '"mask_type": "int8"' in MaskInObservation(env).spec.to_json()
    with pytest.raises(ValueError, match="must differ; got 'observation' for both"):
        MaskInObservation(env, mask_key="observation")


def test_mask_wrappers_need_this_game():
    with pytest.raises(ValueError, match="MaskInInfo needs an environment of nlhe_env"):
        MaskInInfo(gymnasium.make("CartPole-v1"))
