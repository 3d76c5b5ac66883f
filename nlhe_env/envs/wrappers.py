"""Wrappers that change what agents see."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseWrapper

from nlhe_env.envs.aec import Seen, raw_env
from nlhe_env.spaces.observations import find_observation


class FeaturesWrapper(BaseWrapper[str, Seen, Any]):
    """Replaces the observation vector by the inputs of the networks; the action mask stays.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``, also inside other wrappers.
        inputs: Which, under the names that ``observation=`` has for them.

    Raises:
        ValueError: ``env`` is not this package's environment, or there are no such inputs.
    """

    def __init__(self, env: Any, *, inputs: str = "features_scaled") -> None:
        super().__init__(env)
        game = env.unwrapped
        if not isinstance(game, raw_env):
            raise ValueError(f"FeaturesWrapper needs an environment of nlhe_env; got {env!r}")
        self._game = game
        self._seen = find_observation(inputs, argument="inputs")
        box = spaces.Box(*self._seen.bounds(game.game, game.num_players), dtype=np.float32)
        self._spaces = {
            agent: spaces.Dict(
                {"observation": box, "action_mask": env.observation_space(agent)["action_mask"]}
            )
            for agent in env.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """``{"observation": Box (35,) or (75,) float32, "action_mask": ...}``."""
        return self._spaces[agent]

    def observe(self, agent: str) -> Seen:
        """The inputs and the action mask of an agent."""
        observation = self.env.observe(agent)
        number = self._game.possible_agents.index(agent)
        return {**(observation or {}), "observation": self._game.vector(number, self._seen)}
