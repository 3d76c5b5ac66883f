"""RLlib's PPO learns in the Gymnasium environment, with the masking module of its examples."""

import numpy as np
import pytest
from client_libraries import need

need("ray.rllib", "torch")

import gymnasium
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import nlhe_env

pytestmark = pytest.mark.filterwarnings("ignore")


def make(config):
    env = gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller"], **config)
    return nlhe_env.MaskInObservation(env, observation_key="observations", mask_type=np.float32)


def test_ppo_learns(monkeypatch):
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "180")  # machines may be busy
    ray.init(num_cpus=1, include_dashboard=False, ignore_reinit_error=True, log_to_driver=False)
    register_env("nlhe", make)
    config = (
        PPOConfig()
        .environment("nlhe", env_config={"reward": "big_blinds", "illegal_action": "raise"})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=2)
        .training(train_batch_size=256, minibatch_size=64, num_epochs=2)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
    )
    algorithm = config.build_algo()
    try:
        for _ in range(2):
            result = algorithm.train()
        assert np.isfinite(result["env_runners"]["episode_return_mean"])
        assert result["learners"]["default_policy"]["total_loss"] is not None
    finally:
        algorithm.stop()
        ray.shutdown()
