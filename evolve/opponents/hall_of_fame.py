"""Halls of fame: earlier elites that stay in the tournaments, one hall for every sub-population.

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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

import agents
from evolve.files.safe import part, prefixed
from evolve.genomes.base import GenomeKind
from evolve.opponents.opponent_sampling import Opponents
from evolve.opponents.policies import OpponentPolicy, OpponentResults, OpponentSettings
from evolve.optimizers.base import Optimizer
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.jit.array_types import F64, I64, AnyArray

HallRetention = Literal["verbatim", "keep-early", "uniform", "all"]

Replacements = list[tuple[int, int]]
"""Pairs (index of the leaving member, index of the entering elite)."""
HallReplacement = Literal["block", "worst_first"]


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
    entered: I64 = field(default_factory=lambda: np.empty(0, np.int64))

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


@dataclass(frozen=True, kw_only=True)
class HallSettings(OpponentSettings):
    """The candidates themselves, and halls of fame that are ranked with them."""

    ranked = True

    hall_of_fame: int = 0
    """Total capacity of the halls of fame of all sub-populations; 0 for none."""

    hof_replace: HallReplacement = "block"
    """Replacement in a full hall: worst block against the elites (the paper) or worst member first
    (the thesis)."""

    hof_retention: HallRetention = "verbatim"
    """Members that stay in a full hall: "verbatim", those that the replacement leaves;
    "keep-early", the members from the first generations; "uniform", equally many from every
    generation so far; "all", every member: hall_of_fame is then no limit, and the hall grows by the
    elites of every generation, which play in all tournaments (the published network takes 3.3 kB;
    metrics include hall_bytes)."""

    hof_early: ClassVar[int] = 10
    """Number of first generations for "keep-early"; with a hall of ten times the elites, those that
    fill it."""

    def __post_init__(self) -> None:
        one_of("hof_retention", self.hof_retention, get_args(HallRetention))
        whole_number("hall_of_fame", self.hall_of_fame, least=0)
        one_of("hof_replace", self.hof_replace, get_args(HallReplacement))

    def check_partners(self, config: Any) -> None:
        """Check that the halls have room for the elites."""
        super().check_partners(config)
        elites = getattr(config.optimizer, "elites", None) or 1
        if 0 < self.hall_of_fame < elites:
            raise ValueError(
                f"hall_of_fame must be 0 (none) or have room for the elites ({elites}); got "
                f"{self.hall_of_fame}"
            )

    def scaled(self, scale: Any) -> HallSettings:
        """Settings with smaller or larger halls."""
        return replace(self, hall_of_fame=scale(self.hall_of_fame))

    def make(self, kind: GenomeKind, n_groups: int, *, seats: int, seed: int) -> Halls:
        """Empty halls."""
        return Halls(self, kind, n_groups)


class Halls(OpponentPolicy):
    """A hall of fame for every sub-population; see ``evolve.opponents.hall_of_fame``."""

    def __init__(self, settings: HallSettings, kind: GenomeKind, n_groups: int) -> None:
        self._settings, self._kind = settings, kind
        self.members = (HallOfFame(kind.none()),) * n_groups

    def select(self, candidates: Any, optimizer: Optimizer, generation: int) -> Opponents | None:
        """All members; None while the halls are empty."""
        fields = [hall.genomes.pack() for hall in self.members if len(hall)]
        return Opponents.all_players(agents.concat(*fields)) if fields else None

    def learn(self, results: OpponentResults, optimizer: Optimizer, generation: int) -> None:
        """Updates the halls with the elites."""
        if not self._settings.hall_of_fame:
            return
        self.members = tuple(
            hall.after_generation(
                generation,
                costs=-results.candidate_scores.halls[i],
                elites=(elites := optimizer.elites(i)),
                elite_costs=-results.candidate_scores.fitness[
                    results.candidate_scores.ranking(optimizer.groups[i])[: len(elites)]
                ],
                capacity=self._settings.hall_of_fame // len(self.members),
                replace=self._settings.hof_replace,
                retention=self._settings.hof_retention,
                early=self._settings.hof_early,
            )
            for i, hall in enumerate(self.members)
        )

    def halls(self) -> list[Any]:
        """Members of the hall of every sub-population."""
        return [hall.genomes for hall in self.members]

    def entered(self, generation: int) -> list[int]:
        """Number of players that entered each hall after a generation."""
        return [int((hall.entered == generation).sum()) for hall in self.members]

    def describe(self) -> dict[str, Any]:
        """Memory of halls without limit."""
        if self._settings.hof_retention != "all":
            return {}
        arrays = [array for hall in self.members for array in hall.genomes.to_arrays().values()]
        return {"hall_bytes": sum(array.nbytes for array in arrays)}

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        arrays: dict[str, AnyArray] = {}
        for i, hall in enumerate(self.members, 1):
            arrays |= prefixed(str(i), hall.genomes.to_arrays()) | {f"{i}_entered": hall.entered}
        return arrays

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""
        self.members = tuple(
            HallOfFame(self._kind.from_arrays(part(str(i), state)), state[f"{i}_entered"])
            for i in range(1, len(self.members) + 1)
        )

    def files(self) -> dict[str, dict[str, AnyArray]]:
        """The members of the halls, if there are any."""
        return {"hall_of_fame.npz": self.state()} if self._settings.hall_of_fame else {}
