"""Trained policies from other libraries as players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agents.external.chips import whole_or_illegal
from agents.policy.compiled_player import Player
from nlhe_env.arguments import shown
from nlhe_env.jit.array_types import F32, I8
from nlhe_env.spaces.actions import ActionEncoding
from nlhe_env.spaces.observations import find_observation

USUAL_ACTIONS = (0.5, 1.0)
"""Default raises of environments, in pots."""


class PolicyPlayer:
    """Player from a function of an observation and an action mask.

    It plays in every environment, with its own observation and action encoding; raises become the
    nearest legal amounts.

    Attributes:
        name: Name for tables and plots.
        observation: Name of its observation.
        actions: Its action encoding, as ``nlhe_env.env`` takes it.
    """

    def __init__(
        self,
        policy: Callable[[F32, I8], int],
        *,
        observation: str = "features_scaled",
        actions: str | tuple[float, ...] = USUAL_ACTIONS,
        name: str = "policy",
    ) -> None:
        self.observation = find_observation(observation).name
        ActionEncoding.of(actions)  # rejects invalid encodings
        self.actions = actions
        self.name = name
        self._policy = policy

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Action id chosen by the policy."""
        chosen: Any = self._policy(observation["observation"], observation["action_mask"])
        return whole_or_illegal(chosen)


def from_policy(
    policy: Callable[[F32, I8], int],
    *,
    observation: str = "features_scaled",
    actions: str | tuple[float, ...] = USUAL_ACTIONS,
    name: str = "policy",
) -> Player:
    """Create a player from a function of an observation and an action mask.

    Args:
        policy: Function of a float32 vector and an int8 mask of legal actions; returns an action
            id.
        observation: Name of its observation, see ``nlhe_env.env``.
        actions: Its action encoding.
        name: Name for tables and plots.

    Raises:
        ValueError: The observation or encoding is unknown, or the policy is not callable.

    >>> always_call = from_policy(lambda observation, mask: 1, name="always-call")
    >>> import agents, nlhe_env
    >>> game = nlhe_env.Game.cash(score="big_blinds")
    >>> float(agents.play([always_call, "caller"], agents.Blocks(10), game, seed=1).scores[0])
    0.0
    """
    if not callable(policy):
        raise ValueError(
            f"a policy must be a function of observation and mask; got {shown(policy)}"
        )
    return PolicyPlayer(policy, observation=observation, actions=actions, name=name)


def from_sb3(
    model: Any,
    *,
    observation: str = "features_scaled",
    actions: str | tuple[float, ...] = USUAL_ACTIONS,
    deterministic: bool = False,
    name: str | None = None,
) -> Player:
    """Create a player from a Stable-Baselines3 or sb3-contrib model, such as ``MaskablePPO``.

    A model without masks may choose illegal actions: the bench counts them, and elsewhere they
    raise errors.

    Args:
        model: The trained model. Loading a model file unpickles it: use trusted files.
        observation: Name of its training observation.
        actions: Its training action encoding.
        deterministic: Take the most probable action instead of sampling.
        name: Name for tables and plots; default: the class name.

    Raises:
        ValueError: The model has another type, or its spaces do not fit the arguments.
    """
    if not hasattr(model, "predict") or not hasattr(model, "observation_space"):
        raise ValueError(f"a model of Stable-Baselines3 must have predict; got {shown(model)}")
    size = find_observation(observation).size
    space = model.observation_space
    as_dict = hasattr(space, "spaces")
    vector = space["observation"] if as_dict else space
    if size is not None and vector.shape != (size,):
        raise ValueError(
            f"the model was trained with observations of shape {vector.shape}; "
            f"{observation!r} has ({size},): give the observation that it was trained with"
        )
    # Only algorithms with masks know the argument.
    takes_masks = "action_masks" in type(model).predict.__code__.co_varnames

    def policy(features: F32, mask: I8) -> int:
        given: Any = {"observation": features, "action_mask": mask} if as_dict else features
        masks = {"action_masks": mask} if takes_masks else {}
        action, _ = model.predict(given, deterministic=deterministic, **masks)
        return int(action)

    return from_policy(
        policy, observation=observation, actions=actions, name=name or type(model).__name__
    )


def from_torch(
    module: Any,
    *,
    observation: str = "features_scaled",
    actions: str | tuple[float, ...] = USUAL_ACTIONS,
    deterministic: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> Player:
    """Create a player from a PyTorch module with one logit or value per action.

    Actions are sampled from the softmax over legal actions.

    Args:
        module: Maps a float32 tensor ``(1, n_features)`` to logits or action values ``(1,
            n_actions)``.
        observation: Name of its training observation.
        actions: Its training action encoding.
        deterministic: Take the highest value instead of sampling.
        seed: Seed of the sampling.
        name: Name for tables and plots; default: the class name.
    """
    import torch

    generator = np.random.default_rng(seed)

    def policy(features: F32, mask: I8) -> int:
        with torch.no_grad():
            values = module(torch.from_numpy(features)[None])[0].double().numpy()
        legal = np.where(mask.astype(bool), values, -np.inf)
        if deterministic:
            return int(legal.argmax())
        weights = np.exp(legal - legal.max())
        return int(generator.choice(len(weights), p=weights / weights.sum()))

    return from_policy(
        policy, observation=observation, actions=actions, name=name or type(module).__name__
    )
