"""sb3-contrib's MaskablePPO learns in the Gymnasium environment, through make_vec_env."""

import numpy as np
import pytest
from client_libraries import need

need("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

import nlhe_env

pytestmark = pytest.mark.filterwarnings("ignore")

HAND = {"opponents": ["caller"], "blinds": (10, 20), "reward": "big_blinds"}


def test_maskable_ppo_learns():
    envs = make_vec_env("nlhe/NoLimitHoldem-v0", n_envs=4, seed=1, env_kwargs=HAND)
    model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=64, seed=1, device="cpu")
    before = [weights.clone() for weights in model.policy.parameters()]
    model.learn(1024)
    after = model.policy.parameters()
    assert any(not w.equal(b) for w, b in zip(after, before, strict=True))
    mean, deviation = evaluate_policy(model, envs, n_eval_episodes=20)
    assert np.isfinite([mean, deviation]).all()
    observation = envs.reset()
    masks = np.stack(envs.env_method("action_masks"))
    actions, _ = model.predict(observation, action_masks=masks)
    assert masks[np.arange(4), actions].all()


def test_sb3_env_checker_passes():
    check_env(nlhe_env.NoLimitHoldemEnv(["caller"]), warn=True, skip_render_check=True)
