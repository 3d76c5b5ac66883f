"""Players: anything that answers an observation with an action, and the compiled ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from agents import choice, network
from nlhe_env import rng
from nlhe_env._types import F32, F64, I8, I64
from nlhe_env.actions import N_SIZED
from nlhe_env.config import choice as one_of
from nlhe_env.equity import StrengthTables, load_tables
from nlhe_env.equity.store import blank_tables
from nlhe_env.features import N_FEATURES, RAW, SCALED

INPUTS = ("features", "features_scaled")


@runtime_checkable
class Agent(Protocol):
    """A player at a table of ``nlhe_env.env``."""

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of a legal action for what ``env.last()`` returned."""


class CompiledPlayer:
    """A player that kernels can run: in whole tournaments without the interpreter, or by ``act``.

    Args:
        name: For tables and plots.
        kind: One of the kinds of ``agents.choice``.
        weights: ``(n,)`` float32, empty for players without.
        inputs: ``"features"`` or ``"features_scaled"``: what a player with inputs was trained on.
    """

    def __init__(
        self, name: str, kind: int, weights: F32 | None = None, inputs: str = "features"
    ) -> None:
        self.name = name
        self.kind = kind
        self.inputs = one_of("inputs", inputs, INPUTS)
        self.weights = np.zeros(0, np.float32) if weights is None else weights
        self._work = WorkArrays.new()
        self._stream = (0, 0, 0)

    @property
    def sees_inputs(self) -> bool:
        """Whether its decisions depend on the 35 inputs."""
        return self.kind >= choice.FIRST_KIND_WITH_INPUTS

    @property
    def scaling(self) -> int:
        """How its inputs are scaled: ``RAW`` or ``SCALED``."""
        return SCALED if self.inputs == "features_scaled" else RAW

    def begin(self, seed: int, player: int, episode: int = 0) -> None:
        """Take a seat: the player's own randomness follows from these numbers.

        With the seed of ``env.reset``, the number of the agent and the number of the episode under
        that seed, the player decides exactly as it does inside compiled tournaments.
        """
        self._stream = (rng.make_seed(seed), player, episode)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of the chosen action, in an environment with ``actions="sized"``.

        Args:
            observation: With ``"action_mask"``; for a player with inputs, ``"observation"`` must
                be what ``inputs`` names.
            info: Of the same turn.

        Raises:
            ValueError: The environment has another action encoding or observation.
        """
        mask = observation["action_mask"]
        if len(mask) != N_SIZED:
            raise ValueError(
                f'{self.name} chooses among {N_SIZED} actions: use actions="sized", or '
                f"agents.play_episode for any encoding; got {len(mask)} actions"
            )
        inputs = self._work.inputs
        if self.sees_inputs:
            inputs = observation["observation"]
            if inputs.shape != (N_FEATURES,):
                raise ValueError(
                    f'{self.name} needs observation="{self.inputs}" or FeaturesWrapper; '
                    f"got a vector of shape {inputs.shape}"
                )
        seed, player, episode = self._stream
        return int(
            choice.choose_alone(
                self.kind,
                self.weights,
                inputs,
                mask,
                self._work,
                np.uint64(seed),
                player,
                episode,
                info["hand_number"],
                info["decision"],
            )
        )


class NetworkPlayer(CompiledPlayer):
    """The published 35-20-5 network with stochastic output.

    Args:
        weights: ``(825,)`` genome, laid out as in ``agents.network``.
        inputs: ``"features"`` (raw chips, as published) or ``"features_scaled"``: what the
            network was trained on.
        name: For tables and plots.
        origin: Where it comes from: experiment, generation and so on; plain values.

    Raises:
        ValueError: The weights have another shape or are not finite.
    """

    def __init__(
        self,
        weights: Any,
        *,
        inputs: str = "features_scaled",
        name: str = "network",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        genome = np.ascontiguousarray(weights, np.float32)
        if genome.shape != (network.N_WEIGHTS,) or not np.isfinite(genome).all():
            raise ValueError(
                f"weights must be {network.N_WEIGHTS} finite numbers; got shape {genome.shape}"
            )
        super().__init__(name, choice.NETWORK, genome, inputs)
        self.origin = dict(origin or {})


class FieldArrays(NamedTuple):
    """Who plays, as arrays for the kernels."""

    kinds: I64
    """``(n_players,)``"""
    scalings: I64
    """``(n_players,)``"""
    weights: F32
    """``(n_players, n_weights)``, a row as long as the longest needs."""


@dataclass(frozen=True)
class Field:
    """The players of a tournament, in the order of their places in the results."""

    arrays: FieldArrays

    def __len__(self) -> int:
        return len(self.arrays.kinds)

    def strength_tables(self) -> StrengthTables:
        """What the kernels need to play them: ``load_tables()``, if anybody looks at the inputs."""
        looks = bool((self.arrays.kinds >= choice.FIRST_KIND_WITH_INPUTS).any())
        return load_tables() if looks else blank_tables()


def pack(players: Sequence[CompiledPlayer]) -> Field:
    """A field of these players.

    Raises:
        ValueError: Something is not a compiled player.
    """
    for player in players:
        if not isinstance(player, CompiledPlayer):
            raise ValueError(f"a compiled tournament needs compiled players; got {player!r}")
    weights = np.zeros((len(players), network.N_WEIGHTS), np.float32)
    for row, player in zip(weights, players, strict=True):
        row[: len(player.weights)] = player.weights
    kinds = np.array([player.kind for player in players], np.int64)
    scalings = np.array([player.scaling for player in players], np.int64)
    return Field(FieldArrays(kinds, scalings, weights))


def pack_networks(weights: F32, inputs: str = "features_scaled") -> Field:
    """A field of networks.

    Args:
        weights: ``(n, 825)`` genomes.
        inputs: What all of them see.
    """
    genomes = np.ascontiguousarray(weights, np.float32)
    if genomes.ndim != 2 or genomes.shape[1] != network.N_WEIGHTS:
        raise ValueError(f"weights must be (n, {network.N_WEIGHTS}); got shape {genomes.shape}")
    scaling = SCALED if one_of("inputs", inputs, INPUTS) == "features_scaled" else RAW
    kinds = np.full(len(genomes), choice.NETWORK, np.int64)
    return Field(FieldArrays(kinds, np.full(len(genomes), scaling, np.int64), genomes))


def join(*fields: Field) -> Field:
    """One field of all the players of several, in order."""
    parts = [field.arrays for field in fields]
    return Field(FieldArrays(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True))))


class WorkArrays(NamedTuple):
    """Scratch of one thread."""

    inputs: F32
    hidden: F32
    outputs: F32
    mask: I8
    no_fractions: F64

    @classmethod
    def new(cls) -> WorkArrays:
        """New scratch."""
        return cls(
            np.zeros(N_FEATURES, np.float32),
            np.zeros(network.HIDDEN_SPACE, np.float32),
            np.zeros(network.OUTPUT_SPACE, np.float32),
            np.zeros(N_SIZED, np.int8),
            np.zeros(0),
        )
