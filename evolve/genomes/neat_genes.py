"""Connection genes of NEAT, innovation numbers, compatibility distances and crossover.

Source: K. O. Stanley and R. Miikkulainen, "Evolving Neural Networks through Augmenting Topologies"
(Evolutionary Computation 10, 2002). Node numbers are those of neat-python: inputs -1, -2, ..., then
the bias as an additional input, outputs 0, 1, ..., then hidden nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlhe_env.jit.array_types import F32, F64, I64, AnyArray, Bool

SMALL_GENOME = 20
"""Genome size below which distances are not divided by it (section 3.3)."""


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
    norms = np.where(sizes >= SMALL_GENOME, sizes, 1)
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


def with_gene(genes: Genes, innovation: int, weight: float) -> Genes:
    """The genome with another enabled gene, inserted in order."""
    at = int(np.searchsorted(genes.innovations, innovation))
    added: tuple[AnyArray, ...] = (
        np.insert(genes.innovations, at, innovation),
        np.insert(genes.weights, at, np.float32(weight)),
        np.insert(genes.enabled, at, True),
    )
    return Genes(*added)


def leads_to(pairs: list[tuple[int, int]], start: int, end: int) -> bool:
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
