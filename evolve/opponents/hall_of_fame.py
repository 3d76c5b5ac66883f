"""The hall of fame: earlier elites that stay in the tournaments.

Members play every tournament with the population and are ranked with it, but have no children.
They keep a population from forgetting how to beat past strategies (C. D. Rosin and R. K. Belew,
"New Methods for Competitive Coevolution", 1997). Filling and replacement follow Nicolai and
Hilderman (ICEC 2010): the elites of every generation enter until the hall is full; then new elites
replace members of lower rank, by one of two procedures.

The documents do not specify the generation with more elites than free places: here the best elites
fill the hall, and no member is replaced.

The published replacement soon removes members that place badly at the time but are still useful
opponents. Other retention rules are therefore available: the first generations permanently, all
generations evenly, or all players.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from evolve.genomes.base import Genomes
from nlhe_env.jit.array_types import F64, I64

HallRetention = Literal["verbatim", "keep-early", "uniform", "all"]

Replacements = list[tuple[int, int]]
"""Pairs (index of the leaving member, index of the entering elite)."""


def replace_block(hall: Sequence[float], elites: Sequence[float], *, kept: int) -> Replacements:
    """Replacements by the procedure of the paper.

    The worst ``kept`` members are compared, from best to worst, with the best unused elite.

    Args:
        hall: Places of the members, best first.
        elites: Places of the candidates, best first.
        kept: Number of members at stake.

    >>> replace_block([2, 6, 9, 12, 15], [1, 4, 13], kept=3)
    [(2, 0), (3, 1), (4, 2)]
    >>> replace_block([2, 6, 9, 12, 15], [8, 14, 16], kept=3)
    [(2, 0), (4, 1)]
    """
    swaps: Replacements = []
    for member in range(max(0, len(hall) - kept), len(hall)):
        candidate = len(swaps)
        if candidate < len(elites) and hall[member] > elites[candidate]:
            swaps.append((member, candidate))
    return swaps


def replace_worst_first(
    hall: Sequence[float], elites: Sequence[float], *, kept: int
) -> Replacements:
    """Replacements by the procedure of the thesis.

    While the worst member is worse than the best unused elite, that elite replaces it.

    Args:
        hall: Places of the members, best first.
        elites: Places of the candidates, best first.
        kept: Number of members at stake.

    >>> replace_worst_first([2, 6, 9, 12, 15], [8, 14, 16], kept=3)
    [(4, 0)]
    """
    swaps: Replacements = []
    for candidate in range(min(kept, len(hall), len(elites))):
        member = len(hall) - 1 - candidate
        if hall[member] <= elites[candidate]:
            break
        swaps.append((member, candidate))
    return swaps


REPLACEMENTS: dict[str, Callable[..., Replacements]] = {
    "block": replace_block,
    "worst_first": replace_worst_first,
}
"""Procedures by their name in configurations."""


def spread_evenly(entered: I64, capacity: int) -> I64:
    """Members of a hall to keep, so that generations stay evenly represented.

    The last member of the generation with the most members leaves; ties go to the oldest
    generation. Once every generation has a single member, the member with the closest neighbours
    leaves; the first and the newest stay.

    Args:
        entered: ``(n,)`` generation of every member, the better members of a generation first.
        capacity: Maximum number of members, at least 1.

    Returns:
        Sorted indices of these members.

    >>> spread_evenly(np.array([1, 1, 1, 2, 2, 2]), 4).tolist()
    [0, 1, 3, 4]
    >>> spread_evenly(np.array([1, 2, 3, 5, 9]), 4).tolist()
    [0, 2, 3, 4]
    """
    generations, counts = np.unique(entered, return_counts=True)
    while counts.sum() > capacity:
        leaving = int(np.argmax(counts))
        if counts[leaving] == 1 and len(generations) > 2:
            leaving = 1 + int(np.argmin(generations[2:] - generations[:-2]))
        counts[leaving] -= 1
        generations, counts = generations[counts > 0], counts[counts > 0]
    stay = [
        np.flatnonzero(entered == one)[:count]
        for one, count in zip(generations, counts, strict=True)
    ]
    return np.sort(np.concatenate(stay))


def ranks_inside(places: F64, members: npt.NDArray[np.bool_]) -> I64:
    """Rank of every player among the members of the hall; -1 for everyone else.

    Args:
        places: ``(n,)`` overall places, 1 is best; equal places rank in the given order.
        members: ``(n,)`` True for members.

    >>> ranks_inside(np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, False, True, True]))
    array([-1, -1,  1,  2])
    """
    ranks = np.full(len(places), -1, dtype=np.int64)
    seats = np.flatnonzero(members)
    ranks[seats[np.argsort(places[seats], kind="stable")]] = np.arange(1, len(seats) + 1)
    return ranks


@dataclass(frozen=True, eq=False)
class HallOfFame:
    """Genomes of earlier elites.

    Attributes:
        genomes: The members.
        entered: ``(size,)`` generation in which each member entered.
    """

    genomes: Any
    entered: I64

    @classmethod
    def empty(cls, genomes: Genomes) -> HallOfFame:
        """An empty hall for genomes of the same kind as the given ones."""
        return cls(genomes[:0], np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.genomes)

    def after_generation(
        self,
        generation: int,
        *,
        costs: F64,
        elites: Any,
        elite_costs: F64,
        capacity: int,
        replace: str = "block",
        retention: HallRetention = "verbatim",
        early: int = 0,
    ) -> HallOfFame:
        """The hall for the next generation.

        Args:
            generation: Number of the last ranked generation.
            costs: ``(size,)`` fitness of each member in its tournaments, such as its mean place;
                smaller is better.
            elites: Best of the population, best first.
            elite_costs: ``(kept,)`` their fitness; smaller is better.
            capacity: Maximum number of members.
            replace: Procedure once the hall is full: ``"block"`` (the paper) or ``"worst_first"``
                (the thesis).
            retention: Members that stay: ``"verbatim"``, as the procedure decides;
                ``"keep-early"``, the first generations, and others as it decides; ``"uniform"``,
                equal numbers of every generation (``spread_evenly``); ``"all"``, even beyond the
                capacity.
            early: Number of the first generations.

        Returns:
            A hall with the surviving members in the order of their fitness.
        """
        order = np.argsort(ranks_inside(costs, np.ones(len(self), np.bool_)))
        genomes, entered, costs = self.genomes[order], self.entered[order], costs[order]
        kept = len(elites)
        room = capacity - len(genomes)
        if room > 0 or retention in ("uniform", "all"):
            newcomers = elites if retention in ("uniform", "all") else elites[:room]
            dates = np.full(len(newcomers), generation, np.int64)
            genomes = type(genomes).join(genomes, newcomers)
            entered = np.concatenate([entered, dates])
            if retention == "uniform":
                stay = spread_evenly(entered, capacity)
                genomes, entered = genomes[stay], entered[stay]
            return HallOfFame(genomes, entered)
        at_stake = np.arange(len(genomes))
        if retention == "keep-early":
            at_stake = at_stake[entered > early]
        swaps = REPLACEMENTS[replace](costs[at_stake].tolist(), elite_costs.tolist(), kept=kept)
        rows = np.arange(len(genomes))
        for place, candidate in swaps:
            member = at_stake[place]
            rows[member], entered[member] = len(genomes) + candidate, generation
        return HallOfFame(type(genomes).join(genomes, elites)[rows], entered)
