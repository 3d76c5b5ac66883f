"""Selection of survivors by fitness, one measure of diversity, or both; models of it.

Source of the models: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis,
Dalhousie University, 2016), sections 4.3 and 5.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from nlhe_env.jit.array_types import F64, I64, Bool

Measure = Literal["ncd", "hamming", "genotypic", "novelty", "euclidean", "entropy", "sharing"]
Compressor = Literal["bz2", "zlib"]
_EQUAL = 1e-4  # values within this distance count as equal


@dataclass(frozen=True)
class Model:
    """Settings of the selection of survivors.

    Attributes:
        measures: Diversity measures, used in turn in successive generations; empty for fitness
            alone.
        by_fitness: Whether fitness counts too.
        new_bids: Whether children mutate until their actions on a sample of inputs are unique.
    """

    measures: tuple[Measure, ...] = ()
    by_fitness: bool = True
    new_bids: bool = False


MODELS = {
    "no_div": Model(),
    "bid": Model(new_bids=True),
    "nov": Model(("novelty",)),
    "only_nov": Model(("novelty",), by_fitness=False),
    "ncd": Model(("ncd",)),
    "ncd_gen": Model(("ncd", "genotypic")),
    "ham": Model(("hamming",)),
    "ham_gen": Model(("hamming", "genotypic")),
    "gen": Model(("genotypic",)),
    "bid_ncd_gen": Model(("ncd", "genotypic"), new_bids=True),
    "euclidean": Model(("euclidean",)),
    "entropy": Model(("entropy",)),
    "sharing": Model(("sharing",)),
}
"""The nine models compared in the thesis, one more of its second group, and three with measures of
the published code."""

GROUPS: dict[str, tuple[str, ...]] = {
    "opponents": ("ncd_gen", "ncd_gen+B"),
    "degrees": ("no_div", "bid", "ncd_gen", "bid_ncd_gen"),
    "models": tuple(MODELS)[:9],
}
"""The models of the three groups of experiments; ``+B`` trains against Bayesian opponents too."""


def dominance(fitness: F64, diversity: F64) -> Bool:
    """``(n, n)`` whether i dominates j: no worse in both objectives and better in one.

    >>> dominance(np.array([1.0, 0.0]), np.array([0.5, 0.5])).tolist()
    [[False, True], [False, False]]
    """
    values = np.stack([fitness, diversity])
    differences = values[:, :, np.newaxis] - values[:, np.newaxis, :]
    no_worse, better = differences > -_EQUAL, differences > _EQUAL
    return np.asarray(no_worse.all(axis=0) & better.any(axis=0))


def keep(n: int, fitness: F64 | None, diversity: F64 | None) -> I64:
    """``(n,)`` indices of the survivors, fittest first.

    With both objectives the non-dominated front survives. If it is too small, the candidates
    dominated by the fewest others are added; if it is too large, members that dominate the fewest
    others are dropped.

    Args:
        n: Number of survivors.
        fitness: Fitness, larger is better; None if it does not count.
        diversity: Diversity, larger is better; None if it does not count.

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
    # In the front those that dominate most come first; outside it those dominated by fewest.
    rank = np.where(dominated_by == 0, -1.0 - dominated, dominated_by)
    kept = np.lexsort((-fitness, rank))[:n]
    return np.asarray(kept[np.argsort(-fitness[kept], kind="stable")])


def best_together(n: int, scores: F64) -> list[int]:
    """Indices of at most ``n`` rows, each of which raises the mean column maximum most.

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
    """Index of the candidate dominated by most others; ties go to the least fit."""
    dominated_by = dominance(fitness, diversity).sum(axis=0)
    return int(np.lexsort((fitness, -dominated_by))[0])
