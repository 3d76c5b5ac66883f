"""The published genetic algorithm: elites survive, and their children take the other places.

G. Nicolai (MSc thesis, University of Regina, 2008), section 4.1.6, and Nicolai and Hilderman (ICEC
2010). All candidates are ranked by the games of one generation; sub-populations play in the same
games and breed apart. Options cover ideas that the thesis describes or suggests: broods (section
4.2.4), rollback (section 6.2), parents from the hall of fame, and a champion that moves towards its
challengers. Parents can also be selected by fitness and novelty, see ``evolve.optimizers.novelty``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from evolve import seeds
from evolve.files.safe import part, prefixed
from evolve.genomes.base import GenomeKind, Genomes, Parents, Variation
from evolve.optimizers.base import BreedingOptimizer, CandidateScores, Contest, EliteRecords
from evolve.optimizers.novelty import rank_by_novelty
from evolve.optimizers.rollback import Rollback
from evolve.optimizers.settings import OptimizerSettings
from nlhe_env.arguments import one_of, share, whole_number
from nlhe_env.jit.array_types import F64, I64, AnyArray

ParentsBy: TypeAlias = Literal["elites", "rank", "novelty"]


@dataclass(frozen=True, kw_only=True)
class ElitistSettings(OptimizerSettings):
    """The published genetic algorithm."""

    breeds = True

    population: int = 1000
    """Total number of candidates in all sub-populations."""

    elites: int = 100
    """Total number of best candidates in all sub-populations; they survive unchanged and are the
    parents of the next generation."""

    sub_populations: int = 1
    """Parts of the population that play in the same games but breed separately."""

    parents_by: ParentsBy = "elites"
    """Parents: the elites with equal probabilities; all candidates by linear ranking, where the
    best of n is n times as likely as the worst; or as many as elites by fitness and novelty of
    behaviour."""

    elite_memory: bool = False
    """Rank elites by all their generations, instead of the last one only."""

    hall_parents: float = 0.0
    """Probability that a parent comes from the hall of fame."""

    champion_step: float = 1.0
    """With one elite: how far the champion moves towards a challenger that beats it; at 1 the
    challenger replaces it."""

    brood_size: int = 1
    """Children created for each place; if there are several, those that do best at single tables
    are kept."""

    brood_tournaments: int = 10
    """Number of single tables that each child of a brood plays."""

    rollback: int = 0
    """Number of consecutive generations in which the hall of fame is ahead of the elites before the
    population is reset to the generation whose elites led by the most; 0 for never."""

    def __post_init__(self) -> None:
        whole_number("population", self.population, least=2)
        whole_number("elites", self.elites, least=1)
        whole_number("sub_populations", self.sub_populations, least=1)
        if self.elites > self.population:
            raise ValueError(
                f"elites must not exceed the population ({self.population}); got {self.elites} "
                "(--scale changes population, elites and hall of fame together)"
            )
        for key in ("population", "elites"):
            self.check_shared(key, getattr(self, key))
        one_of("parents_by", self.parents_by, get_args(ParentsBy))
        share("hall_parents", self.hall_parents)
        share("champion_step", self.champion_step)
        if self.champion_step == 0:
            raise ValueError("champion_step must be above 0, or the champion never changes; got 0")
        if self.champion_step < 1 and self.elites > self.sub_populations:
            raise ValueError(
                "champion_step below 1 needs one elite in each sub-population; got "
                f"{self.elites // self.sub_populations}"
            )
        if not isinstance(self.elite_memory, bool):
            raise ValueError(f"elite_memory must be true or false; got {self.elite_memory!r}")
        if self.elite_memory and self.champion_step < 1:
            raise ValueError(
                "elite_memory needs elites that do not change: champion_step must be 1; got "
                f"{self.champion_step}"
            )
        whole_number("brood_size", self.brood_size, least=1)
        whole_number("brood_tournaments", self.brood_tournaments, least=1)
        whole_number("rollback", self.rollback, least=0)

    def check_partners(self, config: Any) -> None:
        """Check that genomes can move if the champion does, and that halls are there if used."""
        super().check_partners(config)
        kind, hall = config.kind("genomes"), getattr(config.opponents, "hall_of_fame", 0)
        if self.champion_step < 1 and type(config.genomes.none()).towards is Genomes.towards:
            raise ValueError(
                f'champion_step must be 1 with genomes "{kind}", which cannot move towards each '
                f"other; got {self.champion_step}"
            )
        self.check_shared("hall_of_fame", hall)
        for key in ("rollback", "hall_parents"):
            if getattr(self, key) and not hall:
                raise ValueError(
                    f"{key} needs a hall of fame; got {key} = {getattr(self, key)} and "
                    "hall_of_fame = 0"
                )

    def check_shared(self, key: str, total: int) -> None:
        """Checks that a number can be divided equally among the sub-populations.

        Raises:
            ValueError: The number is not divisible.
        """
        if total % self.sub_populations:
            raise ValueError(
                f"{key} must be a multiple of sub_populations ({self.sub_populations}), which "
                f"share it equally; got {total}"
            )

    def scaled(self, factor: float) -> ElitistSettings:
        """Settings with population and elites multiplied; the sub-populations stay equal."""
        return replace(
            self,
            population=self.scale(self.population, factor),
            elites=self.scale(self.elites, factor),
        )

    def scale(self, total: int, factor: float) -> int:
        """A number divided among sub-populations, multiplied; at least one each, unless 0."""
        each = max(1, round(total * factor / self.sub_populations))
        return each * self.sub_populations if total else 0

    def make(self, kind: GenomeKind, variation: Variation, seed: int) -> Elitist:
        """Creates the optimizer in its initial state."""
        return Elitist(self, kind, variation, seed)


@dataclass(frozen=True, eq=False)
class SubPopulation:
    """A part of the population that breeds apart.

    Attributes:
        genomes: Its candidates in the last finished generation, best first; none before the first.
        chances: Their probabilities to be parents of the next generation, not normalised; empty if
            ``parents`` are, with equal probabilities.
        elites: The elites of that generation, best first.
        champion: The champion of that generation, a batch of one genome.
        retreat: Checkpoint for a rollback.
        parents: Ranks of the parents of the next generation unless there are ``chances``.
        records: Results of the elites in earlier generations; None if those do not count.
        archive: ``(m, n_measures)`` earlier behaviours, if parents are selected by novelty.
    """

    genomes: Any
    chances: F64
    elites: Any
    champion: Any
    retreat: Rollback
    parents: I64
    records: EliteRecords | None = None
    archive: F64 = field(default_factory=lambda: np.empty((0, 0)))


class Elitist(BreedingOptimizer):
    """Elites survive unchanged at the head of their sub-population; the rest are their children.

    Args:
        settings: Settings of the optimizer.
        kind: Kind of the genomes.
        variation: Variation that creates children.
        seed: Seed of all random choices.
        parents: Number of parents of each sub-population; by default as many as its elites.
    """

    def __init__(
        self,
        settings: ElitistSettings,
        kind: GenomeKind,
        variation: Variation,
        seed: int,
        parents: int | None = None,
    ) -> None:
        super().__init__(settings, kind, variation, seed)
        self.settings = settings
        n, each = settings.sub_populations, settings.population // settings.sub_populations
        self.groups = [slice(i * each, (i + 1) * each) for i in range(n)]
        self.n_elites = settings.elites // n
        self.n_selected = self.n_elites
        self.n_parents = self.n_elites if parents is None else parents
        none = kind.none()
        records = EliteRecords.none() if settings.elite_memory else None
        self._best = np.arange(self.n_parents)
        start = SubPopulation(
            none, np.empty(0), none, none, Rollback.none(none), self._best, records
        )
        self.sub_populations = (start,) * n
        self._asked: list[Any] = []
        self._parents: list[list[list[int]]] = []

    @property
    def n_survivors(self) -> int:  # type: ignore[override]
        """Number of previous elites, which come first in every sub-population."""
        return self.n_elites if self.generation else 0

    def ask(self, *, halls: Sequence[Any] = (), contest: Contest | None = None) -> Any:
        """The candidates of the next generation, sub-population by sub-population, elites first.

        Random candidates at first, then elites and children; children of a brood compete for
        places. Repeated calls return the same candidates.
        """
        rng = seeds.generator(self._seed, seeds.NEWCOMERS, self.generation + 1)
        return self.draw(rng, halls=halls, contest=contest)

    def draw(
        self,
        rng: np.random.Generator,
        *,
        halls: Sequence[Any] = (),
        contest: Contest | None = None,
    ) -> Any:
        """The candidates of ``ask`` from a random generator."""
        each = self.population // len(self.groups)
        self._asked, self._parents = [], []
        for i, sub in enumerate(self.sub_populations):
            if not self.generation:
                self._asked.append(self._kind.first(each, self._variation, rng=rng))
                self._parents.append([[] for _ in range(each)])
                continue
            children = self._children(i, sub, each - self.n_elites, halls, contest, rng)
            self._asked.append(type(children).join(sub.genomes[: self.n_elites], children))
        return type(self._asked[0]).join(*self._asked)

    def _children(
        self,
        number: int,
        sub: SubPopulation,
        places: int,
        halls: Sequence[Any],
        contest: Contest | None,
        rng: np.random.Generator,
    ) -> Any:
        chances = sub.chances
        if self.settings.parents_by == "rank":
            chances = np.arange(len(sub.genomes), 0, -1, dtype=np.float64)
        by_chance = len(chances) > 0
        ranks = np.arange(len(sub.genomes)) if by_chance else sub.parents
        parents: Parents[Genomes] = Parents(
            sub.genomes[ranks],
            most=self.n_parents,
            chances=chances if by_chance else None,
            hall=halls[number] if halls else None,
            hall_chance=self.settings.hall_parents,
        )
        brood_size = self.settings.brood_size
        children = self._variation.children(parents, brood_size * places, rng=rng)
        # Children are selected from broods, so the parents of a place are unknown.
        drawn = [[int(ranks[i]) if i >= 0 else i for i in each] for each in parents.drawn]
        drawn = drawn if brood_size == 1 else []
        drawn = drawn if len(drawn) == places else [[] for _ in range(places)]
        self._parents.append([[i] for i in range(self.n_elites)] + drawn)
        if brood_size > 1 and places and contest is not None:
            children = contest(children, places, number, rng)
        return children

    def tell(self, candidate_scores: CandidateScores) -> list[dict[str, Any]]:
        """Ranks every sub-population by itself."""
        lines, after = [], []
        self._genealogy = []
        for i, rows in enumerate(self.groups):
            sub, extras = self._judged(i, rows, candidate_scores)
            after.append(sub)
            lines.append(extras | self._variation.describe(self._asked[i]))
        self.sub_populations = tuple(after)
        self.generation += 1
        return lines

    def _judged(
        self, number: int, rows: slice, candidate_scores: CandidateScores
    ) -> tuple[SubPopulation, dict[str, Any]]:
        """A sub-population after a generation, and its metrics."""
        candidates, step = self._asked[number], self.settings.champion_step
        before = self.sub_populations[number]
        order, champion = candidate_scores.ranking(rows), candidate_scores.champion(rows)
        records = before.records
        if records is not None:
            records = records.after_generation(candidate_scores.fitness[rows])
            order = rows.start + np.argsort(-records.fitness, kind="stable")
            records = records[order[: self.n_elites] - rows.start]
            champion = int(order[0]) if candidate_scores.picks is None else champion
        best, champion = order - rows.start, champion - rows.start
        ranks = np.argsort(best, kind="stable")  # the inverse of an order
        self._genealogy.append({"parents": self._parents[number], "ranks": ranks.tolist()})
        ranked, champion_genome = candidates[best], candidates[champion : champion + 1]
        if step < 1 and self.generation and best[0] != 0:
            champion_genome = candidates[:1].towards(ranked[:1], step)
            ranked = type(ranked).join(champion_genome, ranked[1:])
        chances = (
            np.empty(0) if candidate_scores.chances is None else candidate_scores.chances[order]
        )
        elites, retreat, extras = ranked[: self.n_elites], before.retreat, dict[str, Any]()
        parents, archive = self._best, before.archive
        if self.settings.parents_by == "novelty":
            fitness, behaviour = candidate_scores.fitness[rows], candidate_scores.behaviour[rows]
            rng = seeds.generator(self._seed, seeds.OPTIMIZER, self.generation, 1 + number)
            novel, archive = rank_by_novelty(fitness, behaviour, archive, rng=rng)
            parents = ranks[novel[: self.n_parents]]
        if self.settings.rollback:
            retreat = retreat.after_generation(
                self.generation + 1,
                genomes=ranked,
                chances=chances,
                elites=-candidate_scores.fitness[order[: self.n_elites]],
                hall=-candidate_scores.halls[number],
            )
            extras["rolled_back_to"] = None
            if retreat.is_due(self.settings.rollback):
                ranked, chances = retreat.genomes, retreat.chances
                parents = self._best
                records = None if records is None else EliteRecords.none()
                extras["rolled_back_to"] = retreat.generation
                retreat = retreat.started_again()
        return (
            SubPopulation(
                ranked, chances, elites, champion_genome, retreat, parents, records, archive
            ),
            extras,
        )

    def elites(self, group: int) -> Any:
        """The elites of the generation evaluated last, best first."""
        return self.sub_populations[group].elites

    def _champion_of(self, group: int) -> Any:
        return self.sub_populations[group].champion

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        arrays: dict[str, AnyArray] = {"generation": np.array(self.generation)}
        for i, sub in enumerate(self.sub_populations, 1):
            arrays |= prefixed(f"{i}_population", sub.genomes.to_arrays())
            arrays |= prefixed(f"{i}_champion", sub.champion.to_arrays())
            arrays |= prefixed(f"{i}_retreat", sub.retreat.to_arrays())
            arrays[f"{i}_chances"] = sub.chances
            if sub.records is not None:
                arrays |= prefixed(f"{i}_records", sub.records.to_arrays())
            if self.settings.parents_by == "novelty":
                arrays |= {f"{i}_parents": sub.parents, f"{i}_archive": sub.archive}
        return arrays

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""

        def read(i: int) -> SubPopulation:
            genomes = self._kind.from_arrays(part(f"{i}_population", state))
            return SubPopulation(
                genomes,
                state[f"{i}_chances"],
                genomes[: self.n_elites],
                self._kind.from_arrays(part(f"{i}_champion", state)),
                Rollback.from_arrays(part(f"{i}_retreat", state), self._kind),
                state.get(f"{i}_parents", self._best),
                EliteRecords.from_arrays(part(f"{i}_records", state))
                if self.settings.elite_memory
                else None,
                state.get(f"{i}_archive", np.empty((0, 0))),
            )

        self.sub_populations = tuple(read(i) for i in range(1, len(self.groups) + 1))
        self.generation = int(state["generation"])
