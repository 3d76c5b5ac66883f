"""Genetic operators: parent selection, crossover and mutation.

The genetic algorithm of G. Nicolai (MSc thesis, University of Regina, 2008) and of Nicolai and
Hilderman ("Algorithms for Evolving No-Limit Texas Hold'em Poker Playing Agents", ICEC 2010): a
child is the weighted mean of one or more elite networks, with Gaussian noise on some weights.

The documents describe the number of parents as exponential, with two most likely; here it is
``1 + round(X)`` with X exponential of mean 1.5. Noise is added to every child, also to one with a
single parent.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.jit.array_types import F32, F64, I64


def parent_counts(n_children: int, *, mean: float, most: int, rng: np.random.Generator) -> I64:
    """Number of parents of each child: ``1 + round(X)`` with X exponential, at most ``most``.

    Args:
        n_children: Number of counts.
        mean: Mean of X.
        most: Number of elites.
        rng: Random generator.
    """
    counts = 1 + np.rint(rng.exponential(mean, n_children)).astype(np.int64)
    return np.minimum(counts, most)


def choose_parents(counts: I64, n_elites: int, *, rng: np.random.Generator) -> I64:
    """Distinct elites for every child, by a partial shuffle.

    Returns:
        ``(n_children, counts.max())`` indices of elites; the parents of child ``i`` are the first
        ``counts[i]`` of its row, and all indices of a row are distinct.
    """
    n_children = len(counts)
    order = np.tile(np.arange(n_elites, dtype=np.int64), (n_children, 1))
    rows = np.arange(n_children)
    widest = int(counts.max(initial=1))
    for j in range(widest):
        k = rng.integers(j, n_elites, n_children)
        order[rows, j], order[rows, k] = order[rows, k], order[rows, j]
    return order[:, :widest]


def choose_parents_by_chance(counts: I64, chances: F64, *, rng: np.random.Generator) -> I64:
    """Distinct parents for every child, drawn one by one with unequal probabilities.

    Args:
        counts: ``(n_children,)`` number of parents, at most the number of positive ``chances``.
        chances: ``(n,)`` non-negative weights of the networks.
        rng: Source of randomness.

    Returns:
        As ``choose_parents``, with indices of networks.
    """
    widest = int(counts.max(initial=1))
    # Each network has an exponential waiting time: the first is drawn in proportion to its rate.
    with np.errstate(divide="ignore"):
        times = rng.exponential(1.0, (len(counts), len(chances))) / chances
    return np.argsort(times, axis=1)[:, :widest]


def draw_shares(counts: I64, width: int, *, rng: np.random.Generator) -> F64:
    """Random shares of the parents of every child, for ``cross``.

    Args:
        counts: ``(n_children,)`` number of parents of each child.
        width: Places for parents, at least ``counts.max()``.
        rng: Source of randomness.

    Returns:
        ``(n_children, width)`` uniform values in (0, 1] in the first ``counts[i]`` places of row
        ``i``, 0 in the others.
    """
    # Uniform in (0, 1]: a child whose only share is 0 would have no mean.
    shares = 1.0 - rng.random((len(counts), width))
    shares[np.arange(width) >= counts[:, np.newaxis]] = 0.0
    return shares


def cross(elites: F32, parents: I64, shares: F64) -> F64:
    """Weighted means of parents.

    The sums run parent by parent over whole rows, never through a matrix product, whose order of
    additions would depend on the machine's linear-algebra library.

    Args:
        elites: ``(n_elites, n_weights)`` networks.
        parents: ``(n_children, width)`` indices into ``elites``.
        shares: ``(n_children, width)`` non-negative share of each parent, 0 for an unused place;
            need not sum to 1.

    Returns:
        ``(n_children, n_weights)`` networks.

    >>> cross(np.float32([[1.0], [-1.0]]), np.array([[0, 1]]), np.array([[0.6, 0.4]])).round(6)
    array([[0.2]])
    """
    children = np.zeros((len(parents), elites.shape[1]))
    total = np.zeros(len(parents))
    for parent, share in zip(parents.T, shares.T, strict=True):
        used = np.flatnonzero(share)
        children[used] += share[used, np.newaxis] * elites[parent[used]]
        total[used] += share[used]
    return children / total[:, np.newaxis]


def mutate(
    networks: F64, *, mutation_rate: float, deviation: float, rng: np.random.Generator
) -> F64:
    """Mutated copies of networks, with noise on some weights.

    Args:
        networks: ``(n, n_weights)`` networks, not modified.
        mutation_rate: Mutation probability of each weight.
        deviation: Standard deviation of a change; its mean is 0.
        rng: Source of randomness.
    """
    noise = rng.normal(0.0, deviation, networks.shape)
    return networks + np.where(rng.random(networks.shape) < mutation_rate, noise, 0.0)


def cross_odd_even(first: F32, second: F32) -> F32:
    """Children with the genes at even positions of one parent and at odd positions of another.

    Source: X. Li (PhD thesis, University of Texas at Austin, 2018), section 4.2.2.

    Args:
        first: ``(n, n_weights)`` parents of the even positions, counted from 0.
        second: ``(n, n_weights)`` parents of the odd positions.

    >>> cross_odd_even(np.float32([[1, 2, 3]]), np.float32([[7, 8, 9]]))
    array([[1., 8., 3.]], dtype=float32)
    """
    children = first.copy()
    children[:, 1::2] = second[:, 1::2]
    return children
