"""Environments in several threads: each plays as it does alone."""

import subprocess
import sys

import pytest

CODE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import nlhe_env

SEEDS = range(4)
together = Barrier(len(SEEDS))

def play(seed):
    env = nlhe_env.env(num_players=2 + seed % 3)
    env.reset(seed=seed)
    choices = np.random.default_rng(seed)
    seen = []
    for _ in range(600):
        if not env.agents:
            env.reset()
        observation, reward, terminated, truncated, info = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        action = None if terminated or truncated else int(choices.choice(legal))
        seen.append((action, reward, observation["observation"].tobytes()))
        env.step(action)
    return seen

def play_with_others(seed):
    together.wait()
    return play(seed)

sys.setswitchinterval(1e-5)  # threads that hold the GIL hand it on at every chance
with ThreadPoolExecutor(len(SEEDS)) as executor:
    found = list(executor.map(play_with_others, SEEDS))
print(found == list(map(play, SEEDS)))
"""


@pytest.mark.slow
def test_fresh_environments_in_threads_play_as_they_do_alone():
    """In a new process, whose kernels the threads load or compile."""
    ended = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == ["True"]
