"""The player protocol, and compiled players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

import numpy as np

from agents.policy import kinds
from agents.policy.action_interpretation import DEFAULT_INTERPRETATION, ActionInterpretation
from agents.policy.kinds import Kind, find_kind, make_sizes
from agents.policy.view import MOST_SIZES
from nlhe_env.arguments import array, shown
from nlhe_env.game import random_stream as rng
from nlhe_env.jit.array_types import F32, I64, U8
from nlhe_env.spaces.observations import find_observation

if TYPE_CHECKING:
    from nlhe_env.envs.aec import raw_env


@runtime_checkable
class Player(Protocol):
    """Protocol of players in ``nlhe_env.env``: any object with this method.

    ``agents.play_episode`` also calls the optional methods ``on_episode_start``, ``on_hand_start``,
    ``on_hand_end`` and ``on_episode_end``; see ``agents.external.hooks``.
    """

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Choose a legal action id for the result of ``env.last()``."""


class CompiledPlayer:
    """A compiled player, for tournaments without the interpreter or for ``act``.

    Args:
        name: Name for tables and plots.
        kind: A kind of ``agents.policy.kinds``, or its name.
        weights: ``(n,)`` finite numbers, stored as float32; empty for players without weights.
        inputs: Training observation of a player with inputs, of fixed size, such as ``"features"``
            or ``"features_scaled"``.
        sizes: Further integers of the kind, such as layer sizes.
        origin: Origin as plain values, such as experiment and generation.
        interpretation: Interpretation of its illegal choices.
        book: Lookup data of its kind, as bytes; players may share it.
        checked: Skip the kind's check of weights that were checked when they were made.

    Raises:
        ValueError: The name is not printable, the kind is unknown, the number of weights is wrong,
            an array is invalid, or the kind rejects its values.
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
        *,
        checked: bool = False,
    ) -> None:
        if not (isinstance(name, str) and name.isprintable()):
            raise ValueError(f"name must be text on one line, without escapes; got {shown(name)}")
        self.name = name
        self.kind = find_kind(kind) if isinstance(kind, str) else kind
        self.inputs = find_observation(inputs, argument="inputs", of_fixed_size=True).name
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
        if self.kind.checks_player is not None and not checked:
            self.kind.checks_player(self)
        self._stream = (0, 0, 0)
        self._single: Any = None

    @classmethod
    def restore(cls, **saved: Any) -> Self:
        """Restore a player from a file's values, the arguments of ``CompiledPlayer``.

        Subclasses may have other constructor arguments, but must be restorable from these.

        Raises:
            ValueError: See the class.
        """
        player = cls.__new__(cls)
        CompiledPlayer.__init__(player, **saved)
        return player

    @property
    def sees_inputs(self) -> bool:
        """Whether its decisions depend on a feature vector."""
        return self.kind.wants == "inputs"

    def begin(self, seed: int, player: int, episode: int = 0) -> None:
        """Start a game with the player's random stream for these numbers.

        With the seed of ``env.reset``, the agent number and the episode number, the player decides
        exactly as in compiled tournaments.
        """
        self._stream = (rng.make_seed(seed), player, episode)

    def follow(self, env: raw_env, agent: str) -> None:
        """Follow an environment's events from its next ``reset`` on.

        A player with memory requires this before ``act``; ``agents.Lineup`` and
        ``agents.play_episode`` call it automatically.
        """
        self._single_policy().follow(env, agent)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Choose an action id.

        Args:
            observation: Dictionary with ``"action_mask"`` and ``"observation"``: for a player with
                inputs that of ``inputs``, and for a player that reads the table ``"cards"``.
            info: Info of the same turn.

        Raises:
            ValueError: The environment has another action encoding or observation, or a player with
                memory does not follow a game.
        """
        action_id: int = self._single_policy().act(observation, info, self._stream)
        return action_id

    def _single_policy(self) -> Any:
        if self._single is None:
            from agents.policy.single_policy import SinglePolicy  # its kernels only when needed

            self._single = SinglePolicy(self)
        return self._single

    def __getstate__(self) -> dict[str, Any]:
        """State without scratch, which holds addresses of this process."""
        return {**self.__dict__, "_single": None}
