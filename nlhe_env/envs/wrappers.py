"""Wrappers for observations and for the location of the action mask."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseWrapper

from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.agent_cycle import Seen
from nlhe_env.envs.info_dicts import Info
from nlhe_env.jit.array_types import F32, I8, Bool
from nlhe_env.spaces.observations import find_observation


class FeaturesWrapper(BaseWrapper[str, Seen, Any]):
    """PettingZoo wrapper that replaces the observation vector and keeps the action mask.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``, also inside other wrappers.
        inputs: Name of the new observation, as in ``observation=``.

    Raises:
        ValueError: ``env`` is not this package's environment, or the name is unknown.
    """

    def __init__(self, env: Any, *, inputs: str = "features_scaled") -> None:
        super().__init__(env)
        self._game = game = _game_in(env, "FeaturesWrapper")
        self._seen = find_observation(inputs, argument="inputs")
        game.also_show(self._seen)
        box = spaces.Box(*self._seen.bounds(game.game, game.num_players), dtype=np.float32)
        old: Any = game.observation_space
        self._spaces = {
            agent: spaces.Dict({"observation": box, "action_mask": old(agent)["action_mask"]})
            for agent in env.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """``{"observation": Box (size,) float32, "action_mask": ...}``, with the new size."""
        return self._spaces[agent]

    def observe(self, agent: str) -> Seen:
        """The inputs and the action mask of an agent."""
        vector = self._game.observe_as(agent, self._seen)
        return {"observation": vector, "action_mask": self._game.action_mask(agent)}


class MaskInInfo(BaseWrapper[str, F32, Any]):
    """PettingZoo wrapper for libraries that expect the mask in the info.

    Observations are the vector alone, and the infos of all agents have an ``action_mask``.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``, also inside other wrappers.

    Raises:
        ValueError: ``env`` is not this package's environment.

    >>> import nlhe_env
    >>> env = MaskInInfo(nlhe_env.env(num_players=2, mode="cash"))
    >>> env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> observation.shape, info["action_mask"]
    ((153,), array([1, 1, 1, 1, 1], dtype=int8))
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._game = _game_in(env, "MaskInInfo")
        self._masks: dict[str, I8] = {}  # shown since the last action

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The ``Box`` of the vector."""
        space: spaces.Space[Any] = self.env.observation_space(agent)["observation"]
        return space

    def observe(self, agent: str) -> F32:
        """Observation vector of an agent."""
        vector: F32 = self.env.observe(agent)["observation"]
        return vector

    @property
    def infos(self) -> dict[str, Info]:
        """The info of every agent with its mask."""
        return {agent: self._with_mask(agent, info) for agent, info in self.env.infos.items()}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See ``raw_env.reset``."""
        self._masks = {}
        self.env.reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        """See ``raw_env.step``."""
        self._masks = {}
        self.env.step(action)

    def last(self, observe: bool = True) -> tuple[F32 | None, float, bool, bool, Info]:
        """See ``raw_env.last``; only the info of ``agent_selection`` gets its mask."""
        agent = self._game.agent_selection
        _, reward, terminated, truncated, info = self.env.last(observe=False)
        seen = self.observe(agent) if observe else None
        return seen, reward, terminated, truncated, self._with_mask(agent, info)

    def _with_mask(self, agent: str, info: Info) -> Info:
        mask = self._game.action_mask(agent)
        shown = self._masks.get(agent)
        # Infos are equal only if they share the array; a restored game can have another mask.
        if shown is None or shown.tobytes() != mask.tobytes():
            shown = self._masks[agent] = mask
        return {**info, "action_mask": shown}

    def action_masks(self) -> Bool:
        """``(n_actions,)`` True where legal for the player to act; the interface of sb3-contrib."""
        return self._game.action_mask(self._game.agent_selection).astype(np.bool_)


class MaskInObservation(
    gymnasium.Wrapper[Any, Any, Any, Any], gymnasium.utils.RecordConstructorArgs
):
    """Gymnasium wrapper for libraries that expect the mask in the observation.

    Args:
        env: ``gymnasium.make("nlhe/NoLimitHoldem-v0", ...)`` or ``NoLimitHoldemEnv(...)``.
        observation_key: Key of the vector in the library: ``"observations"`` in RLlib, ``"obs"``
            in Tianshou.
        mask_key: Key of the mask: ``"action_mask"`` in RLlib and TorchRL, ``"mask"`` in
            Tianshou.
        mask_type: Its dtype.

    Raises:
        ValueError: The two keys are equal.

    >>> import nlhe_env
    >>> env = MaskInObservation(nlhe_env.NoLimitHoldemEnv(["caller"]), mask_type=np.bool_)
    >>> observation, info = env.reset(seed=7)
    >>> observation["observation"].shape, observation["action_mask"]
    ((153,), array([ True,  True,  True,  True,  True]))
    """

    def __init__(
        self,
        env: gymnasium.Env[F32, Any],
        *,
        observation_key: str = "observation",
        mask_key: str = "action_mask",
        mask_type: npt.DTypeLike = np.int8,
    ) -> None:
        if observation_key == mask_key:
            raise ValueError(f"observation_key and mask_key must differ; got {mask_key!r} for both")
        self._keys = observation_key, mask_key
        self._mask_type = np.dtype(mask_type)
        gymnasium.utils.RecordConstructorArgs.__init__(
            self,
            observation_key=observation_key,
            mask_key=mask_key,
            mask_type=self._mask_type.name,  # text, as in JSON
        )
        super().__init__(env)
        n_actions = int(env.action_space.n)  # type: ignore[attr-defined]
        mask = spaces.Box(0, 1, (n_actions,), self._mask_type)
        self.observation_space = spaces.Dict(
            {observation_key: env.observation_space, mask_key: mask}
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], Info]:
        """See ``NoLimitHoldemEnv.reset``."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._with_mask(observation, info), info

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, Info]:
        """See ``NoLimitHoldemEnv.step``."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        seen = self._with_mask(observation, info)
        return seen, float(reward), terminated, truncated, info

    def action_masks(self) -> Bool:
        """``(n_actions,)`` True where legal; the interface of sb3-contrib's ``MaskablePPO``."""
        masks: Bool = self.env.get_wrapper_attr("action_masks")()
        return masks

    def _with_mask(self, observation: F32, info: Info) -> dict[str, Any]:
        seen, mask = self._keys
        return {seen: observation, mask: info["action_mask"].astype(self._mask_type)}


def _game_in(env: Any, wrapper: str) -> raw_env:
    """The unwrapped environment."""
    game = env.unwrapped
    if not isinstance(game, raw_env):
        raise ValueError(f"{wrapper} needs an environment of nlhe_env; got {env!r}")
    return game
