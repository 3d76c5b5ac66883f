"""NEAT genomes: lists of connection genes with innovation numbers, played as sparse networks.

Source: K. O. Stanley and R. Miikkulainen, "Evolving Neural Networks through Augmenting Topologies"
(Evolutionary Computation 10, 2002), sections 3 and 4.1, whose rates are the defaults. Networks are
feed-forward. A structure has the same innovation number in the whole run, not only within a
generation (section 3.2). Node numbers are those of neat-python: inputs -1, -2, ..., then the bias
as an additional input, outputs 0, 1, ..., then hidden nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

import agents
from agents.players.networks import NetworkLink, NetworkNode, SparseNetwork, SparseNetworkPlayer
from agents.players.networks.network import N_OUTPUTS, count_inputs
from agents.policy.action_interpretation import IllegalActionRule, RaiseSizes
from evolve.genomes.base import GenomeKind, Genomes, Parents, Variation
from nlhe_env.arguments import share
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray, Bool

_SMALL_GENOME = 20
"""Genome size below which distances are not divided by it (section 3.3)."""
_GENE_BYTES = 13
"""Bytes of a gene in arrays."""
_TRIES = 20
"""Random pairs of nodes to try for a new link."""


class Genes(NamedTuple):
    """Connection genes of one genome, sorted by innovation number.

    The structure never has a cycle, disabled genes included.
    """

    innovations: I64
    """``(n,)`` innovation number of each gene."""
    weights: F32
    enabled: Bool


@dataclass(frozen=True, eq=False)
class Innovations:
    """Innovation numbers and hidden nodes of a run (section 3.2).

    Attributes:
        pairs: ``(n, 2)`` source and target node of every innovation number.
        splits: ``(m,)`` innovation number of the link that each hidden node split.
    """

    pairs: I64
    splits: I64

    def is_after(self, other: Innovations) -> bool:
        """Whether these innovations continue, or equal, another history."""
        n, m = len(other.pairs), len(other.splits)
        return np.array_equal(self.pairs[:n], other.pairs) and np.array_equal(
            self.splits[:m], other.splits
        )


class InnovationLog:
    """Log of innovations among new children, so that equal structures get equal numbers.

    Args:
        innovations: Earlier innovations.
        n_outputs: Outputs of the networks, and number of the first hidden node.
    """

    def __init__(self, innovations: Innovations, n_outputs: int) -> None:
        self.pairs: list[tuple[int, int]] = [(a, b) for a, b in innovations.pairs.tolist()]
        self._splits: list[int] = innovations.splits.tolist()
        self._numbers = {pair: i for i, pair in enumerate(self.pairs)}
        self._n_outputs = n_outputs
        self._nodes: dict[int, list[int]] = {}
        for node, split in enumerate(self._splits, n_outputs):
            self._nodes.setdefault(split, []).append(node)

    def innovations(self) -> Innovations:
        """All innovations, including the new ones."""
        pairs = np.array(self.pairs, np.int64).reshape(-1, 2)
        return Innovations(pairs, np.array(self._splits, np.int64))

    def link(self, source: int, target: int) -> int:
        """The innovation number of a link."""
        number = self._numbers.setdefault((source, target), len(self.pairs))
        if number == len(self.pairs):
            self.pairs.append((source, target))
        return number

    def node_in(self, split: int, taken: AbstractSet[int]) -> int:
        """Number of a hidden node that splits a link and is new to a genome."""
        known = self._nodes.setdefault(split, [])
        for node in known:
            if node not in taken:
                return node
        node = self._n_outputs + len(self._splits)
        known.append(node)
        self._splits.append(split)
        return node


def compatibility_distances(
    first: Genes, others: Sequence[Genes], *, excess: float, disjoint: float, weights: float
) -> F64:
    """``(n,)`` compatibility distances of genomes to one genome (section 3.3, equation 1).

    Args:
        first: Genome to compare with.
        others: Genomes with at least one gene each, like ``first``.
        excess: Coefficient of genes beyond the last one of the other genome.
        disjoint: Coefficient of other genes that only one of them has.
        weights: Coefficient of the mean weight difference of matching genes.
    """
    n = len(others)
    lengths = np.array([len(each.innovations) for each in others])
    lasts = np.array([each.innovations[-1] for each in others])
    # The genes of all genomes in one array, so that every sum below is a count per genome.
    owner = np.repeat(np.arange(n), lengths)
    innovations = np.concatenate([each.innovations for each in others])
    known = np.full(max(int(lasts.max()), int(first.innovations[-1])) + 1, np.nan)
    known[first.innovations] = first.weights
    differences = np.abs(np.concatenate([each.weights for each in others]) - known[innovations])
    matching = ~np.isnan(differences)
    n_matching = np.bincount(owner[matching], minlength=n)
    sums = np.bincount(owner[matching], differences[matching], minlength=n)
    beyond = np.bincount(owner[innovations > first.innovations[-1]], minlength=n)
    mine_beyond = len(first.innovations) - np.searchsorted(first.innovations, lasts, side="right")
    n_excess = beyond + mine_beyond
    n_disjoint = lengths + len(first.innovations) - 2 * n_matching - n_excess
    sizes = np.maximum(lengths, len(first.innovations))
    norms = np.where(sizes >= _SMALL_GENOME, sizes, 1)
    structure = (excess * n_excess + disjoint * n_disjoint) / norms
    return np.asarray(structure + weights * sums / np.maximum(n_matching, 1))


def cross(fitter: Genes, mate: Genes, *, stay_disabled: float, rng: np.random.Generator) -> Genes:
    """A child of two genomes, with the structure of the fitter one (section 3.2, figure 4).

    Matching genes come from either parent, all others from the fitter one.

    Args:
        fitter: The parent of larger fitness.
        mate: The other parent.
        stay_disabled: Probability that a gene disabled in a parent is disabled in the child.
        rng: Random generator.
    """
    _, mine, theirs = np.intersect1d(
        fitter.innovations, mate.innovations, assume_unique=True, return_indices=True
    )
    weights, disabled = fitter.weights.copy(), ~fitter.enabled
    swap = rng.random(len(mine)) < 0.5
    weights[mine[swap]] = mate.weights[theirs[swap]]
    disabled[mine] |= ~mate.enabled[theirs]
    disabled &= rng.random(len(disabled)) < stay_disabled
    return Genes(fitter.innovations, weights, ~disabled)


def _with_gene(genes: Genes, innovation: int, weight: float) -> Genes:
    """The genome with another enabled gene, inserted in order."""
    at = int(np.searchsorted(genes.innovations, innovation))
    added: tuple[AnyArray, ...] = (
        np.insert(genes.innovations, at, innovation),
        np.insert(genes.weights, at, np.float32(weight)),
        np.insert(genes.enabled, at, True),
    )
    return Genes(*added)


def _leads_to(pairs: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a path leads from one node to another, or both are equal."""
    reached, front = {start}, [start]
    after: dict[int, list[int]] = {}
    for source, target in pairs:
        after.setdefault(source, []).append(target)
    while front:
        found = [node for node in after.get(front.pop(), ()) if node not in reached]
        reached.update(found)
        front += found
    return end in reached


@dataclass(frozen=True, kw_only=True)
class NeatVariation(Variation):
    """Crossover by innovation numbers, and mutation of weights and structure."""

    crossover: ClassVar[float] = 0.75
    """Probability that a child has two parents; other children are mutated copies of one."""

    stay_disabled: ClassVar[float] = 0.75
    """Probability that a gene that is disabled in a parent is disabled in the child."""

    mutate_weights: ClassVar[float] = 0.8
    """Probability that a child's weights are mutated."""

    replace_weight: ClassVar[float] = 0.1
    """Probability that a mutated weight is redrawn; otherwise it moves."""

    weight_step: ClassVar[float] = 0.5
    """Maximum move of a weight, up or down, uniformly distributed."""

    weight_deviation: ClassVar[float] = 0.5
    """Standard deviation of redrawn and initial weights."""

    add_node: float = 0.03
    """Probability that a child gains a node, in the middle of a link."""

    add_link: float = 0.05
    """Probability that a child gains a link between two nodes; 0.3 in large populations."""

    def __post_init__(self) -> None:
        share("add_node", self.add_node)
        share("add_link", self.add_link)

    def children(self, parents: Parents[Any], n: int, *, rng: np.random.Generator) -> Any:
        """Children of one or two parents each; their genomes share all innovations so far."""
        genomes = parents.genomes
        log = InnovationLog(genomes.innovations, genomes.n_outputs)
        bred = tuple(self._child(parents, log, rng) for _ in range(n))
        return replace(genomes, genes=bred, innovations=log.innovations())

    def _child(self, parents: Parents[Any], log: InnovationLog, rng: np.random.Generator) -> Genes:
        child = self._crossed(parents, rng)
        if rng.random() < self.mutate_weights:
            child = self._with_mutated_weights(child, rng)
        if rng.random() < self.add_node:
            child = self._with_node(child, log, rng)
        if rng.random() < self.add_link:
            child = self._with_link(child, log, parents.genomes, rng)
        return child

    def _crossed(self, parents: Parents[Any], rng: np.random.Generator) -> Genes:
        genes, hall = parents.genomes.genes, parents.hall
        place = parents.draw_place(rng)
        if rng.random() >= self.crossover:
            parents.drawn.append((place,))
            return genes[place]
        if hall is not None and len(hall) and rng.random() < parents.hall_chance:
            member = int(rng.integers(len(hall)))
            parents.drawn.append((place, -1 - member))
            fitter, mate = genes[place], hall.genes[member]
        else:  # parents are sorted, best first
            pair = sorted((place, parents.draw_place(rng)))
            parents.drawn.append(tuple(dict.fromkeys(pair)))
            fitter, mate = (genes[i] for i in pair)
        return cross(fitter, mate, stay_disabled=self.stay_disabled, rng=rng)

    def _with_mutated_weights(self, genes: Genes, rng: np.random.Generator) -> Genes:
        n = len(genes.weights)
        moved = genes.weights + rng.uniform(-self.weight_step, self.weight_step, n)
        drawn = rng.normal(0.0, self.weight_deviation, n)
        weights = np.where(rng.random(n) < self.replace_weight, drawn, moved)
        return genes._replace(weights=weights.astype(np.float32))

    def _with_node(self, genes: Genes, log: InnovationLog, rng: np.random.Generator) -> Genes:
        """Splits a link by a new node (section 3.1, figure 3).

        The first new link has weight 1, the second that of the old link, which is disabled.
        """
        possible = np.flatnonzero(genes.enabled)
        if not len(possible):
            return genes
        at = int(rng.choice(possible))
        split, weight = int(genes.innovations[at]), float(genes.weights[at])
        source, target = log.pairs[split]
        taken = {log.pairs[i][1] for i in genes.innovations.tolist()}
        node = log.node_in(split, taken)
        enabled = genes.enabled.copy()
        enabled[at] = False
        genes = _with_gene(genes._replace(enabled=enabled), log.link(source, node), 1.0)
        return _with_gene(genes, log.link(node, target), weight)

    def _with_link(
        self, genes: Genes, log: InnovationLog, genomes: Any, rng: np.random.Generator
    ) -> Genes:
        """Adds a link between unlinked nodes, if it makes no cycle."""
        pairs = [log.pairs[i] for i in genes.innovations.tolist()]
        hidden = sorted({target for _, target in pairs if target >= genomes.n_outputs})
        sources = [-1 - i for i in range(genomes.n_inputs + 1)] + hidden
        targets = [*range(genomes.n_outputs), *hidden]
        for _ in range(_TRIES):
            source = sources[int(rng.integers(len(sources)))]
            target = targets[int(rng.integers(len(targets)))]
            if (source, target) not in pairs and not _leads_to(pairs, target, source):
                weight = float(rng.normal(0.0, self.weight_deviation))
                return _with_gene(genes, log.link(source, target), weight)
        return genes

    def describe(self, genomes: Any) -> dict[str, float]:
        """Mean numbers of hidden nodes and enabled links of a network."""
        return {
            "hidden_nodes": float(np.mean([genomes.n_hidden(i) for i in range(len(genomes))])),
            "links": float(np.mean([genes.enabled.sum() for genes in genomes.genes])),
        }


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
