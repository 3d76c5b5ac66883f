"""Tianshou 2 learns in both environments: DQN with masks as one learner, and by self-play."""

import numpy as np
import pytest
from client_libraries import need

need("tianshou.algorithm")

import gymnasium
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

import nlhe_env

pytestmark = pytest.mark.filterwarnings("ignore")


def q_learner(box, actions):
    net = Net(state_shape=box.shape, action_shape=actions.n, hidden_sizes=[32])
    policy = DiscreteQLearningPolicy(model=net, action_space=actions, eps_training=0.3)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=20)


def collect_and_learn(algorithm, envs, steps=400):
    buffer = VectorReplayBuffer(4000, len(envs))
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    with policy_within_training_step(algorithm.policy):
        stats = collector.collect(n_step=steps)
        for _ in range(5):
            algorithm.update(buffer=buffer, sample_size=64)
    assert stats.n_collected_steps >= steps
    assert stats.n_collected_episodes > 0
    return buffer


def test_one_learner():
    def make():
        env = gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller"], reward="big_blinds")
        return nlhe_env.MaskInObservation(
            env, observation_key="obs", mask_key="mask", mask_type=np.bool_
        )

    envs = DummyVectorEnv([make for _ in range(4)])
    learner = q_learner(make().observation_space["obs"], make().action_space)
    buffer = collect_and_learn(learner, envs)
    batch, _ = buffer.sample(0)
    assert batch.obs.mask[np.arange(len(batch)), batch.act].all()


@pytest.mark.parametrize("mode", ["cash", "tournament"])
def test_several_learners(mode):
    def make():
        return PettingZooEnv(
            nlhe_env.env(num_players=3, mode=mode, num_hands=5, reward="big_blinds")
        )

    env = make()
    learners = [
        q_learner(env.observation_space["observation"], env.action_space) for _ in env.agents
    ]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=learners, env=env)
    collect_and_learn(algorithm, DummyVectorEnv([make for _ in range(4)]))
