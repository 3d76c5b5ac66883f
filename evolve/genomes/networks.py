"""Networks of any shape in one array.

A network is a genome (a flat vector of weights) and the sizes of its hidden layers. Networks of
different shapes share one array: short genomes are padded with zeros. The layout is that of
``agents.players.networks.network``: layer by layer, and within a layer input by input: the weights
of one input to all units, with the bias last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

import agents
from agents.players.networks import ArgmaxNetworkPlayer, pack_networks
from agents.players.networks.network import N_OUTPUTS, count_inputs
from agents.players.networks.networks import NETWORK
from agents.policy.action_interpretation import DEFAULT_INTERPRETATION, ActionInterpretation
from agents.policy.compiled_player import CompiledPlayer
from evolve.genomes.base import Genomes
from nlhe_env.jit.array_types import F32, I64, AnyArray, Bool


def layer_shapes(n_inputs: int, hidden: Sequence[int]) -> list[tuple[int, int]]:
    """Rows and columns of the weights of each layer; the last row belongs to the bias.

    >>> layer_shapes(35, [20])
    [(36, 20), (21, 5)]
    """
    sizes = [n_inputs, *map(int, hidden), N_OUTPUTS]
    return [(sizes[i] + 1, sizes[i + 1]) for i in range(len(sizes) - 1)]


@dataclass(frozen=True, eq=False)
class Networks(Genomes):
    """Batch of networks with the same inputs and equally many layers.

    Attributes:
        weights: ``(n, n_weights)`` genomes, float32, zero beyond the end of each.
        hidden: ``(n, n_hidden_layers)`` units of each network's hidden layers.
        inputs: Name of their observation, as for ``agents.NetworkPlayer``.
        interpretation: Interpretation of their outputs.
        player_class: Class of their players.
        kind: Player kind for kernels.
    """

    player_class: ClassVar[type[agents.NetworkPlayer] | type[ArgmaxNetworkPlayer]] = (
        agents.NetworkPlayer
    )
    kind: ClassVar[agents.Kind] = NETWORK

    weights: F32
    hidden: I64
    inputs: str
    interpretation: ActionInterpretation = DEFAULT_INTERPRETATION

    @classmethod
    def none(
        cls,
        n_hidden_layers: int,
        inputs: str,
        interpretation: ActionInterpretation = DEFAULT_INTERPRETATION,
    ) -> Networks:
        """An empty batch."""
        hidden = np.empty((0, n_hidden_layers), np.int64)
        return cls(np.empty((0, 0), np.float32), hidden, inputs, interpretation)

    @classmethod
    def of_shape(
        cls,
        weights: F32,
        hidden: Sequence[int],
        inputs: str,
        interpretation: ActionInterpretation = DEFAULT_INTERPRETATION,
    ) -> Networks:
        """Networks with equal hidden layers."""
        same = np.tile(np.array(hidden, np.int64), (len(weights), 1))
        return cls(weights, same, inputs, interpretation)

    @classmethod
    def join(cls, *parts: Networks) -> Networks:
        """All networks of several groups, in order.

        Raises:
            ValueError: Their inputs or interpretations differ.
        """
        inputs = {part.inputs for part in parts}
        if len(inputs) > 1:
            raise ValueError(f"networks with different inputs cannot be joined: {sorted(inputs)}")
        if len({part.interpretation for part in parts}) > 1:
            raise ValueError("networks with different action interpretations cannot be joined")
        widest = max(part.weights.shape[1] for part in parts)
        weights = np.zeros((sum(map(len, parts)), widest), np.float32)
        first = 0
        for part in parts:
            weights[first : first + len(part), : part.weights.shape[1]] = part.weights
            first += len(part)
        hidden = np.concatenate([part.hidden for part in parts])
        return replace(parts[0], weights=weights, hidden=hidden)

    def __len__(self) -> int:
        return len(self.weights)

    def __getitem__(self, chosen: slice | I64) -> Networks:
        return replace(self, weights=self.weights[chosen], hidden=self.hidden[chosen])

    def towards(self, other: Networks, step: float) -> Networks:
        """A single network, moved towards another of its shape by a step from 0 to 1."""
        moved = (1.0 - step) * self.weights + step * other.weights
        return replace(self, weights=moved.astype(np.float32))

    def with_random_bias(self, deviation: float, rng: np.random.Generator) -> agents.PlayerBatch:
        """The networks with normal noise added to their outputs, equal for all raises."""
        return self._biased(deviation, rng).pack()

    def _biased(self, deviation: float, rng: np.random.Generator) -> Self:
        weights, rows = self.weights.copy(), np.arange(len(self))[:, np.newaxis]
        bents = rng.normal(0.0, deviation, (len(self), 3)).astype(np.float32)  # fold, call, raise
        weights[rows, self.n_weights[:, np.newaxis] + np.arange(-N_OUTPUTS, 0)] += bents[
            :, [0, 1, 2, 2, 2]
        ]
        return replace(self, weights=weights)

    @property
    def n_weights(self) -> I64:
        """``(n,)`` length of each genome."""
        sizes = [np.full(len(self), count_inputs(self.inputs)), *self.hidden.T]
        sizes.append(np.full(len(self), N_OUTPUTS))
        total = np.zeros(len(self), np.int64)
        for i in range(len(sizes) - 1):
            total += (sizes[i] + 1) * sizes[i + 1]
        return total

    @property
    def used(self) -> Bool:
        """``(n, n_weights)`` True for weights of the network, False for padding."""
        return np.arange(self.weights.shape[1]) < self.n_weights[:, np.newaxis]

    def genome(self, i: int) -> F32:
        """The weights of one network, without padding."""
        weights: F32 = self.weights[i, : self.n_weights[i]]
        return weights

    def key(self, i: int) -> bytes:
        """Bytes that are equal for equal networks."""
        shape: bytes = self.hidden[i].tobytes()
        return shape + self.genome(i).tobytes()

    def to_arrays(self) -> dict[str, AnyArray]:
        """The networks as named arrays."""
        return {"weights": self.weights, "hidden": self.hidden}

    def pack(self) -> agents.PlayerBatch:
        """The networks as a player batch for tournaments."""
        return pack_networks(
            self.weights,
            inputs=self.inputs,
            hidden=self.hidden,
            interpretation=self.interpretation,
            kind=self.kind,
        )

    def player(
        self, i: int, *, name: str, origin: Mapping[str, Any] | None = None
    ) -> CompiledPlayer:
        """One of the networks as a player."""
        return self.player_class(
            self.genome(i),
            inputs=self.inputs,
            hidden=tuple(self.hidden[i].tolist()),
            name=name,
            origin=origin,
            interpretation=self.interpretation,
        )
