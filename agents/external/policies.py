"""Trained policies from other libraries as players."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping
from inspect import signature
from typing import Any, Literal, cast

import numpy as np

from agents.external.chips import check_full
from agents.policy.compiled_player import Player
from nlhe_env.arguments import action_id, one_of, shown
from nlhe_env.jit.array_types import F32, I8
from nlhe_env.spaces.actions import CHIPS, ActionEncoding
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
        observation_size: Length of its observation; None for any.
        known_seats: Numbers of players of the games that it knows; None for all.
        known_betting: Betting structures that it knows; None for all.
    """

    observation_size: int | None = None

    def __init__(
        self,
        policy: Callable[[F32, I8], int],
        *,
        observation: str = "features_scaled",
        actions: str | tuple[float, ...] = USUAL_ACTIONS,
        name: str = "policy",
        seats: int | Collection[int] | None = None,
        betting: str | Collection[str] | None = None,
    ) -> None:
        self.known_seats, self.known_betting = seats, betting
        self.observation = find_observation(observation).name
        ActionEncoding.of(actions)  # rejects invalid encodings
        self.actions = actions
        self.name = name
        self._policy = policy

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Action id chosen by the policy."""
        return _id_or_answer(self._policy(observation["observation"], observation["action_mask"]))


class Sb3Player(PolicyPlayer):
    """Player from a model of Stable-Baselines3, with the state of a recurrent policy.

    See ``from_sb3``. A player with a state can hold one seat at a time.
    """

    def __init__(
        self, model: Any, vec_normalize: Any, deterministic: bool, one_hand: bool, **options: Any
    ) -> None:
        super().__init__(self._predict, **options)
        self._model, self._vec_normalize = model, vec_normalize
        self._deterministic, self._one_hand = deterministic, one_hand
        self._as_dict = hasattr(model.observation_space, "spaces")
        # Only algorithms with masks, and only recurrent ones, know their arguments.
        self._known = frozenset(signature(model.predict).parameters)
        self._state: Any = None
        self._last: Any = None  # hand and decision

    def on_episode_start(self, info: Mapping[str, Any]) -> None:
        """Forget the state."""
        self._state = None

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Action id chosen by the model."""
        hand, decision = info.get("hand_number"), info.get("decision")
        if self._state is not None:
            check_full(info)
            # Custom loops do not announce the start of an episode, but its numbers start anew.
            if (hand, decision) <= self._last or (self._one_hand and hand != self._last[0]):
                self._state = None
        self._last = hand, decision
        return super().act(observation, info)

    def _predict(self, features: F32, mask: I8) -> int:
        given: Any = {"observation": features, "action_mask": mask} if self._as_dict else features
        if self._vec_normalize is not None:
            given = self._vec_normalize.normalize_obs(given)
        options = {
            "action_masks": mask,
            "state": self._state,
            "episode_start": np.array([self._state is None]),
            "deterministic": self._deterministic,
        }
        known = {name: value for name, value in options.items() if name in self._known}
        chosen, self._state = self._model.predict(given, **known)
        return _id_or_answer(chosen)


def _id_or_answer(answer: Any) -> int:
    """The answer as an integer; any other answer as it is, so that an error can show it."""
    with contextlib.suppress(TypeError):
        answer = action_id(answer)
    return cast("int", answer)


def from_policy(
    policy: Callable[[F32, I8], int],
    *,
    observation: str = "features_scaled",
    actions: str | tuple[float, ...] = USUAL_ACTIONS,
    name: str = "policy",
    seats: int | Collection[int] | None = None,
    betting: str | Collection[str] | None = None,
) -> Player:
    """Create a player from a function of an observation and an action mask.

    Args:
        policy: Function of a float32 vector and an int8 mask of legal actions; returns an action
            id.
        observation: Name of its observation, see ``nlhe_env.env``.
        actions: Its action encoding.
        name: Name for tables and plots.
        seats: Number of players of the games that it knows, or several; default: any.
        betting: Betting structure that it knows, or several; default: any.

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
    return PolicyPlayer(
        policy, observation=observation, actions=actions, name=name, seats=seats, betting=betting
    )


def from_sb3(
    model: Any,
    *,
    observation: str = "features_scaled",
    actions: str | tuple[float, ...] = USUAL_ACTIONS,
    deterministic: bool = False,
    vec_normalize: Any = None,
    memory: Literal["session", "hand"] = "session",
    name: str | None = None,
) -> Player:
    """Create a player from a Stable-Baselines3 or sb3-contrib model, such as ``MaskablePPO``.

    A model without masks may choose illegal actions: the bench counts them, and elsewhere they
    raise errors. A recurrent model, such as ``RecurrentPPO``, keeps its state from one decision to
    the next; its player can hold one seat at a time.

    Args:
        model: The trained model. Loading a model file unpickles it: use trusted files.
        observation: Name of its training observation.
        actions: Its training action encoding.
        deterministic: Take the most probable action instead of sampling.
        vec_normalize: ``VecNormalize`` of the training, whose statistics normalise observations;
            default: that of the model's own environment, if it has one. A model loaded from a file
            has none: load the statistics with ``VecNormalize.load``.
        memory: Whether a recurrent model keeps its state for a whole session, or for one hand, if
            a hand was an episode of its training.
        name: Name for tables and plots; default: the class name.

    Raises:
        ValueError: The model has another type, or its spaces do not fit the arguments.
    """
    if not hasattr(model, "predict") or not hasattr(model, "observation_space"):
        raise ValueError(f"a model of Stable-Baselines3 must have predict; got {shown(model)}")
    one_hand = one_of("memory", memory, ("session", "hand")) == "hand"
    size = find_observation(observation).size
    space = model.observation_space
    if hasattr(space, "spaces") and set(space.spaces) != {"observation", "action_mask"}:
        raise ValueError(
            'the keys of the model\'s observations must be "observation" and "action_mask"; got '
            f"{', '.join(map(shown, space.spaces))}"
        )
    vector = space["observation"] if hasattr(space, "spaces") else space
    if size is not None and vector.shape != (size,):
        raise ValueError(
            f"the model was trained with observations of shape {vector.shape}; "
            f"{observation!r} has ({size},): give the observation that it was trained with"
        )
    encoding = ActionEncoding.of(actions)
    ids = getattr(getattr(model, "action_space", None), "n", None)
    if ids is not None and encoding.kind != CHIPS and ids != encoding.size(0):
        raise ValueError(
            f"the model was trained with {ids} actions; actions={actions!r} has "
            f"{encoding.size(0)}: give those that it was trained with"
        )
    if vec_normalize is None and hasattr(model, "get_vec_normalize_env"):
        vec_normalize = model.get_vec_normalize_env()
    if vec_normalize is not None and not hasattr(vec_normalize, "normalize_obs"):
        raise ValueError(f"vec_normalize must be a VecNormalize; got {shown(vec_normalize)}")
    player = Sb3Player(
        model,
        vec_normalize,
        deterministic,
        one_hand,
        observation=observation,
        actions=actions,
        name=name or type(model).__name__,
    )
    player.observation_size = vector.shape[0]
    return player


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

    Raises:
        ValueError: At a decision, the module has not one value per action.
    """
    import torch

    generator = np.random.default_rng(seed)

    def policy(features: F32, mask: I8) -> int:
        with torch.no_grad():
            values = module(torch.from_numpy(features)[None])[0].double().numpy()
        if values.shape != mask.shape:
            raise ValueError(
                f"the module gives values of shape {values.shape} for a decision with {len(mask)} "
                f"actions: give the action encoding that it was trained with; got {actions!r}"
            )
        legal = np.where(mask.astype(bool), values, -np.inf)
        if deterministic:
            return int(legal.argmax())
        weights = np.exp(legal - legal.max())
        return int(generator.choice(len(weights), p=weights / weights.sum()))

    return from_policy(
        policy, observation=observation, actions=actions, name=name or type(module).__name__
    )
