"""Selection of survivors: by fitness, by one measure of diversity, or by both."""

from __future__ import annotations

import numpy as np

from nlhe_env.jit.array_types import F64, I64, Bool

_EQUAL = 1e-4  # values as near as this count as equal


def dominance(fitness: F64, diversity: F64) -> Bool:
    """``(n, n)`` whether i dominates j: is no worse in both, and better in one.

    >>> dominance(np.array([1.0, 0.0]), np.array([0.5, 0.5])).tolist()
    [[False, True], [False, False]]
    """
    values = np.stack([fitness, diversity])
    differences = values[:, :, np.newaxis] - values[:, np.newaxis, :]
    no_worse, better = differences > -_EQUAL, differences > _EQUAL
    return np.asarray(no_worse.all(axis=0) & better.any(axis=0))


def keep(n: int, fitness: F64 | None, diversity: F64 | None) -> I64:
    """``(n,)`` numbers of those who are kept, the fittest of them first.

    With both objectives it is the front that none dominates. Where it is too small it is filled
    up with those whom fewest dominate, where it is too large those leave first who dominate fewest
    others.

    Args:
        n: How many.
        fitness: Larger is better; None if it does not count.
        diversity: Larger is better; None if it does not count.

    Raises:
        ValueError: Neither is given.

    >>> keep(2, np.array([0.5, 0.6, 0.4, 0.1]), np.array([0.2, 0.1, 0.3, 0.1]))
    array([1, 0])
    """
    if fitness is None and diversity is None:
        raise ValueError("fitness or diversity must be given")
    if fitness is None or diversity is None:
        (values,) = (value for value in (fitness, diversity) if value is not None)
        return np.argsort(-values, kind="stable")[:n]
    dominates = dominance(fitness, diversity)
    dominated_by, dominated = dominates.sum(axis=0), dominates.sum(axis=1)
    # Of the front first those who dominate most; of the others those whom fewest dominate.
    rank = np.where(dominated_by == 0, -1.0 - dominated, dominated_by)
    kept = np.lexsort((-fitness, rank))[:n]
    return np.asarray(kept[np.argsort(-fitness[kept], kind="stable")])


def best_together(n: int, scores: F64) -> list[int]:
    """Numbers of at most ``n`` rows, each of which raises the mean best score of a column most.

    >>> best_together(2, np.array([[0.5, 0.5, 0.5], [0.5, 0.4, 0.5], [0.9, 0.0, 0.0]]))
    [0, 2]
    """
    chosen = list[int]()
    best = np.full(scores.shape[1], -np.inf)
    for _ in range(min(n, len(scores))):
        together = np.maximum(scores, best).mean(axis=1)
        together[chosen] = -np.inf
        chosen.append(int(together.argmax()))
        best = np.maximum(best, scores[chosen[-1]])
    return chosen


def most_dominated(fitness: F64, diversity: F64) -> int:
    """The one that most others dominate; of several the least fit."""
    dominated_by = dominance(fitness, diversity).sum(axis=0)
    return int(np.lexsort((fitness, -dominated_by))[0])
