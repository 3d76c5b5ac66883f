"""NEAT genomes: lists of connection genes with innovation numbers, played as sparse networks.

Source: K. O. Stanley and R. Miikkulainen, "Evolving Neural Networks through Augmenting Topologies"
(Evolutionary Computation 10, 2002), section 3. Networks are feed-forward, and the bias is an
additional input. A structure has the same innovation number in the whole run, not only within a
generation (section 3.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

import agents
from agents.players.networks import NetworkLink, NetworkNode, SparseNetwork, SparseNetworkPlayer
from agents.players.networks.network import N_OUTPUTS, count_inputs
from agents.policy.action_interpretation import IllegalActionRule, RaiseSizes
from evolve.genomes.base import GenomeKind, Genomes
from evolve.genomes.neat_genes import Genes, Innovations, compatibility_distances
from evolve.genomes.neat_variation import NeatVariation
from nlhe_env.jit.array_types import F64, I64, AnyArray

_GENE_BYTES = 13


@dataclass(frozen=True, eq=False)
class NeatGenomes(Genomes):
    """Batch of NEAT genomes of one run.

    Attributes:
        genes: Connection genes of each genome.
        innovations: Meaning of their innovation numbers.
        form: Their kind, which defines the networks.
    """

    genes: tuple[Genes, ...]
    innovations: Innovations
    form: NeatKind

    @property
    def n_inputs(self) -> int:
        """Inputs of the networks, without the bias."""
        return self.form.n_inputs

    @property
    def n_outputs(self) -> int:
        """Outputs of the networks."""
        return self.form.n_outputs

    @classmethod
    def join(cls, *parts: NeatGenomes) -> NeatGenomes:
        """All genomes of one or more groups, in order.

        Raises:
            ValueError: The groups have incompatible innovation numbers.
        """
        latest = max(parts, key=lambda part: len(part.innovations.pairs)).innovations
        if not all(latest.is_after(part.innovations) for part in parts):
            raise ValueError("genomes cannot be joined: they come from different histories")
        return replace(
            parts[0], genes=tuple(g for part in parts for g in part.genes), innovations=latest
        )

    def __len__(self) -> int:
        return len(self.genes)

    def __getitem__(self, rows: slice | I64) -> NeatGenomes:
        chosen = np.arange(len(self))[rows]
        return replace(self, genes=tuple(self.genes[i] for i in chosen))

    def key(self, i: int) -> bytes:
        """Bytes that are equal for equal genomes."""
        return b"".join(array.tobytes() for array in self.genes[i])

    def n_hidden(self, i: int) -> int:
        """Number of hidden nodes of one genome."""
        targets = self.innovations.pairs[self.genes[i].innovations, 1]
        return len(np.unique(targets[targets >= self.n_outputs]))

    def network(self, i: int) -> SparseNetwork:
        """Network of the enabled genes of one genome."""
        genes, n_outputs = self.genes[i], self.n_outputs
        pairs = self.innovations.pairs[genes.innovations]
        shown = pairs[genes.enabled].tolist(), genes.weights[genes.enabled].tolist()
        biases, links = dict[int, float](), list[NetworkLink]()
        for (source, target), weight in zip(*shown, strict=True):
            if source == -1 - self.n_inputs:
                biases[target] = weight
            else:
                links.append(NetworkLink(source, target, weight))
        ids = {*range(n_outputs), *pairs[:, 1].tolist()}
        nodes = tuple(
            NetworkNode(
                node, biases.get(node, 0.0), "sigmoid" if node < n_outputs else self.form.activation
            )
            for node in sorted(ids)
        )
        return SparseNetwork(self.n_inputs, n_outputs, nodes, tuple(links))

    def distances(self, i: int, *, excess: float, disjoint: float, weights: float) -> F64:
        """``(n,)`` compatibility distances of all genomes to one of them.

        Args:
            i: Index of that genome.
            excess: Coefficient of excess genes.
            disjoint: Coefficient of disjoint genes.
            weights: Coefficient of the mean difference of weights.
        """
        return compatibility_distances(
            self.genes[i], self.genes, excess=excess, disjoint=disjoint, weights=weights
        )

    def pack(self) -> agents.PlayerBatch:
        """The genomes as a player batch."""
        return agents.pack_players([self.player(i, name="neat") for i in range(len(self))])

    def player(
        self, i: int, *, name: str, origin: Mapping[str, Any] | None = None
    ) -> SparseNetworkPlayer:
        """One of the genomes as a player."""
        return SparseNetworkPlayer(
            self.network(i),
            inputs=self.form.inputs,
            name=name,
            origin=origin,
            interpretation=self.form.interpretation,
        )

    def to_arrays(self) -> dict[str, AnyArray]:
        """Gene counts, concatenated genes, and innovations."""
        innovations, weights, enabled = zip(*self.genes, strict=True) if self.genes else ((),) * 3
        return {
            "lengths": np.array([len(each) for each in innovations], np.int64),
            "genes": np.concatenate([np.zeros(0, np.int64), *innovations]),
            "weights": np.concatenate([np.zeros(0, np.float32), *weights]),
            "enabled": np.concatenate([np.zeros(0, np.bool_), *enabled]),
            "pairs": self.innovations.pairs,
            "splits": self.innovations.splits,
        }


@dataclass(frozen=True, kw_only=True)
class NeatKind(GenomeKind):
    """Networks whose structure evolves (NEAT)."""

    variation = NeatVariation
    player_kind = "sparse-network"

    inputs: str = "features_unit"
    """Observation of a network, of fixed size."""

    activation: ClassVar[str] = "sigmoid"
    """Activation function of hidden nodes: "sigmoid", "tanh", "relu" or "identity"."""

    connected: ClassVar[float] = 1.0
    """Share of input-output links in the first generation."""

    illegal_action: IllegalActionRule = "masked"
    """Handling of illegal actions: "masked" shares their probability among the legal ones; "call"
    plays a check or an (all-in) call."""

    raise_sizes: RaiseSizes = "standard"
    """Handling of published raise sizes below the minimum raise: "standard" raises by the minimum;
    "verbatim" calls if the size does not exceed the amount to call."""

    def __post_init__(self) -> None:
        count_inputs(self.inputs)
        self.interpretation  # noqa: B018  (checks the values)

    def check_partners(self, config: Any) -> None:
        """Check that there is one history of innovations."""
        super().check_partners(config)
        if config.optimizer.n_sub_populations > 1:
            raise ValueError(
                'sub_populations must be 1 with genomes "neat", whose innovation numbers have one '
                f"history; got {config.optimizer.n_sub_populations}"
            )

    @property
    def interpretation(self) -> agents.ActionInterpretation:
        """Interpretation of the outputs of networks."""
        return agents.ActionInterpretation(
            illegal_action=self.illegal_action, raise_sizes=self.raise_sizes
        )

    @property
    def n_inputs(self) -> int:
        """Inputs of a network, without the bias."""
        return count_inputs(self.inputs)

    @property
    def n_outputs(self) -> int:
        """Outputs of a network."""
        return N_OUTPUTS

    def genome_bytes(self, variation: Any) -> int:
        """Bytes of the genes of an initial network."""
        return _GENE_BYTES * int(self.connected * self.n_inputs * self.n_outputs)

    def none(self) -> NeatGenomes:
        """An empty batch, whose innovations are the links from inputs and bias to outputs."""
        sources = [-1 - i for i in range(self.n_inputs + 1)]
        pairs = [(source, target) for source in sources for target in range(self.n_outputs)]
        innovations = Innovations(np.array(pairs, np.int64), np.zeros(0, np.int64))
        return NeatGenomes((), innovations, self)

    def first(self, n: int, variation: NeatVariation, *, rng: np.random.Generator) -> NeatGenomes:
        """Networks without hidden nodes (section 3.4), with random weights."""
        none = self.none()
        total = len(none.innovations.pairs)
        # All networks have a bias at every output.
        n_free = total - self.n_outputs

        def draw() -> Genes:
            kept = rng.random(n_free) < self.connected
            innovations = np.flatnonzero(np.append(kept, np.ones(self.n_outputs, bool)))
            weights = rng.normal(0.0, variation.weight_deviation, len(innovations))
            return Genes(innovations, weights.astype(np.float32), np.ones(len(innovations), bool))

        return replace(none, genes=tuple(draw() for _ in range(n)))

    def from_arrays(self, arrays: Mapping[str, AnyArray]) -> NeatGenomes:
        """Genomes from the arrays of ``to_arrays``."""
        ends = np.cumsum(np.asarray(arrays["lengths"], np.int64))[:-1]
        parts = (
            np.split(np.asarray(arrays["genes"], np.int64), ends),
            np.split(np.asarray(arrays["weights"], np.float32), ends),
            np.split(np.asarray(arrays["enabled"], np.bool_), ends),
        )
        genes = tuple(Genes(*each) for each in zip(*parts, strict=True))
        pairs = np.asarray(arrays["pairs"], np.int64)
        innovations = Innovations(pairs, np.asarray(arrays["splits"], np.int64))
        return NeatGenomes(genes[: len(arrays["lengths"])], innovations, self)
