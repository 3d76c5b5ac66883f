"""Novelty of behaviour, and ranking by fitness and novelty as two objectives.

Sources: J. Lehman and K. O. Stanley, "Abandoning objectives: evolution through the search for
novelty alone" (Evolutionary Computation 19, 2011), for the sparseness of behaviour and its archive;
K. Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II" (IEEE Transactions on
Evolutionary Computation 6, 2002), for fronts and crowding distances. In poker both objectives were
tried by Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie University,
2016).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from nlhe_env.arguments import array, share, whole_number
from nlhe_env.jit.array_types import F64, I64

NEIGHBOURS = 15
"""Number of nearest behaviours over which novelty averages the distance."""
ARCHIVE_CHANCE = 0.05
"""Probability that a behaviour enters the archive."""
ARCHIVE_CAPACITY = 1000
"""Maximum size of the archive; random behaviours leave beyond it."""


def rank_by_novelty(
    fitness: F64, behaviour: F64, archive: F64, *, rng: np.random.Generator
) -> tuple[I64, F64]:
    """Candidates of a generation by fitness and novelty, best first, and the next archive.

    Args:
        fitness: ``(n,)`` larger is better.
        behaviour: ``(n, n_measures)`` their behaviour.
        archive: ``(m, n_measures)`` earlier behaviours; ``(0, 0)`` before there are any.
        rng: Random generator for the archive.

    Raises:
        ValueError: The archive has other measures.
    """
    earlier = archive if len(archive) else np.empty((0, behaviour.shape[1]))
    order = nsga2_rank(fitness, novelty(behaviour, earlier, k=NEIGHBOURS))
    earlier = update_novelty_archive(earlier, behaviour, chance=ARCHIVE_CHANCE, rng=rng)
    return order, earlier[np.sort(rng.permutation(len(earlier))[:ARCHIVE_CAPACITY])]


def novelty(
    behaviour_descriptors: npt.ArrayLike, archive: npt.ArrayLike | None = None, *, k: int = 15
) -> F64:
    """Novelty: mean distance of each behaviour to its nearest neighbours.

    Args:
        behaviour_descriptors: ``(n, n_measures)`` behaviours of the population, such as
            ``agents.match.style.behaviour_descriptors``.
        archive: ``(m, n_measures)`` earlier behaviours; None for none.
        k: Number of neighbours in the rest of the population and the archive; if there are fewer,
            all count.

    Returns:
        ``(n,)`` mean Euclidean distances; 0 without neighbours.

    Raises:
        ValueError: The shapes do not match, a number is not finite, or ``k`` is below 1.

    >>> novelty([[0.0], [1.0], [5.0]], k=1)
    array([1., 1., 4.])
    """
    points = np.asarray(behaviour_descriptors, np.float64)
    if points.ndim != 2:
        raise ValueError(
            f"behaviour_descriptors must have the shape (n, n_measures); got {points.shape}"
        )
    earlier = np.empty((0, points.shape[1])) if archive is None else np.asarray(archive, np.float64)
    if earlier.ndim != 2 or earlier.shape[1] != points.shape[1]:
        raise ValueError(f"archive must have the shape (m, {points.shape[1]}); got {earlier.shape}")
    whole_number("k", k, least=1)
    everything = np.concatenate([points, earlier])
    if not np.isfinite(everything).all():
        raise ValueError("behaviours and archive must be finite numbers")
    k = min(k, len(everything) - 1)
    if k < 1:
        return np.zeros(len(points))
    # Each behaviour is its own nearest neighbour, or has an equal at the same distance of 0.
    distances = np.asarray(cKDTree(everything).query(points, k=np.arange(2, k + 2))[0])
    return np.asarray(distances.mean(axis=1))


def nsga2_rank(fitness: npt.ArrayLike, novelty: npt.ArrayLike) -> I64:
    """Candidates, best first, by fronts of two objectives and crowding inside a front (NSGA-II).

    A candidate precedes all candidates that it dominates: those no better in either objective and
    worse in one. Within a front, candidates with larger crowding distance come first, starting with
    the two ends. Ties keep their order.

    Args:
        fitness: ``(n,)`` larger is better.
        novelty: ``(n,)`` larger is better.

    Returns:
        ``(n,)`` indices.

    Raises:
        ValueError: The lengths differ, or a number is not finite.

    >>> nsga2_rank([1.0, 3.0, 2.0, 0.0], [1.0, 0.0, 2.0, 0.0])
    array([1, 2, 0, 3])
    """
    objectives = _objectives(fitness, novelty)
    fronts = _fronts(objectives)
    crowding = np.zeros(len(objectives))
    for front in range(fronts.max(initial=-1) + 1):
        members = np.flatnonzero(fronts == front)
        crowding[members] = _crowding(objectives[members])
    order: I64 = np.lexsort((np.arange(len(fronts)), -crowding, fronts))
    return order


def update_novelty_archive(
    archive: npt.ArrayLike,
    behaviour_descriptors: npt.ArrayLike,
    *,
    chance: float,
    rng: np.random.Generator,
) -> F64:
    """Add randomly chosen behaviours of a generation to the archive.

    Random selection keeps the archive a uniform sample of all behaviours, without a threshold (J.
    Lehman and K. O. Stanley, "Revising the evolutionary computation abstraction: minimal criteria
    novelty search", GECCO 2010).

    Args:
        archive: ``(m, n_measures)`` archived behaviours.
        behaviour_descriptors: ``(n, n_measures)`` behaviours of the generation.
        chance: Probability of adding each behaviour.
        rng: Random generator.

    Raises:
        ValueError: The shapes do not match, a number is not finite, or ``chance`` is not from 0 to
            1.
    """
    points = array("behaviour_descriptors", behaviour_descriptors, (None, None))
    kept = array("archive", archive, (None, points.shape[1]))
    entering = points[rng.random(len(points)) < share("chance", chance)]
    return np.concatenate([kept, entering])


def _objectives(fitness: npt.ArrayLike, novelty: npt.ArrayLike) -> F64:
    columns = np.asarray(fitness, np.float64), np.asarray(novelty, np.float64)
    if columns[0].ndim != 1 or columns[0].shape != columns[1].shape:
        raise ValueError(
            "fitness and novelty need one number for each candidate; got the shapes "
            f"{columns[0].shape} and {columns[1].shape}"
        )
    objectives = np.stack(columns, axis=1)
    if not np.isfinite(objectives).all():
        raise ValueError("fitness and novelty must be finite numbers")
    return objectives


def _fronts(objectives: F64) -> I64:
    """Fronts of two objectives, by a sweep from the best of the first objective down."""
    fronts = np.zeros(len(objectives), np.int64)
    order = np.lexsort((-objectives[:, 1], -objectives[:, 0]))
    # For each front, the largest second objective so far. All its members have at least the current
    # candidate's first objective, so only the second decides.
    best: list[tuple[float, float]] = []
    for i in order:
        point = (float(objectives[i, 1]), float(objectives[i, 0]))
        front = 0
        while front < len(best) and best[front] != point and best[front][0] >= point[0]:
            front += 1
        if front == len(best):
            best.append(point)
        best[front] = point
        fronts[i] = front
    return fronts


def _crowding(objectives: F64) -> F64:
    """Crowding distances in a front: sides of the box between the neighbours, in shares."""
    distances = np.zeros(len(objectives))
    for values in objectives.T:
        order = np.argsort(values, kind="stable")
        spread = values[order[-1]] - values[order[0]]
        distances[order[[0, -1]]] = np.inf
        if spread > 0:
            distances[order[1:-1]] += (values[order[2:]] - values[order[:-2]]) / spread
    return distances
