"""Players: anything that answers an observation with an action, and the compiled ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from agents.policy import kinds
from agents.policy.action_interpretation import DEFAULT_INTERPRETATION, ActionInterpretation
from agents.policy.kinds import Kind, find_kind, make_sizes
from agents.policy.view import MOST_SIZES
from nlhe_env.arguments import array, one_of
from nlhe_env.game import random_stream as rng
from nlhe_env.jit.array_types import F32, I64, U8
from nlhe_env.spaces.observations import observation_names

if TYPE_CHECKING:
    from nlhe_env.envs.aec import raw_env


@runtime_checkable
class Player(Protocol):
    """A player at a table of ``nlhe_env.env``: any object with this method.

    Where it also has ``on_episode_start``, ``on_hand_start``, ``on_hand_end`` or
    ``on_episode_end``, ``agents.play_episode`` calls them; see ``agents.external.hooks``.
    """

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of a legal action for what ``env.last()`` returned."""


class CompiledPlayer:
    """A player that kernels can run: in whole tournaments without the interpreter, or by ``act``.

    Args:
        name: For tables and plots.
        kind: A kind of ``agents.policy.kinds``, or its name.
        weights: ``(n,)`` finite numbers, kept as float32; empty for players without.
        inputs: Observation that a player with inputs was trained on, of fixed size, such as
            ``"features"`` or ``"features_scaled"``.
        sizes: Further whole numbers of the kind, such as the units of layers.
        origin: Where it comes from: experiment, generation and so on; plain values.
        interpretation: How its impossible choices are handled.
        book: Bytes that its kind looks things up in; players may share them.

    Raises:
        ValueError: The kind is unknown, such a player has another number of weights, an array is
            not as above, or the kind cannot read what stands in it.
    """

    def __init__(
        self,
        name: str,
        kind: Kind | str,
        weights: F32 | None = None,
        inputs: str = "features",
        sizes: I64 | None = None,
        origin: Mapping[str, Any] | None = None,
        interpretation: ActionInterpretation = DEFAULT_INTERPRETATION,
        book: U8 | None = None,
    ) -> None:
        self.name = name
        self.kind = find_kind(kind) if isinstance(kind, str) else kind
        self.inputs = one_of("inputs", inputs, observation_names(of_fixed_size=True))
        numbers = np.zeros(0, np.float32) if weights is None else weights
        self.weights: F32 = array("weights", numbers, (None,), dtype=np.float32)
        units = make_sizes() if sizes is None else sizes
        self.sizes: I64 = array("sizes", units, (MOST_SIZES,), dtype=np.int64, least=0)
        self.origin = dict(origin or {})
        self.interpretation = interpretation
        self.book = None if book is None else array("book", book, (None,), dtype=np.uint8)
        if self.kind.n_weights is not None:
            expected = kinds.count(self.kind.n_weights, self.sizes)
            if self.weights.shape != (expected,):
                raise ValueError(
                    f"weights must be {expected} numbers for the kind {self.kind.name!r}; "
                    f"got shape {self.weights.shape}"
                )
        if self.kind.checks_player is not None:
            self.kind.checks_player(self)
        self._stream = (0, 0, 0)
        self._alone: Any = None

    @property
    def sees_inputs(self) -> bool:
        """Whether its decisions depend on a feature vector."""
        return self.kind.wants == "inputs"

    def begin(self, seed: int, player: int, episode: int = 0) -> None:
        """Take a seat: the player's own randomness follows from these numbers.

        With the seed of ``env.reset``, the number of the agent and the number of the episode under
        that seed, the player decides exactly as it does inside compiled tournaments.
        """
        self._stream = (rng.make_seed(seed), player, episode)

    def follow(self, env: raw_env, agent: str) -> None:
        """Listen to an environment, from its next ``reset`` on.

        A player with memory must, before it can ``act``; ``agents.Lineup`` and
        ``agents.play_episode`` see to it themselves.
        """
        self._own_door().follow(env, agent)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of the chosen action.

        Args:
            observation: With ``"action_mask"``. A player with inputs needs ``"observation"`` to be
                what ``inputs`` names; one that wants the table that of ``observation="cards"``.
            info: Info of the same turn.

        Raises:
            ValueError: The environment has another action encoding or observation, or the player
                has memory and follows no game.
        """
        action_id: int = self._own_door().act(observation, info, self._stream)
        return action_id

    def _own_door(self) -> Any:
        if self._alone is None:
            from agents.policy.single_policy import SinglePolicy  # it packs players

            self._alone = SinglePolicy(self)
        return self._alone

    def __getstate__(self) -> dict[str, Any]:
        """State without scratch, which holds addresses of this process."""
        return {**self.__dict__, "_alone": None}
