"""NEAT: species protect new structures, and share the offspring by their mean fitness.

Source: K. O. Stanley and R. Miikkulainen, "Evolving Neural Networks through Augmenting Topologies"
(Evolutionary Computation 10, 2002), sections 3.3 and 4.1, whose values are the defaults. Fitness is
measured from that of the worst candidate of the generation, because fitness in poker may be
negative. Additions to the paper: the threshold can follow a number of species, and the recommended
player is the species champion with the best results over all its generations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from evolve import seeds
from evolve.files.safe import part, prefixed
from evolve.genomes.base import GenomeKind, Parents, Variation
from evolve.genomes.neat import NeatGenomes, NeatKind, NeatVariation
from evolve.optimizers.base import BreedingOptimizer, CandidateScores, Contest, EliteRecords
from evolve.optimizers.settings import OptimizerSettings
from evolve.parts import Partners
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F64, I64, AnyArray

_THRESHOLD_STEP = 0.05
"""Relative change per generation of a threshold that follows the number of species."""
_LEAST_THRESHOLD = 1e-3
_CHAMPION_SURVIVES = 5
"""Members above which the champion of a species survives unchanged (section 4.1)."""


@dataclass(frozen=True, kw_only=True)
class NeatSettings(OptimizerSettings):
    """NEAT: species of networks whose structure evolves."""

    breeds = True
    racing = False
    partners: ClassVar[Partners] = {"genomes": {"kind": "neat"}}

    population: int = 150
    """Number of candidates in a generation."""

    compatibility_threshold: ClassVar[float] = 3.0
    """Distance below which candidates belong to the same species."""

    target_species: int = 0
    """Number of species to which the threshold adapts; 0 for a constant threshold."""

    excess_coefficient: ClassVar[float] = 1.0
    """Coefficient of excess genes in the distance."""

    disjoint_coefficient: ClassVar[float] = 1.0
    """Coefficient of disjoint genes in the distance."""

    weight_coefficient: ClassVar[float] = 0.4
    """Coefficient of the mean difference of weights in the distance."""

    survival: ClassVar[float] = 0.2
    """Share of every species that has children, from the best."""

    interspecies: ClassVar[float] = 0.001
    """Probability that the second parent comes from another species."""

    stagnation: int = 15
    """Generations without improvement after which a species has no more children, unless it is one
    of the best two; 0 for never."""

    def __post_init__(self) -> None:
        whole_number("population", self.population, least=2)
        whole_number("target_species", self.target_species, least=0)
        whole_number("stagnation", self.stagnation, least=0)

    def make(self, kind: GenomeKind, variation: Variation, seed: int) -> Neat:
        """The optimizer before the first generation.

        Raises:
            ValueError: The genomes are not NEAT genomes.
        """
        return Neat(self, kind, variation, seed)


@dataclass(frozen=True, eq=False)
class Species:
    """A group of candidates of similar structure.

    Attributes:
        number: Permanent number of the species.
        representative: Genome to compare with candidates of the next generation.
        best: Largest fitness so far.
        improved: Generation of the largest fitness.
        members: Indices of its candidates, best first.
    """

    number: int
    representative: NeatGenomes
    best: float
    improved: int
    members: I64


class Neat(BreedingOptimizer):
    """Species of NEAT genomes with explicit fitness sharing.

    Args:
        settings: Its values.
        kind: Kind of the genomes.
        variation: How children are made.
        seed: Seed of all random choices.
    """

    def __init__(
        self, settings: NeatSettings, kind: GenomeKind, variation: Variation, seed: int
    ) -> None:
        if not isinstance(kind, NeatKind) or not isinstance(variation, NeatVariation):
            raise ValueError('optimizer "neat" needs genomes "neat"')
        super().__init__(settings, kind, variation, seed)
        self.settings = settings
        self.n_elites = self.n_selected = max(1, self.population // 10)
        self.threshold = settings.compatibility_threshold
        self.species: tuple[Species, ...] = ()
        self._genomes = self._asked = kind.none()
        self._fitness: F64 = np.zeros(0)
        self._records = EliteRecords.none()
        self._next_number = 1
        self._parents: list[list[int]] = []

    @property
    def n_survivors(self) -> int:  # type: ignore[override]
        """Number of species champions, which come first in the generation."""
        return len(self._survivors())

    # --- candidates ------------------------------------------------------------------------------

    def ask(self, *, halls: Sequence[Any] = (), contest: Contest | None = None) -> Any:
        """The champions of large species, then the children of each; random networks at first."""
        rng = seeds.generator(self._seed, seeds.NEWCOMERS, self.generation + 1)
        if not self.generation:
            self._asked = self._kind.first(self.population, self._variation, rng=rng)
            self._parents = [[] for _ in range(self.population)]
            return self._asked
        survivors = self._survivors()
        self._asked = self._genomes[survivors]
        self._parents = [[rank] for rank in self._ranks()[survivors].tolist()]
        for species, n in zip(self.species, self.offspring(), strict=True):
            n_children = int(n) - int(np.isin(species.members, survivors).sum())
            if n_children > 0:
                self._asked = NeatGenomes.join(
                    self._asked, self._children(species, n_children, rng)
                )
        return self._asked

    def _children(self, species: Species, n: int, rng: np.random.Generator) -> NeatGenomes:
        """Children of the best of a species, which share the innovations of earlier children."""
        n_parents = max(1, int(np.ceil(self.settings.survival * len(species.members))))
        others = np.setdiff1d(np.arange(len(self._genomes)), species.members)
        known = replace(self._genomes, innovations=self._asked.innovations)
        parents = Parents(
            known[species.members[:n_parents]],
            most=2,
            hall=known[others],
            hall_chance=self.settings.interspecies,
        )
        bred: NeatGenomes = self._variation.children(parents, n, rng=rng)
        ranks = self._ranks()
        for drawn in parents.drawn:
            places = [species.members[i] if i >= 0 else others[-1 - i] for i in drawn]
            self._parents.append([int(ranks[i]) for i in places])
        return bred

    def _ranks(self) -> I64:
        """``(n,)`` ranks of the candidates of the generation evaluated last, 0 for the best."""
        return np.argsort(np.argsort(-self._fitness, kind="stable"), kind="stable")

    def offspring(self) -> I64:
        """``(n_species,)`` places in the next generation, by shared fitness (eq. 2)."""
        shares = np.array([self._shared(each) for each in self.species])
        active = self._active()
        shares = np.where(active, shares, 0.0)
        if shares.sum() <= 0.0:  # all equal
            shares = active.astype(np.float64)
        exact = shares / shares.sum() * self.population
        counts = np.floor(exact).astype(np.int64)
        order = np.argsort(counts - exact, kind="stable")
        counts[order[: self.population - counts.sum()]] += 1
        return counts

    def _shared(self, species: Species) -> float:
        """Shared fitness of a species: mean fitness of its members above the worst candidate."""
        return float(self._fitness[species.members].mean() - self._fitness.min())

    def _active(self) -> AnyArray:
        """Mask of the species that may reproduce: species that still improve, and the best two."""
        active = np.ones(len(self.species), bool)
        if self.settings.stagnation:
            last = self.generation - self.settings.stagnation
            active = np.array([each.improved > last for each in self.species])
            best = np.array([self._fitness[each.members[0]] for each in self.species])
            active[np.argsort(-best, kind="stable")[:2]] = True
        return active

    def _survivors(self) -> I64:
        """Indices of the surviving champions."""
        if not self.generation:
            return np.zeros(0, np.int64)
        kept = [
            species.members[0]
            for species, n in zip(self.species, self.offspring(), strict=True)
            if n and len(species.members) > _CHAMPION_SURVIVES
        ]
        return np.array(kept, np.int64)

    # --- learning --------------------------------------------------------------------------------

    def tell(self, candidate_scores: CandidateScores) -> list[dict[str, Any]]:
        """Divides the candidates into species and ranks each species separately."""
        survivors = self._survivors()
        self.generation += 1
        fitness = np.asarray(candidate_scores.fitness, np.float64)
        records = self._records[survivors] if len(survivors) else EliteRecords.none()
        self._records = records.after_generation(fitness)
        self._genomes, self._fitness = self._asked, fitness
        self._genealogy = [{"parents": self._parents, "ranks": self._ranks().tolist()}]
        champion = int(np.argmax(self._records.fitness))
        self._champion = self._genomes[champion : champion + 1]
        self.species = self._divided()
        target = self.settings.target_species
        if target and len(self.species) != target:
            step = _THRESHOLD_STEP if len(self.species) > target else -_THRESHOLD_STEP
            self.threshold = max(_LEAST_THRESHOLD, self.threshold * (1.0 + step))
        line = {"species": len(self.species), "threshold": self.threshold}
        return [line | self._variation.describe(self._genomes)]

    def _divided(self) -> tuple[Species, ...]:
        """Species of this generation (section 3.3).

        A candidate joins the first species whose representative, a random member of the generation
        before, is near enough.
        """
        n, free = len(self._genomes), np.ones(len(self._genomes), bool)
        found: list[tuple[Species | None, I64]] = []
        for species in self.species:
            free, members = self._taken(species.representative, free)
            found.append((species, members))
        while free.any():
            first = int(np.argmax(free))
            free, members = self._taken(self._genomes[first : first + 1], free)
            members = members if len(members) else np.array([first])
            free[members] = False
            found.append((None, members))
        rng = seeds.generator(self._seed, seeds.OPTIMIZER, self.generation)
        divided = [self._species(old, members, rng) for old, members in found if len(members)]
        assert sum(len(each.members) for each in divided) == n
        return tuple(divided)

    def _taken(self, representative: NeatGenomes, free: AnyArray) -> tuple[AnyArray, I64]:
        """Candidates still unassigned, and the candidates near a representative."""
        possible = np.flatnonzero(free)
        joined = NeatGenomes.join(representative, self._genomes[possible])
        settings = self.settings
        near = (
            joined.distances(
                0,
                excess=settings.excess_coefficient,
                disjoint=settings.disjoint_coefficient,
                weights=settings.weight_coefficient,
            )[1:]
            < self.threshold
        )
        left = free.copy()
        left[possible[near]] = False
        return left, possible[near]

    def _species(self, old: Species | None, members: I64, rng: np.random.Generator) -> Species:
        members = members[np.argsort(-self._fitness[members], kind="stable")]
        best, improved = float(self._fitness[members[0]]), self.generation
        if old is None:
            count = self._next_number
            self._next_number += 1
        else:
            count = old.number
            if best <= old.best:
                best, improved = old.best, old.improved
        chosen = int(rng.choice(members))
        return Species(count, self._genomes[chosen : chosen + 1], best, improved, members)

    def elites(self, group: int) -> Any:
        """The best candidates of the generation evaluated last, best first."""
        return self._genomes[np.argsort(-self._fitness, kind="stable")[: self.n_elites]]

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        representatives = [each.representative for each in self.species]
        joined = NeatGenomes.join(self._kind.none(), *representatives)
        arrays: dict[str, AnyArray] = {
            "generation": np.array(self.generation),
            "threshold": np.array(self.threshold),
            "next_number": np.array(self._next_number),
            "fitness": self._fitness.copy(),
            "species": np.array([each.number for each in self.species], np.int64),
            "best": np.array([each.best for each in self.species], np.float64),
            "improved": np.array([each.improved for each in self.species], np.int64),
            "sizes": np.array([len(each.members) for each in self.species], np.int64),
            "members": np.concatenate(
                [np.zeros(0, np.int64), *(each.members for each in self.species)]
            ),
        }
        arrays |= prefixed("population", self._genomes.to_arrays())
        arrays |= prefixed("champion", self._champion.to_arrays())
        arrays |= prefixed("representatives", joined.to_arrays())
        return arrays | prefixed("records", self._records.to_arrays())

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""
        self.generation = int(state["generation"])
        self.threshold = float(state["threshold"])
        self._next_number = int(state["next_number"])
        self._fitness = np.asarray(state["fitness"], np.float64)
        self._genomes = self._kind.from_arrays(part("population", state))
        self._champion = self._kind.from_arrays(part("champion", state))
        self._records = EliteRecords.from_arrays(part("records", state))
        representatives = self._kind.from_arrays(part("representatives", state))
        members = np.split(np.asarray(state["members"]), np.cumsum(state["sizes"])[:-1])
        values = (state[key].tolist() for key in ("species", "best", "improved"))
        self.species = tuple(
            Species(count, representatives[i : i + 1], best, improved, members[i])
            for i, (count, best, improved) in enumerate(zip(*values, strict=True))
        )
