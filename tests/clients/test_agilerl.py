"""AgileRL's DQN learns in both environments, with masks from the info and the observation."""

import numpy as np
import pytest
from client_libraries import need

need("agilerl.algorithms.dqn", "torch", "tensordict")

import gymnasium
import torch
from agilerl.algorithms.dqn import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from tensordict import TensorDict

import nlhe_env

pytestmark = pytest.mark.filterwarnings("ignore")


def keep(memory, before, action, reward, after, done):
    transition = TensorDict(
        {
            "obs": torch.as_tensor(before)[None],
            "action": torch.tensor([[action]]),
            "reward": torch.tensor([[float(reward)]], dtype=torch.float32),
            "next_obs": torch.as_tensor(after)[None],
            "done": torch.tensor([[float(done)]], dtype=torch.float32),
        },
        batch_size=[1],
    )
    memory.add(transition)


def act(agent, vector, mask):
    action = int(np.ravel(agent.get_action(vector[None], epsilon=0.3, action_mask=mask[None]))[0])
    assert mask[action]
    return action


def learn(agent, memory):
    before = [weights.detach().clone() for weights in agent.actor.parameters()]
    for _ in range(5):
        agent.learn(memory.sample(32))
    assert any(not w.equal(b) for w, b in zip(agent.actor.parameters(), before, strict=True))


def test_one_learner():
    env = gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller"], reward="big_blinds")
    agent = DQN(env.observation_space, env.action_space, device="cpu")
    memory = ReplayBuffer(max_size=1000, device="cpu")
    vector, info = env.reset(seed=1)
    for _ in range(200):
        action = act(agent, vector, info["action_mask"])
        after, reward, terminated, truncated, info = env.step(action)
        keep(memory, vector, action, reward, after, terminated)
        vector = after
        if terminated or truncated:
            vector, info = env.reset()
    learn(agent, memory)


def test_self_play():
    env = nlhe_env.MaskInInfo(nlhe_env.env(num_players=2, num_hands=20, reward="big_blinds"))
    box, actions = env.observation_space("player_0"), env.action_space("player_0")
    agent = DQN(box, actions, device="cpu")
    memory = ReplayBuffer(max_size=1000, device="cpu")
    waiting = {}  # the last observation and action of each player
    for seed in range(8):
        env.reset(seed=seed)
        for player in env.agent_iter():
            vector, reward, terminated, truncated, info = env.last()
            over = terminated or truncated
            if player in waiting:
                keep(memory, *waiting.pop(player), reward, vector, over)
            action = None
            if not over:
                action = act(agent, vector, info["action_mask"])
                waiting[player] = vector, action
            env.step(action)
    learn(agent, memory)
