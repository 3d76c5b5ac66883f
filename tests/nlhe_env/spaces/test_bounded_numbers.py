"""Common properties of observations made of named, bounded numbers."""

from __future__ import annotations

import numpy as np
import pytest

import nlhe_env
from nlhe_env import CASH_FEATURES, CORE_FEATURES, UNIT_FEATURES
from nlhe_env.spaces.observations import find_observation

FEATURES = {
    "features_unit": (UNIT_FEATURES, 35),
    "features_core": (CORE_FEATURES, 10),
    "features_cash": (CASH_FEATURES, 14),
}


@pytest.mark.parametrize("name", FEATURES)
def test_the_features_are_contiguous(name):
    features, size = FEATURES[name]
    starts = [one.start for one in features]
    assert starts == [sum(one.size for one in features[:i]) for i in range(len(features))]
    assert find_observation(name).size == size == starts[-1] + features[-1].size


@pytest.mark.parametrize("name", FEATURES)
@pytest.mark.parametrize("players", [2, 6, 10])
def test_features_stay_within_bounds_and_vary(name, players):
    env = nlhe_env.raw_env(players, observation=name, starting_stack=3000)
    found = []
    for seed in range(3):
        env.reset(seed=seed)
        space = env.observation_space("player_0")["observation"]
        rng = np.random.default_rng(seed)
        while env.agents:
            agent = env.agent_selection
            seen = env.observe(agent)  # also the last observation of eliminated agents and winners
            if env.terminations[agent] or env.truncations[agent]:
                assert space.contains(seen["observation"]), seen["observation"]
                env.step(None)
                continue
            assert space.contains(seen["observation"]), seen["observation"]
            found.append(seen["observation"])
            env.step(int(rng.choice([*np.flatnonzero(seen["action_mask"]), 1, 1, 1])))  # 1: call
    moved = np.ptp(found, axis=0) > 0
    for one in FEATURES[name][0]:
        # Alone against one opponent, how many opponents there are is always the same.
        if one.name not in ("opponents", "players") or players > 2:
            assert moved[one.start], one.name
