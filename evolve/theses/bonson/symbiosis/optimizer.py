"""Symbiotic evolution of teams of programs for heads-up limit.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), chapter 4; the defaults are those of its tables 4.2 and 4.6 to 4.8. Half of the
teams of a generation survive, selected by fitness and diversity according to the model, and have as
many children. A second layer, from the published code, starts with new teams whose programs bid for
surviving teams. The matches that all teams play are another population, see
``evolve.theses.bonson.match_schedule``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from agents.match.workers.base import Workers
from agents.theses.bonson.dealt import bid_profile, scores_of
from agents.theses.bonson.dealt.sessions import SessionResults
from agents.theses.bonson.programs.instructions import Program
from agents.theses.bonson.programs.opponent_model import N_INPUTS
from evolve import seeds
from evolve.files.safe import part, prefixed
from evolve.genomes.base import GenomeKind, Variation
from evolve.optimizers.base import BreedingOptimizer, CandidateScores, Contest
from evolve.optimizers.settings import OptimizerSettings
from evolve.parts import Partners
from evolve.seeds import SymbiosisPart
from evolve.theses.bonson.symbiosis.diversity import (
    SYMBOL_DISTANCES,
    BehaviourArchive,
    CompressionDistance,
    action_shares_of,
    entropy_distances,
    genotypic_distances,
    hamming_symbols,
    shared_fitness,
    sparseness,
)
from evolve.theses.bonson.symbiosis.selection import MODELS, Compressor, Model, best_together, keep
from evolve.theses.bonson.teams import (
    LimitTeamKind,
    LimitTeams,
    Team,
    TeamVariation,
    is_team,
    shared_programs,
)
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.jit.array_types import F32, F64, AnyArray

LayerOf = Literal["all", "top", "hall"]

TEAMS_FILE = "teams.npz"
"""File name of the surviving teams."""

_SAMPLE_CHANCE = 0.05
_LEAST_LOWER = 2
"""Fewest teams of the first layer that teams of teams can choose from."""


@dataclass(frozen=True, kw_only=True)
class SymbiosisSettings(OptimizerSettings):
    """Symbiotic evolution of teams of programs, by fitness and diversity."""

    breeds = True
    racing = False
    compared_by = "evolve.theses.bonson.studies.models:compare"
    partners: ClassVar[Partners] = {
        "genomes": {"kind": "limit-teams"},
        "opponents": {"kind": "points"},
        "schedule": {"kind": "matches"},
        "game": {
            "kind": "cash",
            "betting": "fixed-limit",
            "starting_stack": 1000,
            "blinds": "5/10",
            "num_hands": 1,
            "two_calls": True,
        },
        "progress": {"progress_tournaments": 0},
    }

    population: int = 100
    """Number of teams in a generation; half of them survive."""

    model: str = "ham_gen"
    """Diversity model: no_div, bid, nov, only_nov, ncd, ncd_gen, ham, ham_gen, gen, bid_ncd_gen,
    euclidean, entropy, sharing."""

    neighbours: ClassVar[int] = 10
    """Number of nearest teams over which a distance is averaged."""

    bid_sample: int = 1200
    """Number of inputs on which the actions of children are compared."""

    bid_retries: ClassVar[int] = 100
    """Maximum number of mutations of a child until its actions differ from those of all others."""

    archive_size: int = 100
    """Capacity of the archive of behaviours for novelty search."""

    archive_turnover: int = 10
    """Maximum number of novel teams that enter the archive per generation, at most its capacity."""

    compressor: Compressor = "bz2"
    """Compressor of the normalised compression distance."""

    layer_after: int = 0
    """Generation after which teams of teams evolve: their programs bid for teams of this first
    layer, which are frozen and decide when selected; 0 for one layer only."""

    layer_of: LayerOf = "all"
    """Teams available to them: all survivors, the survivors that raise the cumulative score most,
    or the hall of fame (all survivors if it has a single team)."""

    layer_top: ClassVar[int] = 10
    """Maximum number of teams that raise the cumulative score most."""

    def __post_init__(self) -> None:
        one_of("model", self.model, tuple(MODELS))
        one_of("compressor", self.compressor, get_args(Compressor))
        one_of("layer_of", self.layer_of, get_args(LayerOf))
        whole_number("population", self.population, least=4)
        for name in ("bid_sample", "archive_size"):
            whole_number(name, getattr(self, name), least=1)
        # What enters never leaves at once, so more than the capacity would stay.
        whole_number("archive_turnover", self.archive_turnover, least=1, most=self.archive_size)
        whole_number("layer_after", self.layer_after, least=0)

    def check_partners(self, config: Any) -> None:
        """Check that a second layer has generations, and a choice of teams."""
        super().check_partners(config)
        if 0 < config.generations <= self.layer_after:
            raise ValueError(
                f"layer_after must leave some of the {config.generations} generations to the "
                f"second layer; got {self.layer_after}"
            )
        if self.layer_after and self.layer_of == "hall":
            # One team enters the hall of fame per generation, and programs bid for different ones.
            smallest = min(self.layer_after, config.opponents.hall_of_fame)
            if smallest < _LEAST_LOWER:
                raise ValueError(
                    f'layer_of "hall" needs layer_after and hall_of_fame of at least '
                    f"{_LEAST_LOWER}; got {self.layer_after} and {config.opponents.hall_of_fame}"
                )

    @property
    def diversity(self) -> Model:
        """The model of diversity."""
        return MODELS[self.model]

    def make(self, kind: GenomeKind, variation: Variation, seed: int) -> Symbiosis:
        """The optimizer before the first generation."""
        return Symbiosis(self, kind, variation, seed)


@dataclass(frozen=True, eq=False)
class Diversity:
    """Diversity of the teams of a generation.

    Attributes:
        measure: Diversity measure.
        values: ``(n,)`` diversity of every team.
        distances: ``(n, n + m)`` distances between teams and to the archive, for novelty search.
    """

    measure: str
    values: F64
    distances: F64 | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class MatchScores(CandidateScores):
    """Scores of teams, with their behaviour in the matches.

    Attributes:
        played: Results of every team.
        diversity: Diversity of the teams; None if fitness alone counts.
    """

    played: Sequence[SessionResults]
    diversity: Diversity | None


class Symbiosis(BreedingOptimizer):
    """Teams that share programs; half survive, and have as many children.

    The champion is the best team of the last generation, by its validation if there was one.

    Args:
        settings: Settings of the optimizer.
        kind: Kind of the genomes.
        variation: Variation that creates children.
        seed: Seed of all random choices.
    """

    def __init__(
        self, settings: SymbiosisSettings, kind: GenomeKind, variation: Variation, seed: int
    ) -> None:
        if not isinstance(kind, LimitTeamKind) or not isinstance(variation, TeamVariation):
            raise ValueError('optimizer "symbiosis" needs genomes "limit-teams"')
        super().__init__(settings, kind, variation, seed)
        self.settings = settings
        self.n_elites = self.n_selected = self.population // 2
        self.archive = BehaviourArchive()
        self.sample: F32 = np.zeros((0, N_INPUTS), np.float32)
        self._survivors = self._asked = kind.none()
        # Programs of each survivor and each current team that have ever won a bid.
        self._active: list[AbstractSet[Program]] = []
        self._asked_active: list[AbstractSet[Program]] = []
        self._lower: tuple[Team, ...] = ()

    @property
    def n_survivors(self) -> int:  # type: ignore[override]
        """Number of surviving teams."""
        return len(self._survivors)

    @property
    def sample_chance(self) -> float:
        """Probability of sampling the inputs of a decision."""
        return _SAMPLE_CHANCE if self.settings.diversity.new_bids else 0.0

    def compression(self, threads: int = 1) -> CompressionDistance:
        """Normalised compression distance."""
        return CompressionDistance(self.settings.compressor, threads)

    def _rng(self, purpose: SymbiosisPart) -> np.random.Generator:
        return seeds.generator(self._seed, seeds.SYMBIOSIS, self.generation, purpose)

    # --- candidates ------------------------------------------------------------------------------

    def ask(self, *, halls: Sequence[Any] = (), contest: Contest | None = None) -> LimitTeams:
        """The survivors and their children; random teams at first, and when a layer begins."""
        self._asked_active = [frozenset[Program]()] * self.population
        if not self.generation:
            rng = self._rng(SymbiosisPart.TEAMS)
            n_actions = self._survivors.n_actions
            teams = self._variation.new_teams(self.population, n_actions, N_INPUTS, rng)
            self._asked = LimitTeams(teams)
        elif self.generation == self.settings.layer_after:
            lower = self._lower
            # Without new teams the hall stays too small for a choice.
            if self.settings.layer_of == "hall" and len(halls[0]) >= _LEAST_LOWER:
                lower = halls[0].teams
            rng = self._rng(SymbiosisPart.CHILDREN)
            teams = self._variation.new_teams(self.population, len(lower), N_INPUTS, rng)
            self._asked = LimitTeams(teams, layered=(True,) * len(teams), lower=lower)
        else:
            survivors = self._with_room()
            self._asked = LimitTeams.join(survivors, self._children(survivors))
            self._asked_active[: len(survivors)] = self._active
        return self._asked

    def _with_room(self) -> LimitTeams:
        """The survivors; teams of full size lose one idle program."""
        rng, teams = self._rng(SymbiosisPart.TEAMS), list[Team]()
        for team, active in zip(self._survivors.teams, self._active, strict=True):
            idle = [program for program in team if program not in active]
            if idle and len(team) >= self._variation.most_programs:
                team = _without(team, idle[int(rng.integers(len(idle)))])
            teams.append(team)
        return replace(self._survivors, teams=tuple(teams))

    def _children(self, survivors: LimitTeams) -> LimitTeams:
        """Children with one parent each."""
        rng, settings = self._rng(SymbiosisPart.CHILDREN), self.settings
        new_bids = settings.diversity.new_bids and len(self.sample) > 0
        pool, teams = shared_programs(survivors.teams), list[Team]()
        n_actions = len(survivors.lower) or survivors.n_actions
        known = {self.profile(survivors, i) for i in range(len(survivors))} if new_bids else set()
        for _ in range(self.population - len(survivors)):
            child = survivors.teams[int(rng.integers(len(survivors)))]
            for _ in range(settings.bid_retries if new_bids else 1):
                child = self._variation.child(child, pool, N_INPUTS, n_actions, rng)
                if not new_bids:
                    break
                profile = self.profile(_like(survivors, [child]), 0)
                if profile not in known:
                    known.add(profile)
                    break
            teams.append(child)
        return _like(survivors, teams)

    def profile(self, teams: LimitTeams, i: int) -> bytes:
        """Actions of a team on the sample of inputs."""
        return bid_profile(teams.player(i), self.sample).tobytes()

    # --- learning --------------------------------------------------------------------------------

    def measure_diversity(
        self, played: Sequence[SessionResults], workers: Workers
    ) -> Diversity | None:
        """Diversity of the current teams, by the measure of their generation."""
        measures, k = self.settings.diversity.measures, self.settings.neighbours
        if not measures:
            return None
        measure = measures[self.generation % len(measures)]
        if measure == "genotypic":
            return Diversity(measure, sparseness(genotypic_distances(self._active_in(played)), k))
        outcomes = np.array([each.outcomes for each in played])
        if measure == "sharing":
            return Diversity(measure, shared_fitness(scores_of(outcomes)))
        if measure == "entropy":
            distances = entropy_distances(action_shares_of(outcomes))
        elif measure in SYMBOL_DISTANCES:
            distances = SYMBOL_DISTANCES[measure](hamming_symbols(outcomes))
        else:
            texts = [each.letters for each in played]
            references = self.archive.texts if measure == "novelty" else []
            distances = self.compression(workers.count).distances(texts, references)
        novelty = distances if measure == "novelty" else None
        return Diversity(measure, sparseness(distances, k), novelty)

    def _active_in(self, played: Sequence[SessionResults]) -> list[AbstractSet[Program]]:
        """Programs of each current team that have won a bid, these matches included."""
        return [
            before | set(compress(team, each.active))
            for before, team, each in zip(
                self._asked_active, self._asked.teams, played, strict=True
            )
        ]

    def tell(self, candidate_scores: CandidateScores) -> list[dict[str, Any]]:
        """Keeps half of the teams.

        Raises:
            TypeError: The scores are not ``MatchScores``.
        """
        if not isinstance(candidate_scores, MatchScores):
            raise TypeError('optimizer "symbiosis" needs schedule "matches"')
        settings, played = self.settings, candidate_scores.played
        model, diversity = settings.diversity, candidate_scores.diversity
        active = self._active_in(played)
        self.generation += 1
        if model.new_bids:
            self._renew_sample(played)
        kept = keep(
            self.n_elites,
            candidate_scores.fitness if model.by_fitness else None,
            None if diversity is None else diversity.values,
        )
        champion = candidate_scores.champion(self.groups[0])
        self._champion = self._asked[champion : champion + 1]
        self._survivors, self._active = self._asked[kept], [active[i] for i in kept]
        line: dict[str, Any] = {"programs": float(np.mean(list(map(len, self._asked.teams))))}
        if diversity is not None:
            line |= {
                "measure": diversity.measure,
                "mean_diversity": float(diversity.values.mean()),
            }
            if diversity.distances is not None:
                self._remember(played, diversity.values, diversity.distances)
        if self.generation == settings.layer_after:
            self._lower = self.elites(0).teams
            if settings.layer_of == "top":
                scores = np.array([scores_of(played[i].outcomes) for i in kept])
                best = best_together(settings.layer_top, scores)
                self._lower = tuple(self._lower[i] for i in best)
        return [line]

    def _renew_sample(self, played: Sequence[SessionResults]) -> None:
        """Adds new inputs to the sample and drops the oldest."""
        new = np.concatenate([each.samples for each in played])
        order = self._rng(SymbiosisPart.SAMPLE).permutation(len(new))
        self.sample = np.concatenate([self.sample, new[order]])[-self.settings.bid_sample :]

    def _remember(self, played: Sequence[SessionResults], novelty: F64, distances: F64) -> None:
        """Adds the most novel behaviours to the archive."""
        self.archive.extend(
            [each.letters for each in played],
            distances,
            novelty,
            size=self.settings.archive_size,
            turnover=self.settings.archive_turnover,
            k=self.settings.neighbours,
        )

    def elites(self, group: int) -> LimitTeams:
        """The surviving teams, without idle programs."""
        teams = map(_without_idle, self._survivors.teams, self._active)
        return replace(self._survivors, teams=tuple(teams))

    # --- on disk ---------------------------------------------------------------------------------

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        flags = [
            program in active
            for team, active in zip(self._survivors.teams, self._active, strict=True)
            for program in team
        ]
        lower = LimitTeams(self._lower)
        return {
            "generation": np.array(self.generation),
            "active": np.array(flags, np.bool_),
            "sample": self.sample,
            **prefixed("population", self._survivors.to_arrays()),
            **prefixed("champion", self._champion.to_arrays()),
            **prefixed("lower", lower.to_arrays()),
            **prefixed("archive", self.archive.to_arrays()),
        }

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""
        none = self._kind.none()
        self.generation = int(state["generation"])
        self.sample = state["sample"]
        self._survivors = none.with_arrays(part("population", state))
        self._champion = none.with_arrays(part("champion", state))
        self._lower = none.with_arrays(part("lower", state)).teams
        self.archive = BehaviourArchive.from_arrays(part("archive", state))
        flags = iter(state["active"].tolist())
        self._active = [set(compress(team, flags)) for team in self._survivors.teams]

    def files(self) -> dict[str, dict[str, AnyArray]]:
        """The surviving teams."""
        return {TEAMS_FILE: self.elites(0).to_arrays()}


def _like(teams: LimitTeams, programs: Sequence[Team]) -> LimitTeams:
    """A batch of other teams of the same layer."""
    layered = (bool(teams.lower),) * len(programs)
    return replace(teams, teams=tuple(programs), layered=layered)


def _without(team: Team, program: Program) -> Team:
    """A team without one of its programs, if the remaining team is valid."""
    remaining = tuple(other for other in team if other != program)
    return remaining if is_team(remaining) else team


def _without_idle(team: Team, active: AbstractSet[Program]) -> Team:
    """A team without the programs that never won a bid, as far as it stays valid."""
    for program in team:
        if program not in active:
            team = _without(team, program)
    return team
