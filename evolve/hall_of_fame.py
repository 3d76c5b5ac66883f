"""The hall of fame: earlier elites that stay in the tournaments.

Members play every tournament with the population and are ranked with it, but have no children.
They keep a population from forgetting how to beat the strategies of the past (C. D. Rosin and
R. K. Belew, "New Methods for Competitive Coevolution", 1997). Filling and replacement follow
Nicolai and Hilderman (ICEC 2010): while there is room the elites of every generation go in; a full
hall gives up members that a new elite outranks, by one of two procedures.

The documents leave open what happens when the room does not suffice for all elites: here the best
of them fill it and no member is replaced in that generation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlhe_env._types import F32, F64, I64

Replacements = list[tuple[int, int]]
"""Pairs (index of the member that leaves, index of the elite that enters)."""


def replace_block(hall: Sequence[float], elites: Sequence[float], *, kept: int) -> Replacements:
    """Replacements by the procedure of the paper.

    The worst ``kept`` members are compared, from the best of them to the worst, with the best elite
    not used yet.

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

    While the worst member is worse than the best elite not used yet, that elite replaces it.

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
"""The procedures by the name that a configuration gives them."""


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
    """Networks of earlier elites.

    Attributes:
        weights: ``(size, n_weights)`` networks, float32.
        entered: ``(size,)`` generation in which each came in.
    """

    weights: F32
    entered: I64

    @classmethod
    def empty(cls, n_weights: int) -> HallOfFame:
        """A hall without members, for networks of ``n_weights``."""
        return cls(np.empty((0, n_weights), np.float32), np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.weights)

    def after_generation(
        self,
        generation: int,
        *,
        places: F64,
        elites: F32,
        elite_places: F64,
        capacity: int,
        replace: str = "block",
        unique: bool = False,
    ) -> HallOfFame:
        """The hall that the next generation meets.

        Args:
            generation: Number of the generation that has just been ranked.
            places: ``(size,)`` mean place of each member in its tournaments.
            elites: ``(kept, n_weights)`` best networks of the population, best first.
            elite_places: ``(kept,)`` their mean places.
            capacity: Most members the hall may have.
            replace: Procedure once the hall is full: ``"block"`` (the paper) or ``"worst_first"``
                (the thesis).
            unique: Leave out an elite whose network is in the hall already.

        Returns:
            A hall with the surviving members in the order of their places.
        """
        order = np.argsort(ranks_inside(places, np.ones(len(self), np.bool_)))
        weights, entered, places = self.weights[order], self.entered[order], places[order]
        kept = len(elites)
        if unique:
            chosen = _not_in(weights, elites)
            elites, elite_places = elites[chosen], elite_places[chosen]
        room = capacity - len(weights)
        if room > 0:
            newcomers = elites[:room]
            dates = np.full(len(newcomers), generation, np.int64)
            return HallOfFame(
                np.concatenate([weights, newcomers]), np.concatenate([entered, dates])
            )
        for member, candidate in REPLACEMENTS[replace](
            places.tolist(), elite_places.tolist(), kept=kept
        ):
            weights[member], entered[member] = elites[candidate], generation
        return HallOfFame(weights, entered)


def _not_in(hall: F32, networks: F32) -> I64:
    """Indices of the networks that are not in the hall, each network once."""
    seen = {network.tobytes() for network in hall}
    chosen = []
    for i, network in enumerate(networks):
        if network.tobytes() not in seen:
            seen.add(network.tobytes())
            chosen.append(i)
    return np.array(chosen, np.int64)
