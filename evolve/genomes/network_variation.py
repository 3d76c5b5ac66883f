"""Variation of networks.

The published rules are in ``evolve.genomes.operators``. Options add ideas that the documents
describe or suggest: parents in proportion to their wins (phantom parasite), and parents from the
hall of fame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from evolve.genomes import operators
from evolve.genomes.base import Parents, Variation
from evolve.genomes.networks import Networks
from nlhe_env.arguments import number, share
from nlhe_env.jit.array_types import F64, I64


@dataclass(frozen=True, kw_only=True)
class NetworkVariation(Variation):
    """Weighted means of parents, with noise on some weights."""

    parents_mean: float = 1.5
    """A child has 1 + round(X) parents, X exponential with this mean."""

    mutation_rate: float = 0.1
    """Mutation probability of each weight of a child."""

    mutation_std: float = 0.1
    """Standard deviation of a mutation."""

    mutate_copies: bool = True
    """Mutate the children of a single parent too (the pseudo-code of the thesis), instead of
    copying the parent exactly (the text)."""

    def __post_init__(self) -> None:
        number("parents_mean", self.parents_mean, least=0.0)
        share("mutation_rate", self.mutation_rate)
        number("mutation_std", self.mutation_std, least=0.0, most=1e6)
        if not isinstance(self.mutate_copies, bool):
            raise ValueError(f"mutate_copies must be true or false; got {self.mutate_copies!r}")

    def children(self, parents: Parents[Networks], n: int, *, rng: np.random.Generator) -> Networks:
        """Children of one or more parents each.

        With a single possible parent, every child is that champion plus noise, regardless of
        ``mutate_copies``.
        """
        networks, chances, most = parents.genomes, parents.chances, parents.most
        if chances is not None:
            if not chances.any():  # no player beats another
                chances = np.ones(len(chances))
            most = min(most, int(np.count_nonzero(chances)))
        if self.parents_mean:
            counts = operators.parent_counts(n, mean=self.parents_mean, most=most, rng=rng)
        else:  # one parent each: nothing to draw
            counts = np.ones(n, np.int64)
        if chances is None:
            chosen = operators.choose_parents(counts, len(networks), rng=rng)
        else:
            chosen = operators.choose_parents_by_chance(counts, chances, rng=rng)
        shares = np.ones((n, 1))
        if self.parents_mean:
            shares = operators.draw_shares(counts, chosen.shape[1], rng=rng)
        if parents.hall_chance and parents.hall is not None and len(parents.hall):
            hall = parents.hall
            sizes = len(networks), len(hall)
            chosen = _with_hall_parents(chosen, counts, *sizes, chance=parents.hall_chance, rng=rng)
            networks = Networks.join(networks, hall)
        shares = shares_of_one_shape(networks.hidden, chosen, shares)
        parents.drawn.extend(_places(chosen, shares, len(parents.genomes)))
        crossed = operators.cross(networks.weights, chosen, shares)
        weights = operators.mutate(
            crossed,
            mutation_rate=self.mutation_rate,
            deviation=self.mutation_std,
            rng=rng,
        )
        if not self.mutate_copies and most > 1:
            copies = counts == 1
            weights[copies] = crossed[copies]
        hidden = networks.hidden[chosen[:, 0]]
        bred = replace(networks, weights=weights.astype(np.float32), hidden=hidden)
        bred.weights[~bred.used] = 0.0
        return bred


def shares_of_one_shape(hidden: I64, parents: I64, shares: F64) -> F64:
    """The shares, with 0 for parents of another shape than the first parent.

    Only parents of equal shape are crossed; a child has the shape of its first parent.
    """
    shapes = hidden[parents]
    same = (shapes == shapes[:, :1]).all(axis=2)
    return np.where(same, shares, 0.0)


def _places(chosen: I64, shares: F64, n_networks: int) -> list[tuple[int, ...]]:
    """Indices of each child's parents with a share, negative for those in the hall."""
    numbers = np.where(chosen < n_networks, chosen, n_networks - 1 - chosen)
    return [tuple(row[used].tolist()) for row, used in zip(numbers, shares > 0, strict=True)]


def _with_hall_parents(
    parents: I64,
    counts: I64,
    n_networks: int,
    n_hall: int,
    *,
    chance: float,
    rng: np.random.Generator,
) -> I64:
    """The parents, each replaced by a member of the hall with some probability.

    Members have the indices after the networks, and are distinct for each child.
    """
    members = operators.choose_parents(np.minimum(counts, n_hall), n_hall, rng=rng)
    replaced = parents.copy()
    swap = rng.random(members.shape) < chance
    replaced[:, : members.shape[1]][swap] = n_networks + members[swap]
    return replaced
