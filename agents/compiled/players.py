"""Players: anything that answers an observation with an action, and the compiled ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from agents.compiled import dispatch as choice
from agents.compiled import network
from nlhe_env.arguments import one_of
from nlhe_env.assessment.potential_kernels import SCRATCH
from nlhe_env.equity import StrengthTables, load_tables
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.game import random_stream as rng
from nlhe_env.machine.array_types import F32, F64, I8, I64, Records
from nlhe_env.spaces.actions import N_SIZED
from nlhe_env.spaces.features import KINDS, N_INPUTS

INPUTS = tuple(KINDS)
"""What players can see, under the names of the environment's observations."""


@runtime_checkable
class Agent(Protocol):
    """A player at a table of ``nlhe_env.env``: any object with this method.

    Where it also has ``on_episode_start``, ``on_hand_start``, ``on_hand_end`` or
    ``on_episode_end``, ``agents.play_episode`` calls them; see ``agents.outside.hooks``.
    """

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of a legal action for what ``env.last()`` returned."""


class CompiledPlayer:
    """A player that kernels can run: in whole tournaments without the interpreter, or by ``act``.

    Args:
        name: For tables and plots.
        kind: One of the kinds of ``agents.compiled.dispatch``.
        weights: ``(n,)`` float32, empty for players without.
        inputs: ``"features"``, ``"features_scaled"`` or ``"features_opponents"``: what a player
            with inputs was trained on.
        layers: ``(network.MAX_LAYERS,)`` units of the layers of a network.
    """

    def __init__(
        self,
        name: str,
        kind: int,
        weights: F32 | None = None,
        inputs: str = "features",
        layers: I64 | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.inputs = one_of("inputs", inputs, INPUTS)
        self.weights = np.zeros(0, np.float32) if weights is None else weights
        self.layers = np.zeros(network.MAX_LAYERS, np.int64) if layers is None else layers
        self._work = WorkArrays.new(int(self.layers.max()), assesses=kind == choice.FORMULA)
        self._stream = (0, 0, 0)

    @property
    def sees_inputs(self) -> bool:
        """Whether its decisions depend on the 35 inputs."""
        return choice.FIRST_KIND_WITH_INPUTS <= self.kind < choice.FIRST_RULE

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
            if inputs.shape != (N_INPUTS[KINDS[self.inputs]],):
                raise ValueError(
                    f'{self.name} needs observation="{self.inputs}" or FeaturesWrapper; '
                    f"got a vector of shape {inputs.shape}"
                )
        seed, player, episode = self._stream
        return int(
            choice.choose_alone(
                self.kind,
                self.layers,
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
    """A network with stochastic output; by default of the published shape, 35-20-5.

    Args:
        weights: ``(n_weights,)`` genome, laid out as in ``agents.compiled.network``; 825 weights by
            default.
        inputs: ``"features"`` (raw chips, as published), ``"features_scaled"`` or
            ``"features_opponents"``: what the network was trained on.
        hidden: Units of its hidden layers, one to four of them.
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
        hidden: Sequence[int] = network.PUBLISHED,
        name: str = "network",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        n_inputs = network.N_INPUTS_OF[one_of("inputs", inputs, INPUTS)]
        layers = network.layer_sizes(n_inputs, hidden)
        n_weights = network.count_weights(n_inputs, hidden)
        genome = np.ascontiguousarray(weights, np.float32)
        if genome.shape != (n_weights,) or not np.isfinite(genome).all():
            raise ValueError(
                f"weights must be {n_weights} finite numbers; got shape {genome.shape}"
            )
        super().__init__(name, _network_kind(layers), genome, inputs, layers)
        self.hidden = tuple(hidden)
        self.origin = dict(origin or {})


_PUBLISHED_LAYERS = network.layer_sizes(network.N_INPUTS_OF["features"], network.PUBLISHED)


def _network_kind(layers: I64) -> int:
    """The kind of the network of a shape: the published one has a faster kernel."""
    return choice.NETWORK if np.array_equal(layers, _PUBLISHED_LAYERS) else choice.SHAPED_NETWORK


class FieldArrays(NamedTuple):
    """Who plays, as arrays for the kernels."""

    kinds: I64
    """``(n_players,)``"""
    inputs: I64
    """``(n_players,)`` kinds of inputs, ``nlhe_env.spaces.features.KINDS``."""
    layers: I64
    """``(n_players, network.MAX_LAYERS)`` units of the layers of networks."""
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

    def widest_layer(self) -> int:
        """Most units of a layer."""
        return int(self.arrays.layers.max(initial=0))


def pack(players: Sequence[Agent]) -> Field:
    """A field of these players.

    Raises:
        ValueError: Something is not a compiled player.
    """
    compiled: list[CompiledPlayer] = []
    for player in players:
        if not isinstance(player, CompiledPlayer):
            raise ValueError(f"a compiled tournament needs compiled players; got {player!r}")
        compiled.append(player)
    longest = max((len(player.weights) for player in compiled), default=0)
    weights = np.zeros((len(compiled), longest), np.float32)
    for row, player in zip(weights, compiled, strict=True):
        row[: len(player.weights)] = player.weights
    kinds = np.array([player.kind for player in compiled], np.int64)
    inputs = np.array([KINDS[player.inputs] for player in compiled], np.int64)
    layers = np.array([player.layers for player in compiled], np.int64)
    return Field(FieldArrays(kinds, inputs, layers, weights))


def pack_networks(
    weights: F32,
    inputs: str = "features_scaled",
    hidden: Sequence[int] | I64 = network.PUBLISHED,
) -> Field:
    """A field of networks.

    Args:
        weights: ``(n, n_weights)`` genomes, maybe with padding at the end.
        inputs: What all of them see.
        hidden: Units of the hidden layers: the same for all, or ``(n, depth)`` with zeros where a
            network has fewer layers.

    Raises:
        ValueError: The genomes are too short for such networks.
    """
    genomes = np.ascontiguousarray(weights, np.float32)
    n_inputs = network.N_INPUTS_OF[one_of("inputs", inputs, INPUTS)]
    shapes, which = np.unique(
        np.broadcast_to(np.asarray(hidden, np.int64), (len(genomes), np.shape(hidden)[-1])),
        axis=0,
        return_inverse=True,
    )
    longest = 0
    layers = np.zeros((len(shapes), network.MAX_LAYERS), np.int64)
    kinds = np.zeros(len(shapes), np.int64)
    for i, shape in enumerate(shapes):
        units = tuple(int(n) for n in shape if n > 0)
        layers[i] = network.layer_sizes(n_inputs, units)
        kinds[i] = _network_kind(layers[i])
        longest = max(longest, network.count_weights(n_inputs, units))
    if genomes.ndim != 2 or genomes.shape[1] < longest:
        raise ValueError(f"weights must be (n, {longest}); got shape {genomes.shape}")
    all_inputs = np.full(len(genomes), KINDS[inputs], np.int64)
    return Field(FieldArrays(kinds[which.ravel()], all_inputs, layers[which.ravel()], genomes))


def join(*fields: Field) -> Field:
    """One field of all the players of several, in order."""
    longest = max((field.arrays.weights.shape[1] for field in fields), default=0)
    parts = [
        field.arrays._replace(weights=_padded(field.arrays.weights, longest)) for field in fields
    ]
    return Field(FieldArrays(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True))))


def _padded(weights: F32, length: int) -> F32:
    """Genomes with zeros at the end."""
    return np.pad(weights, ((0, 0), (0, length - weights.shape[1])))


class WorkArrays(NamedTuple):
    """Scratch of one thread."""

    inputs: F32
    hidden: F32
    outputs: F32
    units: F32
    mask: I8
    no_fractions: F64
    assessment: Records

    @classmethod
    def new(cls, widest_layer: int = network.N_HIDDEN, *, assesses: bool = True) -> WorkArrays:
        """New scratch.

        Args:
            widest_layer: Most units of a layer of the networks.
            assesses: Whether somebody may be a ``choice.FORMULA``, which needs 22 kB.
        """
        return cls(
            np.zeros(max(N_INPUTS), np.float32),
            np.zeros(network.HIDDEN_SPACE, np.float32),
            np.zeros(network.OUTPUT_SPACE, np.float32),
            np.zeros((2, max(widest_layer, network.OUTPUT_SPACE)), np.float32),
            np.zeros(N_SIZED, np.int8),
            np.zeros(0),
            np.zeros(int(assesses), SCRATCH),
        )
